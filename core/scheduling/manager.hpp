// SPDX-License-Identifier: Apache-2.0
//
// The service's methods: a MethodCall in, one Answer out. Knows no socket and no SQL. Every transport turns its bytes into a
// MethodCall and its Answer back into bytes, nothing more.
//
// The way of select_destinations:
//   transport/api                route, call_of: bytes -> MethodCall
//   scheduling/service           ServiceManager::handle: access, arguments, the method's row in the table
//   scheduling/methods           select_destinations: arguments -> InstanceRequest
//   scheduling/request           parse_request_spec: Nova's request_spec -> RequestSpec
//   scheduling/decision          decide: driver, group, PinnedMoment, build_driver_request
//   fleet                        Fleet::pin: one Moment, a view of every topic
//   drivers, plugins             Driver::select_destinations -> the driver's own code, behind the C ABI
//   scheduling/decision          PickSink::pick: limits and group of each pick
//   fleet/claims                 Fleet::claim: a ClaimTicket, or the pick is lost
//   scheduling/methods           confirm_all: tickets -> Outcome::claims, under State::changes
//   scheduling/service           ServiceManager::finish: batch and claims -> one transaction
//   store                        Store::submit (submit_behind: the reply does not wait), then the transaction's end
//   fleet/claims, transport      ClaimChanges::commit or roll_back; Done: Answer -> bytes
// schedule_run_instance goes the same way, with a Launch for each instance and the casts in scheduling/state.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/encoding/json_memory.hpp"
#include "core/result.hpp"
#include "core/scheduling/answer.hpp"
#include "core/scheduling/caller.hpp"

namespace gantry::scheduling {

struct MethodCall {
  std::string method;  // "select_destinations"
  // Which context and args lie in, if they do not keep their own.
  std::shared_ptr<json::BorrowedMemory> memory;
  json::object context;  // Nova's request context: user_id, project_id, roles, is_admin, remote_address, ...
  json::object args;
  std::string request_id;       // "req-<uuid>"; the transport makes one if the caller gave none
  std::string idempotency_key;  // empty: none
  std::string peer;             // for the log: "unix uid=1000 pid=4711"
  std::chrono::steady_clock::time_point deadline;
  std::shared_ptr<const Caller> caller;  // nullptr: trusted, as whoever may write to the unix socket is
};

struct Method;

struct MethodName {
  std::string name;
  bool reads;                         // changes nothing
  const Method* described = nullptr;  // method_table.hpp; nullptr: by nobody
  bool waits = false;                 // its answer may wait for something to happen
  bool takes_apart = false;           // nothing of its arguments outlives the call: they may lie in borrowed memory
};

using Done = std::function<void(Answer)>;

// [any thread]
class Manager {
 public:
  virtual ~Manager() = default;

  // Decides on the calling thread. `done` is called exactly once: before handle returns where nothing had to be stored
  // or waited for, else later, on another thread, after the commit; it must not block. Never throws.
  virtual void handle(MethodCall call, Done done) = 0;

  // Whose token it is; unauthenticated where it is nobody's. For the transport, which asks before it reads a body.
  virtual Result<std::shared_ptr<const Caller>> authenticate(std::string_view token) const = 0;
  // Whether the caller may call that method at all: permission_denied. handle checks its arguments' scope, too.
  virtual Result<void> check_role(const Caller& caller, std::string_view method) const = 0;

  // All methods, sorted by name.
  virtual std::vector<MethodName> methods() const = 0;

  // Answers every waiting long poll and refuses new calls as unavailable; returns when those under way are answered.
  // False: some were not at the deadline.
  virtual bool drain(std::chrono::steady_clock::time_point deadline) = 0;
};

}  // namespace gantry::scheduling
