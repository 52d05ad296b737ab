// SPDX-License-Identifier: Apache-2.0
//
// A channel of a connection: declarations, consumers, and messages that are published with confirms. An error of the
// broker ends the channel and fails the operation that caused it; the connection goes on, and a new channel can be opened.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/transport/amqp/values.hpp"

namespace gantry::amqp {

// All members are called on the connection's strand, and call back on it. An operation on a channel that has ended
// fails at once, inside of the call.
class Channel : public std::enable_shared_from_this<Channel> {
 public:
  struct Limits {
    std::size_t frame_bytes;  // as agreed with the broker
    std::size_t body_bytes;   // a received message may have
  };

  // For Dialogue::open_channel(). `on_closed` is called once, with the reason, if the broker or the connection ends the
  // channel.
  Channel(std::uint16_t number, const Limits& limits, Output output, std::function<void(const Error& error)> on_closed);
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  bool is_open() const { return state_ == State::open; }

  // Makes the exchange or the queue if it is absent. Fails with failed_precondition if one is there with other
  // arguments; it can be used all the same, and look_up() tells its state.
  void declare(const Exchange& exchange, const Done& done);
  void declare(const Queue& queue, const QueueDone& done);
  // Fail with not_found if there is none of that name.
  void look_up_exchange(const std::string& name, const Done& done);
  void look_up_queue(const std::string& name, const QueueDone& done);
  void bind(const Binding& binding, const Done& done);
  void delete_queue(const std::string& name, const Done& done);

  // Limits how many messages the broker sends before it waits for an ack, for each consumer that comes later.
  void limit_prefetch(std::uint16_t messages, const Done& done);
  void consume(Consumer consumer, const Done& done);
  void cancel(const std::string& tag, const Done& done);
  void ack(std::uint64_t delivery_tag);

  // Sends a message. The first call asks the broker for confirms. Messages wait while the broker has blocked the connection.
  void publish(const Publication& publication, PublishDone done);
  // How many messages have no outcome yet.
  std::size_t unconfirmed() const { return unconfirmed_.size(); }

  void close(const Done& done);

  // For the dialogue.
  void open();
  Result<void> on_method(std::uint32_t method, const void* fields);
  Result<void> on_header(std::uint64_t body_bytes, const void* properties);
  Result<void> on_body(std::string_view bytes);
  void on_connection_lost(const Error& error);
  void set_blocked(bool is_blocked);
  bool has_ended() const { return state_ == State::ended; }

 private:
  enum class State : std::uint8_t { open, closing, ended };
  // A method that the broker has to answer.
  struct Awaited {
    std::uint32_t reply;
    std::function<void(const void* fields)> on_reply;
    std::function<void(const Error& error)> on_error;
  };
  // A message whose content follows in frames of its own.
  struct Incoming {
    bool is_return = false;
    bool has_header = false;
    std::uint64_t missing = 0;
    std::uint64_t returned_sequence = 0;
    std::string return_text;
    Delivery delivery;
  };
  struct Unconfirmed {
    PublishDone done;
    std::string return_text;
    bool is_returned = false;
  };

  static Error after_end(const Error& error);
  void call(std::uint32_t method, const void* fields, Awaited awaited);
  void call(std::uint32_t method, const void* fields, std::uint32_t reply, const Done& done);
  Result<void> send(std::uint32_t method, const void* fields);
  void declare(const Queue& queue, bool is_passive, const QueueDone& done);
  Result<void> on_reply(std::uint32_t method, const void* fields);
  Result<void> begin_content(Incoming incoming);
  void end_content();
  void deliver(Delivery delivery);
  void on_broker_closed(const void* fields);
  void on_cancelled(const std::string& tag);
  void settle(std::uint64_t sequence, bool is_multiple, bool is_ack);
  void end(const Error& error, const Error& first_error);

  const std::uint16_t number_;
  const Limits limits_;
  Output output_;
  std::function<void(const Error&)> on_closed_;
  State state_ = State::open;
  std::deque<Awaited> awaited_;
  std::map<std::string, std::shared_ptr<const Consumer>, std::less<>> consumers_;
  std::optional<Incoming> incoming_;
  bool has_confirms_ = false;
  bool is_blocked_ = false;
  std::string held_;  // frames of messages that wait until the broker is free again
  std::uint64_t published_ = 0;
  std::map<std::uint64_t, Unconfirmed> unconfirmed_;
  Error end_error_;
};

}  // namespace gantry::amqp
