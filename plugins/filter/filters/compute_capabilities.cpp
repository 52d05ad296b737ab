// SPDX-License-Identifier: Apache-2.0
//
// ComputeCapabilitiesFilter (from Icehouse on): each of the flavor's extra specs without a scope, or in the scope
// capabilities, names an attribute of the host or a key of its stats, and the required value (the rule:
// nova/capability.hpp). Unknown names without a scope are ignored from Ocata on. In Icehouse they fail the host. From
// Caracal on hw:maxphysaddr_bits asks for physical addresses of at least so many bits.
#include <algorithm>
#include <utility>
#include <vector>

#include "filters/filters.hpp"
#include "filters/parts/asked_by_name.hpp"
#include "nova/capability.hpp"
#include "rules/wording.hpp"

namespace filter_driver {

namespace {

constexpr std::string_view compute_capabilities_name = "ComputeCapabilitiesFilter";

using extra_specs = std::vector<std::pair<std::string, std::string>>;

// Returns the extra specs with hw:maxphysaddr_bits as the capability that it asks for, in the place of an own one.
extra_specs with_address_width(extra_specs asked) {
  const auto named = [&asked](std::string_view name) {
    return std::find_if(asked.begin(), asked.end(), [name](const auto& each) { return each.first == name; });
  };
  const auto width = named("hw:maxphysaddr_bits");
  if (width == asked.end()) return asked;
  const std::string requirement = ">= " + width->second;
  asked.erase(width);
  constexpr std::string_view capability = "capabilities:cpu_info:maxphysaddr:bits";
  if (const auto own = named(capability); own != asked.end())
    own->second = requirement;
  else
    asked.emplace_back(capability, requirement);
  return asked;
}

// One extra spec.
struct capability_question {
  std::string key;
  std::string text;  // the requirement's text
  capability_requirements wanted;

  outcome<bool> operator()(const attributes& host) const { return wanted.met_by(host); }
  filter_run::mismatch lack_of(const attributes& host) const {
    const auto value = wanted.first_value(host);
    return {shortened(key) + " " + quoted(text), value ? quoted(*value) : "no stats:" + shortened(wanted.first_path())};
  }
};

// Checks the extra specs one by one. Hosts with equal values of the attributes that an extra spec reads share a
// verdict.
class capabilities_run final : public filter_run {
 public:
  capabilities_run(const question& asked, std::vector<capability_question> wanted) {
    parts_.reserve(wanted.size());
    for (auto& each : wanted) {
      auto names = each.wanted.reads();
      const auto stats = std::find(names.begin(), names.end(), "stats");
      const bool falls_back = names.size() > 1 && stats != names.end();
      if (falls_back) names.erase(stats);
      parts_.push_back(std::make_unique<run_by_name<capability_question>>(
          compute_capabilities_name, asked, std::move(each), std::move(names), falls_back ? "stats" : ""));
    }
  }

  void keep(const block& candidates) override {
    for (const auto& part : parts_) part->keep(candidates);
  }

  std::optional<mismatch> mismatch_of(std::uint32_t row) override {
    for (const auto& part : parts_)
      if (auto lack = part->mismatch_of(row)) return lack;
    return std::nullopt;
  }

  claims_effect effect_of_claims() const override {
    auto effect = claims_effect::none;
    for (const auto& part : parts_) effect = std::max(effect, part->effect_of_claims());
    return effect;
  }

 private:
  std::vector<std::unique_ptr<filter_run>> parts_;
};

class compute_capabilities final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    const auto& flavor = asked.request.flavor;
    if (!flavor || !flavor->extra_specs) return nullptr;
    std::vector<capability_question> wanted;
    const bool knows_widths = asked.options.compatibility->knows_address_widths;
    for (const auto& [key, value] : knows_widths ? with_address_width(*flavor->extra_specs) : *flavor->extra_specs) {
      capability_requirements one(boost::json::object{{key, value}}, asked.options.compatibility);
      if (!one.empty()) wanted.push_back({key, value, std::move(one)});
    }
    if (wanted.empty()) return nullptr;
    return std::make_unique<capabilities_run>(asked, std::move(wanted));
  }
};

}  // namespace

const filter_rule compute_capabilities_filter{compute_capabilities_name, true, false, make_filter<compute_capabilities>,
                                              "without the capabilities that the flavor's extra specs ask for"};

}  // namespace filter_driver
