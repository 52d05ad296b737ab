// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/rpc_endpoint.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/post.hpp>
#include <utility>

#include "core/nova/serve/rpc_call.hpp"
#include "core/nova/serve/rpc_fault.hpp"

namespace gantry::nova {

namespace {

constexpr std::string_view select_destinations = "select_destinations";

// The longest that a request may take: waits for databases and placement, and the claims.
constexpr std::chrono::seconds longest{180};
constexpr std::chrono::seconds end_time{60};

// The arguments of Nova's method that the service has, too.
constexpr std::array<std::string_view, 6> known_arguments{"spec_obj",       "request_spec",   "filter_properties",
                                                          "instance_uuids", "return_objects", "return_alternates"};

json::object arguments_of(const json::object& given) {
  json::object args;
  for (const auto name : known_arguments) {
    if (const auto* value = given.if_contains(name); value != nullptr && !value->is_null()) args[name] = *value;
  }
  return args;
}

}  // namespace

RpcEndpoint::RpcEndpoint(scheduling::Manager& manager, const fleet::Fleet& fleet, FactKeeper& facts,
                         PlacementDesk& placement, std::shared_ptr<telemetry::Logger> logger)
    : manager_(manager), fleet_(fleet), facts_(facts), placement_(placement), logger_(std::move(logger)) {}

RpcEndpoint::~RpcEndpoint() {
  casts_.join();
  ending_.join();
}

void RpcEndpoint::handle(RpcWork work, Done done) {
  if (work.method != select_destinations) {
    boost::asio::post(casts_, [this, work = std::move(work), done = std::move(done)] { take_cast(work, done); });
    return;
  }
  if (work.claims.empty()) return select(std::move(work), done);
  boost::asio::post(ending_, [this, work = std::move(work), done = std::move(done)]() mutable {
    const std::string request_id(json::find_string(work.context, "request_id").value_or(""));
    if (!end_claims(work.claims, request_id)) {
      return done(rpc_fault({ErrorCode::unavailable,
                             "the scheduler ended during the request, and placement could not be asked what it had "
                             "claimed",
                             {}}));
    }
    select(std::move(work), done);
  });
}

void RpcEndpoint::select(RpcWork work, const Done& done) {
  scheduling::MethodCall call;
  call.method = select_destinations;
  call.request_id = std::string(json::find_string(work.context, "request_id").value_or(""));
  call.args = arguments_of(work.args);
  call.context = std::move(work.context);
  call.peer = "nova";
  call.deadline = std::min(Clock::now() + longest, work.expires_at.value_or(Clock::time_point::max()));
  call.authority_call = std::make_shared<RpcCall>(std::move(work.note_claim));
  manager_.handle(std::move(call), [done](const scheduling::Answer& answer) {
    if (!answer) return done(rpc_fault(answer.error()));
    done(*scheduling::Reply(answer));
  });
}

void RpcEndpoint::take_cast(const RpcWork& work, const Done& done) {
  if (const auto taken = facts_.apply(work.method, work.args); !taken) {
    logger_->write(telemetry::Level::warning, "a cast was not taken",
                   {{"method", work.method}, {"reason", taken.error().message}});
    return done(rpc_fault(taken.error()));
  }
  done(json::value(nullptr));
}

bool RpcEndpoint::is_used(const std::string& instance) const {
  const auto known = fleet_.instance(instance);
  return known && !known->host.empty();
}

// Returns false if some claim may still stand. With Ending::unused, the claims of instances that are on a host stay.
bool RpcEndpoint::end_claims(const std::vector<std::string>& notes, const std::string& request_id, Ending ending) {
  bool all = true;
  for (const auto& text : notes) {
    auto note = read_claim_note(text);
    if (!note) {
      logger_->write(telemetry::Level::error, "a noted claim cannot be read",
                     {{"request_id", request_id}, {"reason", note.error().message}});
      continue;
    }
    if (ending == Ending::unused && is_used(note->request.consumer)) {
      logger_->write(telemetry::Level::info, "a claim stays: its instance is on a host",
                     {{"request_id", request_id}, {"instance", note->request.consumer}});
      continue;
    }
    const auto deadline = Clock::now() + end_time;
    if (note->outcome.claimed.empty()) note->outcome = placement_.take_up(note->request, deadline);
    const auto outcome = placement_.give_back(note->request, note->outcome, deadline);
    if (outcome.kind != WithdrawOutcome::Kind::failed) continue;
    all = false;
    logger_->write(telemetry::Level::error, "a claim could not be given back",
                   {{"request_id", request_id}, {"instance", note->request.consumer}, {"reason", outcome.reason}});
  }
  return all;
}

void RpcEndpoint::give_back(RpcLeftover leftover, std::function<void()> done) {
  boost::asio::post(ending_, [this, leftover = std::move(leftover), done = std::move(done)] {
    const auto ending = leftover.may_be_in_use ? Ending::unused : Ending::all;
    // Facts of now tell what is used. Without them, the claims are left to the next process.
    if (ending == Ending::unused && !facts_.refresh(Clock::now() + end_time)) return;
    if (end_claims(leftover.claims, leftover.request_id, ending)) done();
  });
}

}  // namespace gantry::nova
