// SPDX-License-Identifier: Apache-2.0
#include "decision/row_counting.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "decision/document_walk.hpp"

namespace filter_driver {

namespace {

constexpr double any_count = std::numeric_limits<double>::infinity();

// More claims than these count as any number. A host that takes so many instances has no limit.
constexpr double most_searched = 1099511627776.0;  // 2^40
constexpr double most_walked = 100'000;

// Calls visit(row) for each row of the bitmap.
template <class Visit>
void each_row(const std::vector<std::uint64_t>& rows, Visit&& visit) {
  gantry::bits(rows.data(), static_cast<std::uint32_t>(rows.size() * 64)).for_each(visit);
}

bool is_empty(const std::vector<std::uint64_t>& rows) {
  return std::all_of(rows.begin(), rows.end(), [](std::uint64_t word) { return word == 0; });
}

bool has(const std::vector<std::uint64_t>& rows, std::uint32_t row) {
  return ((rows[row / 64] >> (row % 64)) & 1) != 0;
}

void set(std::vector<std::uint64_t>& rows, std::uint32_t row) {
  rows[row / 64] |= std::uint64_t{1} << (row % 64);
}

// A resource that a claim takes, and its use as the core counts it.
class claimed_resource {
 public:
  claimed_resource(const gantry::view& view, const char* use, const char* claims, double amount)
      : use_(view.find<gantry::column<double>>(use)),
        claims_(view.find<gantry::column<double>>(claims)),
        amount_(amount) {}

  // Returns how many claims stay within the limit.
  double count(std::uint32_t row, const std::optional<double>& limit) const {
    if (!limit) return any_count;
    const auto count = gantry::claims_that_fit(used(row), amount_, *limit);
    return count == gantry::any_number ? any_count : static_cast<double>(count);
  }

 private:
  // Use that was never reported has no claims added to it.
  double used(std::uint32_t row) const {
    if (use_ && use_->has(row)) return (*use_)[row];
    return claims_ ? (*claims_)[row] : 0;
  }

  std::optional<gantry::column<double>> use_;
  std::optional<gantry::column<double>> claims_;
  double amount_;
};

}  // namespace

row_counting::row_counting(const subject& asked, const std::vector<std::uint64_t>& rows)
    : asked_(asked), rows_(rows), most_(rows.size() * 64, any_count) {}

void row_counting::count(gantry::row_counts counts) {
  check_rules();
  if (asked_.filters != nullptr) {
    limit_by_claims();
    if (has_filter(claims_effect::falls)) limit_by_search();
  }
  if (!asked_.facts.numa_topology.is_null() || !asked_.facts.pci_requests.is_null()) {
    document_walk(asked_.call, asked_.request, asked_.rules, asked_.hosts, asked_.facts, asked_.filters, asked_.kept)
        .limit(rows_, most_);
  }
  if (has_filter(claims_effect::by_numbers)) limit_by_walk();
  each_row(rows_, [&](std::uint32_t row) {
    counts[row] = most_[row] < most_searched ? static_cast<std::uint64_t>(most_[row]) : gantry::any_number;
  });
}

void row_counting::check_rules() const {
  if (asked_.filters == nullptr) return;
  for (const auto& step : asked_.filters->steps()) {
    if (!step.run || step.run->effect_of_claims() != claims_effect::unforeseen) continue;
    throw gantry::failure(gantry::code::unsupported,
                          std::string(step.rule->name) + " may judge a host by more than its own numbers");
  }
}

bool row_counting::has_filter(claims_effect effect) const {
  if (asked_.filters == nullptr) return false;
  const auto& steps = asked_.filters->steps();
  return std::any_of(steps.begin(), steps.end(),
                     [effect](const auto& step) { return step.run && step.run->effect_of_claims() == effect; });
}

void row_counting::check_deadline() const {
  if (asked_.call.should_stop())
    throw gantry::failure(gantry::code::deadline_exceeded, "the deadline passed while instances were counted");
}

// The core admits no claim over the limits of the pick.
void row_counting::limit_by_claims() {
  const auto& view = asked_.request.view();
  const claimed_resource vcpu(view, "vcpus_used", "claims.vcpu", static_cast<double>(asked_.request.vcpus()));
  const claimed_resource memory_mb(view, "memory_mb_used", "claims.memory_mb",
                                   static_cast<double>(asked_.request.memory_mb()));
  const claimed_resource disk_gb(view, "local_gb_used", "claims.disk_gb", asked_.request.disk_gb());
  std::vector<filter_run*> limiting;
  for (const auto& step : asked_.filters->steps()) {
    if (step.run && step.run->effect_of_claims() != claims_effect::by_documents) limiting.push_back(step.run.get());
  }
  each_row(rows_, [&](std::uint32_t row) {
    host_limits limits;
    for (auto* const run : limiting) run->set_limits(row, limits);
    most_[row] = std::min(
        {vcpu.count(row, limits.vcpu), memory_mb.count(row, limits.memory_mb), disk_gb.count(row, limits.disk_gb)});
  });
}

// Returns the candidates that the filters of this effect pass when `claims[row]` more instances are on each row.
row_counting::rows row_counting::passing(const std::vector<double>& claims, const rows& candidates,
                                         claims_effect effect) {
  check_deadline();
  if (!claims_) {
    claims_.emplace(asked_.call, asked_.request);
    hosts_.emplace(asked_.call, claims_->view(), asked_.documents, none_placed_);
    with_.emplace(asking{asked_.call, asked_.request, claims_->view(), 0});
    question_.emplace(question{hosts_->table(), asked_.facts, asked_.rules.options(), &*with_});
    filters_.emplace(asked_.rules.filters(), *question_, true);
  }
  claims_->show(claims);
  auto left = candidates;
  const auto total = asked_.hosts.rows;
  for (std::uint32_t first = 0; first < total; first += block_rows) {
    const block here{first, std::min(block_rows, total - first), left.data() + first / 64, asked_.rooms};
    for (const auto& step : filters_->steps()) {
      if (step.run && step.run->effect_of_claims() == effect) step.run->keep(here);
    }
  }
  return left;
}

// Finds for each row the number of claims after which the filters reject it. The filters pass it without more claims.
void row_counting::limit_by_search() {
  std::vector<double> passed(most_.size(), 0);  // by row: a number of claims with which the filters pass it
  std::vector<double> tried(most_.size(), 0);
  const auto try_all = [&](rows& open, auto&& next) {
    each_row(open, [&](std::uint32_t row) { tried[row] = next(row); });
    auto left = passing(tried, open, claims_effect::falls);
    each_row(open, [&](std::uint32_t row) {
      if (has(left, row))
        passed[row] = tried[row];
      else
        most_[row] = tried[row];
    });
    return left;
  };
  // The last claim that the limits admit is the answer for most rows.
  rows limited(rows_.size());
  rows unlimited(rows_.size());
  each_row(rows_, [&](std::uint32_t row) {
    if (most_[row] > 1) set(most_[row] < any_count ? limited : unlimited, row);
  });
  if (!is_empty(limited)) {
    auto open = limited;
    try_all(open, [&](std::uint32_t row) { return most_[row] - 1; });
  }
  for (double claims = 1; !is_empty(unlimited) && claims <= most_searched; claims *= 2)
    unlimited = try_all(unlimited, [claims](std::uint32_t /*row*/) { return claims; });
  for (;;) {
    rows open(rows_.size());
    each_row(rows_, [&](std::uint32_t row) {
      if (most_[row] < any_count && most_[row] - passed[row] > 1) set(open, row);
    });
    if (is_empty(open)) return;
    try_all(open, [&](std::uint32_t row) { return std::floor((passed[row] + most_[row]) / 2); });
  }
}

// Goes through all numbers of claims, up to the first with which a filter rejects the row.
void row_counting::limit_by_walk() {
  std::vector<double> claims(most_.size(), 0);
  auto open = rows_;
  for (double next = 1;; ++next) {
    rows left(open.size());
    each_row(open, [&](std::uint32_t row) {
      if (most_[row] > next) set(left, row);
    });
    if (is_empty(left)) return;
    if (next > most_walked) {
      throw gantry::failure(gantry::code::unsupported,
                            "a filter judges hosts by their use, and still passes one with " +
                                std::to_string(static_cast<int>(most_walked)) + " more instances");
    }
    std::fill(claims.begin(), claims.end(), next);
    open = passing(claims, left, claims_effect::by_numbers);
    each_row(left, [&](std::uint32_t row) {
      if (!has(open, row)) most_[row] = next;
    });
  }
}

}  // namespace filter_driver
