// SPDX-License-Identifier: Apache-2.0
//
// Adapts a filter of another library ("gantry.filter/1") to the driver's own interface. The filter reads whole columns,
// so one call judges all hosts that the filters before it passed. A host that was not part of this call is judged on
// demand.
#include <boost/json.hpp>
#include <cmath>
#include <gantry/driver/failure.hpp>
#include <string>
#include <vector>

#include "policy/offered_rules.hpp"
#include "python/python_json.hpp"
#include "rules/amount.hpp"
#include "rules/asking.hpp"
#include "rules/count_rows.hpp"

namespace filter_driver {

namespace {

using words = std::vector<std::uint64_t>;

class offered_filter_run final : public filter_run {
 public:
  offered_filter_run(const gantry_offer_loaded& offer, const question& asked)
      : offer_(offer),
        with_(*asked.with),
        is_rebuild_(asked.request.is_rebuild()),
        asked_((asked.hosts.rows + 63) / 64),
        passed_(asked_.size()),
        incomplete_(asked_.size()) {}

  void keep(const block& candidates) override {
    const auto begin = candidates.first / 64;
    words unknown;
    for (std::uint32_t word = 0; word < candidates.words(); ++word) {
      const auto left = candidates.rows[word] & ~asked_[begin + word];
      if (left == 0) continue;
      unknown.resize(asked_.size());
      unknown[begin + word] = left;
    }
    if (!unknown.empty()) judge_all(unknown);
    for (std::uint32_t word = 0; word < candidates.words(); ++word) candidates.rows[word] &= passed_[begin + word];
  }

  bool judges_all_at_once() const override { return true; }
  claims_effect effect_of_claims() const override { return claims_effect::unforeseen; }

  void judge_all(const words& rows) override {
    words left = rows;
    gantry::bitmap bits(left.data(), with_.view.rows());
    offer_.keep_complete(with_.call, with_.view, bits);
    for (std::size_t word = 0; word < rows.size(); ++word) incomplete_[word] |= rows[word] & ~left[word];
    offer_.keep(with_.call, run(left));
    for (std::size_t word = 0; word < rows.size(); ++word) {
      asked_[word] |= rows[word];
      passed_[word] |= left[word] & rows[word];
    }
  }

  void set_limits(std::uint32_t row, host_limits& limits) override {
    if (((passed_[row / 64] >> (row % 64)) & 1) == 0) return;
    const auto own = offer_.limits(with_.call, run(passed_), row);
    constexpr std::uint32_t known = GANTRY_LIMIT_VCPU | GANTRY_LIMIT_MEMORY_MB | GANTRY_LIMIT_DISK_GB;
    if ((own.present & ~known) != 0)
      wrong("no bits in limits.present but " + std::to_string(known), std::to_string(own.present));
    check_limit(own, GANTRY_LIMIT_VCPU, "limits.vcpu", own.limits.vcpu);
    check_limit(own, GANTRY_LIMIT_MEMORY_MB, "limits.memory_mb", own.limits.memory_mb);
    check_limit(own, GANTRY_LIMIT_DISK_GB, "limits.disk_gb", own.limits.disk_gb);
    if ((own.present & GANTRY_LIMIT_VCPU) != 0) limits.vcpu = own.limits.vcpu;
    if ((own.present & GANTRY_LIMIT_MEMORY_MB) != 0) limits.memory_mb = own.limits.memory_mb;
    if ((own.present & GANTRY_LIMIT_DISK_GB) != 0) limits.disk_gb = own.limits.disk_gb;
    if (own.limits.other.size == 0) return;
    const auto other = read_json(gantry::text(own.limits.other));
    if (!other.ok() || !other.value().is_object())
      wrong("a JSON object for limits.other", std::string(gantry::text(own.limits.other)));
    for (const auto& [key, value] : other.value().as_object()) limits.other[key] = value;
  }

  std::string reason() override {
    words removed(asked_.size());
    for (std::size_t word = 0; word < removed.size(); ++word)
      removed[word] = asked_[word] & ~passed_[word] & ~incomplete_[word];
    std::string said = count_rows(removed) == 0 ? "" : reason_for(removed, false);
    const auto incomplete = count_rows(incomplete_);
    if (incomplete == 0) return said;
    if (!said.empty()) said += "; ";
    return said + number_of_hosts(incomplete) + (incomplete == 1 ? " does" : " do") + " not report " + needs();
  }

  std::string reason_of(std::uint32_t row) override {
    const auto bit = std::uint64_t{1} << (row % 64);
    if ((incomplete_[row / 64] & bit) != 0) return "it does not report " + needs();
    words removed(asked_.size());
    removed[row / 64] = bit;
    return reason_for(removed, true);
  }

 private:
  std::string name() const { return std::string(offer_.name()) + " of " + std::string(offer_.library()); }

  gantry_filter_run run(words& rows) const {
    return {sizeof(gantry_filter_run),
            with_.instance,
            is_rebuild_ ? std::uint32_t{GANTRY_RUN_REBUILD} : 0,
            0,
            &with_.request.raw(),
            &with_.view.raw(),
            rows.data()};
  }

  std::string reason_for(const words& removed, bool is_one_host) {
    const auto own = offer_.reason(with_.call, run(passed_), removed.data());
    std::string said(gantry::text(own.text));
    if (own.resource.size == 0 || (own.present & GANTRY_REASON_NEED) == 0) return said;
    if (!said.empty()) said += ": ";
    const bool has_best = (own.present & GANTRY_REASON_BEST) != 0;
    if (!std::isfinite(own.need) || (has_best && !std::isfinite(own.best)))
      return said + name() + " gives amounts that are no finite numbers";
    said += amount(own.need) + " " + std::string(gantry::text(own.resource)) + " wanted, ";
    said += !has_best ? "none" : (is_one_host ? "" : "at most ") + amount(own.best);
    return said + (is_one_host ? " there" : " on a host that came so far");
  }

  // Names the columns that the filter needs.
  std::string needs() const {
    std::string all;
    for (const auto& need : gantry::each(offer_.raw().needs)) {
      if (!all.empty()) all += ", ";
      all += gantry::text(need);
    }
    return all;
  }

  void check_limit(const gantry_filter_limits& own, std::uint32_t bit, const char* limit, double value) const {
    if ((own.present & bit) == 0 || (std::isfinite(value) && value >= 0)) return;
    wrong("a finite number that is not negative for " + std::string(limit), amount(value));
  }

  [[noreturn]] void wrong(const std::string& expected, const std::string& found) const {
    throw gantry::failure(gantry::code::internal, name() + ": expected " + expected + ", found " + found);
  }

  const gantry::offered_filter offer_;
  const asking with_;
  const bool is_rebuild_;
  words asked_;       // rows that the filter has judged
  words passed_;      // rows of asked_ that pass
  words incomplete_;  // rows of asked_ that lack a value which the filter needs
};

class offered_filter final : public filter {
 public:
  explicit offered_filter(const gantry_offer_loaded& offer) : offer_(offer) {}

  std::unique_ptr<filter_run> begin(const question& asked) const override {
    if (asked.with == nullptr)
      throw gantry::failure(gantry::code::internal, "a library's filter is asked for without a call");
    return std::make_unique<offered_filter_run>(offer_, asked);
  }

 private:
  const gantry_offer_loaded& offer_;
};

}  // namespace

filter_rule rule_of_offered_filter(const gantry_offer_loaded& offer) {
  const gantry::offered_filter read(offer);
  return {read.name(), read.once_per_request(), read.on_rebuild(), nullptr};
}

std::unique_ptr<filter> make_offered_filter(const gantry_offer_loaded& offer) {
  return std::make_unique<offered_filter>(offer);
}

}  // namespace filter_driver
