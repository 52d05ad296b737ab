// SPDX-License-Identifier: Apache-2.0
//
// The connection between a gantryd and its successor: messages, each with descriptors that go along.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/files/descriptor.hpp"
#include "core/result.hpp"

namespace gantry::daemon {

struct HandoverMessage {
  std::string kind;
  json::object facts = {};
  std::string bytes = {};  // beside the facts, of any content
  std::vector<files::Descriptor> descriptors = {};
};

// The most of one message.
inline constexpr std::size_t most_handover_descriptors = 100;
inline constexpr std::size_t most_handover_bytes = 96 * 1024;

// [one thread at a time]
class HandoverChannel {
 public:
  explicit HandoverChannel(files::Descriptor socket) : socket_(std::move(socket)) {}
  // Returns both ends, which no program that is executed inherits.
  static Result<std::pair<HandoverChannel, HandoverChannel>> make();

  // Sends copies of the descriptors. Error unavailable: the other side is gone, or takes nothing for seconds.
  Result<void> send(const HandoverMessage& message);
  // nullopt: nothing has come until then. Error unavailable: the other side is gone.
  Result<std::optional<HandoverMessage>> receive(std::chrono::steady_clock::time_point until);

  int number() const { return socket_.number(); }

 private:
  files::Descriptor socket_;
};

}  // namespace gantry::daemon
