// SPDX-License-Identifier: Apache-2.0
//
// The authority has a say in the decisions about topic compute, beside the driver. Without an authority, every row of the view may be used, and
// every pick that the fleet admits stands. With one, a request goes three steps:
//
//   admit     the authority brings the fleet up to date, and says which rows may be used
//   decide    the driver picks among these rows
//   confirm   the authority claims the picks. A pick that it refuses is lost, and the same decision is made again
//
// The facts of topic compute are then the authority's: the methods that would change them are refused.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/result.hpp"
#include "core/scheduling/answer.hpp"
#include "core/scheduling/candidate_table.hpp"

namespace gantry::scheduling {

class Manager;
struct MethodCall;

// A transport of the authority's own gives each call an object with its knowledge of the call. The manager passes the
// object on.
class AuthorityCall {
 public:
  virtual ~AuthorityCall() = default;
  // True: an earlier call has decided on the same request. The decision leaves no record, and its line in the log has the
  // level debug.
  virtual bool is_quiet() const { return false; }
};

// A question to the authority.
struct AuthorityQuestion {
  const json::object& context;  // Nova's request context
  const json::object& spec;     // the RequestSpec, as the caller sent it
  std::string_view request_id;
  AuthorityCall* call;  // nullptr: the call came another way
  std::chrono::steady_clock::time_point deadline;
  // True: the answer rests on nothing that was known before the call. No refusal is given otherwise.
  bool anew = false;
};

// A pick, as the authority claims it.
struct AuthorityPick {
  std::string instance_uuid;
  std::string row;                // the row's uuid, column `uuid`
  std::string host;               // the row's names, for people
  std::string node;               // empty: the host has no nodes
  GroupProviders providers = {};  // the candidate that the driver has chosen
};

struct AuthorityVerdict {
  enum class Kind : std::uint8_t {
    held,     // the pick stands
    refused,  // the row is lost for this instance: another row may do
    untried,  // another pick of the same call was refused, so the authority did not try this one
    failed,   // the request fails, with `error`
  };
  Kind kind = Kind::failed;
  Error error;
};

// The rows for one request. [one thread at a time]
class Admission {
 public:
  virtual ~Admission() = default;

  // The request to decide: the spec as the authority has changed it.
  virtual const json::object& spec() const = 0;
  // False: all rows may be used.
  virtual bool is_bounded() const = 0;
  // Whether a driver may see the row of that uuid, and whether the row can be picked. A row that can be picked can be
  // seen.
  virtual bool is_eligible(std::string_view row) const = 0;
  virtual bool is_claimable(std::string_view row) const = 0;
  // The groups whose providers a driver may choose, by their ids. Empty: candidates of a row do not differ in them.
  virtual std::vector<std::string> groups_to_choose() const { return {}; }
  // Adds the candidates of a row that can be picked, the first choice first. Called only if there are groups to choose for.
  virtual void add_candidates(std::string_view /*row*/, RowOfCandidates& /*to*/) const {}
  // Why the other rows are not eligible, in words: "placement has no candidates on the other hosts".
  virtual std::string why_not_eligible() const = 0;
  // The caller's error if no row at all can be picked. nullopt: one can.
  virtual std::optional<Error> refusal() const = 0;
  // Whether the rows are known from after the question, so that a refusal may rest on them.
  virtual bool is_anew() const = 0;
  // For the record of the decision.
  virtual json::object record() const = 0;
  // The text that goes with a destination on the row: Nova's allocation_request, with these providers. "null" if there is
  // none.
  virtual std::string claim_text(std::string_view row, const GroupProviders& providers) const = 0;
  // Empty if nothing is claimed.
  virtual std::string_view claim_version() const = 0;

  // Whether confirm() is called for dry runs, too: it claims nothing then, and tells which picks would stand.
  virtual bool confirms_dry_runs() const { return false; }

  // Claims the picks. Returns one verdict for each, in their order. Blocks until the deadline at the latest.
  virtual std::vector<AuthorityVerdict> confirm(std::span<const AuthorityPick> picks) = 0;
  // Gives the claims of instances back that confirm() held. Blocks.
  virtual void withdraw(std::span<const std::string> instance_uuids) = 0;
};

// [any thread]
class Authority {
 public:
  virtual ~Authority() = default;

  // Blocks until the facts are as of this call and the rows are known, until the deadline at the latest.
  virtual Result<std::unique_ptr<Admission>> admit(const AuthorityQuestion& question) = 0;

  // Why a method that changes facts of topic compute is refused: "hosts of topic compute come from Nova's databases".
  virtual std::string refusal() const = 0;

  // Makes ready to hand requests to the manager, which lives until end() or leave(). Takes none yet.
  virtual Result<void> prepare(Manager& manager) = 0;
  // Begins to hand requests to the manager.
  virtual void begin() = 0;
  // Takes a request that comes over the service's own transports in place of the authority's: `done` gets the answer, once.
  virtual void take(const MethodCall& /*call*/, const std::function<void(Answer)>& done) {
    done(Error{ErrorCode::unsupported, "requests do not come this way", {}});
  }
  // Takes no further requests, and waits until the ones under way are answered. Returns false if some are not by the deadline.
  virtual bool end(std::chrono::steady_clock::time_point deadline) = 0;
  // For another process that takes over. Takes no further requests, waits until the ones under way are answered, and takes
  // leave of where they come from, which keeps further ones. After that prepare() and begin() have this process take them
  // again. False: some are not answered by the deadline, and this process goes on as before.
  virtual bool leave(std::chrono::steady_clock::time_point deadline) = 0;
  // On SIGHUP.
  virtual void reload() {}
  // True: takes no further requests until the call with false, also after a restart; requests under way are answered.
  // Returns further members of the caller's answer. Fails if a restart would not keep to it.
  virtual Result<json::object> set_paused(bool is_paused) = 0;

  // Why the service cannot serve at present, and what an operator should know: sentences.
  virtual std::vector<std::string> unready_reasons() const { return {}; }
  virtual std::vector<std::string> warnings() const { return {}; }
  // For the answer of `status`.
  virtual json::object status() const { return {}; }
};

}  // namespace gantry::scheduling
