// SPDX-License-Identifier: Apache-2.0
//
// How a decision uses the cached results of its request's class.
#include <algorithm>
#include <gantry/driver/changes.hpp>
#include <utility>

#include "decision/classes/request_class.hpp"
#include "decision/decision.hpp"

namespace filter_driver {

bool decision::use_class() {
  // Results of a class are those of all hosts: weights are normalised by the extremes of all that pass.
  if (classes_ == nullptr || request_.eligible()) return false;
  auto key = class_of(request_, facts_, rules_);
  if (!key) return false;
  auto [kept, is_worth_it] = classes_->take(*key, kept_class::bytes_for(view_.rows(), rules_.weighers().size()));
  if (!is_worth_it) return false;
  // The results are newer than this decision's view. Leave them to other decisions.
  if (kept && kept->generation > view_.generation()) {
    classes_->put(*key, std::move(kept));
    return false;
  }
  std::span<const std::uint32_t> changed;
  if (kept) {
    const auto found = find_changes(*kept);
    if (!found) {
      classes_->spoil(*key, *kept);
      return false;
    }
    changed = *found;
  }
  if (!bring_up_to_date(kept, changed)) return false;
  class_ = std::move(*key);
  kept_ = std::move(kept);
  if (kept_->left() < 2) return false;
  uses_class_ = true;
  rounds_.begin(kept_->weights(), kept_->greatest_weights(), kept_->left_rows());
  filters_->set_counts(kept_->complete(), kept_->rejected());
  explain_complete(view_.rows(), kept_->complete());
  return true;
}

// Returns the rows that have changed since the results were computed, sorted and without duplicates. Empty optional if
// filtering all hosts is cheaper than updating the results.
std::optional<std::span<const std::uint32_t>> decision::find_changes(const kept_class& kept) {
  if (kept.rows() != view_.rows()) return std::nullopt;
  const gantry::changes changes(call_.host());
  const auto rows =
      changes.rows(call_, view_, kept.generation, GANTRY_CHANGES_BUT_TIMES, std::max(8U, view_.rows() / 256));
  if (!rows) return std::nullopt;
  std::sort(rows->begin(), rows->end());
  return std::span<const std::uint32_t>(rows->begin(), std::unique(rows->begin(), rows->end()));
}

// Returns false if a filter or weigher throws. The decision over all hosts then reports the error.
bool decision::bring_up_to_date(std::unique_ptr<kept_class>& kept, std::span<const std::uint32_t> changed) {
  filters_.reset();
  const auto& asked = asked_.emplace(question{hosts_->table(), facts_, rules_.options(), nullptr});
  try {
    filters_.emplace(rules_.filters(), asked, true);
    weighing weights(rules_.weighers(), asked);
    const kept_class::judges judges{*filters_, weights, request_.complete().data(), rooms_};
    if (kept) {
      kept->work_out(judges, changed);
      ++kept->uses;
    } else {
      kept = std::make_unique<kept_class>(view_.rows(), rules_.filters().size(), rules_.weighers().size());
      kept->work_out_all(judges);
    }
  } catch (const gantry::failure&) {
    return false;
  }
  kept->generation = view_.generation();
  return true;
}

// Later instances start with the hosts that passed for the first instance.
void decision::leave_class() {
  if (!uses_class_) return;
  rows_ = kept_->left_rows();
  uses_class_ = false;
}

}  // namespace filter_driver
