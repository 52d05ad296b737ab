// SPDX-License-Identifier: Apache-2.0
//
// The sink for a driver's picks, one for each instance of a request. Each pick is checked and claimed as it is made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/drivers/call/driver_call.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/decision/host_explanations.hpp"
#include "core/scheduling/decision/no_valid_host.hpp"
#include "core/scheduling/request/request_spec.hpp"

namespace gantry::scheduling {

// The amounts up to which a chosen host may be filled.
struct Limits {
  std::optional<double> vcpu, memory_mb, disk_gb;
  std::string other;  // JSON text of an object with further limits, for example numa_topology; may be empty
};

struct Choice {
  std::uint32_t row = 0;
  std::optional<double> weight;
  Limits limits;
};

// The effect of a request's picks on claims.
enum class ClaimMode {
  nothing,    // picks are checked against the view and the request's own picks, and nothing is claimed
  in_memory,  // the claims are stored after the answer
  durable,    // the claims are stored before the answer, and wait for their casts
};

// Claims that the caller has not confirmed by the end of the sink are given back.
class PickSink : public drivers::Sink {
 public:
  PickSink(fleet::Fleet& fleet, const fleet::Moment& moment, const gantry_view& view, const RequestSpec& spec,
           ClaimMode mode, fleet::Nanoseconds now);
  PickSink(const PickSink&) = delete;
  PickSink& operator=(const PickSink&) = delete;

  gantry_code pick(const gantry_pick& pick) override;
  gantry_code alternate(const gantry_pick& alternate) override;
  gantry_code refuse(std::uint32_t instance, std::string_view reason) override;
  void explain(const gantry_step& step) override;
  gantry_code explain_host(const gantry_host_explanation& explanation) override;

  struct Placement {
    std::optional<Choice> pick;
    std::vector<Choice> alternates;
    std::string refusal;
  };
  const std::vector<Placement>& placements() const { return placements_; }
  std::vector<Placement>& placements() { return placements_; }
  // One for each placement. A ticket holds nothing if the placement has no pick, or nothing is claimed.
  std::vector<fleet::ClaimTicket>& tickets() { return tickets_; }
  std::uint32_t placed() const;
  // Returns the reason of the first instance that the driver refused. Empty if it refused none with a reason.
  std::string first_refusal() const;
  const std::vector<Step>& steps() const { return steps_; }
  std::vector<Step>& steps() { return steps_; }
  std::uint64_t lost_claims() const { return lost_claims_; }
  // Collects from now on what the driver says about single hosts, up to `most_bytes`.
  void keep_host_explanations(std::size_t most_bytes) {
    host_explanations_.emplace(static_cast<std::uint32_t>(placements_.size()), most_bytes);
  }
  const HostExplanations* host_explanations() const { return host_explanations_ ? &*host_explanations_ : nullptr; }
  // Sets the request's group for picks that must follow its policy. The group outlives the sink.
  void set_group(const RequestedGroup& group) { group_ = &group; }

 private:
  struct Held {  // a pick of this request on a row, in ClaimMode::nothing
    std::uint32_t row;
    std::vector<fleet::ClaimItem> items;
  };
  std::vector<fleet::ClaimItem> items_of(const gantry_pick& pick) const;
  bool fits_view(std::uint32_t row, const std::vector<fleet::ClaimItem>& items) const;
  gantry_code claim_pick(const gantry_pick& pick, std::vector<fleet::ClaimItem> items);
  double used_in_view(std::string_view resource, std::uint32_t row) const;

  fleet::Fleet& fleet_;
  const fleet::Moment& moment_;
  const gantry_view& view_;
  const RequestSpec& spec_;
  const ClaimMode mode_;
  const RequestedGroup* group_ = nullptr;
  const fleet::Nanoseconds now_;
  std::vector<Placement> placements_;
  std::vector<fleet::ClaimTicket> tickets_;
  std::vector<Step> steps_;
  std::optional<HostExplanations> host_explanations_;
  std::vector<Held> held_;
  std::uint64_t lost_claims_ = 0;
};

Limits limits_of(const gantry_pick& pick);
// Leaves out limits that are not set.
json::object to_json(const Limits& limits);
// Returns the item as the fleet has it: NaN for an unset limit.
fleet::ClaimItem to_claim_item(const gantry_claim_item& item);
}  // namespace gantry::scheduling
