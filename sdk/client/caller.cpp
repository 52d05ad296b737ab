// SPDX-License-Identifier: Apache-2.0
#include "caller.hpp"

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/uuid/random_generator.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <thread>

#include "json_text.hpp"

namespace gantry::client_library {

namespace {

using std::chrono::milliseconds;

std::string new_uuid() {
  return boost::uuids::to_string(boost::uuids::random_generator_pure()());
}

std::string text_of(const boost::json::object& object, const char* key) {
  const auto* found = object.if_contains(key);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

bool fits_in_header(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
}

bool is_method(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  });
}

// A request that brings the daemon down would otherwise hold it down, restart after restart.
constexpr int most_lost_answers = 4;

Outcome no_gantry(const std::string& where, int status, const std::string& what) {
  Outcome outcome = failure("protocol", "what answers at " + where + " does not speak as Gantry does (" + what +
                                            "): check the address, --url or GANTRY_URL, and the versions");
  outcome.http_status = status;
  return outcome;
}

}  // namespace

Outcome failure(std::string code, std::string message) {
  Outcome outcome;
  outcome.code = std::move(code);
  outcome.message = std::move(message);
  return outcome;
}

Caller::Caller(const Target& target, Credentials credentials, std::string user_agent, milliseconds absent_wait)
    : where_(target.text()),
      is_unix_(target.is_unix()),
      path_(target.path),
      credentials_(std::move(credentials)),
      user_agent_(std::move(user_agent)),
      absent_wait_(absent_wait),
      jitter_(std::random_device()()),
      wire_(Wire::to(target, credentials_.ca_file)) {
  if (!credentials_.token.empty() && !target.is_private() && credentials_.fault.empty())
    credentials_.fault = "the token would cross the network for everybody to read at " + where_ + ": use https://";
}

Outcome Caller::call(const std::string& method, const std::string& args, const CallWishes& wishes) {
  const auto deadline = Clock::now() + wishes.timeout;
  const std::string request_id = wishes.request_id.empty() ? "req-" + new_uuid() : wishes.request_id;
  const std::string key = wishes.idempotency_key.empty() ? new_uuid() : wishes.idempotency_key;

  std::string wrong = credentials_.fault;
  if (wrong.empty() && !is_method(method)) wrong = "method: expected letters, digits and _, found '" + method + "'";
  if (wrong.empty()) wrong = refuse_non_object("args", args);
  if (wrong.empty() && !wishes.context.empty()) wrong = refuse_non_object("context", wishes.context);
  if (wrong.empty() && !fits_in_header(request_id)) wrong = "request_id: expected req- and a UUID";
  if (wrong.empty() && !fits_in_header(key)) wrong = "idempotency_key: expected printable ASCII";
  if (!wrong.empty()) {
    Outcome refused = failure("invalid_argument", wrong);
    refused.request_id = request_id;
    return refused;
  }

  JsonObjectText body;
  if (!wishes.context.empty()) body.add_raw("context", wishes.context);
  body.add_raw("args", args);
  WireRequest request{
      "/v1/" + method,
      {{"User-Agent", user_agent_}, {"X-Request-Id", request_id}, {"Idempotency-Key", key}, {"X-Timeout-Ms", ""}},
      body.text()};
  if (!credentials_.token.empty())
    request.headers.insert(request.headers.begin(), {"Authorization", "Bearer " + credentials_.token});
  Outcome outcome = repeat(std::move(request), deadline, wishes.timeout);
  if (outcome.request_id.empty()) outcome.request_id = request_id;
  return outcome;
}

Outcome Caller::document(const std::string& path, const CallWishes& wishes) {
  const auto deadline = Clock::now() + wishes.timeout;
  const std::string request_id = wishes.request_id.empty() ? "req-" + new_uuid() : wishes.request_id;
  std::string wrong;
  if (!path.starts_with('/') || !fits_in_header(path) || path.find(' ') != std::string::npos)
    wrong = "path: expected / and printable ASCII without spaces";
  if (wrong.empty() && !fits_in_header(request_id)) wrong = "request_id: expected req- and a UUID";
  WireRequest request{
      path, {{"User-Agent", user_agent_}, {"X-Request-Id", request_id}, {"X-Timeout-Ms", ""}}, "", true};
  Outcome outcome =
      wrong.empty() ? repeat(std::move(request), deadline, wishes.timeout) : failure("invalid_argument", wrong);
  if (outcome.request_id.empty()) outcome.request_id = request_id;
  return outcome;
}

Outcome Caller::repeat(WireRequest request, Clock::time_point deadline, milliseconds timeout) {
  const auto started = Clock::now();
  auto& time_left = request.headers.back().second;
  Outcome last = failure("deadline_exceeded", "");
  int lost_answers = 0;
  for (int attempt = 1;; ++attempt) {
    const auto left = std::chrono::ceil<milliseconds>(deadline - Clock::now());
    time_left = std::to_string(std::max<milliseconds::rep>(1, left.count()));
    const WireAnswer answer = wire_->exchange(request, deadline);
    const bool absent_before = !has_connected_;
    has_connected_ = has_connected_ || answer.connected;

    const auto read_answer = request.is_document ? read_document : read;
    Outcome outcome = answer.outcome == WireOutcome::answered ? read_answer(answer, where_) : explain(answer, timeout);
    outcome.attempts = attempt;
    const bool may_repeat = answer.outcome == WireOutcome::absent || answer.outcome == WireOutcome::lost ||
                            (outcome.http_status == 503 && outcome.code == "unavailable");
    if (!may_repeat) {
      // The last refusal says more than that time ran out while it was tried once more.
      if (answer.outcome == WireOutcome::timed_out && !last.message.empty()) {
        if (answer.connected) outcome.message += "; the try before: " + last.message;
        last.attempts = attempt;
        return answer.connected ? outcome : last;
      }
      return outcome;
    }
    if (answer.outcome == WireOutcome::lost && ++lost_answers == most_lost_answers) return outcome;
    last = outcome;
    if (answer.outcome == WireOutcome::lost && answer.reused) continue;
    const bool impatient = answer.outcome == WireOutcome::absent && absent_before;
    if (!pause(attempt, impatient ? std::min(deadline, started + absent_wait_) : deadline)) return outcome;
  }
}

// False: it would last beyond `until`.
bool Caller::pause(int attempt, Clock::time_point until) {
  constexpr int longest_ms = 1000;
  const int bound = std::min(longest_ms, 20 << std::min(attempt - 1, 6));
  const milliseconds wait(std::uniform_int_distribution<int>(bound / 2, bound)(jitter_));
  if (Clock::now() + wait >= until) return false;
  std::this_thread::sleep_for(wait);
  return true;
}

Outcome Caller::explain(const WireAnswer& answer, milliseconds timeout) const {
  switch (answer.outcome) {
    case WireOutcome::absent:
      return failure("unreachable", "no daemon answers at " + where_ + " (" + answer.reason +
                                        "): is gantryd running? Name another socket with --url or GANTRY_URL");
    case WireOutcome::denied:
      return failure("unreachable", where_ + " cannot be opened (" + answer.reason + ")" +
                                        (is_unix_ ? ": see ls -l " + path_ +
                                                        "; its group may call, so join that group, "
                                                        "or name another socket with --url or "
                                                        "GANTRY_URL"
                                                  : ": name another address with --url or GANTRY_URL"));
    case WireOutcome::untrusted:
      return failure("unreachable", where_ + " is not trusted (" + answer.reason +
                                        "): name its certificate's authority with --ca-file or GANTRY_CA_FILE, and the "
                                        "host as its certificate does");
    case WireOutcome::timed_out:
      if (!answer.connected) {
        return failure("unreachable", "no daemon took the connection at " + where_ + " within " +
                                          std::to_string(timeout.count()) + " ms: is gantryd running, or overloaded?");
      }
      return failure("deadline_exceeded", "no answer from " + where_ + " within " + std::to_string(timeout.count()) +
                                              " ms; the call may still take effect: repeat it with the same "
                                              "idempotency key, or allow more time");
    case WireOutcome::garbage: return no_gantry(where_, 0, answer.reason);
    case WireOutcome::lost:
    case WireOutcome::answered: break;
  }
  return failure("unreachable", "the connection to " + where_ + " was lost before the answer came (" + answer.reason +
                                    "); the call may have taken effect: see the daemon's log, then repeat it with "
                                    "the same idempotency key");
}

Outcome Caller::read_document(const WireAnswer& answer, const std::string& where) {
  std::string why;
  if (answer.status != 200 || !parse_json(answer.body, why)) return read(answer, where);
  Outcome outcome;
  outcome.ok = true;
  outcome.http_status = answer.status;
  outcome.result = answer.body;
  return outcome;
}

Outcome Caller::read(const WireAnswer& answer, const std::string& where) {
  std::string why;
  const auto body = parse_json(answer.body, why);
  if (!body) return no_gantry(where, answer.status, "status " + std::to_string(answer.status) + ", body: " + why);
  const auto* whole = body->if_object();
  if (whole == nullptr) return no_gantry(where, answer.status, "its body is no object");

  Outcome outcome;
  outcome.http_status = answer.status;
  if (answer.status == 200 && whole->contains("result")) {
    outcome.ok = true;
    outcome.result = member_text(answer.body, "result");
    outcome.request_id = text_of(*whole, "request_id");
    return outcome;
  }
  const auto* member = whole->if_contains("error");
  const auto* error = member == nullptr ? nullptr : member->if_object();
  if (error == nullptr || text_of(*error, "code").empty()) {
    return no_gantry(where, answer.status, "status " + std::to_string(answer.status) + " without result or error");
  }
  outcome.code = text_of(*error, "code");
  outcome.message = text_of(*error, "message");
  outcome.request_id = text_of(*error, "request_id");
  if (error->contains("details")) outcome.details = member_text(member_text(answer.body, "error"), "details");
  return outcome;
}

}  // namespace gantry::client_library
