// SPDX-License-Identifier: Apache-2.0
//
// Adapts a weigher of another library ("gantry.weigher/1") to the driver's own interface. The weigher reads whole
// columns, so one call scores all hosts that passed. A host without a score gets the least score, and so weighs 0.
#include <algorithm>
#include <cmath>
#include <gantry/driver/failure.hpp>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "policy/offered_rules.hpp"
#include "rules/amount.hpp"
#include "rules/asking.hpp"

namespace filter_driver {

namespace {

using words = std::vector<std::uint64_t>;

constexpr std::align_val_t column_alignment{64};

struct free_scores {
  void operator()(double* scores) const { ::operator delete[](scores, column_alignment); }
};

template <class Visit>
void for_each(const words& rows, Visit&& visit) {
  for (std::size_t word = 0; word < rows.size(); ++word) {
    for (std::uint64_t rest = rows[word]; rest != 0; rest &= rest - 1)
      visit(static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(__builtin_ctzll(rest)));
  }
}

class offered_weigher_run final : public weigher_run {
 public:
  offered_weigher_run(const gantry_offer_loaded& offer, const question& asked)
      : offer_(offer), with_(*asked.with), hosts_(asked.hosts), is_rebuild_(asked.request.is_rebuild()) {
    scores_.reset(new (column_alignment) double[std::max<std::size_t>(hosts_.rows, 1)]);
    std::fill_n(scores_.get(), hosts_.rows, 0.0);
  }

  bool weighs_all_at_once() const override { return true; }

  void weigh_all(const words& rows, std::optional<double>& minval, std::optional<double>& maxval) override {
    words asked = rows;
    gantry::bitmap bits(asked.data(), with_.view.rows());
    offer_.keep_complete(with_.call, with_.view, bits);
    words present = asked;
    gantry_weigher_run run{};
    run.struct_size = sizeof(run);
    run.instance = with_.instance;
    run.flags = is_rebuild_ ? std::uint32_t{GANTRY_RUN_REBUILD} : 0;
    run.request = &with_.request.raw();
    run.view = &with_.view.raw();
    run.rows = asked.data();
    run.raw = scores_.get();
    run.present = present.data();
    offer_.weigh(with_.call, run);
    for (std::size_t word = 0; word < present.size(); ++word) present[word] &= asked[word];
    if ((run.bounds & GANTRY_WEIGHER_MINVAL) != 0) minval = checked(run.minval, "its minval");
    if ((run.bounds & GANTRY_WEIGHER_MAXVAL) != 0) maxval = checked(run.maxval, "its maxval");
    if (minval && maxval && *minval > *maxval) {
      throw gantry::failure(gantry::code::internal, name() + ": expected its minval to be at most its maxval, found " +
                                                        amount(*minval) + " and " + amount(*maxval));
    }
    fill_absent(rows, present, minval);
  }

  void weigh(const block& candidates, double* raw) override {
    std::copy_n(scores_.get() + candidates.first, candidates.count, raw);
  }
  const double* read(const block& candidates, double* /*room*/) override { return scores_.get() + candidates.first; }

 private:
  std::string name() const { return std::string(offer_.name()) + " of " + std::string(offer_.library()); }

  double checked(double value, const std::string& what) const {
    if (std::isfinite(value)) return value;
    throw gantry::failure(gantry::code::internal,
                          name() + ": expected " + what + " to be a finite number, found " + amount(value));
  }

  void fill_absent(const words& rows, const words& present, const std::optional<double>& minval) {
    std::optional<double> least = minval;
    for_each(present, [&](std::uint32_t row) {
      const double score = scores_[row];
      if (!std::isfinite(score)) checked(score, "the score of host " + hosts_.name_of(row));
      if (!least || score < *least) least = score;
    });
    words absent = rows;
    for (std::size_t word = 0; word < absent.size(); ++word) absent[word] &= ~present[word];
    for_each(absent, [&](std::uint32_t row) { scores_[row] = least.value_or(0); });
  }

  const gantry::offered_weigher offer_;
  const asking with_;
  const host_table& hosts_;
  const bool is_rebuild_;
  std::unique_ptr<double[], free_scores> scores_;
};

class offered_weigher final : public weigher {
 public:
  explicit offered_weigher(const gantry_offer_loaded& offer) : offer_(offer) {}

  std::unique_ptr<weigher_run> begin(const question& asked) const override {
    if (asked.with == nullptr)
      throw gantry::failure(gantry::code::internal, "a library's weigher is asked for without a call");
    return std::make_unique<offered_weigher_run>(offer_, asked);
  }

 private:
  const gantry_offer_loaded& offer_;
};

}  // namespace

weigher_rule rule_of_offered_weigher(const gantry_offer_loaded& offer) {
  const gantry::offered_weigher read(offer);
  weigher_rule rule{read.name(), {}, {}, nullptr, read.multiplier_name(), false, nullptr};
  rule.own_multiplier = read.multiplier();
  return rule;
}

std::unique_ptr<weigher> make_offered_weigher(const gantry_offer_loaded& offer) {
  return std::make_unique<offered_weigher>(offer);
}

}  // namespace filter_driver
