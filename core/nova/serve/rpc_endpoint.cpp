// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/rpc_endpoint.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "core/nova/serve/rpc_call.hpp"
#include "core/nova/serve/rpc_fault.hpp"
#include "core/nova/serve/select_call.hpp"

namespace gantry::nova {

namespace {

// The longest that a request may take: waits for databases and placement, and the claims.
constexpr std::chrono::seconds longest{180};
constexpr std::chrono::seconds end_time{60};
// A request answers by its deadline by itself, unless its driver hangs.
constexpr std::chrono::seconds grace{2};

// The answer must arrive before the caller gives up, also if the driver hangs.
Clock::time_point deadline_of(const RpcWork& work) {
  const auto now = Clock::now();
  if (!work.expires_at) return now + longest;
  const auto margin = std::min<Clock::duration>(2 * grace, (*work.expires_at - now) / 2);
  return std::min(now + longest, *work.expires_at - margin);
}

}  // namespace

RpcEndpoint::RpcEndpoint(scheduling::Manager& manager, fleet::Fleet& fleet, FactKeeper& facts, PlacementDesk& placement,
                         PlacementMirror* mirror, std::shared_ptr<telemetry::Logger> logger)
    : manager_(manager),
      fleet_(fleet),
      facts_(facts),
      placement_(placement),
      logger_(std::move(logger)),
      casts_(facts, mirror, logger_) {}

RpcEndpoint::~RpcEndpoint() {
  ending_.join();
}

void RpcEndpoint::handle(RpcWork work, Done done) {
  if (work.method != select_destinations) {
    casts_.take(std::move(work), std::move(done));
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
  call.args = select_arguments(work.args);
  call.context = std::move(work.context);
  call.peer = "nova";
  call.deadline = deadline_of(work);
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
