// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/predecessor.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <utility>

namespace gantry::daemon {

namespace {

bool is_channel(int descriptor) {
  int type = 0;
  socklen_t size = sizeof type;
  return getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_SEQPACKET;
}

}  // namespace

std::unique_ptr<Predecessor> Predecessor::find() {
  const char* const value = std::getenv(variable);
  if (value == nullptr) return nullptr;
  const std::string text(value);
  unsetenv(variable);
  int descriptor = -1;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), descriptor);
  if (read.ec != std::errc() || !is_channel(descriptor)) return nullptr;
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  return std::make_unique<Predecessor>(HandoverChannel(files::Descriptor(descriptor)));
}

// A predecessor that is gone may have left messages with connections, so only their end tells that it is gone.
void Predecessor::tell(const HandoverMessage& message) {
  static_cast<void>(channel_.send(message));
}

void Predecessor::say(const std::string& step) {
  tell({.kind = "step", .facts = {{"text", step}}});
}

void Predecessor::fail(const std::string& reason) {
  tell({.kind = "failed", .facts = {{"text", reason}}});
}

void Predecessor::wait_for_turn() {
  tell({.kind = "prepared"});
  wait_for("store");
}

void Predecessor::wait_for_end() {
  tell({.kind = "ready"});
  wait_for("serve");
}

void Predecessor::wait_for(std::string_view kind) {
  while (!is_gone_) {
    auto received = channel_.receive(std::chrono::steady_clock::now() + std::chrono::minutes(1));
    if (!received) {
      is_gone_ = true;
    } else if (*received) {
      const bool is_awaited = (*received)->kind == kind;
      take(**std::move(received));
      if (is_awaited) return;
    }
  }
}

void Predecessor::take(HandoverMessage message) {
  if (message.kind == "store") facts_ = std::move(message.facts);
  if (message.kind == "paused") paused_ += message.bytes;
  if (message.kind == "listening") {
    sockets_.keeps_file = json::find_bool(message.facts, "keeps_file").value_or(false);
    for (auto& descriptor : message.descriptors) sockets_.listening.push_back(std::move(descriptor));
  }
  if (message.kind != "connections") return;
  const auto* const sizes = json::find_array(message.facts, "inputs");
  std::string_view inputs = message.bytes;
  for (std::size_t i = 0; i < message.descriptors.size() && sizes != nullptr && i < sizes->size(); ++i) {
    const auto size = static_cast<std::size_t>((*sizes)[i].to_number<std::uint64_t>());
    sockets_.connections.push_back({std::move(message.descriptors[i]), std::string(inputs.substr(0, size))});
    inputs.remove_prefix(std::min(size, inputs.size()));
  }
}

}  // namespace gantry::daemon
