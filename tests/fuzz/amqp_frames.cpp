// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a broker, read by a client that opens a channel, declares a queue, consumes from it and publishes as soon
// as it may. The fate of the connection must not depend on the pieces in which the bytes arrive. The outcome is open,
// closed or begun (the broker has not let the client in), and a word for each message delivered: "open-large-message".
#include <algorithm>
#include <memory>
#include <vector>

#include "core/drivers/call/seeded_random.hpp"
#include "core/transport/amqp/dialogue.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {
namespace {

constexpr std::size_t body_limit = 10'000;

class Client {
 public:
  Client() : dialogue_({}, limits(), events(), [](const std::string& bytes) { check_output(bytes); }) {
    dialogue_.start();
  }

  void receive(std::string_view bytes) { dialogue_.receive(bytes); }
  std::string outcome() const {
    std::string words = closed_ ? "closed" : is_open_ ? "open" : "begun";
    for (const auto& message : messages_) words += message;
    return words;
  }
  std::string details() const { return outcome() + " " + log_; }

 private:
  static amqp::DialogueLimits limits() { return {body_limit, 4096, 20}; }
  static void check_output(const std::string& bytes) {
    if (bytes.size() < 8) broken("bytes that are no frame");
  }
  amqp::DialogueEvents events() {
    amqp::DialogueEvents made;
    made.on_open = [this] {
      if (is_open_ || closed_) broken("a connection that opens twice");
      is_open_ = true;
      use_channel();
    };
    made.on_closed = [this](const Result<void>& reason) {
      if (closed_) broken("a connection that ends twice");
      if (!reason && reason.error().message.empty()) broken("an end without a reason");
      closed_ = true;
      log_ += "end: " + (reason ? "" : reason.error().message) + ";";
    };
    made.on_blocked = [this](const std::string& reason) { log_ += "blocked: " + reason + ";"; };
    return made;
  }
  void use_channel() {
    channel_ = dialogue_.open_channel([this](const Error& error) { log_ += "channel: " + error.message + ";"; });
    channel_->declare(amqp::Queue{"q", false, false, false, {}}, [this](const Result<amqp::QueueState>& found) {
      log_ += "queue: " + (found ? found->name : found.error().message) + ";";
    });
    amqp::Consumer consumer;
    consumer.queue = "q";
    consumer.tag = "1";
    consumer.on_delivery = [this](const amqp::Delivery& delivery) { take(delivery); };
    consumer.on_cancelled = [this] { log_ += "cancelled;"; };
    channel_->consume(consumer, [this](const Result<void>& done) { log_ += done ? "consume;" : "no consumer;"; });
    channel_->publish({"", "reply", true, {}, "body"}, [this](const amqp::Published& published) {
      log_ += "published " + std::to_string(static_cast<int>(published.outcome)) + published.text + ";";
    });
  }
  void take(const amqp::Delivery& delivery) {
    if (closed_) broken("a message after the end");
    if (delivery.is_too_large != (delivery.size > body_limit)) broken("a limit that is not kept");
    const std::uint64_t kept = amqp::kept_of_too_large;
    if (delivery.body.size() != (delivery.is_too_large ? std::min(delivery.size, kept) : delivery.size))
      broken("a body of another size");
    log_ += delivery.exchange + delivery.routing_key + delivery.body + ";";
    messages_.emplace_back(delivery.is_too_large ? "-large" : "-message");
    channel_->ack(delivery.delivery_tag);
  }

  bool is_open_ = false;
  bool closed_ = false;
  std::vector<std::string> messages_;
  std::string log_;
  std::shared_ptr<amqp::Channel> channel_;
  amqp::Dialogue dialogue_;
};

std::string read_in_pieces(std::string_view bytes, std::size_t longest) {
  drivers::Random random(bytes.size());
  Client client;
  while (!bytes.empty()) {
    const auto size = std::min<std::size_t>(bytes.size(), 1 + random.next() % longest);
    client.receive(bytes.substr(0, size));
    bytes.remove_prefix(size);
  }
  return client.details();
}

}  // namespace

std::string run(std::span<const std::uint8_t> input) {
  Client client;
  client.receive(text_of(input));
  for (const std::size_t longest : {1, 8, 500})
    if (read_in_pieces(text_of(input), longest) != client.details()) broken("bytes in pieces are read otherwise");
  return client.outcome();
}

}  // namespace gantry::fuzz
