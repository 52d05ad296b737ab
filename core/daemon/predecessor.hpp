// SPDX-License-Identifier: Apache-2.0
//
// The gantryd that has started this one as its successor, and what it hands over.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "core/daemon/handover_channel.hpp"
#include "core/transport/sockets/handed_sockets.hpp"

namespace gantry::daemon {

// If the predecessor is gone, killed for example, this process goes on alone: it has what was handed over until then.
class Predecessor {
 public:
  // The environment variable that names the descriptor of the channel.
  static constexpr const char* variable = "GANTRYD_HANDOVER";

  // nullptr: this process was started by somebody else. Call this before the first thread.
  static std::unique_ptr<Predecessor> find();
  explicit Predecessor(HandoverChannel channel) : channel_(std::move(channel)) {}

  // Says what this process is doing: "loads the drivers".
  void say(const std::string& step);
  // Says why this process does not take over.
  void fail(const std::string& reason);
  // Says that this process could take over. Waits until the predecessor has let the store go.
  void wait_for_turn();
  // Says that this process can serve. Waits until the predecessor is sure to serve no more.
  void wait_for_end();

  // Returns the sockets that the predecessor has handed over.
  transport::HandedSockets take_sockets() { return std::move(sockets_); }
  const json::object& facts() const { return facts_; }
  // Returns what its manager's pause() has returned. nullopt: it was gone before it had let the store go.
  std::optional<std::string> paused() const { return is_gone_ ? std::nullopt : std::optional(paused_); }
  bool is_gone() const { return is_gone_; }

 private:
  void tell(const HandoverMessage& message);
  // Returns once a message of that kind has come, or the predecessor is gone.
  void wait_for(std::string_view kind);
  void take(HandoverMessage message);

  HandoverChannel channel_;
  bool is_gone_ = false;
  transport::HandedSockets sockets_;
  json::object facts_;
  std::string paused_;
};

}  // namespace gantry::daemon
