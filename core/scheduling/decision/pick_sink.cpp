// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/pick_sink.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/drivers/abi/abi_text.hpp"
#include "core/encoding/uuid.hpp"
#include "core/fleet/cells/uuid_hash.hpp"
#include "core/scheduling/decision/requested_group.hpp"

namespace gantry::scheduling {

namespace {

// A driver that explains each host would drown what people read.
constexpr std::size_t most_steps = 1000;

// A caller can ask for no more.

constexpr double unbounded = std::numeric_limits<double>::quiet_NaN();

double limit_of(const gantry_pick& pick, std::uint32_t bit, double limit) {
  return (pick.present & bit) != 0 ? limit : unbounded;
}

}  // namespace

PickSink::PickSink(fleet::Fleet& fleet, const fleet::Moment& moment, const gantry_view& view, const RequestSpec& spec,
                   ClaimMode mode, fleet::Nanoseconds now)
    : fleet_(fleet),
      moment_(moment),
      view_(view),
      spec_(spec),
      mode_(spec.instance_uuids.empty() && mode != ClaimMode::as_before ? ClaimMode::nothing : mode),
      now_(now),
      placements_(spec.num_instances),
      tickets_(spec.num_instances) {}

// Reported use and claims of a resource, as the fleet judges it: vcpu, memory_mb and disk_gb have a column of both.
double PickSink::used_in_view(std::string_view resource, std::uint32_t row) const {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 3> use{
      {{"vcpu", "vcpus_used"}, {"memory_mb", "memory_mb_used"}, {"disk_gb", "local_gb_used"}}};
  const auto* const reported =
      std::find_if(use.begin(), use.end(), [resource](const auto& known) { return known.first == resource; });
  const auto read = [&](std::string_view name) -> std::optional<double> {
    const auto* column = moment_.column(view_, name);
    if (column == nullptr || column->type != GANTRY_TYPE_F64) return std::nullopt;
    if (column->validity != nullptr && ((column->validity[row / 64] >> (row % 64)) & 1U) == 0) return std::nullopt;
    return static_cast<const double*>(column->values)[row];
  };
  const auto used = reported == use.end() ? std::nullopt : read(reported->second);
  // Use that was never reported has no claims added to it.
  return used ? *used : read("claims." + std::string(resource)).value_or(0);
}

std::vector<fleet::ClaimItem> PickSink::items_of(const gantry_pick& pick) const {
  std::vector<fleet::ClaimItem> items;
  if (mode_ != ClaimMode::named) {
    items = {
        {"vcpu", static_cast<double>(spec_.vcpus.value_or(0)), limit_of(pick, GANTRY_LIMIT_VCPU, pick.limits.vcpu)},
        {"memory_mb", static_cast<double>(spec_.memory_mb.value_or(0)),
         limit_of(pick, GANTRY_LIMIT_MEMORY_MB, pick.limits.memory_mb)},
        {"disk_gb", spec_.disk_gb(), limit_of(pick, GANTRY_LIMIT_DISK_GB, pick.limits.disk_gb)},
        {"instances", 1, unbounded}};
  }
  for (std::uint32_t i = 0; i < pick.item_count; ++i) items.push_back(to_claim_item(pick.items[i]));
  return items;
}

bool PickSink::fits_view(std::uint32_t row, const std::vector<fleet::ClaimItem>& items) const {
  const auto held = held_.find(row);
  return std::all_of(items.begin(), items.end(), [&](const fleet::ClaimItem& item) {
    if (std::isnan(item.limit)) return true;
    double total = used_in_view(item.resource, row);
    for (const auto& other : items) {
      if (other.resource == item.resource) total += other.amount;
    }
    if (held == held_.end()) return total <= item.limit;
    const auto earlier = held->second.find(item.resource);
    return total + (earlier == held->second.end() ? 0 : earlier->second) <= item.limit;
  });
}

gantry_code PickSink::claim_pick(const gantry_pick& pick, std::vector<fleet::ClaimItem> items) {
  fleet::Claim claim;
  claim.consumer = spec_.instance_uuids[pick.instance];
  claim.durable = mode_ == ClaimMode::durable;
  claim.cast_waits = claim.durable;
  claim.created_at = now_;
  claim.items = std::move(items);
  fleet::GroupBound bound;
  if (group_ != nullptr) {
    claim.group = claimed_as(*group_);
    bound = {claimed_as(*group_), members_, (pick.present & GANTRY_PICK_APART) != 0 ? pick.group_limit : 0,
             (pick.present & GANTRY_PICK_TOGETHER) != 0};
  }
  auto ticket = fleet_.claim(moment_, view_, pick.row, std::move(claim), bound);
  if (!ticket) return GANTRY_CLAIM_LOST;
  tickets_[pick.instance] = std::move(ticket);
  return GANTRY_OK;
}

bool PickSink::is_out_of_bounds(const gantry_pick& choice) const {
  if (lost_ != nullptr && lost_->contains({choice.instance, choice.row})) return true;
  if (bounds_ == nullptr) return false;
  const auto bit = std::uint64_t{1} << (choice.row % 64);
  const auto has = [&](const std::vector<std::uint64_t>& rows) { return (rows[choice.row / 64] & bit) != 0; };
  return !has(bounds_->eligible) || !has(bounds_->claimable);
}

bool PickSink::is_avoided(const gantry_pick& choice) {
  if (avoided_ == nullptr || !avoided_->contains(choice.row)) return false;
  lost_picks_.insert({choice.instance, choice.row});
  turned_down_.insert(choice.row);
  return true;
}

// A driver may leave the candidate open.
bool PickSink::is_candidate(const drivers::Pick& choice) const {
  if (choice.providers.empty()) return true;
  if (bounds_ == nullptr || !bounds_->candidates) return false;
  return bounds_->candidates->contains(choice.row, choice.providers);
}

Choice PickSink::to_choice(const drivers::Pick& pick) const {
  Choice choice{pick.row, {}, limits_of(pick)};
  if ((pick.present & GANTRY_PICK_WEIGHT) != 0) choice.weight = pick.weight;
  for (std::size_t group = 0; group < pick.providers.size(); ++group) {
    const auto& table = *bounds_->candidates;
    choice.providers.emplace_back(table.groups[group], std::string(table.providers[pick.providers[group]]));
  }
  return choice;
}

gantry_code PickSink::lose(const gantry_pick& pick) {
  ++lost_claims_;
  lost_picks_.insert({pick.instance, pick.row});
  return GANTRY_CLAIM_LOST;
}

gantry_code PickSink::pick(const drivers::Pick& pick) {
  if (pick.instance >= placements_.size()) {
    return misused("picked for instance " + std::to_string(pick.instance) + " of " +
                   std::to_string(placements_.size()));
  }
  auto& placement = placements_[pick.instance];
  if (placement.pick) return misused("picked twice for instance " + std::to_string(pick.instance));
  if (placement.is_refused)
    return misused("picked for instance " + std::to_string(pick.instance) + ", which it refused");
  if (is_out_of_bounds(pick) || is_avoided(pick)) return GANTRY_CLAIM_LOST;
  if (!is_candidate(pick)) return misused("picked providers that are no candidate of row " + std::to_string(pick.row));
  if (mode_ != ClaimMode::as_before) {
    auto items = items_of(pick);
    if (mode_ == ClaimMode::nothing) {
      if (!fits_view(pick.row, items)) return lose(pick);
      auto& held = held_[pick.row];
      for (const auto& item : items) held[item.resource] += item.amount;
    } else if (claim_pick(pick, std::move(items)) != GANTRY_OK) {
      return lose(pick);
    }
  }
  placement.pick = to_choice(pick);
  return GANTRY_OK;
}

gantry_code PickSink::alternate(const drivers::Pick& alternate) {
  if (alternate.instance >= placements_.size()) {
    return misused("alternate for instance " + std::to_string(alternate.instance) + " of " +
                   std::to_string(placements_.size()));
  }
  if (is_out_of_bounds(alternate) || is_avoided(alternate)) return GANTRY_CLAIM_LOST;
  if (!is_candidate(alternate))
    return misused("named providers that are no candidate of row " + std::to_string(alternate.row));
  auto& alternates = placements_[alternate.instance].alternates;
  if (alternates.size() < most_alternates) alternates.push_back(to_choice(alternate));
  return GANTRY_OK;
}

gantry_code PickSink::refuse(std::uint32_t instance, std::string_view reason) {
  if (instance >= placements_.size()) {
    return misused("refused instance " + std::to_string(instance) + " of " + std::to_string(placements_.size()));
  }
  auto& placement = placements_[instance];
  if (placement.pick) return misused("refused instance " + std::to_string(instance) + " after its pick");
  if (placement.is_refused) return misused("refused instance " + std::to_string(instance) + " twice");
  placement.is_refused = true;
  placement.refusal = reason;
  return GANTRY_OK;
}

void PickSink::explain(const gantry_step& step) {
  if (steps_.size() < most_steps) steps_.push_back(to_step(step));
}

gantry_code PickSink::explain_host(const gantry_host_explanation& explanation) {
  if (explanation.instance >= placements_.size()) {
    return misused("explained a host of instance " + std::to_string(explanation.instance) + " of " +
                   std::to_string(placements_.size()));
  }
  if (!host_explanations_) return GANTRY_OK;
  const auto name = moment_.row_name(view_, explanation.row);
  return host_explanations_->add(explanation, name.host, name.node);
}

void PickSink::set_group(const RequestedGroup& group) {
  group_ = &group;
  members_.clear();
  for (const auto& member : group.members)
    if (const auto uuid = parse_uuid(member)) members_.push_back(*uuid);
  std::sort(members_.begin(), members_.end(), fleet::UuidLess());
}

std::uint32_t PickSink::placed() const {
  return static_cast<std::uint32_t>(std::count_if(
      placements_.begin(), placements_.end(), [](const Placement& placement) { return placement.pick.has_value(); }));
}

std::string PickSink::first_refusal() const {
  const auto refused = std::find_if(placements_.begin(), placements_.end(),
                                    [](const Placement& placement) { return !placement.refusal.empty(); });
  return refused == placements_.end() ? std::string() : refused->refusal;
}

Limits limits_of(const gantry_pick& pick) {
  const auto given = [&pick](std::uint32_t bit, double value) {
    return (pick.present & bit) != 0 ? std::optional(value) : std::nullopt;
  };
  return {given(GANTRY_LIMIT_VCPU, pick.limits.vcpu), given(GANTRY_LIMIT_MEMORY_MB, pick.limits.memory_mb),
          given(GANTRY_LIMIT_DISK_GB, pick.limits.disk_gb), std::string(drivers::from_abi(pick.limits.other))};
}

json::object to_json(const Limits& limits) {
  json::object result;
  if (!limits.other.empty()) {
    if (auto other = json::parse_object(limits.other)) result = std::move(*other);
  }
  const auto set = [&](std::string_view key, std::optional<double> value) {
    if (value) result[key] = *value;
  };
  set("vcpu", limits.vcpu);
  set("memory_mb", limits.memory_mb);
  set("disk_gb", limits.disk_gb);
  return result;
}

fleet::ClaimItem to_claim_item(const gantry_claim_item& item) {
  return {std::string(drivers::from_abi(item.resource)), item.amount,
          (item.present & GANTRY_CLAIM_LIMIT) != 0 ? item.limit : unbounded};
}

}  // namespace gantry::scheduling
