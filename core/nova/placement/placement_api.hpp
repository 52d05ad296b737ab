// SPDX-License-Identifier: Apache-2.0
//
// The calls of placement's API, as the logic of candidates and claims makes them.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/nova/http/http_outcome.hpp"
#include "core/result.hpp"

namespace gantry::nova {

namespace microversion {
inline constexpr std::string_view claims = "1.36";       // for candidates and claims
inline constexpr std::string_view allocations = "1.28";  // for GET /allocations, and for the return of a claim
}  // namespace microversion

// The path of a consumer's allocations. Bytes that a uuid does not have are escaped.
std::string allocations_path(std::string_view consumer);

struct PlacementCall {
  std::string verb;
  std::string target;      // path and query
  std::string version;     // a microversion; empty: placement's oldest
  std::string body;        // JSON; empty: none
  std::string request_id;  // global, "req-..."; empty: none
  Clock::time_point deadline;
};

class PlacementApi {
 public:
  virtual ~PlacementApi() = default;
  // Calls `done` once, later, at the deadline at the latest.
  virtual void call(PlacementCall call, HttpDone done) = 0;
};

// The words of placement in an answer that is an error.
struct PlacementError {
  std::string code;    // "placement.concurrent_update"; empty: it says none
  std::string detail;  // its words. For an answer that is none of placement's: the beginning of its body
};
PlacementError read_placement_error(const HttpOutcome& outcome);
// Says a failure in one sentence: "placement answered 409: ...".
std::string words_of(const HttpOutcome& outcome);

// Asks which microversions placement has. failed_precondition: not all that Gantry speaks.
void check_microversions(PlacementApi& api, Clock::time_point deadline, std::function<void(Result<void>)> done);

}  // namespace gantry::nova
