// SPDX-License-Identifier: Apache-2.0
//
// Why single hosts were chosen or left out, for the first instance.
#include <algorithm>

#include "placement.hpp"

namespace lua_driver {

void placement::explain_hosts() {
  if (request_.explain_hosts() == gantry::explain_hosts::all_filters) ask_all_filters();
  std::vector<std::uint32_t> ranked;
  passed_.for_each([&](std::uint32_t row) { ranked.push_back(row); });
  std::sort(ranked.begin(), ranked.end(), [this](std::uint32_t left, std::uint32_t right) {
    if (weights_[left] != weights_[right]) return weights_[left] > weights_[right];
    return order_of(left) < order_of(right);
  });
  for (std::size_t rank = 0; rank < ranked.size(); ++rank) explain_host(ranked[rank], rank);
  found_.rows().for_each([this](std::uint32_t row) {
    if (!passed_.test(row)) explain_host(row, std::nullopt);
  });
  found_.explain_removed();
}

// Asks each filter about the rows that an earlier filter removed. Where the script fails there, because an earlier filter
// guards a later one, the filter's verdict is left out.
void placement::ask_all_filters() {
  for (std::size_t index = 0; index < policy_.filters().size(); ++index) {
    const rule& filter = policy_.filters()[index];
    if (filter.whole && index < filters_.size()) continue;
    gantry::bitmap asked = copy_of(found_.rows());
    std::string reason;
    asked.remove(lacking(filter.needs, asked, reason));
    const std::string told = index < filters_.size() ? filters_[index].said.reason : "";
    try {
      ask(filter, index, asked, 0);
    } catch (const gantry::failure& failure) {
      if (failure.code() == gantry::code::deadline_exceeded) throw;
    }
    filters_[index].said.reason = told;
  }
}

void placement::explain_host(std::uint32_t row, std::optional<std::uint64_t> rank) {
  const bool all = request_.explain_hosts() == gantry::explain_hosts::all_filters;
  gantry::host_explanation told;
  told.row = row;
  std::vector<gantry::verdict> verdicts;
  std::vector<std::string> reasons(filters_.size());  // the texts that verdicts refer to
  for (std::size_t index = 0; index < filters_.size(); ++index) {
    const rule& filter = policy_.filters()[index];
    const filtered& of = filters_[index];
    gantry::bitmap self = call_.empty_bitmap(passed_.rows());
    self.set(row);
    const bool lacks = !filter.needs.empty() && lacking(filter.needs, self, reasons[index]).test(row);
    if (!lacks && !of.known.test(row)) continue;
    const bool passes = !lacks && of.said.passed.test(row);
    if (!lacks && !passes) {
      const auto own = of.said.reasons.find(row);
      reasons[index] = own != of.said.reasons.end() ? own->second : filter.whole ? of.said.reason : filter.reason;
    }
    verdicts.emplace_back(filter.name, passes, reasons[index]);
    if (!passes && !all) break;
  }
  told.verdicts = {verdicts.data(), verdicts.size()};
  std::vector<gantry::term> terms;
  constexpr std::uint64_t most_with_terms = 10;
  if (rank && (all || *rank < most_with_terms)) {
    for (std::size_t index = 0; index < weighers_.size(); ++index) {
      const rule& weigher = policy_.weighers()[index];
      const weighed& of = weighers_[index];
      terms.emplace_back(weigher.name, of.scored.test(row) ? of.scores[row] : 0, of.normalized(row, weigher.multiplier),
                         weigher.multiplier);
    }
  }
  told.terms = {terms.data(), terms.size()};
  if (rank) {
    told.weight = weights_[row];
    told.rank = rank;
  }
  call_.explain_host(told);
}

}  // namespace lua_driver
