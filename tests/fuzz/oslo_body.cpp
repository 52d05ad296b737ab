// SPDX-License-Identifier: Apache-2.0
//
// A body from the scheduler's queue. A message that can be read is answered, and the answer can be read again, names the
// caller and holds no token. The outcome is request (an endpoint has the method), fault (none has it), or refused, with
// "-cast" behind it if the caller does not wait.
#include "core/nova/rpc/endpoints.hpp"
#include "core/nova/rpc/message.hpp"
#include "core/nova/rpc/reply.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {
namespace {

constexpr std::size_t longest = std::size_t{64} * 1024;

void check_answer(const std::string& body, const nova::RpcCaller& caller) {
  const auto outer = json::parse_object(body);
  if (!outer) broken("an answer that is no JSON: " + outer.error().message);
  const auto inner = json::parse_object(json::find_string(*outer, "oslo.message").value_or(""), json::stored_depth);
  if (!inner) broken("an answer whose inner part is no JSON: " + inner.error().message);
  if (json::find_string(*inner, "_msg_id") != caller.msg_id) broken("an answer to another message");
  if (json::find_string(*inner, "_unique_id") != "unique") broken("an answer without its own id");
}

std::string word_of(const nova::RpcMessage& message) {
  const auto& caller = message.caller;
  if (!message.request) {
    if (message.request.error().message.empty()) broken("a refusal without a reason");
    check_answer(nova::encode_failure(caller, "unique", nova::invalid_input(message.request.error().message)), caller);
    return "refused";
  }
  const auto& request = *message.request;
  if (request.method.empty()) broken("a request without a method");
  if (request.context.contains("auth_token")) broken("a token in the context");
  const auto fault = nova::fault_of_target(request);
  check_answer(
      fault ? nova::encode_failure(caller, "unique", *fault) : nova::encode_result(caller, "unique", request.args),
      caller);
  check_answer(nova::encode_heartbeat(caller, "unique"), caller);
  return fault ? "fault" : "request";
}

}  // namespace

std::string run(std::span<const std::uint8_t> input) {
  const auto message = nova::decode_rpc(text_of(input), longest);
  if (message.caller.msg_id.size() > 255 || message.caller.reply_queue.size() > 255) broken("an id that is too long");
  if (message.caller.heartbeat_interval.count() < 0) broken("an interval below 0");
  return word_of(message) + (message.caller.waits() ? "" : "-cast");
}

}  // namespace gantry::fuzz
