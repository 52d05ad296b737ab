// SPDX-License-Identifier: Apache-2.0
//
// What a driver decides for the instances of one request: the sink that its picks go to. Each pick is checked and
// claimed as it is made.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/drivers/call/driver_call.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/decision/host_explanations.hpp"
#include "core/scheduling/request/request_spec.hpp"

namespace gantry::scheduling {

struct Step {
  std::string name;
  std::uint64_t hosts_in = 0;
  std::uint64_t hosts_out = 0;
  std::string reason;
  std::optional<std::uint32_t> instance;
};

// Up to which a chosen host may be filled.
struct Limits {
  std::optional<double> vcpu, memory_mb, disk_gb;
  std::string other;  // JSON text of an object with more, as numa_topology; may be empty
};

struct Choice {
  std::uint32_t row = 0;
  std::optional<double> weight;
  Limits limits;
};

// What the request's picks hold of the fleet.
enum class ClaimMode {
  nothing,  // admission is tried against the view and what the request itself has picked; no trace is left
  in_memory,
  durable,
};

// What it has claimed it gives back at its end, unless it is told to keep it; what its claims replaced holds again
// then.
class Decision : public drivers::Sink {
 public:
  Decision(fleet::Fleet& fleet, const fleet::Moment& moment, const gantry_view& view, const RequestSpec& spec,
           ClaimMode mode, fleet::Nanoseconds now);
  ~Decision() override;
  Decision(const Decision&) = delete;
  Decision& operator=(const Decision&) = delete;

  gantry_code pick(const gantry_pick& pick) override;
  gantry_code alternate(const gantry_pick& alternate) override;
  gantry_code refuse(std::uint32_t instance, std::string_view reason) override;
  void explain(const gantry_step& step) override;
  gantry_code explain_host(const gantry_host_explanation& explanation) override;

  struct Placement {
    std::optional<Choice> pick;
    std::vector<Choice> alternates;
    std::string refusal;
    std::optional<fleet::Claim> claim;
  };
  const std::vector<Placement>& placements() const { return placements_; }
  std::vector<Placement>& placements() { return placements_; }
  std::uint32_t placed() const;
  const std::vector<Step>& steps() const { return steps_; }
  std::vector<Step>& steps() { return steps_; }
  std::uint64_t lost_claims() const { return lost_claims_; }
  // From now on what the driver says of single hosts is kept, in so many bytes.
  void keep_host_explanations(std::size_t most_bytes) {
    host_explanations_.emplace(static_cast<std::uint32_t>(placements_.size()), most_bytes);
  }
  const HostExplanations* host_explanations() const { return host_explanations_ ? &*host_explanations_ : nullptr; }
  // Of the request, for picks that keep to it; outlives this.
  void set_group(const RequestedGroup& group) { group_ = &group; }

  void keep() { kept_ = true; }

 private:
  struct Held {  // what this request has picked on a row, while nothing is claimed
    std::uint32_t row;
    std::vector<fleet::ClaimItem> items;
  };
  std::vector<fleet::ClaimItem> items_of(const gantry_pick& pick) const;
  bool fits_view(std::uint32_t row, const std::vector<fleet::ClaimItem>& items) const;
  gantry_code claim_pick(const gantry_pick& pick, std::vector<fleet::ClaimItem> items, Placement& placement);
  double used_in_view(std::string_view resource, std::uint32_t row) const;

  fleet::Fleet& fleet_;
  const fleet::Moment& moment_;
  const gantry_view& view_;
  const RequestSpec& spec_;
  const ClaimMode mode_;
  const RequestedGroup* group_ = nullptr;
  const fleet::Nanoseconds now_;
  std::vector<Placement> placements_;
  std::vector<Step> steps_;
  std::optional<HostExplanations> host_explanations_;
  std::vector<Held> held_;
  std::uint64_t lost_claims_ = 0;
  bool kept_ = false;
};

Limits limits_of(const gantry_pick& pick);
// What is not set is left out.
json::object to_json(const Limits& limits);
// The limit of an item, as the fleet has it.
fleet::ClaimItem to_claim_item(const gantry_claim_item& item);
json::array steps_json(const std::vector<Step>& steps);
Step to_step(const gantry_step& step);

// The sentence behind "No valid host was found.": the driver's own, else the first refusal, else the step that removed
// the last host.
std::string no_valid_host_reason(std::string_view driver_sentence, const std::vector<Decision::Placement>& placements,
                                 const std::vector<Step>& steps);
Error no_valid_host(std::string_view driver, const std::string& reason, const std::vector<Step>& steps,
                    const HostExplanations* explanations = nullptr);

}  // namespace gantry::scheduling
