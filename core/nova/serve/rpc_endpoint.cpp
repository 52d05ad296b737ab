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
// A request answers by its deadline by itself, unless its driver hangs.
constexpr std::chrono::seconds grace{2};

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

RpcEndpoint::RpcEndpoint(scheduling::Manager& manager, fleet::Fleet& fleet, FactKeeper& facts, PlacementDesk& placement,
                         std::shared_ptr<telemetry::Logger> logger)
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
  auto late = answer_at(call.deadline + grace, done);
  manager_.handle(std::move(call), [done, late](const scheduling::Answer& answer) {
    late->cancel();
    if (!answer) return done(rpc_fault(answer.error()));
    done(*scheduling::Reply(answer));
  });
}

// Answers a request whose driver does not return. A second answer does nothing.
std::shared_ptr<boost::asio::steady_timer> RpcEndpoint::answer_at(Clock::time_point time, const Done& done) {
  auto timer = std::make_shared<boost::asio::steady_timer>(ending_, time);
  timer->async_wait([done, timer](const boost::system::error_code& error) {
    if (!error)
      done(rpc_fault({ErrorCode::deadline_exceeded, "the scheduler has not decided by the deadline; see its log", {}}));
  });
  return timer;
}

void RpcEndpoint::take_cast(const RpcWork& work, const Done& done) {
  if (const auto taken = facts_.apply(work.method, work.args); !taken) {
    logger_->write(telemetry::Level::warning, "a cast was not taken",
                   {{"method", work.method}, {"reason", taken.error().message}});
    return done(rpc_fault(taken.error()));
  }
  done(json::value(nullptr));
}

// Returns false if some claim may still stand.
bool RpcEndpoint::end_claims(const std::vector<std::string>& notes, const std::string& request_id) {
  bool all = true;
  for (const auto& text : notes) {
    auto note = read_claim_note(text);
    if (!note) {
      logger_->write(telemetry::Level::error, "a noted claim cannot be read",
                     {{"request_id", request_id}, {"reason", note.error().message}});
    } else if (!end_claim(*std::move(note), request_id)) {
      all = false;
    }
  }
  return all;
}

bool RpcEndpoint::end_claim(ClaimNote note, const std::string& request_id) {
  const auto deadline = Clock::now() + end_time;
  // The answer to the claim may not have been read.
  if (note.outcome.claimed.empty()) note.outcome = placement_.take_up(note.request, deadline);
  const auto outcome = placement_.give_back(note.request, note.outcome, deadline);
  if (outcome.kind != WithdrawOutcome::Kind::failed) return true;
  logger_->write(telemetry::Level::error, "a claim could not be given back",
                 {{"request_id", request_id}, {"instance", note.request.consumer}, {"reason", outcome.reason}});
  return false;
}

// Leaves out the notes of instances that are on a host: their caller has heard the answer after all.
Result<std::vector<std::string>> RpcEndpoint::unused(std::vector<std::string> notes) {
  if (auto refreshed = facts_.refresh(Clock::now() + end_time); !refreshed) return std::move(refreshed).error();
  std::erase_if(notes, [this](const std::string& text) {
    const auto note = read_claim_note(text);
    const auto instance = note ? fleet_.instance(note->request.consumer) : std::nullopt;
    if (!instance || instance->host.empty()) return false;
    logger_->write(telemetry::Level::info, "a claim stays: its instance is on a host",
                   {{"instance", note->request.consumer}, {"host", instance->host}});
    return true;
  });
  return notes;
}

void RpcEndpoint::give_back(RpcLeftover leftover, std::function<void()> done) {
  boost::asio::post(ending_, [this, leftover = std::move(leftover), done = std::move(done)]() mutable {
    if (leftover.may_be_in_use) {
      auto left = unused(std::move(leftover.claims));
      if (!left) {
        return logger_->write(telemetry::Level::error, "claims are not given back yet",
                              {{"request_id", leftover.request_id}, {"reason", left.error().message}});
      }
      leftover.claims = *std::move(left);
    }
    if (end_claims(leftover.claims, leftover.request_id)) done();
  });
}

}  // namespace gantry::nova
