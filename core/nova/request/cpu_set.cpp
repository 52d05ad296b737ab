// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/cpu_set.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include "core/nova/request/failure.hpp"
#include "core/nova/request/python_text.hpp"

namespace gantry::nova {

namespace {

constexpr std::int64_t highest_cpu = std::int64_t{1} << 62;

std::vector<CpuSet::Range> merged(std::vector<CpuSet::Range> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<CpuSet::Range> apart;
  for (const auto& range : ranges) {
    if (!apart.empty() && range.first <= apart.back().last + 1)
      apart.back().last = std::max(apart.back().last, range.last);
    else
      apart.push_back(range);
  }
  return apart;
}

std::optional<std::int64_t> cpu_number(std::string_view text) {
  const auto digits = python_int(python_strip(text));
  if (!digits) return std::nullopt;
  std::int64_t number = 0;
  const auto read = std::from_chars(digits->data(), digits->data() + digits->size(), number);
  if (read.ec == std::errc::result_out_of_range) return digits->front() == '-' ? -highest_cpu : highest_cpu;
  return std::clamp(number, -highest_cpu, highest_cpu);
}

Error invalid_mask(std::string_view what, std::string_view rule) {
  return raised("Invalid", "Invalid " + std::string(what) + " expression " + python_repr(rule));
}

struct Rule {
  CpuSet::Range range;
  bool excludes = false;
};

Result<Rule> read_range(std::string_view rule, std::size_t dash) {
  auto from = rule.substr(0, dash);
  const bool excludes = from.starts_with('^');
  if (excludes) from.remove_prefix(1);
  const auto first = cpu_number(from);
  const auto last = cpu_number(rule.substr(dash + 1));
  if (!first || !last || *first > *last) return invalid_mask("range", rule);
  return Rule{{*first, *last}, excludes};
}

Result<Rule> read_rule(std::string_view rule) {
  if (const auto dash = rule.find('-'); dash != std::string_view::npos) return read_range(rule, dash);
  const bool excludes = rule.starts_with('^');
  const auto cpu = cpu_number(excludes ? rule.substr(1) : rule);
  if (!cpu) return invalid_mask(excludes ? "exclusion" : "inclusion", rule);
  return Rule{{*cpu, *cpu}, excludes};
}

}  // namespace

CpuSet CpuSet::up_to(std::int64_t count) {
  if (count <= 0) return CpuSet({}, {});
  return CpuSet({{0, count - 1}}, {});
}

CpuSet::CpuSet(std::vector<Range> included, std::vector<Range> excluded) {
  const auto without = merged(std::move(excluded));
  auto cut = without.begin();
  for (auto range : merged(std::move(included))) {
    while (cut != without.end() && cut->last < range.first) ++cut;
    for (; cut != without.end() && cut->first <= range.last; ++cut) {
      if (range.first < cut->first) ranges_.push_back({range.first, cut->first - 1});
      range.first = cut->last + 1;
      if (range.first > range.last) break;
    }
    if (range.first <= range.last) ranges_.push_back(range);
  }
}

bool CpuSet::is_below(std::int64_t count) const {
  return ranges_.empty() || ranges_.back().last < count;
}

bool CpuSet::has_all_below(std::int64_t count) const {
  return count <= 0 || (!ranges_.empty() && ranges_.front().first <= 0 && ranges_.front().last >= count - 1);
}

std::int64_t CpuSet::size() const {
  std::int64_t count = 0;
  for (const auto& range : ranges_) count += range.last - range.first + 1;
  return count;
}

Result<CpuSet> read_cpu_mask(std::string_view mask) {
  std::vector<CpuSet::Range> included;
  std::vector<CpuSet::Range> excluded;
  for (const auto part : python_split(mask, ',')) {
    const auto text = python_strip(part);
    if (text.empty()) continue;
    auto rule = read_rule(text);
    if (!rule) return std::move(rule).error();
    (rule->excludes ? excluded : included).push_back(rule->range);
  }
  return CpuSet(std::move(included), std::move(excluded));
}

Result<CpuSet> read_guest_cpu_mask(std::string_view mask, std::int64_t cpus) {
  if (!python_strip(mask).starts_with('^')) return read_cpu_mask(mask);
  return read_cpu_mask("0-" + std::to_string(cpus - 1) + "," + std::string(mask));
}

}  // namespace gantry::nova
