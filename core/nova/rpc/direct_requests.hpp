// SPDX-License-Identifier: Apache-2.0
//
// Requests that a conductor sends to this process itself, past the broker. They have the handler and the journal of the
// broker's requests. A caller that lost the answer asks again with the same unique id, also after the process has ended:
// the caller then gets the kept answer, or the next process gives back what was claimed and decides again.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/nova/rpc/journal.hpp"
#include "core/nova/rpc/rpc_work.hpp"
#include "core/result.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::nova {

struct DirectRequest {
  using Clock = std::chrono::steady_clock;
  // Gets {"result", "failure"}: one of the two is null, and a failure has the members that oslo.messaging rebuilds an
  // exception from. Errors: unavailable: the request is not taken, and nothing is claimed for it; deadline_exceeded: the
  // request is still under way, ask again; failed_precondition: this process answers no requests.
  using Done = std::function<void(Result<json::value>)>;

  std::string unique_id;  // not empty
  RpcRequest request;
  Clock::time_point until;             // the caller wants to hear by then, if only that there is no answer yet
  std::chrono::milliseconds patience;  // the request fails after so long
  Done done;
};

// All members are called on one thread.
class DirectRequests {
 public:
  using Clock = std::chrono::steady_clock;
  using Post = std::function<void(std::function<void()> task)>;

  // How long an answer is kept for a caller that asks again, and how many of them.
  static constexpr std::chrono::seconds keeping_time{30};
  static constexpr std::size_t most_kept = 256;
  static constexpr std::size_t most_under_way = 1000;

  struct Parts {
    RpcHandler& handler;
    std::shared_ptr<Journal> journal;  // nullptr: no request is taken
    std::shared_ptr<telemetry::Logger> logger;
    std::shared_ptr<telemetry::Counters> counters;
    Post post;  // runs a task on the thread [any thread]
  };

  // `on_answered` is called after a request has its answer.
  DirectRequests(Parts parts, std::function<void()> on_answered);

  // Goes on with a request that an earlier process has left in the journal.
  void take_up(JournalEntry entry);
  void take(DirectRequest direct);
  void set_paused(bool is_paused) { is_paused_ = is_paused; }
  // Tells callers whose time is over, and forgets old answers.
  void tick(Clock::time_point now);
  // Tells every caller that it waits in vain. Their requests stay in the journal.
  void end();

  // Requests without an answer.
  std::size_t count() const { return requests_.size() - kept_.size(); }
  bool is_empty() const { return requests_.empty(); }

 private:
  struct Waiter {
    Clock::time_point until;
    DirectRequest::Done done;
  };
  struct Request {
    std::uint64_t number = 0;
    std::string method;
    Clock::time_point taken_at;
    std::vector<Waiter> waiters;
    std::optional<json::value> answer;
    Clock::time_point answered_at;
    // An earlier process has taken the request, and what it claimed is being given back. A caller that asks again has
    // the request decided after that.
    bool is_left = false;
    std::optional<DirectRequest> again;
  };

  void start(DirectRequest direct);
  void join(Request& request, DirectRequest direct);
  void dispatch(const std::string& unique_id, RpcWork work);
  void answer(const std::string& unique_id, RpcReply reply);
  void keep(const std::string& unique_id, json::value answer);
  void begin_again(const std::string& unique_id);
  void forget_oldest();

  const Parts parts_;
  const std::function<void()> on_answered_;
  bool is_paused_ = false;
  std::map<std::string, Request> requests_;  // by unique id
  std::deque<std::string> kept_;             // the unique ids of the ones with an answer, the oldest first
};

}  // namespace gantry::nova
