// SPDX-License-Identifier: Apache-2.0
#include "core/store/lock_holder.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <vector>

namespace gantry::store {

namespace {

namespace fs = std::filesystem;

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

bool has_open(const fs::path& process, const struct stat& file) {
  std::error_code fault;
  for (fs::directory_iterator each(process / "fd", fault), end; !fault && each != end; each.increment(fault)) {
    struct stat opened {};
    if (stat(each->path().c_str(), &opened) != 0) continue;
    if (opened.st_dev == file.st_dev && opened.st_ino == file.st_ino) return true;
  }
  return false;
}

// The other processes that have the lock file open, as far as this user may know.
std::vector<std::string> processes_with(const files::Descriptor& lock_file) {
  std::vector<std::string> found;
  struct stat file {};
  if (fstat(lock_file.number(), &file) != 0) return found;
  const std::string own = std::to_string(getpid());
  std::error_code fault;
  for (fs::directory_iterator each("/proc", fault), end; !fault && each != end; each.increment(fault)) {
    const std::string process = each->path().filename();
    if (is_number(process) && process != own && has_open(each->path(), file)) found.push_back(process);
  }
  return found;
}

}  // namespace

void write_lock_holder(const files::Descriptor& lock_file) {
  std::string line = std::to_string(getpid());
  line.resize(lock_holder_size - 1, ' ');
  line += '\n';
  // The number only serves the message to the next process. The lock holds without it.
  if (pwrite(lock_file.number(), line.data(), line.size(), 0) < 0) return;
}

std::string lock_holder(const files::Descriptor& lock_file) {
  std::array<char, lock_holder_size> text{};
  const ssize_t size = pread(lock_file.number(), text.data(), text.size(), 0);
  const std::string_view line(text.data(), size > 0 ? static_cast<std::size_t>(size) : 0);
  const std::string taker(line.substr(0, line.find_first_not_of("0123456789")));
  const auto holders = processes_with(lock_file);
  const bool is_known = std::ranges::find(holders, taker) != holders.end();
  if (holders.empty() || is_known) return taker.empty() ? "another process" : "process " + taker;
  // The kernel keeps the lock until each process that inherited the open file has ended.
  return "process " + holders.front() +
         (taker.empty() ? "" : ", which process " + taker + " left behind (did a driver fork?)");
}

}  // namespace gantry::store
