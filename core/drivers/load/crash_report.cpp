// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/crash_report.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <memory>

#include "core/drivers/load/fatal_requests.hpp"
#include "core/drivers/load/fatal_signals.hpp"
#include "core/drivers/load/loaded_code.hpp"
#include "core/telemetry/crash_log.hpp"

namespace gantry::drivers {
namespace {

thread_local const CrashNote* current_note = nullptr;
thread_local bool has_been_in_a_driver = false;
// Never destroyed: a crash may come after the end of main.
std::atomic<const telemetry::CrashLog*> crash_log = nullptr;
std::atomic<const std::string*> requests_file = nullptr;
std::atomic<pid_t> reported_process = 0;

struct Address {
  std::uintptr_t number;
};

// Text in memory of its own, cut at its end.
class ShortText {
 public:
  ShortText& operator<<(std::string_view text) {
    for (const char c : text) {
      if (size_ < text_.size()) text_[size_++] = c;
    }
    return *this;
  }
  ShortText& operator<<(std::int64_t number) {
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    return *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
  }
  ShortText& operator<<(Address address) {
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), address.number, 16).ptr;
    return *this << std::string_view(digits.data(), static_cast<std::size_t>(end - digits.data()));
  }
  std::string_view view() const { return {text_.data(), size_}; }

 private:
  std::array<char, 1024> text_;
  std::size_t size_ = 0;
};

// The driver of a crash: the note's, otherwise the owner of the code that ran. The stack is searched only on threads
// that the core did not make: old addresses on the core's own stacks say nothing.
const LoadedCode* code_of(const CrashSite& site) noexcept {
  const LoadedCode* const code = loaded_code_at(site.instruction);
  if (code != nullptr) return code;
  if (current_note != nullptr) return loaded_code_of(current_note->driver());
  return has_been_in_a_driver ? nullptr : loaded_code_on_stack(site.stack);
}

void add_place(ShortText& text, const LoadedCode* code) {
  if (const CrashNote* const note = current_note) {
    text << " in driver '" << note->driver() << "', operation " << note->operation();
    if (!note->request().empty()) text << ", request " << note->request();
  } else if (code != nullptr) {
    text << " in driver '" << code->id << "', outside of any call";
  } else {
    text << " outside of any driver";
  }
}

bool is_fault_of_an_instruction(int signal) {
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGILL || signal == SIGFPE;
}

void report_signal(int signal, siginfo_t* info, void* context) {
  ShortText sender;
  if (is_fault_of_an_instruction(signal) && info->si_code > 0)
    sender << ", at address 0x" << Address{reinterpret_cast<std::uintptr_t>(info->si_addr)};
  if ((info->si_code == SI_USER || info->si_code == SI_QUEUE) && info->si_pid != ::getpid())
    sender << ", sent by process " << std::int64_t{info->si_pid};
  report_crash(name_of_signal(signal), interrupted_site(context), sender.view());
  ::signal(signal, SIG_DFL);
  // A fault repeats at the same instruction, so the core dump shows the place. Any other signal is raised again.
  if (!is_fault_of_an_instruction(signal) || info->si_code <= 0) ::raise(signal);
}

[[noreturn]] void report_terminate() {
  ShortText more;
  if (const std::exception_ptr exception = std::current_exception()) {
    try {
      std::rethrow_exception(exception);
    } catch (const std::exception& error) {
      more << ": " << error.what();
    } catch (...) {
      more << ": of an unknown type";
    }
  }
  report_crash("an exception left", calling_site(nullptr), more.view());
  ::signal(SIGABRT, SIG_DFL);
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
  static constexpr std::size_t size = 65536;
  std::unique_ptr<std::array<char, size>> memory_;
};

void give_this_thread_a_signal_stack() {
  thread_local const SignalStack stack;
}

// A handler that somebody else installed for one of the other signals, such as a profiler, stays.
void install_handler(int signal) {
  struct sigaction before {};
  if (::sigaction(signal, nullptr, &before) != 0) return;
  if (before.sa_handler != SIG_DFL && !is_fault_of_an_instruction(signal)) return;
  struct sigaction action {};
  action.sa_sigaction = &report_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  ::sigemptyset(&action.sa_mask);
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

CrashNote::CrashNote(std::string_view driver, std::string_view operation, std::string_view request,
                     std::string_view path, std::string_view instance)
    : driver_(driver),
      operation_(operation),
      request_(request),
      path_(path),
      instance_(instance.empty() && current_note != nullptr ? current_note->instance() : instance),
      outer_(current_note) {
  if (crash_log.load(std::memory_order_relaxed) != nullptr) give_this_thread_a_signal_stack();
  has_been_in_a_driver = true;
  current_note = this;
}

CrashNote::~CrashNote() {
  current_note = outer_;
}

void report_crash(std::string_view what, const CrashSite& site, std::string_view more) noexcept {
  const telemetry::CrashLog* const log = crash_log.load();
  if (log == nullptr || ::getpid() != reported_process.load()) return;
  const CrashNote* const note = current_note;
  const LoadedCode* const code = code_of(site);
  ShortText text;
  text << "crash report: " << what;
  add_place(text, code);
  text << more << "; what was accepted is kept, the process ends";
  const bool runs_known_code = loaded_code_at(site.instruction) != nullptr;
  std::string_view path = note != nullptr ? note->path() : std::string_view{};
  if (code != nullptr && (path.empty() || runs_known_code)) path = code->path;
  const std::string_view owner = code != nullptr ? std::string_view(code->id) : std::string_view{};
  log->write(text.view(), {{"driver", note != nullptr ? note->driver() : owner}, {"path", path}});
  const std::string* const requests = requests_file.load();
  if (requests != nullptr && note != nullptr)
    note_crash(requests->c_str(), note->driver(), {note->request(), note->instance()});
}

bool runs_a_driver(const CrashSite& site) noexcept {
  return ::getpid() == reported_process.load() && (current_note != nullptr || code_of(site) != nullptr);
}

void install_crash_report(const telemetry::LogSettings& log, const std::string& requests) {
  if (crash_log.load() != nullptr) return;
  if (!requests.empty()) {
    forget_old_crashes(requests);
    requests_file = std::make_unique<std::string>(requests).release();
  }
  reported_process = ::getpid();
  crash_log = std::make_unique<telemetry::CrashLog>(log).release();
  give_this_thread_a_signal_stack();
  std::set_terminate(&report_terminate);
  for (const int signal : fatal_signals()) install_handler(signal);
}

}  // namespace gantry::drivers
