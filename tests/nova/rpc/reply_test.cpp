// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/reply.hpp"

#include <gmock/gmock.h>

#include "tests/nova/rpc/captured.hpp"

namespace gantry::nova {
namespace {

// The recorded replies of a phase, each as a whole body.
std::vector<json::value> recorded_replies(std::string_view phase) {
  std::vector<json::value> bodies;
  for (const auto& event : wire_events(phase, "basic.publish"))
    if (event.at("mandatory").as_bool()) bodies.push_back(event.at("body"));
  EXPECT_FALSE(bodies.empty()) << phase;
  return bodies;
}

std::string text_at(const json::object& object, std::string_view key) {
  return std::string(json::find_string(object, key).value_or(""));
}

RpcCaller caller_of(const json::object& reply) {
  RpcCaller caller;
  caller.msg_id = text_at(reply, "_msg_id");
  caller.reply_queue = "reply_1";
  return caller;
}

// Tracebacks are Python's own.
json::object without_traceback(const json::value& body) {
  auto inner = inner_of(body);
  auto failure = *json::parse_object(inner.at("failure").as_string());
  failure["tb"] = json::array();
  inner["failure"] = json::write_canonical(failure);
  return inner;
}

void expect_failure(std::string_view phase, const RpcFailure& failure) {
  const auto recorded = recorded_replies(phase).front();
  const auto inner = inner_of(recorded);
  const auto encoded = *json::parse(encode_failure(caller_of(inner), text_at(inner, "_unique_id"), failure));
  EXPECT_EQ(without_traceback(encoded), without_traceback(recorded)) << phase;
}

TEST(RpcReply, EncodesResultsAsRecorded) {
  for (const auto* phase : {"call:select_destinations(objects,alternates)", "call:select_destinations(no objects)",
                            "call:legacy 4.0", "call:baseapi ping"}) {
    const auto recorded = recorded_replies(phase).front();
    const auto inner = inner_of(recorded);
    const auto encoded =
        *json::parse(encode_result(caller_of(inner), text_at(inner, "_unique_id"), inner.at("result")));
    EXPECT_EQ(encoded.as_object().at("oslo.version"), recorded.as_object().at("oslo.version"));
    EXPECT_EQ(inner_of(encoded), inner) << phase;
  }
}

TEST(RpcReply, EncodesHeartbeatsAsRecorded) {
  const auto recorded = recorded_replies("call:slow with call-monitor heartbeat");
  const auto inner = inner_of(recorded.front());
  EXPECT_EQ(inner_of(*json::parse(encode_heartbeat(caller_of(inner), text_at(inner, "_unique_id")))), inner);
}

TEST(RpcReply, EncodesFailuresAsRecorded) {
  expect_failure("call:NoValidHost", no_valid_host("There are not enough hosts available."));
  expect_failure("call:unsupported version 4.9", unsupported_version("4.9", "select_destinations"));
  expect_failure("call:no such method", no_such_method("nope"));
}

TEST(RpcReply, HasNovasWordsForItsOtherFailures) {
  EXPECT_EQ(invalid_input("x").message, "Invalid input received: x");
  EXPECT_EQ(nova_exception("database 'nova_api' is away").kwargs, (json::object{{"code", 500}}));
}

TEST(RpcReply, GoesToTheReplyQueueWithTheRecordedProperties) {
  const auto event = wire_events("call:NoValidHost", "basic.publish").at(1);
  RpcCaller caller;
  caller.reply_queue = text_at(event, "routing_key");
  const auto made = publication_to(caller, "{}");
  EXPECT_EQ(made.exchange, text_at(event, "exchange"));
  EXPECT_EQ(made.routing_key, text_at(event, "routing_key"));
  EXPECT_EQ(made.is_mandatory, event.at("mandatory").as_bool());
  EXPECT_EQ(made.properties.content_type, text_at(event, "content_type"));
  EXPECT_EQ(made.properties.content_encoding, text_at(event, "content_encoding"));
  EXPECT_EQ(made.properties.delivery_mode, json::find_integer(event.at("properties").as_object(), "delivery_mode"));
  EXPECT_EQ(made.properties.priority, json::find_integer(event, "priority"));
  EXPECT_EQ(made.properties.expiration, "");
}

TEST(RpcReply, MakesUniqueIds) {
  const auto id = new_unique_id();
  EXPECT_THAT(id, testing::MatchesRegex("[0-9a-f]+"));
  EXPECT_EQ(id.size(), 32U);
  EXPECT_NE(id, new_unique_id());
}

}  // namespace
}  // namespace gantry::nova
