// SPDX-License-Identifier: Apache-2.0
#include "decision/host_verdicts.hpp"
#include "decision/shortfall.hpp"

#include <algorithm>

namespace filter_driver {

namespace {

bool has_row(const host_verdicts::rows& rows, std::uint32_t row) {
  return ((rows[row / 64] >> (row % 64)) & 1) != 0;
}

}  // namespace

host_verdicts::host_verdicts(const std::vector<enabled_filter>& enabled, const question& asked, bool first)
    : asked_(asked), filters_(enabled, asked, first), rooms_(block::room_count * block_rows) {}

void host_verdicts::keep(std::size_t step, rows& candidates) {
  auto& run = *filters_.steps()[step].run;
  if (run.judges_all_at_once()) run.judge_all(candidates);
  const auto total = asked_.hosts.rows;
  for (std::uint32_t first = 0; first < total; first += block_rows) {
    const block here{first, std::min(block_rows, total - first), candidates.data() + first / 64, rooms_.data()};
    if (std::any_of(here.rows, here.rows + here.words(), [](std::uint64_t word) { return word != 0; })) run.keep(here);
  }
}

void host_verdicts::ask_in_turn(const rows& candidates) {
  in_turn_ = true;
  against_.assign(filters_.steps().size(), {});
  failed_ = against_;
  auto left = candidates;
  for (std::size_t step = 0; step < against_.size(); ++step) {
    auto& against = against_[step] = left;
    if (filters_.steps()[step].run) keep(step, left);
    for (std::size_t word = 0; word < left.size(); ++word) against[word] &= ~left[word];
  }
}

bool host_verdicts::passes(std::size_t step, std::uint32_t row) {
  auto& run = *filters_.steps()[step].run;
  one_.assign((asked_.hosts.rows + 63) / 64, 0);
  one_[row / 64] = std::uint64_t{1} << (row % 64);
  if (run.judges_all_at_once()) run.judge_all(one_);
  const auto first = row / block_rows * block_rows;
  run.keep({first, std::min(block_rows, asked_.hosts.rows - first), one_.data() + first / 64, rooms_.data()});
  return one_[row / 64] != 0;
}

void host_verdicts::keep_one_by_one(std::size_t step, rows& candidates) {
  auto& failed = failed_[step];
  failed.assign(candidates.size(), 0);
  for (std::uint32_t row = 0; row < asked_.hosts.rows; ++row) {
    if (!has_row(candidates, row)) continue;
    const auto bit = std::uint64_t{1} << (row % 64);
    try {
      if (!passes(step, row)) candidates[row / 64] &= ~bit;
    } catch (const gantry::failure&) {
      candidates[row / 64] &= ~bit;
      failed[row / 64] |= bit;
    }
  }
}

void host_verdicts::ask_each(const rows& candidates) {
  in_turn_ = false;
  against_.assign(filters_.steps().size(), {});
  failed_ = against_;
  for (std::size_t step = 0; step < against_.size(); ++step) {
    auto left = candidates;
    if (filters_.steps()[step].run) {
      try {
        keep(step, left);
      } catch (const gantry::failure&) {
        left = candidates;
        keep_one_by_one(step, left);
      }
    }
    auto& against = against_[step] = candidates;
    for (std::size_t word = 0; word < left.size(); ++word) against[word] &= ~left[word];
  }
}

std::string_view host_verdicts::reason(std::size_t step, std::uint32_t row) {
  if (!failed_[step].empty() && has_row(failed_[step], row)) {
    // Run the filter again for the error text: storing the texts of a large fleet would take too much memory.
    try {
      passes(step, row);
    } catch (const gantry::failure& failure) {
      return texts_.emplace_back(failure.what());
    }
  }
  auto& run = *filters_.steps()[step].run;
  auto text = shortfall_of(run, row);
  if (text.empty()) text = run.reason_of(row);
  return text.empty() ? filters_.steps()[step].rule->complaint : texts_.emplace_back(std::move(text));
}

void host_verdicts::of(std::uint32_t row, std::vector<gantry::verdict>& into) {
  texts_.clear();
  for (std::size_t step = 0; step < against_.size(); ++step) {
    const bool passes = !has_row(against_[step], row);
    into.emplace_back(filters_.steps()[step].rule->name, passes, passes ? std::string_view() : reason(step, row));
    if (!passes && in_turn_) return;
  }
}

}  // namespace filter_driver
