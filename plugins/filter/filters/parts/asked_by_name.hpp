// SPDX-License-Identifier: Apache-2.0
//
// The run of a filter whose request names host attributes. Hosts with equal values of the attributes that the verdict
// depends on share one verdict.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "filters/parts/host_attributes.hpp"
#include "rules/filter.hpp"
#include "rules/refusal.hpp"
#include "rules/verdict_cache.hpp"

namespace filter_driver {

// Question says whether a host with these attributes passes: outcome<bool> operator()(const attributes&) const. An
// error ends the request with refuse(). For a host that does not pass, lack_of(const attributes&) says what the host lacks:
// filter_run::mismatch.
template <class Question>
class run_by_name final : public filter_run {
 public:
  // `names`: all attributes that the question always reads. `fallback`: an attribute that the question reads only if
  // others are missing or None; empty if there is none. Hosts that differ only in the fallback share a verdict if the
  // question did not read the fallback.
  run_by_name(std::string_view filter, const question& asked, Question wanted, std::vector<std::string> names,
              const std::string& fallback = {})
      : filter_(filter),
        hosts_(asked.hosts),
        wanted_(std::move(wanted)),
        own_(names.size()),
        attributes_(asked.hosts, asked.options.compatibility, with(std::move(names), fallback)),
        key_(own_),
        verdicts_(own_) {}

  void keep(const block& candidates) override {
    candidates.keep_if([this](std::uint32_t row) { return verdict_of(row) == pass; });
  }

  claims_effect effect_of_claims() const override { return attributes_.effect_of_claims(); }

  // nullopt if the host passes.
  std::optional<mismatch> mismatch_of(std::uint32_t row) override {
    if (verdict_of(row) == pass) return std::nullopt;
    attributes_.go_to(row);
    return wanted_.lack_of(attributes_);
  }

 private:
  enum verdict : std::uint8_t { fail, pass, depends_on_fallback };

  static std::vector<std::string> with(std::vector<std::string> names, const std::string& fallback) {
    if (!fallback.empty()) names.push_back(fallback);
    return names;
  }

  std::uint8_t verdict_of(std::uint32_t row) {
    attributes_.go_to(row);
    key_.resize(own_);
    for (std::size_t at = 0; at < own_; ++at) {
      if (!attributes_.identity(at, key_[at])) return find(row);
    }
    const auto found = verdicts_.at(key_, [this, row] {
      const auto here = find(row);
      return attributes_.count() > own_ && attributes_.was_asked(own_) ? depends_on_fallback : here;
    });
    if (found != depends_on_fallback) return found;
    if (!with_fallback_) with_fallback_.emplace(own_ + 1);
    key_.resize(own_ + 1);
    if (!attributes_.identity(own_, key_[own_])) return find(row);
    return with_fallback_->at(key_, [this, row] { return find(row); });
  }

  verdict find(std::uint32_t row) const {
    const auto met = wanted_(attributes_);
    if (!met.ok()) refuse(filter_, hosts_, row, met.error());
    return met.value() ? pass : fail;
  }

  std::string_view filter_;
  const host_table& hosts_;
  Question wanted_;
  std::size_t own_;  // the number of attributes that are always read
  host_attributes attributes_;
  std::vector<std::uint64_t> key_;
  verdict_cache verdicts_;
  std::optional<verdict_cache> with_fallback_;
};

}  // namespace filter_driver
