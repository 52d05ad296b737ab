// SPDX-License-Identifier: Apache-2.0
#include "core/daemon/handover.hpp"

#include <chrono>
#include <optional>
#include <utility>

#include "core/daemon/readiness.hpp"
#include "core/daemon/successor.hpp"

namespace gantry::daemon {

namespace {

using Clock = std::chrono::steady_clock;

// How long clients are held while requests under way end. Then they go on, and are held again a little later.
constexpr std::chrono::milliseconds longest_hold{1000};
constexpr std::chrono::milliseconds between_holds{500};
constexpr std::chrono::milliseconds look_interval{100};
constexpr std::chrono::milliseconds step{3};
constexpr std::chrono::seconds longest_take_back{10};

std::string seconds_text(std::chrono::milliseconds time) {
  return std::to_string(std::chrono::duration<double>(time).count()).substr(0, 5) + " s";
}

class Handover {
 public:
  Handover(const HandoverParts& parts, const RestartDesk::Order& order)
      : parts_(parts), order_(order), deadline_(Clock::now() + order.timeout) {}

  HandoverEnd run();

 private:
  // Waits for a message of that kind. The error says why it does not come.
  Result<void> await(std::string_view kind);
  Result<void> go_quiet();
  Result<void> go_quiet_once();
  Result<void> finish_requests(Clock::time_point until);
  // Undoes what go_quiet has done. The error says why this process cannot go on.
  Result<void> serve_again();
  Result<void> give();
  Result<void> send_connections(std::vector<transport::HandedConnection> connections);
  HandoverEnd go_on(const std::string& reason);
  HandoverEnd take_back(const std::string& reason);
  void say(const std::string& status) const { notify_service_manager("STATUS=restarting: " + status + "\n"); }

  const HandoverParts& parts_;
  const RestartDesk::Order& order_;
  const Clock::time_point deadline_;
  std::optional<Successor> successor_;
  std::string step_ = "starts";
  // The steps that serve_again has to undo.
  bool has_left_broker_ = false;
  bool is_holding_ = false;
  bool has_let_store_go_ = false;
  std::string paused_;  // for the successor's manager
  Clock::time_point held_at_;
};

HandoverEnd Handover::run() {
  parts_.logger->write(telemetry::Level::info, "restarting: a successor is started", {{"restart", order_.id}});
  say("the new process is started");
  parts_.manager.prepare_pause();
  auto started = Successor::start();
  if (!started) return go_on(started.error().message);
  successor_.emplace(*std::move(started));
  if (auto prepared = await("prepared"); !prepared) return go_on(prepared.error().message);
  say("requests under way are finished");
  if (auto quiet = go_quiet(); !quiet) return take_back(quiet.error().message);
  say("the new process takes the store over");
  auto given = give();
  if (given) given = await("ready");
  if (!given) return take_back(given.error().message);
  notify_service_manager("MAINPID=" + std::to_string(successor_->pid()) + "\n");
  // Whether it arrives or not: the successor serves, or is gone with all that it had.
  static_cast<void>(successor_->channel().send({.kind = "serve"}));
  const auto held = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - held_at_);
  parts_.logger->write(telemetry::Level::info, "handed over",
                       {{"restart", order_.id},
                        {"pid", std::to_string(successor_->pid())},
                        {"milliseconds_held", std::to_string(held.count())}});
  successor_->let_go();
  return HandoverEnd::handed_over;
}

Result<void> Handover::await(std::string_view kind) {
  for (;;) {
    parts_.watchdog.beat_unseen();
    if (parts_.signals.has_to_stop()) return Error{ErrorCode::unavailable, "this process was told to stop", {}};
    auto received = successor_->channel().receive(std::min(deadline_, Clock::now() + look_interval));
    if (!received) {
      const auto ending = successor_->end();
      return Error{ErrorCode::unavailable,
                   "the new process " + (ending.empty() ? "has closed its connection" : ending) + " when it " + step_,
                   {}};
    }
    if (!*received) {
      if (Clock::now() < deadline_) continue;
      return Error{ErrorCode::deadline_exceeded,
                   "the new process was not ready within " + seconds_text(order_.timeout) +
                       " (server.restart_timeout, or --restart-timeout): it " + step_,
                   {}};
    }
    const auto& message = **received;
    if (message.kind == kind) return {};
    const auto text = std::string(json::find_string(message.facts, "text").value_or(""));
    if (message.kind == "failed") return Error{ErrorCode::unavailable, text, {}};
    if (message.kind != "step") continue;
    step_ = text;
    say("the new process " + step_);
  }
}

// Requests that take long are not waited for at the cost of all others.
Result<void> Handover::go_quiet() {
  for (;;) {
    auto quiet = go_quiet_once();
    if (quiet) return {};
    if (auto served = serve_again(); !served) return served;
    if (parts_.signals.has_to_stop() || Clock::now() + between_holds > deadline_) return quiet;
    // The successor may end meanwhile.
    auto received = successor_->channel().receive(Clock::now() + between_holds);
    if (!received) return Error{ErrorCode::unavailable, "the new process has ended", {}};
  }
}

// Requests of Nova take longer, and wait in their queue. So clients are held only once these are finished.
Result<void> Handover::go_quiet_once() {
  const auto soon = [this] { return std::min(deadline_, Clock::now() + longest_hold); };
  if (parts_.authority != nullptr) {
    if (!parts_.authority->leave(soon()))
      return Error{ErrorCode::deadline_exceeded, "requests of Nova are still under way", {}};
    has_left_broker_ = true;
  }
  held_at_ = Clock::now();
  is_holding_ = true;
  parts_.server.hold();
  const auto until = soon();
  if (auto finished = finish_requests(until); !finished) return finished;
  auto paused = parts_.manager.pause(until);
  if (!paused) return std::move(paused).error();
  has_let_store_go_ = true;
  paused_ = *std::move(paused);
  return {};
}

Result<void> Handover::finish_requests(Clock::time_point until) {
  for (;;) {
    parts_.manager.end_waits();
    if (parts_.server.wait_until_held(Clock::now() + step)) return {};
    if (Clock::now() > until) return Error{ErrorCode::deadline_exceeded, "requests are still under way", {}};
  }
}

Result<void> Handover::serve_again() {
  if (has_let_store_go_) {
    if (auto resumed = parts_.manager.resume(Clock::now() + longest_take_back); !resumed) return resumed;
    has_let_store_go_ = false;
  }
  if (has_left_broker_) {
    if (auto prepared = parts_.authority->prepare(parts_.manager); !prepared) return prepared;
    parts_.authority->begin();
    has_left_broker_ = false;
  }
  if (std::exchange(is_holding_, false)) parts_.server.release();
  return {};
}

Result<void> Handover::give() {
  auto sockets = parts_.server.sockets();
  HandoverMessage listening{.kind = "listening", .facts = {{"keeps_file", sockets.keeps_file}}};
  listening.descriptors = std::move(sockets.listening);
  auto sent = successor_->channel().send(listening);
  for (std::size_t at = 0; sent && at < paused_.size(); at += most_handover_bytes)
    sent = successor_->channel().send({.kind = "paused", .bytes = paused_.substr(at, most_handover_bytes)});
  if (sent) sent = successor_->channel().send({.kind = "store", .facts = parts_.desk.handed()});
  if (!sent) return sent;
  return send_connections(std::move(sockets.connections));
}

// The successor takes the store meanwhile.
Result<void> Handover::send_connections(std::vector<transport::HandedConnection> connections) {
  HandoverMessage message;
  json::array inputs;
  const auto flush = [&]() -> Result<void> {
    message.kind = "connections";
    message.facts = {{"inputs", std::move(inputs)}};
    auto sent = successor_->channel().send(message);
    message = {};
    inputs = json::array();
    return sent;
  };
  for (auto& connection : connections) {
    // The client has to send a large request again, of which a part has come.
    if (connection.input.size() > most_handover_bytes) continue;
    if (message.descriptors.size() == most_handover_descriptors ||
        message.bytes.size() + connection.input.size() > most_handover_bytes) {
      if (auto sent = flush(); !sent) return sent;
    }
    inputs.emplace_back(connection.input.size());
    message.bytes += connection.input;
    message.descriptors.push_back(std::move(connection.descriptor));
  }
  return message.descriptors.empty() ? Result<void>() : flush();
}

HandoverEnd Handover::go_on(const std::string& reason) {
  if (successor_) successor_->end();
  parts_.desk.failed(reason);
  parts_.logger->write(telemetry::Level::error, "the restart has failed, this process goes on",
                       {{"restart", order_.id}, {"reason", reason}});
  notify_service_manager("STATUS=" + parts_.serving +
                         "; the last restart has failed: " + reason.substr(0, reason.find('\n')) + "\n");
  return HandoverEnd::goes_on;
}

HandoverEnd Handover::take_back(const std::string& reason) {
  successor_->end();
  if (auto served = serve_again(); !served) {
    parts_.logger->write(telemetry::Level::error, "the restart has failed, and this process cannot go on",
                         {{"restart", order_.id}, {"reason", reason}, {"cause", served.error().message}});
    return HandoverEnd::lost;
  }
  return go_on(reason);
}

}  // namespace

HandoverEnd hand_over(const HandoverParts& parts, const RestartDesk::Order& order) {
  return Handover(parts, order).run();
}

}  // namespace gantry::daemon
