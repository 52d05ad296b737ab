// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/requests_under_way.hpp"

#include <atomic>
#include <charconv>
#include <utility>

#include "core/nova/rpc/endpoints.hpp"
#include "core/nova/rpc/reply.hpp"

namespace gantry::nova {

namespace {

using telemetry::Level;

constexpr std::string_view timed_method = "select_destinations";
constexpr int most_attempts = 2;
// A request that is being claimed has been decided on: the request hardly ended the process then.
constexpr int most_attempts_with_claims = 5;
constexpr std::string_view ping_method = "oslo_rpc_server_ping";

// The caller's whole patience, as the message says it. 0: it does not.
std::int64_t milliseconds_of(const std::string& expiration) {
  constexpr std::int64_t longest = std::int64_t{30} * 86'400'000;
  std::int64_t number = 0;
  const auto* end = expiration.data() + expiration.size();
  const auto [rest, error] = std::from_chars(expiration.data(), end, number);
  return error == std::errc() && rest == end && number > 0 && number <= longest ? number : 0;
}

std::string request_id_of(const RpcRequest& request) {
  return std::string(json::find_string(request.context, "request_id").value_or(""));
}

}  // namespace

RequestsUnderWay::RequestsUnderWay(Parts parts, std::function<void()> on_closed)
    : parts_(std::move(parts)), on_closed_(std::move(on_closed)) {}

void RequestsUnderWay::take_up(const std::function<void(JournalEntry entry)>& hand_on_direct) {
  if (!parts_.journal) return;
  const auto now = wall_clock();
  for (const auto& unique_id : parts_.journal->closed_ids()) recent_.is_repeated(unique_id);
  for (auto& entry : parts_.journal->take_left())
    if (entry.is_direct) {
      hand_on_direct(std::move(entry));
    } else {
      take_up(std::move(entry), now);
    }
}

void RequestsUnderWay::take_up(JournalEntry entry, std::int64_t now) {
  const auto number = entry.number;
  // The broker delivers the message again if it did not get the ack.
  recent_.is_repeated(entry.caller.unique_id);
  auto& request = keep(entry);
  request.next_heartbeat = Clock::now();
  request.may_have_arrived = !entry.reply.empty();
  if (!request.patience.lasts_at(now)) {
    request.next_heartbeat = Clock::time_point::max();
    if (entry.reply.empty())
      parts_.logger->write(Level::warning, "a request of the process before is not taken up: the caller has given up",
                           {{"method", request.method}, {"request", request.request_id}});
    return give_back(number, "the process ended, and the caller has given up since", [this, number] { close(number); });
  }
  if (!entry.reply.empty()) return send(number, std::move(entry.reply));
  if (!entry.request) return answer(number, invalid_input("the message could not be read"));
  parts_.counters->add("nova_requests_taken_up", "", 1);
  if (entry.attempts >= (entry.claims.empty() ? most_attempts : most_attempts_with_claims))
    return fail_after_ends(number, entry.attempts);
  parts_.journal->take_up(number);
  parts_.logger->write(Level::info, "a request of the process before is taken up",
                       {{"method", request.method}, {"request", request.request_id}});
  RpcWork work;
  work.is_taken_up = true;
  work.claims = std::move(entry.claims);
  if (entry.expires_at != 0) work.expires_at = Clock::now() + std::chrono::milliseconds(entry.expires_at - now);
  dispatch(number, *std::move(entry.request), std::move(work));
}

void RequestsUnderWay::fail_after_ends(std::uint64_t number, int ends) {
  const auto& request = requests_.at(number);
  const auto times = ends == 2 ? std::string("twice") : std::to_string(ends) + " times";
  parts_.logger->write(Level::error,
                       "the process has ended " + times + " while it worked on a request; the request fails",
                       {{"method", request.method}, {"request", request.request_id}});
  give_back(number, "the process ended " + times, [this, number, times] {
    answer(number,
           nova_exception("The scheduler ended " + times + " while it worked on this request; it is not tried again"));
  });
}

RequestsUnderWay::Request& RequestsUnderWay::keep(const JournalEntry& entry) {
  auto& request = requests_[entry.number];
  request.caller = entry.caller;
  request.reply_id = entry.reply_id;
  request.patience = patience_of(entry);
  if (entry.request) {
    request.method = entry.request->method;
    request.request_id = request_id_of(*entry.request);
  }
  request.next_heartbeat = Clock::now() + entry.caller.heartbeat_interval;
  return request;
}

void RequestsUnderWay::take(const amqp::Delivery& delivery, const std::function<void()>& ack) {
  const auto taken_at = Clock::now();
  auto message = decode_rpc(delivery);
  const auto& unique_id = message.caller.unique_id;
  if (recent_.is_repeated(unique_id)) {
    parts_.counters->add("nova_duplicates", "", 1);
    return ack();
  }
  if (!parts_.journal) message.caller = {};
  if (!message.request) return refuse(std::move(message), delivery, ack);
  if (!message.caller.waits()) {
    ack();
    return cast(*std::move(message.request));
  }
  JournalEntry entry;
  const auto patience = milliseconds_of(delivery.properties.expiration);
  entry.caller = std::move(message.caller);
  entry.request = *std::move(message.request);
  entry.heard_at = wall_clock();
  if (patience > 0) entry.expires_at = entry.heard_at + patience;
  RpcWork work;
  if (patience > 0) work.expires_at = Clock::now() + std::chrono::milliseconds(patience);
  if (entry.caller.has_odd_monitor_time)
    parts_.logger->write(Level::warning, "a caller's monitor time is below 2 s or no number; it hears no heartbeats",
                         {{"method", entry.request->method}, {"request", request_id_of(*entry.request)}});
  telemetry::PartTimer timer(*parts_.counters, request_microseconds);
  const auto number = write_down(entry, ack);
  if (entry.request->method == timed_method) timer.end("journal");
  requests_.at(number).taken_at = taken_at;
  dispatch(number, *std::move(entry.request), std::move(work));
}

std::uint64_t RequestsUnderWay::write_down(JournalEntry& entry, const std::function<void()>& ack) {
  entry.reply_id = new_unique_id();
  const auto number = parts_.journal->take(entry);
  ack();
  parts_.journal->ack(number);
  keep(entry);
  return number;
}

void RequestsUnderWay::refuse(RpcMessage message, const amqp::Delivery& delivery, const std::function<void()>& ack) {
  const auto reason = message.request.error().message;
  parts_.counters->add("nova_refused_messages", "", 1);
  parts_.logger->write(Level::warning, "a message is refused",
                       {{"reason", reason},
                        {"exchange", delivery.exchange},
                        {"key", delivery.routing_key},
                        {"bytes", std::to_string(delivery.size)}});
  if (!message.caller.waits()) return ack();
  JournalEntry entry;
  entry.caller = std::move(message.caller);
  entry.heard_at = wall_clock();
  answer(write_down(entry, ack), invalid_input(reason));
}

void RequestsUnderWay::dispatch(std::uint64_t number, RpcRequest request, RpcWork work) {
  if (parts_.rpc_ping_enabled && request.method == ping_method && !request.name_space &&
      is_compatible("1.0", request.version))
    return answer(number, json::value("pong"));
  if (const auto fault = fault_of_target(request)) {
    parts_.counters->add("nova_refused_messages", "", 1);
    parts_.logger->write(Level::warning, "a call has no endpoint",
                         {{"reason", fault->message}, {"namespace", request.name_space.value_or("")}});
    return answer(number, *fault);
  }
  parts_.counters->add("nova_calls", request.method, 1);
  if (request.name_space != base_namespace) return hand_on(number, std::move(request), std::move(work));
  if (request.method != "ping") return answer(number, json::value(nullptr));
  const auto* arg = request.args.if_contains("arg");
  answer(number, json::value(json::object{{"service", parts_.topic}, {"arg", arg == nullptr ? json::value() : *arg}}));
}

void RequestsUnderWay::hand_on(std::uint64_t number, RpcRequest request, RpcWork work) {
  work.number = number;
  work.method = std::move(request.method);
  work.version = std::move(request.version);
  work.args = std::move(request.args);
  work.context = std::move(request.context);
  work.is_awaited = number != 0;
  work.taken_at = Clock::now();
  work.note_claim = [journal = std::weak_ptr(parts_.journal), number](std::string_view claim) {
    if (const auto kept = journal.lock(); kept && number != 0) kept->claim(number, claim);
  };
  const auto is_answered = std::make_shared<std::atomic_flag>();
  parts_.handler.handle(std::move(work), [this, number, is_answered, post = parts_.post](RpcReply reply) {
    if (number == 0 || is_answered->test_and_set()) return;
    const auto kept = std::make_shared<RpcReply>(std::move(reply));
    post([this, number, kept] { answer(number, std::move(*kept)); });
  });
}

void RequestsUnderWay::cast(RpcRequest request) {
  const auto fault = fault_of_target(request);
  if (!fault && request.name_space != base_namespace) {
    parts_.counters->add("nova_casts", request.method, 1);
    return hand_on(0, std::move(request), {});
  }
  if (!fault) return;
  parts_.counters->add("nova_refused_messages", "", 1);
  parts_.logger->write(Level::warning, "a cast has no endpoint", {{"reason", fault->message}});
}

void RequestsUnderWay::answer(std::uint64_t number, RpcReply reply) {
  const auto found = requests_.find(number);
  if (found == requests_.end()) return;
  auto& request = found->second;
  request.answered_at = Clock::now();
  auto body = reply.failure ? encode_failure(request.caller, request.reply_id, *reply.failure)
                            : encode_result(request.caller, request.reply_id, std::move(reply.result));
  // A process that takes the request up says the same.
  parts_.journal->answer(number, body);
  send(number, std::move(body));
}

void RequestsUnderWay::send(std::uint64_t number, std::string body) {
  auto& request = requests_.at(number);
  request.next_heartbeat = Clock::time_point::max();
  const auto is_awaited = [this, number] { return requests_.at(number).patience.lasts_at(wall_clock()); };
  parts_.sender.send(number, request.caller, std::move(body), is_awaited, [this, number](const ReplyFate& fate) {
    if (fate.is_delivered) return close(number);
    auto& unheard = requests_.at(number);
    unheard.may_have_arrived = unheard.may_have_arrived || fate.may_have_arrived;
    give_back(number, "the caller is gone", [this, number] { close(number); });
  });
}

void RequestsUnderWay::give_back(std::uint64_t number, const std::string& reason, const std::function<void()>& then) {
  auto claims = parts_.journal->claims_of(number);
  if (claims.empty()) return then();
  const auto& request = requests_.at(number);
  parts_.counters->add("nova_claims_given_back", "", claims.size());
  parts_.logger->write(Level::warning, "the claims of a request are given back",
                       {{"reason", reason}, {"method", request.method}, {"request", request.request_id}});
  RpcLeftover leftover{number, request.method, request.request_id, std::move(claims), reason, request.may_have_arrived};
  const auto is_done = std::make_shared<std::atomic_flag>();
  parts_.handler.give_back(std::move(leftover), [this, number, then, is_done, post = parts_.post] {
    if (is_done->test_and_set()) return;
    post([this, number, then] {
      parts_.journal->give_back(number);
      then();
    });
  });
}

void RequestsUnderWay::close(std::uint64_t number) {
  count_time(requests_.at(number));
  parts_.journal->close(number);
  requests_.erase(number);
  on_closed_();
}

void RequestsUnderWay::hear(std::uint64_t number) {
  const auto now = wall_clock();
  parts_.journal->hear(number, now);
  if (const auto found = requests_.find(number); found != requests_.end()) found->second.patience.heard_at = now;
}

void RequestsUnderWay::count_time(const Request& request) const {
  if (request.method != timed_method || !request.taken_at || !request.answered_at) return;
  telemetry::PartTimer(*parts_.counters, request_microseconds, *request.answered_at).end("answer");
  telemetry::PartTimer(*parts_.counters, request_microseconds, *request.taken_at).end("whole");
}

void RequestsUnderWay::tick(Clock::time_point now) {
  for (auto& [number, request] : requests_) {
    if (request.caller.heartbeat_interval.count() == 0 || now < request.next_heartbeat) continue;
    const auto on_heard = [this, key = number] { hear(key); };
    if (parts_.sender.send_heartbeat(number, request.caller, on_heard))
      request.next_heartbeat = now + request.caller.heartbeat_interval;
  }
}

}  // namespace gantry::nova
