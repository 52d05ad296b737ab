// SPDX-License-Identifier: Apache-2.0
#include "tests/parity/coverage.hpp"

#include <cstdio>
#include <nova_classes.hpp>
#include <string_view>

namespace filter_driver::parity {

namespace {

namespace json = boost::json;

constexpr std::size_t most_numbers = 1000;

std::string name_in(const json::object& record, std::string_view key) {
  const auto* const name = record.if_contains(key);
  return name == nullptr || !name->is_string() ? std::string() : std::string(name->get_string());
}

}  // namespace

void coverage::take(const json::object& record) {
  const auto release = name_in(record, "release");
  if (release == "icehouse" || release == "ocata") return;  // made for what differs there, not to reach everything
  release_ = release;
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
  for (const auto& filter : nova_classes::filters) {
    if (!filter.is_in(release_)) continue;
    const auto found = filters_.find(filter.name);
    const auto seen = found == filters_.end() ? verdicts() : found->second;
    std::string raises;
    for (const auto& [kind, times] : seen.raises)
      raises += (raises.empty() ? "" : ", ") + kind + " " + std::to_string(times);
    // AllHostsFilter rejects nothing.
    const bool both = seen.passes != 0 && (seen.rejections != 0 || filter.name == "AllHostsFilter");
    complete = complete && both;
    std::printf("%-36s %9lu   %9lu  %s%s\n", filter.name.data(), seen.passes, seen.rejections, raises.c_str(),
                both ? "" : "  <- not both");
  }
  std::printf("\nreached                              different numbers   raises\n");
  for (const auto& weigher : nova_classes::weighers) {
    if (!weigher.is_in(release_)) continue;
    const auto found = weighers_.find(weigher.name);
    const auto seen = found == weighers_.end() ? numbers() : found->second;
    const bool several = seen.different.size() > 1;
    complete = complete && several;
    std::printf("%-36s %9zu%s       %9lu%s\n", weigher.name.data(), seen.different.size(),
                seen.different.size() < most_numbers ? " " : "+", seen.raises, several ? "" : "  <- not two");
  }
  return complete;
}

}  // namespace filter_driver::parity
