// SPDX-License-Identifier: Apache-2.0
//
// The broker's side of a dialogue, word by word: a test says what the broker sends, and looks at what the client sent.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/transport/amqp/codec.hpp"
#include "core/transport/amqp/dialogue.hpp"

namespace gantry::amqp {

// A frame of the client.
struct Said {
  FrameType type;
  std::uint16_t channel;
  std::string method;   // "queue.declare"; empty if the frame is none
  std::string payload;  // behind the number of the method
};

// Cuts what the client has sent, behind the protocol header, into frames.
std::vector<Said> frames_of(std::string_view sent);
std::vector<std::string> methods_of(std::string_view sent);

// Words of the broker.
std::string say_method(std::uint16_t channel, std::uint32_t method, const void* fields);
std::string say_start(const std::string& mechanisms = "PLAIN AMQPLAIN EXTERNAL");
std::string say_tune(std::uint16_t channel_max, std::uint32_t frame_max, std::uint16_t heartbeat);
std::string say_open_ok();
std::string say_connection_close(std::uint16_t code, const std::string& text);
std::string say_channel_close(std::uint16_t channel, std::uint16_t code, const std::string& text);
std::string say_delivery(std::uint16_t channel, const std::string& tag, std::uint64_t delivery_tag,
                         const std::string& body, std::size_t max_frame = 4096);
std::string say_return(std::uint16_t channel, std::uint64_t sequence, const std::string& text, const std::string& body);
std::string say_ack(std::uint16_t channel, std::uint64_t sequence, bool is_multiple);
std::string say_nack(std::uint16_t channel, std::uint64_t sequence);
std::string say_queue(std::uint16_t channel, const std::string& name, std::uint32_t messages, std::uint32_t consumers);
std::string say_frame(FrameType type, std::uint16_t channel, std::string_view payload);

// A method whose fields are all empty: the answers.
template <class Fields>
std::string say(std::uint16_t channel, std::uint32_t method) {
  const Fields fields{};
  return say_method(channel, method, &fields);
}

// A dialogue and its fate.
struct Talk {
  explicit Talk(const Login& login = {}, const DialogueLimits& limits = {});

  // Start, tune and open, as a broker of the usual kind says them.
  void open();
  std::shared_ptr<Channel> channel();
  // Returns the bytes that the client has sent since the last call.
  std::string heard();

  std::string sent;
  bool is_open = false;
  std::optional<Result<void>> closed;
  std::vector<std::string> blocked;  // reasons; "free" when it ends
  std::vector<std::string> channel_errors;
  Dialogue dialogue;
};

}  // namespace gantry::amqp
