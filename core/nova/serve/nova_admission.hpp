// SPDX-License-Identifier: Apache-2.0
//
// One request at placement: the hosts that placement offers for it, and its claims.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/nova/rpc/rpc_work.hpp"
#include "core/nova/serve/candidate_rows.hpp"
#include "core/nova/serve/cell_bounds.hpp"
#include "core/nova/serve/claim_note.hpp"
#include "core/nova/serve/placement_desk.hpp"
#include "core/nova/serve/placement_mirror.hpp"
#include "core/scheduling/authority.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"
#include "core/telemetry/part_timer.hpp"

namespace gantry::nova {

// Where a request's claims are noted before they are made.
class ClaimJournal {
 public:
  virtual ~ClaimJournal() = default;
  virtual void note(const ClaimNote& note) = 0;
};

// The owner of the claims.
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
  // Claims are not made, but rehearsed on the mirror. nullptr: claims are made.
  const PlacementMirror* rehearsal = nullptr;
};

class NovaAdmission final : public scheduling::Admission {
 public:
  // A request that placement is asked about.
  NovaAdmission(AdmissionParts parts, json::object spec, CellBounds cells, Claimant claimant, CandidateRows rows,
                bool is_anew, std::string why_none);
  // A request that needs no claim, since the instance stays where it is.
  NovaAdmission(AdmissionParts parts, json::object spec, CellBounds cells);

  const json::object& spec() const override { return spec_; }
  bool is_bounded() const override { return rows_ || cells_.is_bounded(); }
  bool is_eligible(std::string_view row) const override {
    return (!rows_ || rows_->is_seen(row)) && cells_.may_take(row);
  }
  bool is_claimable(std::string_view row) const override { return !rows_ || rows_->is_claimable(row); }
  std::vector<std::string> groups_to_choose() const override { return groups_; }
  void add_candidates(std::string_view row, scheduling::RowOfCandidates& to) const override;
  std::string why_not_eligible() const override;
  std::optional<Error> refusal() const override;
  bool is_anew() const override { return is_anew_; }
  json::object record() const override;
  std::string claim_text(std::string_view row, const scheduling::GroupProviders& providers) const override;
  std::string_view claim_version() const override;
  bool confirms_dry_runs() const override { return parts_.rehearsal != nullptr; }
  std::vector<scheduling::AuthorityVerdict> confirm(std::span<const scheduling::AuthorityPick> picks) override;
  void withdraw(std::span<const std::string> instance_uuids) override;

 private:
  ClaimRequest request_for(const scheduling::AuthorityPick& pick) const;
  std::vector<scheduling::AuthorityVerdict> rehearse(std::span<const scheduling::AuthorityPick> picks);
  scheduling::AuthorityVerdict take(const ClaimRequest& request, ClaimOutcome outcome);
  void give_back(const ClaimNote& note);

  AdmissionParts parts_;
  telemetry::PartTimer timer_{parts_.counters, request_microseconds};
  json::object spec_;
  CellBounds cells_;
  Claimant claimant_;
  std::optional<CandidateRows> rows_;
  std::vector<std::string> groups_;  // the groups of the flavor's PCI requests
  bool is_anew_ = true;
  std::string why_none_;
  std::map<std::string, ClaimNote> held_;         // by instance
  std::map<std::string, std::string> rehearsed_;  // by instance: the allocation request
  json::array claims_;                            // the outcome of each, for the record
};

}  // namespace gantry::nova
