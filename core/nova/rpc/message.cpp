// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/message.hpp"

#include <charconv>
#include <utility>

#include "core/nova/rpc/caller_scan.hpp"

namespace gantry::nova {

namespace {

constexpr std::string_view context_prefix = "_context_";

Error refused_body(const std::string& fault) {
  return {ErrorCode::invalid_argument, "RPC message: " + fault, ""};
}

Error mistyped(std::string_view key, const std::string& expected, const json::value& found) {
  return refused_body("expected '" + std::string(key) + "' to be " + expected + ", found " +
                      std::string(json::type_name(found)));
}

Error too_large(std::uint64_t size, std::size_t longest) {
  return refused_body("expected at most " + std::to_string(longest) + " bytes, found " + std::to_string(size));
}

// Reads a text, or nothing if the member is absent or null.
Result<std::optional<std::string>> optional_text(const json::object& message, std::string_view key) {
  const auto* found = json::find(message, key);
  if (found == nullptr) return std::optional<std::string>();
  if (!found->is_string()) return mistyped(key, "a string", *found);
  const auto& text = found->get_string();
  return std::optional<std::string>(std::string(text.data(), text.size()));
}

Result<void> read_id(const json::object& message, std::string_view key, std::string& id) {
  auto text = optional_text(message, key);
  if (!text) return text.error();
  if (*text && (*text)->size() > longest_id)
    return refused_body("expected '" + std::string(key) + "' of at most 255 bytes, found " +
                        std::to_string((*text)->size()));
  id = (*text).value_or("");
  return {};
}

// oslo.messaging takes numbers and texts of numbers, and drops their fraction.
std::optional<double> seconds_of(const json::value& value) {
  if (value.is_int64()) return static_cast<double>(value.get_int64());
  if (value.is_uint64()) return static_cast<double>(value.get_uint64());
  if (value.is_double()) return value.get_double();
  if (!value.is_string()) return std::nullopt;
  const std::string_view text = value.get_string();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return static_cast<double>(number);
}

void read_monitor_time(const json::object& message, RpcCaller& caller) {
  constexpr double longest = 86'400;
  const auto* found = json::find(message, "_timeout");
  if (found == nullptr) return;
  const auto seconds = seconds_of(*found);
  if (seconds == 0) return;
  caller.has_odd_monitor_time = !seconds || *seconds < 2;
  if (caller.has_odd_monitor_time) return;
  const auto whole = static_cast<std::int64_t>(*seconds > longest ? longest : *seconds);
  caller.heartbeat_interval = std::chrono::milliseconds(whole * 500);
}

// Reads every part even if one is wrong: the caller must hear of the failure.
Result<void> read_caller(const json::object& message, RpcCaller& caller) {
  auto msg_id = read_id(message, "_msg_id", caller.msg_id);
  auto reply_queue = read_id(message, "_reply_q", caller.reply_queue);
  auto unique_id = read_id(message, "_unique_id", caller.unique_id);
  read_monitor_time(message, caller);
  if (!msg_id) return msg_id;
  if (!reply_queue) return reply_queue;
  return unique_id;
}

Result<RpcRequest> read_request(json::object message) {
  RpcRequest request;
  auto method = optional_text(message, "method");
  if (!method) return method.error();
  if (!*method || (*method)->empty()) return refused_body("expected 'method', found none");
  request.method = **std::move(method);
  auto name_space = optional_text(message, "namespace");
  if (!name_space) return name_space.error();
  request.name_space = *std::move(name_space);
  auto version = optional_text(message, "version");
  if (!version) return version.error();
  request.version = (*version).value_or("1.0");
  if (auto* args = message.if_contains("args")) {
    if (!args->is_object()) return mistyped("args", "an object", *args);
    request.args = std::move(args->get_object());
  }
  for (auto& member : message) {
    const std::string_view key = member.key();
    if (!key.starts_with(context_prefix)) continue;
    const auto name = key.substr(context_prefix.size());
    if (name != "auth_token") request.context[name] = std::move(member.value());
  }
  return request;
}

// Takes the inner message out of its envelope, if there is one.
Result<json::object> opened(json::object body) {
  const auto* version = body.if_contains("oslo.version");
  const auto* message = body.if_contains("oslo.message");
  if (version == nullptr || message == nullptr) return body;
  if (!version->is_string()) return mistyped("oslo.version", "a string", *version);
  const std::string_view number = version->get_string();
  if (number != "2.0")
    return refused_body("expected an envelope of version 2.0, found '" + std::string(number.substr(0, 20)) + "'");
  if (!message->is_string()) return mistyped("oslo.message", "a string", *message);
  auto inner = json::parse_object(message->get_string());
  if (!inner) return std::move(inner).error().within("oslo.message").within("RPC message");
  return inner;
}

}  // namespace

RpcMessage decode_rpc(std::string_view body, std::size_t longest) {
  if (body.size() > longest) return {caller_in_text(body), too_large(body.size(), longest)};
  auto outer = json::parse_object(body);
  if (!outer) return {caller_in_text(body), std::move(outer).error().within("RPC message")};
  auto message = opened(*std::move(outer));
  if (!message) return {caller_in_text(body), std::move(message).error()};
  RpcMessage decoded{{}, RpcRequest{}};
  if (auto read = read_caller(*message, decoded.caller); !read) {
    decoded.request = read.error();
  } else {
    decoded.request = read_request(*std::move(message));
  }
  return decoded;
}

RpcMessage decode_rpc(const amqp::Delivery& delivery) {
  if (delivery.is_too_large) return {caller_in_text(delivery.body), too_large(delivery.size, longest_rpc)};
  const auto& compression = delivery.properties.compression;
  if (!compression.empty())
    return {{},
            refused_body("expected a body that is not compressed, found " + compression.substr(0, 40) +
                         "; set kombu_compression to nothing on the sender's side")};
  return decode_rpc(delivery.body);
}

}  // namespace gantry::nova
