// SPDX-License-Identifier: Apache-2.0
#include "tests/parity/coverage.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

#include "policy/registry.hpp"

namespace filter_driver::parity {

namespace {

namespace json = boost::json;

constexpr std::size_t most_numbers = 1000;

// The driver has them for Zed as well; Zed's Nova, which leaves what they guard to placement, does not.
constexpr std::array<std::string_view, 12> gone_from_nova{
    "AggregateCoreFilter", "AggregateDiskFilter", "AggregateRamFilter", "CoreFilter",
    "DiskFilter",          "ExactCoreFilter",     "ExactDiskFilter",    "ExactRamFilter",
    "RamFilter",           "RetryFilter",         "TrustedFilter",      "TypeAffinityFilter"};

bool is_of_nova(const filter_rule& rule) {
  return (rule.releases & in_zed) != 0 &&
         std::find(gone_from_nova.begin(), gone_from_nova.end(), rule.name) == gone_from_nova.end();
}

std::string name_in(const json::object& record, std::string_view key) {
  const auto* const name = record.if_contains(key);
  return name == nullptr || !name->is_string() ? std::string() : std::string(name->get_string());
}

}  // namespace

void coverage::take(const json::object& record) {
  if (record.at("release").as_string() != "zed") return;
  const auto& kind = record.at("kind").as_string();
  const auto& expected = record.at("expected").as_object();
  const auto raised = name_in(expected, "raises");
  if (kind == "filter") {
    auto& seen = filters_[name_in(record, "filter")];
    if (!raised.empty())
      ++seen.raises[raised];
    else
      ++(expected.at("result").as_bool() ? seen.passes : seen.rejections);
  } else if (kind == "weigher_raw") {
    auto& seen = weighers_[name_in(record, "weigher")];
    if (!raised.empty())
      ++seen.raises;
    else if (seen.different.size() < most_numbers)
      seen.different.insert(json::serialize(expected.at("raw")));
  }
}

bool coverage::print() const {
  bool complete = true;
  std::printf("\nreached                                 passes  rejections  raises\n");
  for (const auto* const rule : filter_rules()) {
    if (!is_of_nova(*rule)) continue;
    const auto found = filters_.find(rule->name);
    const auto seen = found == filters_.end() ? verdicts() : found->second;
    std::string raises;
    for (const auto& [kind, times] : seen.raises)
      raises += (raises.empty() ? "" : ", ") + kind + " " + std::to_string(times);
    // AllHostsFilter rejects nothing.
    const bool both = seen.passes != 0 && (seen.rejections != 0 || rule->name == "AllHostsFilter");
    complete = complete && both;
    std::printf("%-36s %9lu   %9lu  %s%s\n", rule->name.data(), seen.passes, seen.rejections, raises.c_str(),
                both ? "" : "  <- not both");
  }
  std::printf("\nreached                              different numbers   raises\n");
  for (const auto* const rule : weigher_rules()) {
    if ((rule->releases & in_zed) == 0) continue;
    const auto found = weighers_.find(rule->name);
    const auto seen = found == weighers_.end() ? numbers() : found->second;
    const bool several = seen.different.size() > 1;
    complete = complete && several;
    std::printf("%-36s %9zu%s       %9lu%s\n", rule->name.data(), seen.different.size(),
                seen.different.size() < most_numbers ? " " : "+", seen.raises, several ? "" : "  <- not two");
  }
  return complete;
}

}  // namespace filter_driver::parity
