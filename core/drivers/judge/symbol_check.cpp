// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/judge/symbol_check.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <utility>

#include "core/drivers/file/file_content.hpp"
#include "core/drivers/file/refusal.hpp"
#include "core/drivers/file/trusted_file.hpp"

namespace gantry::drivers {
namespace {

constexpr std::size_t most_named = 5;

bool is_defined_by(void* handle, const std::string& name) {
  ::dlerror();
  return ::dlsym(handle, name.c_str()) != nullptr || ::dlerror() == nullptr;
}

// True if the program's own file defines the symbol, as a static sanitizer runtime does.
bool is_defined_by_the_program(const std::string& name) {
  Dl_info own{};
  Dl_info found{};
  const void* const here = reinterpret_cast<const void*>(&check_symbols);
  const void* const address = ::dlsym(RTLD_DEFAULT, name.c_str());
  return address != nullptr && ::dladdr(here, &own) != 0 && ::dladdr(address, &found) != 0 &&
         own.dli_fbase == found.dli_fbase;
}

// The symbols that are not found yet. Each library takes out those that it defines.
class Missing {
 public:
  explicit Missing(const std::vector<std::string>& undefined) : names_(undefined.begin(), undefined.end()) {}

  bool empty() const { return names_.empty(); }
  // ld.so has loaded the library: it answers for the library and for all that this needs.
  bool take_loaded(const std::string& library) {
    const std::unique_ptr<void, int (*)(void*)> handle(::dlopen(library.c_str(), RTLD_LAZY | RTLD_NOLOAD), &::dlclose);
    if (!handle) return false;
    std::erase_if(names_, [&](const std::string& name) { return is_defined_by(handle.get(), name); });
    return true;
  }
  // Returns the libraries that the library itself needs.
  std::vector<std::string> take_file(const std::string& path) {
    const Result<files::Descriptor> file = open_untrusted(path);
    if (!file) return {};
    const Result<std::vector<std::byte>> content = read_content(file->number(), path);
    if (!content) return {};
    Result<ElfFile> elf = read_elf(*content, path);
    if (!elf) return {};
    for (const ElfSymbol& symbol : elf->exported) names_.erase(symbol.name);
    return std::move(elf->libraries);
  }
  void take_program() {
    std::erase_if(names_, [](const std::string& name) { return is_defined_by_the_program(name); });
  }

  std::string text() const {
    std::string listed;
    std::size_t count = 0;
    for (const std::string& name : names_) {
      if (++count > most_named) break;
      listed.append(listed.empty() ? "" : ", ").append(name);
    }
    if (names_.size() > most_named)
      listed.append(" and ").append(std::to_string(names_.size() - most_named)).append(" more");
    return listed;
  }

 private:
  std::set<std::string> names_;
};

}  // namespace

Result<void> check_symbols(const std::string& path, const ElfFile& file, const LibrarySearch& search) {
  Missing missing(file.undefined);
  std::deque<std::string> open(file.libraries.begin(), file.libraries.end());
  std::set<std::string> seen;
  for (; !open.empty() && !missing.empty(); open.pop_front()) {
    const std::string library = open.front();
    if (!seen.insert(library).second || missing.take_loaded(library)) continue;
    const bool is_path = library.find('/') != std::string::npos;
    for (const std::string& candidate : is_path ? std::vector{library} : find_library(search, library)) {
      for (std::string& further : missing.take_file(candidate)) open.push_back(std::move(further));
    }
  }
  missing.take_program();
  if (missing.empty()) return {};
  return refuse(
      path, {"undefined symbols", "each one defined in the file or in a library that it is linked with", missing.text(),
             "link it with -Wl,-z,defs to have the linker find them, and with the libraries that define them "
             "(-l...)"});
}

}  // namespace gantry::drivers
