// SPDX-License-Identifier: Apache-2.0
//
// AMQP 0-9-1 in plain values: what a client declares, publishes and receives.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/result.hpp"

namespace gantry::amqp {

// The arguments of a declaration or of a consumer: x-expires, x-queue-type, x-priority and so on.
using Argument = std::variant<bool, std::int64_t, std::string>;
using Arguments = std::vector<std::pair<std::string, Argument>>;

struct Exchange {
  std::string name;
  std::string type = "topic";
  bool is_durable = false;
  bool is_auto_delete = false;
  Arguments arguments;
};

struct Queue {
  std::string name;  // empty: the broker chooses one
  bool is_durable = false;
  bool is_exclusive = false;
  bool is_auto_delete = false;
  Arguments arguments;
};

// A queue as the broker knows it.
struct QueueState {
  std::string name;
  std::uint32_t messages = 0;
  std::uint32_t consumers = 0;
};

struct Binding {
  std::string queue;
  std::string exchange;
  std::string routing_key;
};

struct Properties {
  std::string content_type;
  std::string content_encoding;
  std::string compression;         // the header of that name, as kombu writes it. Never published
  std::string expiration;          // milliseconds as text
  std::uint8_t delivery_mode = 0;  // 2: persistent; 0: not said
  std::optional<std::uint8_t> priority;
};

inline constexpr std::size_t kept_of_too_large = std::size_t{64} * 1024;

// A message that a consumer has received.
struct Delivery {
  std::string consumer_tag;
  std::uint64_t delivery_tag = 0;
  bool is_redelivered = false;
  std::string exchange;
  std::string routing_key;
  Properties properties;
  std::uint64_t size = 0;     // the body's, as announced
  bool is_too_large = false;  // the body was above the limit
  std::string body;           // the last kept_of_too_large bytes if it was too large
};

struct Consumer {
  std::string queue;
  std::string tag;  // not empty, one of its own in the channel
  Arguments arguments;
  std::function<void(Delivery delivery)> on_delivery;
  // The broker has ended the consumer, because the queue was deleted or has moved.
  std::function<void()> on_cancelled;
};

struct Publication {
  std::string exchange;
  std::string routing_key;
  bool is_mandatory = false;  // the broker returns the message if no queue takes it
  Properties properties;
  std::string body;
};

// The outcome of a publication.
struct Published {
  enum class Outcome : std::uint8_t {
    confirmed,   // the broker has taken it
    unroutable,  // it was mandatory, and no queue takes it
    refused,     // the broker could not take it
    unknown,     // the channel has ended before the broker said
  };
  Outcome outcome = Outcome::confirmed;
  std::string text;  // the broker's words, empty if it is confirmed
};

using Done = std::function<void(Result<void> result)>;
using QueueDone = std::function<void(Result<QueueState> result)>;
using PublishDone = std::function<void(const Published& published)>;
// Takes bytes that are to be sent to the broker.
using Output = std::function<void(std::string bytes)>;

}  // namespace gantry::amqp
