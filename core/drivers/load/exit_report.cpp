// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/exit_report.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "core/drivers/load/crash_report.hpp"

namespace gantry::drivers {
namespace {

std::atomic<bool> is_a_crash = false;
std::atomic<pid_t> watched_process = 0;

[[noreturn]] void end_process(int status) {
  for (;;) ::syscall(SYS_exit_group, status);
}

bool is_watched() {
  return is_a_crash.load() && ::getpid() == watched_process.load();
}

[[noreturn]] void report_and_end(std::string_view function, int status, const CrashSite& site) {
  std::array<char, 32> text;
  char* at = text.data();
  for (const char c : function) *at++ = c;
  *at++ = '(';
  at = std::to_chars(at, text.data() + text.size() - 1, status).ptr;
  *at++ = ')';
  report_crash({text.data(), static_cast<std::size_t>(at - text.data())}, site);
  end_process(EXIT_FAILURE);
}

void on_exit_of_process(int status, void* /*nothing*/) {
  if (is_watched()) report_and_end("exit", status, calling_site(nullptr));
}

void on_quick_exit() {
  if (!is_watched()) return;
  report_crash("quick_exit", calling_site(nullptr));
  end_process(EXIT_FAILURE);
}

[[noreturn]] void end_at_once(int status, const void* caller) {
  const CrashSite site = calling_site(caller);
  if (is_watched() && runs_a_driver(site)) report_and_end("_exit", status, site);
  end_process(status);
}

}  // namespace

ExitIsACrash::ExitIsACrash() {
  watched_process = ::getpid();
  ::on_exit(&on_exit_of_process, nullptr);
  static_cast<void>(std::at_quick_exit(&on_quick_exit));
  is_a_crash = true;
}

ExitIsACrash::~ExitIsACrash() {
  is_a_crash = false;
}

}  // namespace gantry::drivers

// No handler runs at these two. The dynamic linker takes the program's functions before those of the C library, so that
// drivers call these.
extern "C" __attribute__((visibility("default"))) void _exit(int status) {
  gantry::drivers::end_at_once(status, __builtin_return_address(0));
}

extern "C" __attribute__((visibility("default"))) void _Exit(int status) noexcept {
  gantry::drivers::end_at_once(status, __builtin_return_address(0));
}
