// SPDX-License-Identifier: Apache-2.0
//
// The words between a client and a broker on one connection, as a state machine without a socket: bytes come in
// through receive() and go out through an Output.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "core/transport/amqp/channel.hpp"
#include "core/transport/amqp/frame_reader.hpp"
#include "core/transport/amqp/values.hpp"

namespace gantry::amqp {

struct Login {
  bool is_external = false;  // by the certificate of the connection, without user and password
  std::string user = "guest";
  std::string password = "guest";
  std::string vhost = "/";
  std::string connection_name;  // for the broker's operators
};

struct DialogueLimits {
  std::size_t body_bytes = 8 * 1024 * 1024;  // a received message may have
  std::uint32_t frame_bytes = 128 * 1024;    // proposed; the broker may ask for less
  std::uint16_t heartbeat = 20;              // seconds, proposed; 0: none
};

struct DialogueEvents {
  std::function<void()> on_open;
  // The last event. Without an error if the client has closed the connection.
  std::function<void(Result<void> reason)> on_closed;
  // The broker takes no messages for the time being. Publications wait.
  std::function<void(const std::string& reason)> on_blocked;
  std::function<void()> on_unblocked;
};

class Dialogue {
 public:
  Dialogue(Login login, const DialogueLimits& limits, DialogueEvents events, Output output);

  // Says the first word.
  void start();
  void receive(std::string_view bytes);
  void send_heartbeat();
  // Opens a channel; operations may be given to it at once. The connection must be open. `on_closed` is called if the
  // broker or the connection ends the channel.
  std::shared_ptr<Channel> open_channel(std::function<void(const Error& error)> on_closed);
  // Takes leave; on_closed follows when the broker has answered.
  void close();
  // Ends everything for a reason from outside of the dialogue, such as a lost connection.
  void abandon(Result<void> reason);

  bool is_open() const { return state_ == State::open; }
  bool has_ended() const { return state_ == State::ended; }
  // Seconds, as agreed with the broker; 0: none, or not agreed yet.
  std::uint16_t heartbeat() const { return heartbeat_; }
  // The broker's product and version as the broker names them: "RabbitMQ 3.10.8". Empty before the handshake.
  const std::string& product() const { return product_; }

 private:
  enum class State : std::uint8_t { start, tune, opening, open, closing, ended };

  Result<void> on_frame(const Frame& frame);
  Result<void> on_channel_frame(const Frame& frame);
  Result<void> on_method(std::uint32_t method, const void* fields);
  Result<void> on_start(const void* fields);
  Result<void> on_tune(const void* fields);
  Result<void> on_broker_closed(const void* fields);
  void set_blocked(bool is_blocked);
  Result<void> send(std::uint32_t method, const void* fields);

  const Login login_;
  const DialogueLimits limits_;
  DialogueEvents events_;
  Output output_;
  State state_ = State::start;
  FrameReader reader_;
  class CodecState;
  std::shared_ptr<CodecState> codec_;
  std::uint32_t frame_bytes_;
  std::uint16_t channel_max_ = 0;
  std::uint16_t heartbeat_ = 0;
  std::string product_;
  bool is_blocked_ = false;
  std::map<std::uint16_t, std::shared_ptr<Channel>> channels_;
};

}  // namespace gantry::amqp
