// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/profiles/profiles.hpp"

#include <algorithm>
#include <cstddef>

#include "core/drivers/abi/abi_text.hpp"

namespace gantry::scheduling {

namespace {

bool holds(const PatternList& patterns, std::string_view text) {
  return patterns.is_empty() || (!text.empty() && patterns.takes(text));
}

// Calls `visit` with each text of a text or a list. A number or truth of a hint is its JSON text. Returns whether one
// call did.
template <class Visit>
bool any_text(const json::value& value, const Visit& visit) {
  if (value.is_string()) return visit(std::string_view(value.get_string()));
  if (value.is_array())
    return std::ranges::any_of(value.get_array(), [&](const json::value& item) { return any_text(item, visit); });
  return !value.is_null() && visit(std::string_view(json::write(value)));
}

// The name of the aggregate with that uuid. Empty: the view knows none.
std::string_view name_of_aggregate(const gantry_view* view, std::string_view uuid) {
  if (view == nullptr) return {};
  const auto* const first = reinterpret_cast<const char*>(view->aggregates);
  for (std::uint32_t at = 0; at < view->aggregate_count; ++at) {
    const auto& each = *reinterpret_cast<const gantry_aggregate*>(first + std::size_t{at} * view->aggregate_stride);
    if (drivers::from_abi(each.uuid) == uuid) return drivers::from_abi(each.name);
  }
  return {};
}

}  // namespace

Profiles::Profiles(const std::vector<config::Profile>& profiles, bool are_required, const drivers::DriverSet& drivers)
    : are_required_(are_required) {
  for (const auto& profile : profiles) {
    auto* const driver = drivers.named(profile.driver);
    if (driver == nullptr) continue;
    Rule rule{profile.name,
              driver,
              PatternList(profile.flavor),
              PatternList(profile.project),
              PatternList(profile.availability_zone),
              PatternList(profile.aggregate),
              PatternList(profile.group_policy),
              {}};
    for (const auto& [key, patterns] : profile.hint) rule.hints.emplace(key, PatternList(patterns));
    rules_.push_back(std::move(rule));
  }
}

Result<ChosenDriver> Profiles::choose(const RequestFacts& facts, const drivers::DriverSet& drivers) const {
  const auto rule = std::ranges::find_if(rules_, [&facts](const Rule& each) { return each.takes(facts); });
  if (rule != rules_.end()) return ChosenDriver{rule->driver, rule->name};
  if (are_required_) {
    return Error{ErrorCode::no_valid_host,
                 "No valid host was found. No profile takes the request (flavor '" + std::string(facts.flavor) +
                     "', project '" + std::string(facts.project) +
                     "'), and scheduling.profiles_required says that one must",
                 {}};
  }
  auto driver = drivers.require("compute");
  if (!driver) return std::move(driver).error();
  return ChosenDriver{*driver, {}};
}

bool Profiles::Rule::takes(const RequestFacts& facts) const {
  return holds(flavor, facts.flavor) && holds(project, facts.project) &&
         holds(availability_zone, facts.availability_zone) && holds(group_policy, facts.group_policy) &&
         takes_hints(facts) && takes_aggregates(facts);
}

bool Profiles::Rule::takes_hints(const RequestFacts& facts) const {
  return std::ranges::all_of(hints, [&facts](const auto& hint) {
    const auto* const given = facts.hints == nullptr ? nullptr : json::find(*facts.hints, hint.first);
    return given != nullptr && any_text(*given, [&hint](std::string_view text) { return hint.second.takes(text); });
  });
}

// Nova writes a text of uuids for each condition, "uuid,uuid": the host has to be in one of them.
bool Profiles::Rule::takes_aggregates(const RequestFacts& facts) const {
  if (aggregate.is_empty()) return true;
  const auto* const given = facts.destination == nullptr ? nullptr : json::find(*facts.destination, "aggregates");
  return given != nullptr && any_text(*given, [&](std::string_view uuids) {
           while (!uuids.empty()) {
             const auto uuid = uuids.substr(0, uuids.find(','));
             const auto known = name_of_aggregate(facts.view, uuid);
             if (aggregate.takes(uuid) || (!known.empty() && aggregate.takes(known))) return true;
             uuids.remove_prefix(std::min(uuids.size(), uuid.size() + 1));
           }
           return false;
         });
}

}  // namespace gantry::scheduling
