// SPDX-License-Identifier: Apache-2.0
#include "tests/reliability/connection.hpp"

namespace gantry::reliability {

Answer Connection::ask(const std::string& method, const json::object& args, int timeout_ms, const std::string& key) {
  gantry::client::call_options options;
  options.timeout_ms = timeout_ms;
  options.idempotency_key = key;
  const auto reply = client_.call(method, json::write(args), options);
  if (reply.attempts() > 1) counts_.sent_again += static_cast<std::uint64_t>(reply.attempts()) - 1;
  Answer answer;
  if (reply) {
    ++counts_.acknowledged;
    auto parsed = json::parse(reply.json(), json::stored_depth);
    answer.ok = static_cast<bool>(parsed);
    if (parsed)
      answer.result = *std::move(parsed);
    else
      answer.code = "not JSON";
    return answer;
  }
  answer.code = reply.failure().code;
  answer.message = reply.failure().message;
  answer.silent = answer.code == "unreachable" || answer.code == "deadline_exceeded" || answer.code == "unavailable";
  if (answer.silent) ++counts_.unanswered;
  return answer;
}

std::string text_of(const json::object& object, std::string_view key) {
  return std::string(json::find_string(object, key).value_or(""));
}

}  // namespace gantry::reliability
