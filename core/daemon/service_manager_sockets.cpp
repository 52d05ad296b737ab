// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/service_manager_sockets.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string>

namespace gantry::daemon {

namespace {

constexpr int first_descriptor = 3;
constexpr int most_descriptors = 1024;

std::optional<int> number_in(const char* variable) {
  const char* const value = std::getenv(variable);
  if (value == nullptr) return std::nullopt;
  const std::string text(value);
  int number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

transport::HandedSockets take_service_manager_sockets() {
  transport::HandedSockets handed;
  handed.giver = transport::HandedSockets::Giver::service_manager;
  handed.keeps_file = true;
  const auto process = number_in("LISTEN_PID");
  const auto count = number_in("LISTEN_FDS");
  for (const char* const variable : {"LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"}) unsetenv(variable);
  if (!process || *process != getpid() || !count || *count < 0 || *count > most_descriptors) return handed;
  for (int number = first_descriptor; number < first_descriptor + *count; ++number) {
    fcntl(number, F_SETFD, FD_CLOEXEC);
    handed.listening.emplace_back(number);
  }
  return handed;
}

}  // namespace gantry::daemon
