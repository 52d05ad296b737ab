// SPDX-License-Identifier: Apache-2.0
#include "decision/explain_hosts.hpp"

#include <algorithm>

#include "decision/host_selection.hpp"
#include "decision/host_terms.hpp"
#include "decision/host_verdicts.hpp"

namespace filter_driver {

namespace {

constexpr std::size_t leading_hosts = 10;

bool holds(const std::vector<std::uint64_t>& rows, std::uint32_t row) {
  return ((rows[row / 64] >> (row % 64)) & 1) != 0;
}

// Hands the explanations to the driver's host (the core), one by one.
class teller {
 public:
  teller(gantry::call& call, std::uint32_t instance) : call_(call) { explanation_.instance = instance; }

  std::vector<gantry::verdict>& verdicts() { return verdicts_; }
  std::vector<gantry::term>& terms() { return terms_; }
  // Returns false once the core stores no further explanations. The core then only counts them.
  bool is_heard() const { return is_heard_; }

  void tell(std::uint32_t row, std::optional<double> weight = {}, std::optional<std::uint64_t> rank = {}) {
    constexpr std::uint32_t between_looks = 1024;
    if (told_++ % between_looks == 0 && call_.should_stop())
      throw gantry::failure(
          gantry::code::deadline_exceeded,
          "the deadline passed while the hosts were accounted for; ask without it, or for fewer hosts");
    explanation_.row = row;
    explanation_.verdicts = {verdicts_.data(), verdicts_.size()};
    explanation_.terms = {terms_.data(), terms_.size()};
    explanation_.weight = weight;
    explanation_.rank = rank;
    const auto code = call_.explain_host(explanation_);
    if (code == gantry::code::resource_exhausted) is_heard_ = false;
    verdicts_.clear();
    terms_.clear();
  }

 private:
  gantry::call& call_;
  gantry::host_explanation explanation_;
  std::vector<gantry::verdict> verdicts_;
  std::vector<gantry::term> terms_;
  bool is_heard_ = true;
  std::uint32_t told_ = 0;
};

}  // namespace

void explain_hosts(gantry::call& call, gantry::explain_hosts wanted, const policy& rules, const question& asked,
                   const seeking& hosts, const rounds& weights) {
  host_verdicts verdicts(rules.filters(), asked, hosts.instance == 0);
  const bool all = wanted == gantry::explain_hosts::all_filters;
  if (!hosts.skips_filters && all) verdicts.ask_each(hosts.before);
  if (!hosts.skips_filters && !all) verdicts.ask_in_turn(hosts.before);
  auto leading = hosts.order;
  if (!all) leading.resize(std::min(leading.size(), leading_hosts));
  host_terms terms(rules.weighers(), asked, hosts.left, leading);

  const auto left_out = why_left_out(asked.request, false);
  teller out(call, hosts.instance);
  for (std::size_t rank = 0; rank < hosts.order.size(); ++rank) {
    const auto row = hosts.order[rank];
    if (out.is_heard()) {
      verdicts.of(row, out.verdicts());
      terms.of(row, out.terms());
    }
    out.tell(row, weights.weight(row), rank);
  }
  for (std::uint32_t row = 0; row < asked.hosts.rows; ++row) {
    if (holds(hosts.left, row)) continue;
    if (holds(hosts.before, row)) {
      if (out.is_heard()) verdicts.of(row, out.verdicts());
    } else if (hosts.instance != 0) {
      continue;  // the host was already rejected for an earlier instance
    } else if (hosts.eligible && !hosts.eligible->test(row)) {
      out.verdicts().emplace_back("placement", false, "not among placement's candidates");
    } else if (!holds(hosts.named, row)) {
      out.verdicts().emplace_back("requested", false, left_out);
    } else {
      out.verdicts().emplace_back("complete", false, "no compute node has reported its capacity");
    }
    out.tell(row);
  }
}

}  // namespace filter_driver
