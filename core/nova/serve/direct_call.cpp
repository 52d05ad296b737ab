// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/direct_call.hpp"

#include <algorithm>
#include <utility>

#include "core/nova/serve/select_call.hpp"

namespace gantry::nova {

namespace {

std::chrono::milliseconds milliseconds_in(const json::object& args, std::string_view name, std::int64_t otherwise) {
  return std::chrono::milliseconds(json::find_integer(args, name).value_or(otherwise));
}

}  // namespace

DirectRequest direct_request(const scheduling::MethodCall& call, scheduling::Done done) {
  constexpr std::int64_t usual_wait = 20'000;
  constexpr std::int64_t usual_patience = 1'800'000;
  DirectRequest direct;
  direct.unique_id = std::string(json::find_string(call.args, "unique_id").value_or(""));
  direct.request.method = select_destinations;
  direct.request.version = "4.5";
  direct.request.args = select_arguments(call.args);
  direct.request.context = call.context;
  direct.request.context.erase("auth_token");
  direct.request.context["request_id"] = call.request_id;
  direct.until =
      std::min(call.deadline, DirectRequest::Clock::now() + milliseconds_in(call.args, "wait_ms", usual_wait));
  direct.patience = milliseconds_in(call.args, "patience_ms", usual_patience);
  direct.done = [done = std::move(done)](Result<json::value> answer) { done(scheduling::Answer(std::move(answer))); };
  return direct;
}

}  // namespace gantry::nova
