// SPDX-License-Identifier: Apache-2.0
//
// One request at placement: the hosts that placement offers for it, and its claims.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>

#include "core/nova/serve/candidate_rows.hpp"
#include "core/nova/serve/claim_note.hpp"
#include "core/nova/serve/placement_desk.hpp"
#include "core/scheduling/authority.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::nova {

// Where a request's claims are noted before they are made.
class ClaimJournal {
 public:
  virtual ~ClaimJournal() = default;
  virtual void note(const ClaimNote& note) = 0;
};

// The owner of the claims, and the request that makes them.
struct Claimant {
  std::string project_id;
  std::string user_id;
  std::string request_id;
  Clock::time_point deadline;
  ClaimJournal* journal = nullptr;  // nullptr: claims are not noted
};

// The services that an admission uses. They outlive it.
struct AdmissionParts {
  PlacementDesk& placement;
  telemetry::Logger& logger;
  telemetry::Counters& counters;
};

class NovaAdmission final : public scheduling::Admission {
 public:
  // A request that placement is asked about.
  NovaAdmission(AdmissionParts parts, json::object spec, Claimant claimant, CandidateRows rows, bool is_anew,
                std::string why_none);
  // A request that needs no claim, since the instance stays where it is.
  NovaAdmission(AdmissionParts parts, json::object spec);

  const json::object& spec() const override { return spec_; }
  bool is_bounded() const override { return rows_.has_value(); }
  bool is_eligible(std::string_view row) const override { return !rows_ || rows_->is_seen(row); }
  bool is_claimable(std::string_view row) const override { return !rows_ || rows_->is_claimable(row); }
  std::optional<Error> refusal() const override;
  bool is_anew() const override { return is_anew_; }
  json::object record() const override;
  std::string claim_text(std::string_view row) const override;
  std::string_view claim_version() const override;
  std::vector<scheduling::AuthorityVerdict> confirm(std::span<const scheduling::AuthorityPick> picks) override;
  void withdraw(std::span<const std::string> instance_uuids) override;

 private:
  ClaimRequest request_for(const scheduling::AuthorityPick& pick) const;
  scheduling::AuthorityVerdict take(const ClaimRequest& request, ClaimOutcome outcome);
  void give_back(const ClaimNote& note);

  AdmissionParts parts_;
  json::object spec_;
  Claimant claimant_;
  std::optional<CandidateRows> rows_;
  bool is_anew_ = true;
  std::string why_none_;
  std::map<std::string, ClaimNote> held_;  // by instance
  json::array claims_;                     // the outcome of each, for the record
};

}  // namespace gantry::nova
