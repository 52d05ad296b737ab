// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/instance_decision.hpp"

namespace gantry::scheduling {

namespace {

using telemetry::Level;

std::string placed_text(const InstanceDecision& decided) {
  constexpr std::size_t longest = 400;
  std::string text;
  for (const auto& placement : decided.sink->placements()) {
    if (text.size() > longest) break;
    if (!text.empty()) text += ",";
    if (!placement.pick) {
      text += "-";
      continue;
    }
    const auto name = decided.pinned.moment.row_name(*decided.pinned.view, placement.pick->row);
    text.append(name.host);
    if (!name.node.empty() && name.node != name.host) text.append("/").append(name.node);
  }
  return text.size() > longest ? text.substr(0, longest) + "..." : text;
}

}  // namespace

std::vector<std::pair<std::string_view, std::string>> InstanceDecision::chosen_by() const {
  std::vector<std::pair<std::string_view, std::string>> told;
  for (const auto& [key, value] : {std::pair<std::string_view, const std::string&>{"profile", profile},
                                   {"fallback_for", fallback_for},
                                   {"fallback_reason", fallback_reason}})
    if (!value.empty()) told.emplace_back(key, value);
  return told;
}

telemetry::Line InstanceDecision::line(const InstanceRequest& request, const MethodCall& call,
                                       const Error* error) const {
  const bool has_failed = error != nullptr && error->code != ErrorCode::no_valid_host;
  const auto placed = has_failed ? 0 : sink->placed();
  const bool all = error == nullptr && placed == request.spec.num_instances;
  const bool is_dry_run = request.mode == ClaimMode::nothing;
  const bool is_quiet = call.authority_call != nullptr && call.authority_call->is_quiet();
  telemetry::Line line{is_quiet            ? Level::debug
                       : has_failed        ? Level::error
                       : all || is_dry_run ? Level::info
                                           : Level::warning,
                       std::string(is_dry_run ? "dry run: " : "") + (has_failed ? "the driver failed"
                                                                     : all      ? "scheduled"
                                                                                : "no valid host"),
                       {{"request_id", call.request_id},
                        {"topic", "compute"},
                        {"driver", driver->manifest().id},
                        {"method", call.method},
                        {"instances", std::to_string(placed) + "/" + std::to_string(request.spec.num_instances)},
                        {"hosts", std::to_string(pinned.view->rows)},
                        {"destinations", has_failed ? std::string() : placed_text(*this)},
                        {"reason", has_failed ? error->message
                                   : all      ? std::string()
                                              : reason},
                        {"microseconds", std::to_string(microseconds)}}};
  for (auto& [key, value] : chosen_by()) line.fields.push_back({key, std::move(value)});
  return line;
}

json::object InstanceDecision::record(const InstanceRequest& request, const MethodCall& call,
                                      std::optional<std::uint32_t> only) const {
  json::array destinations;
  const std::size_t begin = only.value_or(0);
  const std::size_t end = only ? begin + 1 : sink->placements().size();
  for (std::size_t i = begin; i < end; ++i) {
    const auto& placement = sink->placements()[i];
    if (!placement.pick) continue;
    const auto name = pinned.moment.row_name(*pinned.view, placement.pick->row);
    json::object destination{{"host", name.host}, {"node", name.node}};
    if (!request.spec.instance_uuids.empty()) destination["instance_uuid"] = request.spec.instance_uuids[i];
    if (placement.pick->weight) destination["weight"] = *placement.pick->weight;
    destinations.push_back(std::move(destination));
  }
  std::vector<Step> steps;
  for (const auto& step : sink->steps()) {
    if (!only || !step.instance || *step.instance == *only) steps.push_back(step);
  }
  json::object record{{"driver", driver->manifest().id},
                      {"driver_version", driver->manifest().version},
                      {"request_id", call.request_id},
                      {"seed", pinned.seed},
                      {"now", time_json(pinned.now)},
                      {"hosts", pinned.view->rows},
                      {"steps", steps_json(steps)},
                      {"microseconds", pinned.microseconds()},
                      {"destinations", std::move(destinations)}};
  for (const auto& [key, value] : chosen_by()) record[key] = value;
  return record;
}

}  // namespace gantry::scheduling
