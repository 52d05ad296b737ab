// SPDX-License-Identifier: Apache-2.0
//
// The interface of the scheduling service: a MethodCall in, one Answer out. It knows no socket and no SQL. A transport
// turns its bytes into a MethodCall, and the Answer back into bytes.
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
#include <optional>
#include <string>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/encoding/json_memory.hpp"
#include "core/result.hpp"
#include "core/scheduling/answer.hpp"
#include "core/scheduling/caller.hpp"
#include "core/telemetry/metrics/metric_registry.hpp"

namespace gantry::drivers {
class Turn;
}
namespace gantry::fleet {
struct FleetSettings;
}

namespace gantry::scheduling {

class AuthorityCall;
struct ManagerSettings;

// One call of a method, as a transport has read it.
struct MethodCall {
  std::string method;  // "select_destinations"
  // The memory that `context` and `args` lie in, kept alive with the call. nullptr if the two own their memory.
  std::shared_ptr<json::BorrowedMemory> memory;
  json::object context;  // Nova's request context: user_id, project_id, roles, is_admin, remote_address, ...
  json::object args;
  std::string request_id;       // "req-<uuid>"; the transport makes one if the caller gave none
  std::string idempotency_key;  // empty: the call has no key
  std::string peer;             // who is connected, for the log: "unix uid=1000 pid=4711"
  std::chrono::steady_clock::time_point deadline;
  std::shared_ptr<const Caller> caller;  // nullptr: trusted like an admin, as is every writer to the unix socket
  std::shared_ptr<AuthorityCall> authority_call = {};  // if the call comes from the authority's own transport
  drivers::Turn* turn = nullptr;  // set by the manager: the call's turn in the driver that it goes to
  // Set by the manager: the caller's deadline, where `deadline` is the earlier one of the driver's call.
  std::optional<std::chrono::steady_clock::time_point> callers_deadline = {};
};

struct Method;

// A method, as far as a transport must know it.
struct MethodName {
  std::string name;
  bool reads;                         // the method changes nothing
  const Method* described = nullptr;  // the method's row in method_table.hpp; nullptr: there is none
  bool waits = false;                 // a long poll: the answer may wait for something to happen
  bool takes_apart = false;           // the method keeps no part of its arguments, so they may lie in borrowed memory
  bool calls_driver = false;          // the method may call a driver, whose code may hold the calling thread for long
  bool is_long = false;               // a read whose work and answer grow with what there is
};

using Done = std::function<void(Answer)>;
// Runs work on a thread of a pool, soon. Called on any thread.
using Executor = std::function<void(std::function<void()> work)>;

// [any thread] Runs the methods of the service.
class Manager {
 public:
  virtual ~Manager() = default;

  // Runs the method on the calling thread. Calls `done` exactly once. If the answer has to wait, for example for the
  // store or for an event, `done` is called later on another thread, else before handle() returns. `done` must not
  // block. Never throws. With an executor, two more things hold of a method that calls a driver: `done` is called on
  // another thread if the driver has not returned in time, and handle() returns false at once if the call waits for its
  // turn in the driver. The method then runs in the executor.
  virtual bool handle(MethodCall call, Done done) = 0;
  // Sets the executor. Without one, a call waits for its turn and for the driver on the calling thread. Call this
  // before the first call. An empty executor, after the last call, ends the use of the one before.
  virtual void set_executor(Executor /*executor*/) {}  // NOLINT(performance-unnecessary-value-param)

  // Returns the caller that a token belongs to. Error unauthenticated if the token is unknown, revoked or expired. The
  // transport calls this before it reads a body.
  virtual Result<std::shared_ptr<const Caller>> authenticate(std::string_view token) const = 0;
  // Error permission_denied if the caller's role may not call the method. handle() also checks the topic and
  // the hosts that the arguments name.
  virtual Result<void> check_role(const Caller& caller, std::string_view method) const = 0;

  // Returns all methods, sorted by name.
  virtual std::vector<MethodName> methods() const = 0;

  // Returns why the service cannot serve at present: sentences for operators. Empty: it can.
  virtual std::vector<std::string> unready_reasons() const { return {}; }
  // Adds a source of warnings, sentences for operators. They stand in the answer of `status` and, once each, in the
  // log. The source may be called on any thread, as long as the manager lives.
  // NOLINTNEXTLINE(performance-unnecessary-value-param)
  virtual void add_warnings(std::function<std::vector<std::string>()> /*source*/) {}

  // Returns the metrics of the service in Prometheus' text format.
  virtual std::string metrics() const { return {}; }
  // Adds a source of metrics that the manager does not know. It may be called on any thread, as long as the manager
  // lives.
  // NOLINTNEXTLINE(performance-unnecessary-value-param)
  virtual void add_metrics(telemetry::MetricRegistry::Source /*source*/) {}

  // Makes these settings hold from now on, and runs `also` at the same moment: a decision begins before it or after it.
  // Only the members of ChangeableSettings and the profiles are taken from `settings`.
  virtual void change_settings(const ManagerSettings& /*settings*/, const fleet::FleetSettings& /*fleet*/,
                               const std::function<void()>& /*also*/) {}

  // For another process that takes over, before it is started: brings what is only in memory to the store, while calls
  // go on. pause() then has less to bring, and the other process less to read.
  virtual void prepare_pause() {}
  // For another process that takes over: answers every long poll that waits. The caller lets no further call in.
  virtual void end_waits() {}
  // Waits until no call is under way, brings what is only in memory to the store, and lets the store go. Nothing more is
  // stored until resume(). Returns what the other process's take_over() wants. After an error the service goes on as
  // before.
  virtual Result<std::string> pause(std::chrono::steady_clock::time_point /*deadline*/) {
    return Error{ErrorCode::unsupported, "this service cannot be paused", {}};
  }
  // Takes the store back after pause(). failed_precondition: what is in memory is out of date, and the process must end.
  virtual Result<void> resume(std::chrono::steady_clock::time_point /*until*/) { return {}; }

  // For a manager that was made ahead of its turn. take_over: takes the store over from the other process, and brings
  // memory up to what the store has now. `paused` is what the other process's pause() has returned. nullopt: that process
  // has ended. begin: begins the work that no call asks for; nothing is stored before.
  virtual Result<void> take_over(std::chrono::steady_clock::time_point /*until*/,
                                 const std::optional<std::string>& /*paused*/) {
    return {};
  }
  virtual void begin() {}

  // Stops the service's work: answers every waiting long poll, refuses new calls as unavailable, and waits until the
  // calls under way are answered. Returns false if some calls are still unanswered at the deadline.
  virtual bool drain(std::chrono::steady_clock::time_point deadline) = 0;
};

}  // namespace gantry::scheduling
