// SPDX-License-Identifier: Apache-2.0
//
// ComputeCapabilitiesFilter (Icehouse to Zed): each of the flavor's extra specs without a scope, or in the scope
// capabilities, names an attribute of the host or a key of its stats, and the required value (the rule:
// nova/capability.hpp). Unknown names without a scope are ignored from Ocata on. In Icehouse they fail the host.
#include <algorithm>

#include "filters/filters.hpp"
#include "filters/parts/asked_by_name.hpp"
#include "nova/capability.hpp"

namespace filter_driver {

namespace {

constexpr std::string_view compute_capabilities_name = "ComputeCapabilitiesFilter";

// One extra spec.
struct capability_question {
  capability_requirements wanted;

  outcome<bool> operator()(const attributes& host) const { return wanted.met_by(host); }
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
    for (const auto& [key, value] : *flavor->extra_specs) {
      capability_requirements one(boost::json::object{{key, value}}, asked.options.compatibility);
      if (!one.empty()) wanted.push_back({std::move(one)});
    }
    if (wanted.empty()) return nullptr;
    return std::make_unique<capabilities_run>(asked, std::move(wanted));
  }
};

}  // namespace

const filter_rule compute_capabilities_filter{compute_capabilities_name, true, false, make_filter<compute_capabilities>,
                                              "without the capabilities that the flavor's extra specs ask for"};

}  // namespace filter_driver
