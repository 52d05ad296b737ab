// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/direct_requests.hpp"

#include <atomic>
#include <utility>

#include "core/telemetry/part_timer.hpp"

namespace gantry::nova {

namespace {

using telemetry::Level;

json::value value_of(RpcReply reply) {
  if (!reply.failure) return json::object{{"result", std::move(reply.result)}, {"failure", nullptr}};
  auto& failure = *reply.failure;
  return json::object{{"result", nullptr},
                      {"failure",
                       {{"class", failure.class_name},
                        {"module", failure.module},
                        {"message", failure.message},
                        {"tb", json::array()},
                        {"args", std::move(failure.args)},
                        {"kwargs", std::move(failure.kwargs)}}}};
}

Error not_taken(const std::string& why) {
  return {ErrorCode::unavailable, why + "; send it through the broker", {}};
}

}  // namespace

DirectRequests::DirectRequests(Parts parts, std::function<void()> on_answered)
    : parts_(std::move(parts)), on_answered_(std::move(on_answered)) {}

void DirectRequests::take_up(JournalEntry entry) {
  const auto& unique_id = entry.caller.unique_id;
  auto& request = requests_[unique_id];
  request.number = entry.number;
  if (entry.request) request.method = entry.request->method;
  if (!entry.reply.empty()) {
    auto answer = json::parse(entry.reply);
    return keep(unique_id, answer ? *std::move(answer) : json::value());
  }
  request.is_left = true;
  if (entry.claims.empty()) return begin_again(unique_id);
  parts_.counters->add("nova_claims_given_back", "", entry.claims.size());
  const std::string request_id(entry.request ? json::find_string(entry.request->context, "request_id").value_or("")
                                             : "");
  RpcLeftover leftover{entry.number, request.method, request_id, std::move(entry.claims), "the process ended", false};
  const auto is_done = std::make_shared<std::atomic_flag>();
  parts_.handler.give_back(std::move(leftover), [this, unique_id, is_done, post = parts_.post] {
    if (!is_done->test_and_set()) post([this, unique_id] { begin_again(unique_id); });
  });
}

// Ends a request that an earlier process has left, and has it decided if its caller has asked again.
void DirectRequests::begin_again(const std::string& unique_id) {
  auto left = requests_.extract(unique_id);
  if (left.empty()) return;
  auto& request = left.mapped();
  parts_.journal->give_back(request.number);
  parts_.journal->close(request.number);
  if (request.again) {
    start(*std::move(request.again));
    auto& begun = requests_.at(unique_id);
    begun.waiters.insert(begun.waiters.end(), std::make_move_iterator(request.waiters.begin()),
                         std::make_move_iterator(request.waiters.end()));
  }
  on_answered_();
}

void DirectRequests::take(DirectRequest direct) {
  if (!parts_.journal)
    return direct.done(
        Error{ErrorCode::failed_precondition, "this gantryd watches nova-scheduler, and answers no requests", {}});
  if (const auto found = requests_.find(direct.unique_id); found != requests_.end())
    return join(found->second, std::move(direct));
  if (is_paused_) return direct.done(not_taken("requests are paused"));
  if (count() >= most_under_way) return direct.done(not_taken("too many requests are under way"));
  start(std::move(direct));
}

void DirectRequests::join(Request& request, DirectRequest direct) {
  if (request.answer) return direct.done(*request.answer);
  if (request.is_left && !request.again) {
    request.again = std::move(direct);
    return;
  }
  request.waiters.push_back({direct.until, std::move(direct.done)});
}

void DirectRequests::start(DirectRequest direct) {
  parts_.counters->add("nova_calls", direct.request.method, 1);
  parts_.counters->add("nova_direct_calls", "", 1);
  const auto now = Clock::now();
  JournalEntry entry;
  entry.caller.unique_id = direct.unique_id;
  entry.is_direct = true;
  entry.request = std::move(direct.request);
  entry.heard_at = wall_clock();
  entry.expires_at = entry.heard_at + direct.patience.count();
  telemetry::PartTimer timer(*parts_.counters, request_microseconds);
  auto& request = requests_[direct.unique_id];
  request.number = parts_.journal->take(entry);
  parts_.journal->ack(request.number);
  timer.end("journal");
  request.method = entry.request->method;
  request.taken_at = now;
  request.waiters.push_back({direct.until, std::move(direct.done)});
  RpcWork work;
  work.number = request.number;
  work.method = std::move(entry.request->method);
  work.version = std::move(entry.request->version);
  work.args = std::move(entry.request->args);
  work.context = std::move(entry.request->context);
  work.is_awaited = true;
  work.taken_at = now;
  work.expires_at = now + direct.patience;
  dispatch(direct.unique_id, std::move(work));
}

void DirectRequests::dispatch(const std::string& unique_id, RpcWork work) {
  work.note_claim = [journal = std::weak_ptr(parts_.journal), number = work.number](std::string_view claim) {
    if (const auto kept = journal.lock()) kept->claim(number, claim);
  };
  const auto is_answered = std::make_shared<std::atomic_flag>();
  parts_.handler.handle(std::move(work), [this, unique_id, is_answered, post = parts_.post](RpcReply reply) {
    if (is_answered->test_and_set()) return;
    const auto kept = std::make_shared<RpcReply>(std::move(reply));
    post([this, unique_id, kept] { answer(unique_id, std::move(*kept)); });
  });
}

void DirectRequests::answer(const std::string& unique_id, RpcReply reply) {
  const auto found = requests_.find(unique_id);
  if (found == requests_.end()) return;
  auto& request = found->second;
  auto value = value_of(std::move(reply));
  parts_.journal->answer(request.number, json::write(value));
  for (const auto& waiter : std::exchange(request.waiters, {})) waiter.done(value);
  telemetry::PartTimer(*parts_.counters, request_microseconds, request.taken_at).end("whole");
  keep(unique_id, std::move(value));
  on_answered_();
}

void DirectRequests::keep(const std::string& unique_id, json::value answer) {
  auto& request = requests_.at(unique_id);
  request.answer = std::move(answer);
  request.answered_at = Clock::now();
  kept_.push_back(unique_id);
  if (kept_.size() > most_kept) forget_oldest();
}

void DirectRequests::forget_oldest() {
  const auto oldest = requests_.find(kept_.front());
  kept_.pop_front();
  parts_.journal->close(oldest->second.number);
  requests_.erase(oldest);
}

void DirectRequests::tick(Clock::time_point now) {
  while (!kept_.empty() && now - requests_.at(kept_.front()).answered_at > keeping_time) forget_oldest();
  for (auto& [unique_id, request] : requests_) {
    std::erase_if(request.waiters, [now](const Waiter& waiter) {
      if (now < waiter.until) return false;
      waiter.done(
          Error{ErrorCode::deadline_exceeded, "the request is still under way: ask again with its unique_id", {}});
      return true;
    });
    if (!request.again || now < request.again->until) continue;
    request.again->done(not_taken("what an earlier process had claimed for the request could not be given back yet"));
    request.again.reset();
  }
}

void DirectRequests::end() {
  const auto stopping = Error{ErrorCode::unavailable, "the service is stopping", {}};
  for (auto& [unique_id, request] : requests_) {
    for (const auto& waiter : std::exchange(request.waiters, {})) waiter.done(stopping);
    if (request.again) request.again->done(stopping);
    request.again.reset();
  }
}

}  // namespace gantry::nova
