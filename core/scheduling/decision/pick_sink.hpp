// SPDX-License-Identifier: Apache-2.0
//
// The sink for a driver's picks, one for each instance of a request. Each pick is checked and claimed as it is made.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/drivers/call/driver_call.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/decision/host_explanations.hpp"
#include "core/scheduling/decision/no_valid_host.hpp"
#include "core/scheduling/decision/row_bounds.hpp"
#include "core/scheduling/request/request_spec.hpp"

namespace gantry::scheduling {

// The amounts up to which a chosen host may be filled. An amount that is not set has no bound.
struct Limits {
  std::optional<double> vcpu, memory_mb, disk_gb;
  std::string other;  // JSON text of an object with further limits, for example numa_topology; may be empty
};

// A host that the driver chose: a pick or an alternate.
struct Choice {
  std::uint32_t row = 0;         // in the sink's view
  std::optional<double> weight;  // as the driver weighed the host
  Limits limits;
  GroupProviders providers = {};  // the candidate that the driver chose
};

// How a request's picks are claimed.
enum class ClaimMode {
  nothing,    // no pick is claimed; each is checked against the view and the request's earlier picks
  in_memory,  // picks are claimed in memory; the claims may be stored after the answer
  named,      // as in_memory, but server groups and named resources alone: an authority holds the rest
  durable,    // picks are claimed and stored before the answer; a claim does not age before its cast is acknowledged
  as_before,  // no pick is claimed; each holds that is not among the lost picks: a decision of the past is made again
};

// When the sink is destroyed, the claims that the caller has not confirmed are given back.
class PickSink : public drivers::Sink {
 public:
  // A request without instance uuids claims nothing, whatever `mode` says.
  PickSink(fleet::Fleet& fleet, const fleet::Moment& moment, const gantry_view& view, const RequestSpec& spec,
           ClaimMode mode, fleet::Nanoseconds now);
  PickSink(const PickSink&) = delete;
  PickSink& operator=(const PickSink&) = delete;

  gantry_code pick(const drivers::Pick& pick) override;
  gantry_code alternate(const drivers::Pick& alternate) override;
  gantry_code refuse(std::uint32_t instance, std::string_view reason) override;
  void explain(const gantry_step& step) override;
  gantry_code explain_host(const gantry_host_explanation& explanation) override;

  // The driver's results for one instance.
  struct Placement {
    std::optional<Choice> pick;
    std::vector<Choice> alternates;
    bool is_refused = false;
    std::string refusal;  // the driver's reason to refuse the instance; may be empty
  };
  // One for each instance of the request, in their order.
  const std::vector<Placement>& placements() const { return placements_; }
  std::vector<Placement>& placements() { return placements_; }
  // The tickets of the claims, one for each placement. A ticket is empty if its placement has no pick, or if the mode
  // is ClaimMode::nothing.
  std::vector<fleet::ClaimTicket>& tickets() { return tickets_; }
  // Returns the number of instances that have a pick.
  std::uint32_t placed() const;
  // Returns the first reason that the driver gave for refusing an instance. Empty if it gave none.
  std::string first_refusal() const;
  const std::vector<Step>& steps() const { return steps_; }
  std::vector<Step>& steps() { return steps_; }
  // The number of picks that were turned down with GANTRY_CLAIM_LOST because the fleet did not admit them. Picks and
  // alternates that the bounds turn down do not count.
  std::uint64_t lost_claims() const { return lost_claims_; }
  // The picks that lost_claims() counts, and the picks and alternates that were turned down by set_avoided().
  const LostPicks& lost_picks() const { return lost_picks_; }
  // From now on keeps the driver's explanations of single hosts, or of one row alone, up to `most_bytes` of JSON text.
  void keep_host_explanations(std::size_t most_bytes, std::optional<std::uint32_t> only_row) {
    host_explanations_.emplace(static_cast<std::uint32_t>(placements_.size()), most_bytes, only_row);
  }
  // nullptr unless keep_host_explanations was called.
  const HostExplanations* host_explanations() const { return host_explanations_ ? &*host_explanations_ : nullptr; }
  // Sets the request's server group. A claim checks the group's policy as the pick asks (GANTRY_PICK_APART, _TOGETHER),
  // and makes its instance a member. `group` must outlive the sink.
  void set_group(const RequestedGroup& group);
  // From now on turns down the picks and alternates of rows that are not claimable. `bounds` must outlive the sink.
  void set_bounds(const RowBounds& bounds) { bounds_ = &bounds; }
  // From now on turns down the picks and alternates of these rows, the keys of a map, which must outlive the sink.
  void set_avoided(const AvoidedRows& rows) { avoided_ = &rows; }
  // The rows that a driver chose and set_avoided() turned down.
  const std::set<std::uint32_t>& avoided() const { return turned_down_; }
  // From now on turns down the picks and alternates in `lost`, which must outlive the sink.
  void set_lost(const LostPicks& lost) { lost_ = &lost; }

 private:
  std::vector<fleet::ClaimItem> items_of(const gantry_pick& pick) const;
  bool is_out_of_bounds(const gantry_pick& choice) const;
  bool is_avoided(const gantry_pick& choice);
  bool is_candidate(const drivers::Pick& choice) const;
  Choice to_choice(const drivers::Pick& pick) const;
  bool fits_view(std::uint32_t row, const std::vector<fleet::ClaimItem>& items) const;
  gantry_code claim_pick(const gantry_pick& pick, std::vector<fleet::ClaimItem> items);
  gantry_code lose(const gantry_pick& pick);
  double used_in_view(std::string_view resource, std::uint32_t row) const;

  fleet::Fleet& fleet_;
  const fleet::Moment& moment_;
  const gantry_view& view_;
  const RequestSpec& spec_;
  const ClaimMode mode_;
  const RequestedGroup* group_ = nullptr;
  std::vector<gantry_uuid> members_;  // the members of group_, sorted
  const RowBounds* bounds_ = nullptr;
  const LostPicks* lost_ = nullptr;
  const AvoidedRows* avoided_ = nullptr;
  std::set<std::uint32_t> turned_down_;
  const fleet::Nanoseconds now_;
  std::vector<Placement> placements_;
  std::vector<fleet::ClaimTicket> tickets_;
  std::vector<Step> steps_;
  std::optional<HostExplanations> host_explanations_;
  // By row: the amounts of this request's earlier picks, by resource. Kept in ClaimMode::nothing alone.
  std::unordered_map<std::uint32_t, std::map<std::string, double>> held_;
  LostPicks lost_picks_;
  std::uint64_t lost_claims_ = 0;
};

Limits limits_of(const gantry_pick& pick);
// Returns the limits as one object, with the members of `other`. Limits that are not set are left out.
json::object to_json(const Limits& limits);
// Returns the item in the fleet's form, in which an unset limit is NaN.
fleet::ClaimItem to_claim_item(const gantry_claim_item& item);
}  // namespace gantry::scheduling
