// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/difference.hpp"

#include <utility>

#include "core/whatif/causes.hpp"

namespace gantry::whatif {

namespace {

// Whether the failure says nothing of the release: time, memory, a fault of the driver.
bool is_by_chance(const Error& failure) {
  return failure.code == ErrorCode::deadline_exceeded || failure.code == ErrorCode::resource_exhausted ||
         failure.code == ErrorCode::unavailable || failure.code == ErrorCode::internal;
}

const std::optional<ToldHost>& at(const std::vector<std::optional<ToldHost>>& told, std::uint32_t instance) {
  static const std::optional<ToldHost> nothing;
  return instance < told.size() ? told[instance] : nothing;
}

bool weighs_the_same(const std::optional<double>& weight, const std::optional<ToldHost>& other) {
  return weight && other && other->rejection() == nullptr && other->weight == weight;
}

std::string why_not(const std::string& release, const Error& failure) {
  return release + ": " + failure.message;
}

}  // namespace

std::string RequestComparison::name_of(std::uint32_t row) const {
  const auto name = before_.moment().row_name(before_.view(), row);
  std::string text(name.host);
  if (!name.node.empty() && name.node != name.host) text.append("/").append(name.node);
  return text;
}

Place RequestComparison::place_of(const Side& side, const Outcome& outcome, std::uint32_t instance) const {
  Place place;
  if (instance >= outcome.picks.size()) return place;
  if (const auto& pick = outcome.picks[instance]) {
    const auto name = side.moment().row_name(side.view(), pick->row);
    place.host = std::string(name.host);
    place.node = std::string(name.node);
    place.weight = pick->weight;
  } else {
    place.reason = outcome.reasons[instance];
  }
  return place;
}

Difference RequestComparison::difference(std::uint32_t instance, std::vector<Cause> causes) const {
  return {0, instance, place_of(before_, was_, instance), place_of(after_, is_, instance), std::move(causes)};
}

// A request that one release ends with an error and the other decides.
std::optional<Verdict> RequestComparison::fail() const {
  if (!was_.failure && !is_.failure) return std::nullopt;
  if (was_.failure && is_.failure) return Verdict(why_not(after_.release(), *is_.failure));
  const auto& side = was_.failure ? before_ : after_;
  const auto& failure = was_.failure ? *was_.failure : *is_.failure;
  if (is_by_chance(failure)) return Verdict(why_not(side.release(), failure));
  const std::string failed = "the request fails: " + failure.message;
  Cause cause{Cause::Kind::reason, {}, {}, {}, was_.failure ? failed : "decided", is_.failure ? failed : "decided"};
  return Verdict(difference(0, {std::move(cause)}));
}

// One side has no host for the instance: what speaks there against the host of the other side.
std::vector<Cause> RequestComparison::causes_without_host(std::uint32_t instance) const {
  const auto& pick = was_.picks[instance] ? was_.picks[instance] : is_.picks[instance];
  const auto told_before = tell_(before_, pick->row);
  const auto told_after = tell_(after_, pick->row);
  auto cause = filter_cause({name_of(pick->row), at(told_before, instance), at(told_after, instance)},
                            {before_.release(), after_.release()});
  return cause ? std::vector<Cause>{*std::move(cause)} : std::vector<Cause>();
}

std::optional<Verdict> RequestComparison::compare(std::uint32_t instance) {
  const Pick was = *was_.picks[instance];
  const Pick is = *is_.picks[instance];
  const auto old_before = tell_(before_, was.row);
  const auto old_after = tell_(after_, was.row);
  const auto new_before = tell_(before_, is.row);
  const auto new_after = tell_(after_, is.row);
  const ToldTwice first{name_of(was.row), at(old_before, instance), at(old_after, instance)};
  const ToldTwice second{name_of(is.row), at(new_before, instance), at(new_after, instance)};
  if (weighs_the_same(was.weight, second.before) && weighs_the_same(is.weight, first.after)) return Same{true};
  const Releases releases{before_.release(), after_.release()};
  std::vector<Cause> causes;
  const auto add = [&causes](std::optional<Cause> cause) {
    if (cause) causes.push_back(*std::move(cause));
  };
  add(filter_cause(first, releases));
  add(filter_cause(second, releases));
  if (causes.empty()) add(weigher_cause(first, second, releases));
  // The weight of a host depends on which other hosts are left.
  if (causes.empty() || (causes.front().kind == Cause::Kind::weigher && causes.front().only_in.empty()))
    add(step_cause(was_.steps, is_.steps, instance, releases));
  if (causes.empty())
    causes.push_back({Cause::Kind::reason, {}, {}, {}, "chosen " + first.host, "chosen " + second.host});
  return Verdict(difference(instance, std::move(causes)));
}

Verdict RequestComparison::run() {
  if (auto failed = fail()) return *std::move(failed);
  Same same;
  std::optional<std::uint32_t> unexplained;
  for (std::uint32_t i = 0; i < was_.picks.size(); ++i) {
    const auto& was = was_.picks[i];
    const auto& is = is_.picks[i];
    if (!was && !is) continue;
    if (was && is && was->row == is->row) continue;
    if (same.equal_weight)
      return "an instance before instance " + std::to_string(i + 1) +
             " goes to another host of equal weight, so that what follows sees other room";
    if (!was || !is) {
      if (auto causes = causes_without_host(i); !causes.empty()) return difference(i, std::move(causes));
      if (!unexplained) unexplained = i;
      continue;
    }
    auto compared = *compare(i);
    if (!std::holds_alternative<Same>(compared)) return compared;
    same.equal_weight = true;
  }
  if (!unexplained) return same;
  const auto text = [&](const Outcome& outcome) {
    const auto& reason = outcome.reasons[*unexplained];
    return outcome.picks[*unexplained] ? std::string("a host is found") : "no host: " + reason;
  };
  return difference(*unexplained, {{Cause::Kind::reason, {}, {}, {}, text(was_), text(is_)}});
}

}  // namespace gantry::whatif
