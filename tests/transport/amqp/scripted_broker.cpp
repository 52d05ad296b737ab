// SPDX-License-Identifier: Apache-2.0
#include "tests/transport/amqp/scripted_broker.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace gantry::amqp {

std::vector<Said> frames_of(std::string_view sent) {
  FrameReader reader(1 << 20);
  if (sent.starts_with("AMQP")) sent.remove_prefix(8);
  // The reader takes a first frame to be a broker's first, which is a method.
  const auto first = say_open_ok();
  reader.add(first);
  EXPECT_TRUE(reader.next());
  reader.add(sent);
  std::vector<Said> frames;
  for (auto frame = reader.next(); frame && *frame; frame = reader.next()) {
    Said said{(*frame)->type, (*frame)->channel, "", std::string((*frame)->payload)};
    if (said.type == FrameType::method) {
      Decoder decoder;
      const auto method = decoder.method(said.payload);
      EXPECT_TRUE(method) << method.error().message;
      if (method) said.method = name_of_method(method->number);
      said.payload.erase(0, 4);
    }
    frames.push_back(said);
  }
  return frames;
}

std::vector<std::string> methods_of(std::string_view sent) {
  std::vector<std::string> names;
  for (const auto& frame : frames_of(sent))
    if (!frame.method.empty()) names.push_back(frame.method);
  return names;
}

std::string say_method(std::uint16_t channel, std::uint32_t method, const void* fields) {
  std::string bytes;
  const auto appended = append_method(bytes, channel, method, fields);
  EXPECT_TRUE(appended) << appended.error().message;
  return bytes;
}

std::string say_start(const std::string& mechanisms) {
  amqp_connection_start_t fields{};
  const Arguments arguments{{"product", "RabbitMQ"}, {"version", "3.10.8"}, {"cluster_name", "rabbit@test"}};
  const Table properties(arguments);
  fields.version_major = 0;
  fields.version_minor = 9;
  fields.server_properties = properties.view();
  fields.mechanisms = view_of(mechanisms);
  fields.locales = view_of("en_US");
  return say_method(0, AMQP_CONNECTION_START_METHOD, &fields);
}

std::string say_tune(std::uint16_t channel_max, std::uint32_t frame_max, std::uint16_t heartbeat) {
  const amqp_connection_tune_t fields{channel_max, frame_max, heartbeat};
  return say_method(0, AMQP_CONNECTION_TUNE_METHOD, &fields);
}

std::string say_open_ok() {
  return say<amqp_connection_open_ok_t>(0, AMQP_CONNECTION_OPEN_OK_METHOD);
}

std::string say_connection_close(std::uint16_t code, const std::string& text) {
  const amqp_connection_close_t fields{code, view_of(text), 0, 0};
  return say_method(0, AMQP_CONNECTION_CLOSE_METHOD, &fields);
}

std::string say_channel_close(std::uint16_t channel, std::uint16_t code, const std::string& text) {
  const amqp_channel_close_t fields{code, view_of(text), 0, 0};
  return say_method(channel, AMQP_CHANNEL_CLOSE_METHOD, &fields);
}

namespace {

std::string say_content(std::uint16_t channel, const std::string& body, const std::string& message_id,
                        std::size_t max_frame) {
  Publication publication;
  publication.properties.content_type = "application/json";
  publication.properties.priority = 0;
  publication.body = body;
  std::string bytes;
  const auto appended = append_content(bytes, channel, publication, message_id, max_frame);
  EXPECT_TRUE(appended);
  return bytes;
}

}  // namespace

std::string say_delivery(std::uint16_t channel, const std::string& tag, std::uint64_t delivery_tag,
                         const std::string& body, std::size_t max_frame) {
  const amqp_basic_deliver_t fields{view_of(tag), delivery_tag, 1, view_of("nova"), view_of("scheduler")};
  return say_method(channel, AMQP_BASIC_DELIVER_METHOD, &fields) + say_content(channel, body, "", max_frame);
}

std::string say_return(std::uint16_t channel, std::uint64_t sequence, const std::string& text,
                       const std::string& body) {
  const amqp_basic_return_t fields{312, view_of(text), view_of(""), view_of("reply")};
  return say_method(channel, AMQP_BASIC_RETURN_METHOD, &fields) +
         say_content(channel, body, std::to_string(sequence), 4096);
}

std::string say_ack(std::uint16_t channel, std::uint64_t sequence, bool is_multiple) {
  const amqp_basic_ack_t fields{sequence, is_multiple};
  return say_method(channel, AMQP_BASIC_ACK_METHOD, &fields);
}

std::string say_nack(std::uint16_t channel, std::uint64_t sequence) {
  const amqp_basic_nack_t fields{sequence, 0, 0};
  return say_method(channel, AMQP_BASIC_NACK_METHOD, &fields);
}

std::string say_queue(std::uint16_t channel, const std::string& name, std::uint32_t messages, std::uint32_t consumers) {
  const amqp_queue_declare_ok_t fields{view_of(name), messages, consumers};
  return say_method(channel, AMQP_QUEUE_DECLARE_OK_METHOD, &fields);
}

std::string say_frame(FrameType type, std::uint16_t channel, std::string_view payload) {
  std::string bytes;
  append_frame(bytes, type, channel, payload);
  return bytes;
}

Talk::Talk(const Login& login, const DialogueLimits& limits)
    : dialogue(login, limits,
               DialogueEvents{[this] { is_open = true; },
                              [this](Result<void> reason) {
                                EXPECT_FALSE(closed) << "on_closed came twice";
                                closed = std::move(reason);
                              },
                              [this](const std::string& reason) { blocked.push_back(reason); },
                              [this] { blocked.emplace_back("free"); }},
               [this](const std::string& bytes) { sent += bytes; }) {}

void Talk::open() {
  dialogue.start();
  dialogue.receive(say_start());
  dialogue.receive(say_tune(2047, 131072, 60));
  dialogue.receive(say_open_ok());
  EXPECT_TRUE(is_open);
  heard();
}

std::shared_ptr<Channel> Talk::channel() {
  auto opened = dialogue.open_channel([this](const Error& error) { channel_errors.push_back(error.message); });
  dialogue.receive(say<amqp_channel_open_ok_t>(1, AMQP_CHANNEL_OPEN_OK_METHOD));
  EXPECT_EQ(methods_of(heard()), std::vector<std::string>{"channel.open"});
  return opened;
}

std::string Talk::heard() {
  return std::exchange(sent, {});
}

}  // namespace gantry::amqp
