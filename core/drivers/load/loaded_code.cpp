// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/loaded_code.hpp"

#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <memory>

namespace gantry::drivers {
namespace {

// Never removed and never destroyed, as the code is never unloaded: a signal handler reads the list without a lock.
constexpr std::size_t most_files = 256;
std::array<std::atomic<const LoadedCode*>, most_files> files;
std::atomic<std::size_t> file_count = 0;

struct Search {
  std::uintptr_t address;
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;
};

int visit(dl_phdr_info* object, std::size_t /*size*/, void* of) {
  auto& search = *static_cast<Search*>(of);
  std::uintptr_t begin = UINTPTR_MAX;
  std::uintptr_t end = 0;
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    const auto& segment = object->dlpi_phdr[i];
    if (segment.p_type != PT_LOAD) continue;
    begin = std::min(begin, object->dlpi_addr + segment.p_vaddr);
    end = std::max(end, object->dlpi_addr + segment.p_vaddr + segment.p_memsz);
  }
  if (search.address < begin || search.address >= end) return 0;
  search.begin = begin;
  search.end = end;
  return 1;
}

template <class Condition>
const LoadedCode* find(const Condition& holds) noexcept {
  const std::size_t count = file_count.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < count; ++i) {
    const LoadedCode* const code = files[i].load(std::memory_order_relaxed);
    if (holds(*code)) return code;
  }
  return nullptr;
}

}  // namespace

void add_loaded_code(const void* address, const std::string& id, const std::string& path) {
  Search search{reinterpret_cast<std::uintptr_t>(address)};
  const std::size_t count = file_count.load(std::memory_order_relaxed);
  if (count == most_files || ::dl_iterate_phdr(&visit, &search) == 0) return;
  files[count].store(std::make_unique<LoadedCode>(LoadedCode{search.begin, search.end, id, path}).release(),
                     std::memory_order_relaxed);
  file_count.store(count + 1, std::memory_order_release);
}

const LoadedCode* loaded_code_at(std::uintptr_t address) noexcept {
  return find([address](const LoadedCode& code) { return address >= code.begin && address < code.end; });
}

const LoadedCode* loaded_code_of(std::string_view id) noexcept {
  return find([id](const LoadedCode& code) { return code.id == id; });
}

// glibc keeps a thread's own record, to which pthread_self points, at the top of the thread's stack. A thread may have
// left that stack for another one: the read through /proc fails between the two, where a plain one would crash again.
const LoadedCode* loaded_code_on_stack(std::uintptr_t stack) noexcept {
  const auto top = static_cast<std::uintptr_t>(::pthread_self());
  auto at = stack & ~(sizeof(std::uintptr_t) - 1);
  constexpr std::uintptr_t largest_stack = 1U << 26U;
  if (at > top || top - at > largest_stack) return nullptr;
  const int memory = ::open("/proc/self/mem", O_RDONLY | O_CLOEXEC);
  const LoadedCode* code = nullptr;
  while (memory >= 0 && code == nullptr && at < top) {
    std::array<std::uintptr_t, 512> words;
    const std::size_t wanted = std::min(sizeof words, top - at);
    if (::pread(memory, words.data(), wanted, static_cast<off_t>(at)) != static_cast<ssize_t>(wanted)) break;
    for (std::size_t i = 0; i < wanted / sizeof words[0] && code == nullptr; ++i) code = loaded_code_at(words[i]);
    at += wanted;
  }
  if (memory >= 0) ::close(memory);
  return code;
}

}  // namespace gantry::drivers
