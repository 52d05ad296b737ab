// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision.hpp"

#include <algorithm>
#include <cmath>

namespace gantry::scheduling {

namespace {

// A driver that explains each host would drown what people read.
constexpr std::size_t most_steps = 1000;

std::string_view text_of(const gantry_string& text) {
  return {text.data, text.size};
}

bool within(double limit, double wanted) {
  return std::isnan(limit) || wanted <= limit;
}

}  // namespace

Decision::Decision(fleet::Fleet& fleet, const fleet::Moment& moment, const gantry_view& view, const RequestSpec& spec,
                   ClaimMode mode, fleet::Nanoseconds now)
    : fleet_(fleet),
      moment_(moment),
      view_(view),
      spec_(spec),
      mode_(spec.instance_uuids.empty() ? ClaimMode::nothing : mode),
      now_(now),
      placements_(spec.num_instances) {}

gantry_code Decision::misused(std::string complaint) {
  if (misuse_.empty()) misuse_ = std::move(complaint);
  return GANTRY_INVALID_ARGUMENT;
}

double Decision::used_in_view(std::string_view name, std::uint32_t row) const {
  const auto* column = moment_.column(view_, name);
  if (column == nullptr || column->type != GANTRY_TYPE_F64) return 0;
  if (column->validity != nullptr && ((column->validity[row / 64] >> (row % 64)) & 1U) == 0) return 0;
  return static_cast<const double*>(column->values)[row];
}

bool Decision::fits_view(const gantry_pick& pick) const {
  double vcpus = used_in_view("vcpus_used", pick.row) + static_cast<double>(spec_.vcpus.value_or(0));
  double memory_mb = used_in_view("memory_mb_used", pick.row) + static_cast<double>(spec_.memory_mb.value_or(0));
  double disk_gb = used_in_view("local_gb_used", pick.row) + spec_.disk_gb();
  for (const auto& held : held_) {
    if (held.row != pick.row) continue;
    vcpus += held.vcpus;
    memory_mb += held.memory_mb;
    disk_gb += held.disk_gb;
  }
  return within(pick.limits.vcpu, vcpus) && within(pick.limits.memory_mb, memory_mb) &&
         within(pick.limits.disk_gb, disk_gb);
}

gantry_code Decision::claim_pick(const gantry_pick& pick, Placement& placement) {
  fleet::Claim claim;
  claim.consumer = spec_.instance_uuids[pick.instance];
  claim.durable = mode_ == ClaimMode::durable;
  claim.cast_waits = claim.durable;
  claim.created_at = now_;
  claim.items = {{"vcpu", static_cast<double>(spec_.vcpus.value_or(0)), pick.limits.vcpu},
                 {"memory_mb", static_cast<double>(spec_.memory_mb.value_or(0)), pick.limits.memory_mb},
                 {"disk_gb", spec_.disk_gb(), pick.limits.disk_gb},
                 {"instances", 1, std::nan("")}};
  if (fleet_.claim(moment_, view_, pick.row, claim) != fleet::ClaimOutcome::held) return GANTRY_CLAIM_LOST;
  placement.claim = std::move(claim);
  return GANTRY_OK;
}

gantry_code Decision::pick(const gantry_pick& pick) {
  if (pick.instance >= placements_.size()) {
    return misused("picked for instance " + std::to_string(pick.instance) + " of " +
                   std::to_string(placements_.size()));
  }
  auto& placement = placements_[pick.instance];
  if (placement.pick) return misused("picked twice for instance " + std::to_string(pick.instance));
  if (mode_ == ClaimMode::nothing) {
    if (!fits_view(pick)) {
      ++lost_claims_;
      return GANTRY_CLAIM_LOST;
    }
    held_.push_back({pick.row, static_cast<double>(spec_.vcpus.value_or(0)),
                     static_cast<double>(spec_.memory_mb.value_or(0)), spec_.disk_gb()});
  } else if (const auto code = claim_pick(pick, placement); code != GANTRY_OK) {
    ++lost_claims_;
    return code;
  }
  placement.pick = Choice{pick.row, pick.weight, limits_json(pick.limits)};
  return GANTRY_OK;
}

gantry_code Decision::alternate(const gantry_pick& alternate) {
  if (alternate.instance >= placements_.size()) {
    return misused("alternate for instance " + std::to_string(alternate.instance) + " of " +
                   std::to_string(placements_.size()));
  }
  placements_[alternate.instance].alternates.push_back(
      {alternate.row, alternate.weight, limits_json(alternate.limits)});
  return GANTRY_OK;
}

gantry_code Decision::refuse(std::uint32_t instance, std::string_view reason) {
  if (instance >= placements_.size()) {
    return misused("refused instance " + std::to_string(instance) + " of " + std::to_string(placements_.size()));
  }
  if (placements_[instance].pick) return misused("refused instance " + std::to_string(instance) + " after its pick");
  placements_[instance].refusal = reason;
  return GANTRY_OK;
}

void Decision::explain(const gantry_step& step) {
  if (steps_.size() < most_steps) steps_.push_back(to_step(step));
}

gantry_code Decision::claim(const gantry_claim&) {
  return misused("made a named claim; instances are claimed by pick");
}
gantry_code Decision::reply(std::string_view) {
  return misused("replied; the answer is made of the picks");
}
gantry_code Decision::cast(std::uint32_t, std::string_view method, std::string_view) {
  return misused("cast " + std::string(method) + "; only custom methods may cast");
}

std::uint32_t Decision::placed() const {
  return static_cast<std::uint32_t>(std::count_if(
      placements_.begin(), placements_.end(), [](const Placement& placement) { return placement.pick.has_value(); }));
}

void Decision::release() {
  for (auto& placement : placements_) {
    if (placement.claim) {
      fleet_.release(placement.claim->consumer, placement.claim->topic, placement.claim->host, placement.claim->node);
    }
    placement.claim.reset();
    placement.pick.reset();
  }
}

json::object limits_json(const gantry_limits& limits) {
  json::object result;
  if (limits.other.size != 0) {
    if (auto other = json::parse_object(text_of(limits.other))) result = std::move(*other);
  }
  const auto set = [&result](std::string_view key, double value) {
    if (std::isfinite(value)) result[key] = value;
  };
  set("vcpu", limits.vcpu);
  set("memory_mb", limits.memory_mb);
  set("disk_gb", limits.disk_gb);
  return result;
}

Step to_step(const gantry_step& step) {
  Step result{std::string(text_of(step.name)), step.hosts_in, step.hosts_out, std::string(text_of(step.reason)), {}};
  if (step.instance != UINT32_MAX) result.instance = step.instance;
  return result;
}

json::array steps_json(const std::vector<Step>& steps) {
  json::array result;
  for (const auto& step : steps) {
    json::object item{{"name", step.name}, {"hosts_in", step.hosts_in}, {"hosts_out", step.hosts_out}};
    if (!step.reason.empty()) item["reason"] = step.reason;
    if (step.instance) item["instance"] = *step.instance;
    result.push_back(std::move(item));
  }
  return result;
}

std::string no_valid_host_reason(std::string_view driver_sentence, const std::vector<Decision::Placement>& placements,
                                 const std::vector<Step>& steps) {
  if (!driver_sentence.empty()) return std::string(driver_sentence);
  const auto refused = std::find_if(placements.begin(), placements.end(),
                                    [](const Decision::Placement& placement) { return !placement.refusal.empty(); });
  if (refused != placements.end()) return refused->refusal;
  const auto last = std::find_if(steps.begin(), steps.end(), [](const Step& step) { return step.hosts_out == 0; });
  if (last == steps.end()) return {};
  auto reason = last->name + " left none of " + std::to_string(last->hosts_in) + " hosts";
  if (!last->reason.empty()) reason += " (" + last->reason + ")";
  return reason;
}

Error no_valid_host(std::string_view driver, const std::string& reason, const std::vector<Step>& steps) {
  json::object details{{"driver", driver}, {"reason", reason}, {"steps", steps_json(steps)}};
  return {ErrorCode::no_valid_host,
          reason.empty() ? std::string("No valid host was found.") : "No valid host was found. " + reason,
          json::write(details)};
}

}  // namespace gantry::scheduling
