// SPDX-License-Identifier: Apache-2.0
//
// AggregateInstanceExtraSpecsFilter (from Icehouse on): each of the flavor's extra specs without a scope, or in the
// scope aggregate_instance_extra_specs, must be met by a value that the host's aggregates have under that key (the
// requirement language of extra_specs_match.hpp). From Ocata on the metadata are split at commas.
//
// Nova checks the values in the order of a hash set. If one value meets the requirement and another raises (for
// example, a text where a number is required), Nova passes or raises by chance. This filter passes.
#include <algorithm>

#include "filters/filters.hpp"
#include "nova/comma_list.hpp"
#include "nova/extra_specs_match.hpp"
#include "rules/refusal.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

constexpr std::string_view aggregate_instance_extra_specs_name = "AggregateInstanceExtraSpecsFilter";

struct wanted_spec {
  std::string key;
  std::string text;  // the requirement's text
  extra_specs_requirement requirement;
};

class extra_specs_run final : public aggregate_run {
 public:
  extra_specs_run(const question& asked, std::vector<wanted_spec> wanted)
      : aggregate_run(asked),
        hosts_(asked.hosts),
        wanted_(std::move(wanted)),
        splits_(asked.options.compatibility->splits_aggregate_values) {}

 protected:
  bool passes(const members& aggregates) override {
    return std::all_of(wanted_.begin(), wanted_.end(),
                       [&](const wanted_spec& each) { return is_met(aggregates, each); });
  }

  mismatch lack_of(const members& aggregates) override {
    for (const auto& each : wanted_)
      if (!is_met(aggregates, each))
        return {"an aggregate with " + shortened(each.key) + " " + quoted(each.text), values_of(aggregates, each.key)};
    return {};
  }

 private:
  bool is_met(const members& aggregates, const wanted_spec& wanted) const {
    std::optional<raised> error;
    const auto meets = [&](std::string_view value) {
      const auto met = wanted.requirement.met_by(value);
      if (!met.ok() && !error) error = raised{met.error().kind, "metadata " + wanted.key + ": " + met.error().sentence};
      return met.ok() && met.value();
    };
    const bool is_met = std::any_of(aggregates.begin(), aggregates.end(), [&](const aggregate* each) {
      const auto value = each->find(wanted.key);
      return value && (splits_ ? any_item(*value, meets) : meets(*value));
    });
    if (!is_met && error) refuse(aggregate_instance_extra_specs_name, hosts_, row(), *error);
    return is_met;
  }

  const host_table& hosts_;
  std::vector<wanted_spec> wanted_;
  bool splits_;
};

// nullopt: the key is in another scope.
std::optional<std::string_view> key_for_aggregates(std::string_view key) {
  const auto colon = key.find(':');
  if (colon == std::string_view::npos) return key;
  if (key.substr(0, colon) != "aggregate_instance_extra_specs") return std::nullopt;
  return key.substr(colon + 1);
}

class aggregate_instance_extra_specs final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    const auto& flavor = asked.request.flavor;
    if (!flavor || !flavor->extra_specs) return nullptr;
    std::vector<wanted_spec> wanted;
    wanted.reserve(flavor->extra_specs->size());
    for (const auto& [key, value] : *flavor->extra_specs) {
      if (const auto for_us = key_for_aggregates(key))
        wanted.push_back({std::string(*for_us), value, extra_specs_requirement(value, asked.options.compatibility)});
    }
    if (wanted.empty()) return nullptr;
    return std::make_unique<extra_specs_run>(asked, std::move(wanted));
  }
};

}  // namespace

const filter_rule aggregate_instance_extra_specs_filter{
    aggregate_instance_extra_specs_name, true, false, make_filter<aggregate_instance_extra_specs>,
    "the host's aggregates do not have what the flavor's extra specs ask for"};

}  // namespace filter_driver
