// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/side.hpp"

#include <chrono>

#include "core/fleet/document_load.hpp"
#include "core/scheduling/service/settings.hpp"

namespace gantry::whatif {

namespace {

using scheduling::InstanceDecision;
using scheduling::InstanceRequest;
using scheduling::MethodCall;

std::string without_heading(const std::string& message) {
  constexpr std::string_view heading = "No valid host was found. ";
  return message.starts_with(heading) ? message.substr(heading.size()) : message;
}

Outcome outcome_of(const InstanceDecision& decision) {
  Outcome outcome;
  for (const auto& placement : decision.sink->placements()) {
    auto& pick = outcome.picks.emplace_back();
    if (placement.pick) pick = Pick{placement.pick->row, placement.pick->weight};
    auto& reason = outcome.reasons.emplace_back();
    if (!placement.pick) reason = placement.refusal.empty() ? decision.reason : placement.refusal;
  }
  outcome.steps = decision.sink->steps();
  if (!decision.fallback_for.empty())
    outcome.failure =
        Error{ErrorCode::unavailable, "driver '" + decision.fallback_for + "': " + decision.fallback_reason, {}};
  return outcome;
}

// select_destinations places all instances or none.
Outcome outcome_of(Error error, std::uint32_t instances) {
  Outcome outcome;
  outcome.picks.resize(instances);
  outcome.reasons.assign(instances, without_heading(error.message));
  if (error.code != ErrorCode::no_valid_host) outcome.failure = std::move(error);
  return outcome;
}

}  // namespace

Side::Side(std::string release, config::Settings settings)
    : release_(std::move(release)), settings_(std::move(settings)), fleet_(scheduling::fleet_settings(settings_)) {}

Result<void> Side::load(const std::vector<drivers::Manifest>& manifests, const fleet::Document& document) {
  for (const auto& manifest : manifests)
    if (auto declared = scheduling::declare(fleet_, manifest, settings_); !declared) return declared;
  fleet::load_document(document, fleet_);
  return {};
}

void Side::begin(const SharedParts& parts, std::shared_ptr<const drivers::DriverInstances> instances,
                 std::int64_t now) {
  auto settings = scheduling::manager_settings(settings_);
  settings.decides_at = now;
  settings.seed = 0;
  state_ = std::make_unique<scheduling::State>(
      scheduling::Parts{fleet_, store_, parts.drivers, parts.logger, parts.counters, settings});
  at_ = scheduling::Instant::now(*state_);
  at_->instances = std::move(instances);
}

void Side::end() {
  at_.reset();
  state_.reset();
}

Result<std::unique_ptr<InstanceDecision>> Side::ask(const MethodCall& call, InstanceRequest& request,
                                                    std::uint64_t seed) {
  request.at = at_;
  request.at->seed = seed;
  return scheduling::decide(*state_, call, request);
}

Outcome Side::decide(const MethodCall& call, InstanceRequest& request, std::uint64_t seed) {
  request.explain_hosts = GANTRY_EXPLAIN_NONE;
  auto decided = ask(call, request, seed);
  return decided ? outcome_of(**decided) : outcome_of(std::move(decided).error(), request.spec.num_instances);
}

std::vector<std::optional<ToldHost>> Side::tell(const MethodCall& call, InstanceRequest& request, std::uint64_t seed,
                                                std::uint32_t row) {
  request.explain_hosts = GANTRY_EXPLAIN_ALL_FILTERS;
  request.explain_row = row;
  const auto decided = ask(call, request, seed);
  if (decided) {
    std::string text;
    if (const auto* told = (*decided)->sink->host_explanations()) told->append_to(text);
    return read_told(text);
  }
  const auto details = json::parse_object(decided.error().details, json::stored_depth);
  const auto* instances = details ? json::find(*details, "instances") : nullptr;
  return read_told(instances == nullptr ? std::string() : json::write(*instances));
}

}  // namespace gantry::whatif
