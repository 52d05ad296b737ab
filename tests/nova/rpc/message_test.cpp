// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/message.hpp"

#include <gmock/gmock.h>

#include "tests/nova/rpc/captured.hpp"

namespace gantry::nova {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string enclosed(const std::string& message) {
  return json::write(json::object{{"oslo.version", "2.0"}, {"oslo.message", message}});
}

std::string fault_of(const std::string& body, std::size_t longest = longest_rpc) {
  const auto message = decode_rpc(body, longest);
  if (message.request) return "";
  EXPECT_EQ(message.request.error().code, ErrorCode::invalid_argument);
  return message.request.error().message;
}

// The message must say the same as the recorded object.
void expect_read(const json::object& recorded, const RpcMessage& message) {
  ASSERT_TRUE(message.request) << message.request.error().message;
  const auto text = [&](std::string_view key) { return std::string(json::find_string(recorded, key).value_or("")); };
  EXPECT_EQ(message.request->method, text("method"));
  EXPECT_EQ(message.request->version, text("version"));
  EXPECT_EQ(message.request->name_space.value_or(""), text("namespace"));
  EXPECT_EQ(message.request->args, recorded.at("args").as_object());
  EXPECT_EQ(message.caller.msg_id, text("_msg_id"));
  EXPECT_EQ(message.caller.reply_queue, text("_reply_q"));
  EXPECT_EQ(message.caller.unique_id, text("_unique_id"));
  EXPECT_EQ(message.caller.waits(), recorded.contains("_msg_id"));
  EXPECT_EQ(message.caller.heartbeat_interval.count(), json::find_integer(recorded, "_timeout").value_or(0) * 500);
  EXPECT_FALSE(message.caller.has_odd_monitor_time);
  EXPECT_EQ(message.request->context.at("request_id"), recorded.at("_context_request_id"));
  EXPECT_FALSE(message.request->context.contains("auth_token"));
}

TEST(RpcMessage, ReadsEveryRecordedRequest) {
  int count = 0;
  for (const auto& event : wire_events()) {
    const auto& object = event.as_object();
    if (json::find_string(object, "op") != "basic.publish" || object.at("mandatory").as_bool()) continue;
    expect_read(inner_of(object.at("body")), decode_rpc(json::write(object.at("body"))));
    ++count;
  }
  EXPECT_EQ(count, 15);
}

TEST(RpcMessage, ReadsMessagesOfARunningNovaWithAndWithoutAnEnvelope) {
  for (const auto& [name, recorded] : zed_messages()) {
    const auto& message = recorded.as_object().at("message").as_object();
    expect_read(message, decode_rpc(enclosed(json::write(message))));
    expect_read(message, decode_rpc(json::write(message)));
  }
}

TEST(RpcMessage, KeepsTheTokenApart) {
  const auto message = decode_rpc(R"({"method":"m","_context_auth_token":"secret","_context_user_id":"u"})");
  ASSERT_TRUE(message.request);
  EXPECT_FALSE(message.request->context.contains("auth_token"));
  EXPECT_THAT(json::write(message.request->context), Not(HasSubstr("secret")));
  EXPECT_EQ(message.request->version, "1.0");
  EXPECT_FALSE(message.caller.waits());
}

TEST(RpcMessage, TakesMonitorTimesAsTheCallerMeansThem) {
  const auto interval = [](const std::string& timeout) {
    const auto caller = decode_rpc(R"({"method":"m","_timeout":)" + timeout + "}").caller;
    return caller.has_odd_monitor_time ? -1 : caller.heartbeat_interval.count();
  };
  EXPECT_EQ(interval("60"), 30'000);
  EXPECT_EQ(interval("2"), 1'000);
  EXPECT_EQ(interval("2.9"), 1'000);
  EXPECT_EQ(interval("\"60\""), 30'000);
  EXPECT_EQ(interval("1e300"), 43'200'000);
  EXPECT_EQ(interval("null"), 0);
  EXPECT_EQ(interval("0"), 0);
  EXPECT_EQ(interval("1"), -1);
  EXPECT_EQ(interval("-5"), -1);
  EXPECT_EQ(interval("\"soon\""), -1);
  EXPECT_EQ(interval("[]"), -1);
}

TEST(RpcMessage, RefusesWithThePlaceAndTheReason) {
  EXPECT_THAT(fault_of(""), HasSubstr("RPC message"));
  EXPECT_THAT(fault_of("[1]"), HasSubstr("RPC message"));
  EXPECT_THAT(fault_of("{\"a\":"), HasSubstr("RPC message"));
  EXPECT_THAT(fault_of(enclosed("{\"method\":")), HasSubstr("RPC message: oslo.message:"));
  EXPECT_THAT(fault_of(enclosed("[]")), HasSubstr("RPC message: oslo.message:"));
  EXPECT_THAT(fault_of(R"({"oslo.version":"2.0","oslo.message":{}})"),
              HasSubstr("'oslo.message' to be a string, found object"));
  EXPECT_THAT(fault_of(R"({"oslo.version":"3.0","oslo.message":"{}"})"), HasSubstr("version 2.0, found '3.0'"));
  EXPECT_THAT(fault_of("{}"), HasSubstr("expected 'method', found none"));
  EXPECT_THAT(fault_of(R"({"method":5})"), HasSubstr("expected 'method' to be a string, found number"));
  EXPECT_THAT(fault_of(R"({"method":"m","args":[]})"), HasSubstr("expected 'args' to be an object, found array"));
  EXPECT_THAT(fault_of(R"({"method":"m","version":4.5})"),
              HasSubstr("expected 'version' to be a string, found number"));
  EXPECT_THAT(fault_of(R"({"method":"m","namespace":{}})"),
              HasSubstr("expected 'namespace' to be a string, found object"));
  EXPECT_THAT(fault_of(R"({"method":"m","_reply_q":7})"),
              HasSubstr("expected '_reply_q' to be a string, found number"));
  EXPECT_THAT(fault_of(R"({"method":"m","_reply_q":")" + std::string(256, 'q') + "\"}"),
              HasSubstr("expected '_reply_q' of at most 255 bytes, found 256"));
}

TEST(RpcMessage, RefusesABodyThatIsTooDeepOrTooLarge) {
  const std::string deep = std::string(70, '[') + std::string(70, ']');
  EXPECT_THAT(fault_of(R"({"method":"m","args":{"a":)" + deep + "}}"), HasSubstr("64"));
  EXPECT_THAT(fault_of(enclosed(R"({"method":"m","args":{"a":)" + deep + "}}")), HasSubstr("oslo.message"));
  EXPECT_THAT(fault_of(std::string(101, ' '), 100), HasSubstr("expected at most 100 bytes, found 101"));
  amqp::Delivery drained;
  drained.is_too_large = true;
  drained.size = 50'000'000;
  EXPECT_THAT(decode_rpc(drained).request.error().message, HasSubstr("at most 8388608 bytes, found 50000000"));
  amqp::Delivery compressed;
  compressed.properties.compression = "application/x-gzip";
  EXPECT_THAT(decode_rpc(compressed).request.error().message, HasSubstr("found application/x-gzip"));
}

TEST(RpcMessage, KnowsTheCallerOfABodyThatCannotBeRead) {
  const std::string caller = R"("_msg_id":"id-1","_reply_q":"reply_1","_timeout":60,"_unique_id":"u","_context_a":")";
  const std::string decoy = R"({"method":"m","args":{"hints":{"_msg_id":"other","_reply_q": "other"},)";
  for (const auto& deep : {std::string(70, '['), std::string(300, '[')}) {
    const auto plain = decoy + R"("a":)" + deep + std::string(deep.size(), ']') + "}," + caller + R"("})";
    for (const auto& body : {plain, enclosed(plain)}) {
      const auto message = decode_rpc(body);
      EXPECT_FALSE(message.request);
      EXPECT_EQ(message.caller.msg_id, "id-1") << body;
      EXPECT_EQ(message.caller.reply_queue, "reply_1") << body;
      EXPECT_EQ(message.caller.unique_id, "u") << body;
    }
  }
  amqp::Delivery large;
  large.is_too_large = true;
  large.size = 50'000'000;
  large.body = enclosed(R"({"a":"",)" + caller + std::string(1000, 'c') + R"("})").substr(50);
  EXPECT_EQ(decode_rpc(large).caller.reply_queue, "reply_1");
  for (const auto* odd : {"", "_msg_id", "\"_msg_id\"", "\"_msg_id\":", "\"_msg_id\":\"", "\"_msg_id\":\"a b\"",
                          "\"_msg_id\":\"\"", "\"_msg_id\":7", "x_msg_id\":\"a\""})
    EXPECT_EQ(decode_rpc(odd).caller.msg_id, "") << odd;
}

TEST(RpcMessage, KnowsTheCallerOfARefusedRequest) {
  const auto message = decode_rpc(
      enclosed(R"({"method":"m","args":7,"_msg_id":"id","_reply_q":"reply_1","_unique_id":"u","_timeout":60})"));
  EXPECT_FALSE(message.request);
  EXPECT_TRUE(message.caller.waits());
  EXPECT_EQ(message.caller.reply_queue, "reply_1");
}

}  // namespace
}  // namespace gantry::nova
