// SPDX-License-Identifier: Apache-2.0
//
// The requests that are taken from the broker and not closed yet: from the journal to the handler, to the answer, and
// to the claims of an answer that no caller will hear.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/nova/rpc/journal.hpp"
#include "core/nova/rpc/recent_ids.hpp"
#include "core/nova/rpc/reply_sender.hpp"
#include "core/nova/rpc/rpc_work.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/part_timer.hpp"

namespace gantry::nova {

// All members are called on one thread.
class RequestsUnderWay {
 public:
  using Clock = std::chrono::steady_clock;
  // Runs a task on the thread. [any thread]
  using Post = std::function<void(std::function<void()> task)>;

  struct Parts {
    RpcHandler& handler;
    ReplySender& sender;
    std::shared_ptr<Journal> journal;  // nullptr: messages are copies, and get no answer
    std::shared_ptr<telemetry::Logger> logger;
    std::shared_ptr<telemetry::Counters> counters;
    Post post;
    std::string topic;
    bool rpc_ping_enabled = false;
  };

  // `on_closed` is called after a request is closed.
  RequestsUnderWay(Parts parts, std::function<void()> on_closed);

  // Goes on with what an earlier process has left in the journal. The direct requests among it are handed on.
  void take_up(const std::function<void(JournalEntry entry)>& hand_on_direct);
  // Takes a message. `ack` acknowledges the message.
  void take(const amqp::Delivery& delivery, const std::function<void()>& ack);
  // Sends the heartbeats that are due.
  void tick(Clock::time_point now);

  std::size_t count() const { return requests_.size(); }

 private:
  struct Request {
    RpcCaller caller;
    std::string reply_id;
    std::string method;
    std::string request_id;
    Clock::time_point next_heartbeat;
    Patience patience;
    // Empty if an earlier process has taken the request from the broker.
    std::optional<Clock::time_point> taken_at;
    std::optional<Clock::time_point> answered_at;
    // The answer was published by an earlier process, perhaps.
    bool may_have_arrived = false;
  };

  void take_up(JournalEntry entry, std::int64_t now);
  void hear(std::uint64_t number);
  void fail_after_ends(std::uint64_t number, int ends);
  Request& keep(const JournalEntry& entry);
  void refuse(RpcMessage message, const amqp::Delivery& delivery, const std::function<void()>& ack);
  std::uint64_t write_down(JournalEntry& entry, const std::function<void()>& ack);
  void dispatch(std::uint64_t number, RpcRequest request, RpcWork work);
  void hand_on(std::uint64_t number, RpcRequest request, RpcWork work);
  void cast(RpcRequest request);
  void answer(std::uint64_t number, RpcReply reply);
  void send(std::uint64_t number, std::string body);
  void give_back(std::uint64_t number, const std::string& reason, const std::function<void()>& then);
  void close(std::uint64_t number);
  void count_time(const Request& request) const;

  const Parts parts_;
  const std::function<void()> on_closed_;
  RecentIds recent_;
  std::map<std::uint64_t, Request> requests_;
};

}  // namespace gantry::nova
