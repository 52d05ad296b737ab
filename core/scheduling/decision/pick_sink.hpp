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
#include "core/scheduling/decision/accounts.hpp"
#include "core/scheduling/decision/no_valid_host.hpp"
#include "core/scheduling/request/request_spec.hpp"

namespace gantry::scheduling {

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
  gantry_code account(const gantry_account& account) override;
  gantry_code claim(const gantry_claim& claim) override;
  gantry_code reply(std::string_view json) override;
  gantry_code cast(const gantry_cast& cast) override;

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
  // From now on what the driver says of single hosts is kept, in so many bytes.
  void keep_accounts(std::size_t most_bytes) {
    accounts_.emplace(static_cast<std::uint32_t>(placements_.size()), most_bytes);
  }
  const Accounts* accounts() const { return accounts_ ? &*accounts_ : nullptr; }
  // Of the request, for picks that keep to it; outlives this.
  void set_group(const RequestedGroup& group) { group_ = &group; }
  // What the driver did that it may not, the first time; empty: nothing.
  const std::string& misuse() const { return misuse_; }

 private:
  struct Held {  // what this request has picked on a row, while nothing is claimed
    std::uint32_t row;
    std::vector<fleet::ClaimItem> items;
  };
  gantry_code misused(std::string complaint);
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
  std::optional<Accounts> accounts_;
  std::vector<Held> held_;
  std::uint64_t lost_claims_ = 0;
  std::string misuse_;
};

Limits limits_of(const gantry_pick& pick);
// What is not set is left out.
json::object to_json(const Limits& limits);
// The limit of an item, as the fleet has it.
fleet::ClaimItem to_claim_item(const gantry_claim_item& item);
}  // namespace gantry::scheduling
