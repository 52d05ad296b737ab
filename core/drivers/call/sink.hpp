// SPDX-License-Identifier: Apache-2.0
//
// Receives the results of one call into a driver: picks, claims, the reply and so on.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "gantry/driver.h"
#include "gantry/ext/explain.h"

namespace gantry::drivers {

// A pick or an alternate, with the allocation candidate that the driver has chosen for it through gantry.candidates/1:
// an index into gantry_candidates.providers for each group. No providers: the choice is left open.
struct Pick : gantry_pick {
  // cppcheck-suppress uninitDerivedMemberVar ; the base is an aggregate, and given whole
  Pick() : gantry_pick{} {}
  // A pick without a choice.
  // cppcheck-suppress uninitDerivedMemberVar ; as above
  Pick(const gantry_pick& pick) : gantry_pick(pick) {}  // NOLINT(google-explicit-constructor)
  std::span<const std::uint32_t> providers;
};

// A derived class overrides the functions for the results that its operation takes. Every other result is a misuse by
// the driver. The functions are called on the driver's thread during the call. The host services have checked
// everything that needs no knowledge of the request: rows are below the view's rows, numbers are finite, amounts are
// not negative, JSON is well-formed, mandatory texts are not empty. Structs have the size that this host knows. Items
// lie in one array without gaps.
class Sink {
 public:
  virtual ~Sink() = default;

  // Results of select_destinations and schedule_run_instance.
  virtual gantry_code pick(const Pick& pick);
  // An instance has at most most_alternates of them. Further ones may be left out without a word.
  static constexpr std::size_t most_alternates = 100;
  virtual gantry_code alternate(const Pick& alternate);
  virtual gantry_code refuse(std::uint32_t instance, std::string_view reason);
  virtual gantry_code explain_host(const gantry_host_explanation& explanation);
  // Results of custom methods.
  virtual gantry_code claim(const gantry_claim& claim);
  virtual gantry_code reply(std::string_view json);
  virtual gantry_code cast(const gantry_cast& cast);
  // A result of all these operations. Ignored by default.
  virtual void explain(const gantry_step& step);

  // A description of the first misuse of the call. Empty if there was none.
  const std::string& misuse() const { return misuse_; }

 protected:
  // Records a misuse if it is the first one. Returns GANTRY_INVALID_ARGUMENT.
  gantry_code misused(std::string complaint);

 private:
  std::string misuse_;
};

}  // namespace gantry::drivers
