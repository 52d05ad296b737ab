// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/crash_report.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <memory>

namespace gantry::drivers {
namespace {

constexpr std::array<int, 6> fatal_signals = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS};

thread_local const CrashNote* current_note = nullptr;
std::atomic<bool> is_installed = false;

std::string_view name_of_signal(int signal) {
  switch (signal) {
    case SIGSEGV: return "SIGSEGV";
    case SIGBUS: return "SIGBUS";
    case SIGILL: return "SIGILL";
    case SIGFPE: return "SIGFPE";
    case SIGABRT: return "SIGABRT";
    default: return "SIGSYS";
  }
}

// One line in one write: async-signal-safe, and lines of two threads do not mix.
class CrashLine {
 public:
  CrashLine& operator<<(std::string_view text) {
    for (const char c : text) {
      if (size_ + 1 < line_.size()) line_[size_++] = static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
    return *this;
  }

  void end() {
    line_[size_++] = '\n';
    [[maybe_unused]] const ssize_t ignored = ::write(STDERR_FILENO, line_.data(), size_);
  }

 private:
  std::array<char, 1024> line_;
  std::size_t size_ = 0;
};

void add_note(CrashLine& line) {
  const CrashNote* note = current_note;
  if (note == nullptr) {
    line << " outside of any driver";
    return;
  }
  line << " in driver '" << note->driver() << "', operation " << note->operation();
  if (!note->request().empty()) line << ", request " << note->request();
}

void report_signal(int signal, siginfo_t* info, void* /*context*/) {
  CrashLine line;
  line << "gantry: crash report: " << name_of_signal(signal);
  add_note(line);
  line << "; what was accepted is kept, the process ends";
  line.end();
  ::signal(signal, SIG_DFL);
  // A processor fault repeats at the same instruction, so the core dump shows the place. A signal that was sent by a
  // process does not repeat and is raised again here.
  if (info == nullptr || info->si_code <= 0) ::raise(signal);
}

[[noreturn]] void report_terminate() {
  CrashLine line;
  line << "gantry: crash report: an exception left";
  add_note(line);
  if (const std::exception_ptr exception = std::current_exception()) {
    try {
      std::rethrow_exception(exception);
    } catch (const std::exception& error) {
      line << ": " << error.what();
    } catch (...) {
      line << ": of an unknown type";
    }
  }
  line.end();
  std::abort();
}

// A stack for the handler, so that an overflow of the thread's own is reported too.
class SignalStack {
 public:
  SignalStack() {
    stack_t before{};
    if (::sigaltstack(nullptr, &before) != 0 || (before.ss_flags & SS_DISABLE) == 0) return;
    memory_ = std::make_unique<std::array<char, size>>();
    stack_t stack{};
    stack.ss_sp = memory_->data();
    stack.ss_size = size;
    if (::sigaltstack(&stack, nullptr) != 0) memory_.reset();
  }
  ~SignalStack() {
    if (!memory_) return;
    stack_t none{};
    none.ss_flags = SS_DISABLE;
    ::sigaltstack(&none, nullptr);
  }
  SignalStack(const SignalStack&) = delete;
  SignalStack& operator=(const SignalStack&) = delete;

 private:
  static constexpr std::size_t size = 32768;
  std::unique_ptr<std::array<char, size>> memory_;
};

void give_this_thread_a_signal_stack() {
  thread_local const SignalStack stack;
}

}  // namespace

CrashNote::CrashNote(std::string_view driver, std::string_view operation, std::string_view request)
    : driver_(driver), operation_(operation), request_(request), outer_(current_note) {
  if (is_installed.load(std::memory_order_relaxed)) give_this_thread_a_signal_stack();
  current_note = this;
}

CrashNote::~CrashNote() {
  current_note = outer_;
}

void install_crash_report() {
  if (is_installed.exchange(true)) return;
  give_this_thread_a_signal_stack();
  std::set_terminate(&report_terminate);
  struct sigaction action {};
  action.sa_sigaction = &report_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  for (const int signal : fatal_signals) ::sigaction(signal, &action, nullptr);
}

}  // namespace gantry::drivers
