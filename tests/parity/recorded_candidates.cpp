// SPDX-License-Identifier: Apache-2.0
#include "tests/parity/recorded_candidates.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace filter_driver::parity {

namespace {

namespace json = boost::json;

bool is_of(const std::string& group, const pci_requests& requests) {
  return std::any_of(requests.begin(), requests.end(),
                     [&](const pci_request& each) { return each.is_of_flavor && group.starts_with(each.id); });
}

std::string provider_of(const json::value& candidate, const std::string& group) {
  return std::string(candidate.at("mappings").at(group).as_array().at(0).as_string());
}

}  // namespace

recorded_candidates::recorded_candidates(std::vector<const json::array*> by_row, const pci_requests& requests)
    : by_row_(std::move(by_row)), claimable_(by_row_.size() / 64 + 1) {
  std::set<std::string> groups;
  for (std::uint32_t row = 0; row < by_row_.size(); ++row) {
    if (!has_any(row)) continue;
    claimable_[row / 64] |= std::uint64_t{1} << (row % 64);
    for (const auto& candidate : *by_row_[row]) {
      for (const auto& [group, providers] : candidate.at("mappings").as_object()) {
        if (is_of(group, requests)) groups.insert(group);
      }
    }
  }
  if (groups.empty()) return;
  auto& made = offered_.emplace();
  made.groups.assign(groups.begin(), groups.end());
  for (std::uint32_t row = 0; row < by_row_.size(); ++row) {
    if (!has_any(row)) continue;
    for (const auto& candidate : *by_row_[row]) {
      auto& set = made.rows[row].emplace_back();
      for (const auto& group : made.groups) set.push_back({provider_of(candidate, group)});
    }
  }
  raw_ = made.raw(memory_, static_cast<std::uint32_t>(by_row_.size()));
}

std::unique_ptr<left_candidates> recorded_candidates::left(const pci_requests& requests) {
  const gantry::bits claimable(claimable_.data(), static_cast<std::uint32_t>(by_row_.size()));
  return std::make_unique<left_candidates>(claimable, raw_, requests);
}

int recorded_candidates::number_of(std::uint32_t row, const std::vector<std::string>& providers) const {
  if (!has_any(row)) return -1;
  if (!offered_) return 0;
  for (std::size_t number = 0; number < by_row_[row]->size(); ++number) {
    bool is_same = providers.size() == offered_->groups.size();
    for (std::size_t group = 0; is_same && group < providers.size(); ++group)
      is_same = provider_of((*by_row_[row])[number], offered_->groups[group]) == providers[group];
    if (is_same) return static_cast<int>(number);
  }
  return -1;
}

int recorded_candidates::first_left(std::uint32_t row, const left_candidates& left) const {
  std::vector<std::string> providers;
  for (const auto number : left.first(row)) {
    const auto& text = raw_->providers[number];
    providers.emplace_back(text.data, text.size);
  }
  return number_of(row, providers);
}

}  // namespace filter_driver::parity
