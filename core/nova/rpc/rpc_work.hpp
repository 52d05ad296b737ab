// SPDX-License-Identifier: Apache-2.0
//
// A request as the RPC server hands it to the one who answers it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/nova/rpc/failure.hpp"

namespace gantry::nova {

// The counter of where the time of requests goes. Its labels: facts (the wait for Nova's and placement's databases),
// candidates, decision, journal, claim, answer, and whole, from the broker's delivery until the broker has the answer.
inline constexpr std::string_view request_microseconds = "nova_request_microseconds";

struct RpcWork {
  using Clock = std::chrono::steady_clock;

  std::uint64_t number = 0;  // one of its own in the journal; 0: the request is not in it
  std::string method;
  std::string version;
  json::object args;
  json::object context;     // Nova's request context, without the token
  bool is_awaited = false;  // a caller waits for the answer
  Clock::time_point taken_at;
  // The caller has given up then, in spite of heartbeats.
  std::optional<Clock::time_point> expires_at;

  // The request was taken by an earlier process, which ended before the answer. `claims` is what that process noted, in
  // its order. The handler adopts what is there of them, or gives it back. The arguments lack secrets such as the URLs of
  // cells.
  bool is_taken_up = false;
  std::vector<std::string> claims;

  // Notes what is about to be claimed for one instance, as a JSON text of the handler's own. Call this before the claim
  // is sent: a process that takes the request up gets the text, and so does give_back(). Does nothing if no caller
  // waits for the answer. [any thread]
  std::function<void(std::string_view claim)> note_claim;
};

// The answer to a request: a result, or a failure that the caller raises.
struct RpcReply {
  RpcReply(json::value answer) : result(std::move(answer)) {}
  RpcReply(RpcFailure fault) : failure(std::move(fault)) {}

  json::value result;
  std::optional<RpcFailure> failure;
};

// Claims of a request whose caller will never hear of them.
struct RpcLeftover {
  std::uint64_t number = 0;
  std::string method;
  std::string request_id;           // as the request's context has it; may be empty
  std::vector<std::string> claims;  // as noted, not empty
  std::string reason;               // for the log
  // The answer may have reached the caller all the same, before a process or a connection ended. A claim that
  // an instance uses by now is to stay.
  bool may_be_in_use = false;
};

// Answers requests. All members are called on the server's one thread, and must not block. Callbacks may be called on
// any thread, at any time, also after the server's end; a second call does nothing.
class RpcHandler {
 public:
  using Done = std::function<void(RpcReply reply)>;

  virtual ~RpcHandler() = default;

  // Answers a request of the scheduler's own methods. Without a waiting caller, the reply is dropped. `done` is called
  // once in any case, or the request is under way for ever.
  virtual void handle(RpcWork work, Done done) = 0;
  // Gives claims back which are still as they were noted. `done` says that nothing is left of them; until then they
  // stay in the journal, and the next process is asked again.
  virtual void give_back(RpcLeftover leftover, std::function<void()> done) = 0;
  // The queue of casts to all schedulers was gone and has been made again: casts may be lost since the last one.
  virtual void on_casts_lost() {}
};

}  // namespace gantry::nova
