// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/fatal_signals.hpp"

#include <algorithm>
#include <array>
#include <csignal>

namespace gantry::drivers {
namespace {

struct NamedSignal {
  int number;
  std::string_view name;
};

constexpr std::array<NamedSignal, 17> named_signals = {{
    {SIGSEGV, "SIGSEGV"},
    {SIGBUS, "SIGBUS"},
    {SIGILL, "SIGILL"},
    {SIGFPE, "SIGFPE"},
    {SIGABRT, "SIGABRT"},
    {SIGSYS, "SIGSYS"},
    {SIGTRAP, "SIGTRAP"},
    {SIGALRM, "SIGALRM"},
    {SIGVTALRM, "SIGVTALRM"},
    {SIGPROF, "SIGPROF"},
    {SIGUSR1, "SIGUSR1"},
    {SIGUSR2, "SIGUSR2"},
    {SIGXCPU, "SIGXCPU"},
    {SIGXFSZ, "SIGXFSZ"},
    {SIGPOLL, "SIGPOLL"},
    {SIGQUIT, "SIGQUIT"},
    {SIGPWR, "SIGPWR"},
}};

}  // namespace

std::vector<int> fatal_signals() {
  std::vector<int> signals;
  signals.reserve(named_signals.size() + static_cast<std::size_t>(SIGRTMAX - SIGRTMIN + 1));
  for (const NamedSignal& signal : named_signals) signals.push_back(signal.number);
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) signals.push_back(signal);
  return signals;
}

std::string_view name_of_signal(int signal) noexcept {
  const auto* const found = std::find_if(named_signals.begin(), named_signals.end(),
                                         [signal](const NamedSignal& one) { return one.number == signal; });
  return found == named_signals.end() ? "a real-time signal" : found->name;
}

}  // namespace gantry::drivers
