// SPDX-License-Identifier: Apache-2.0
//
// Counts how many instances the NUMA topologies and the PCI pools of hosts take, one after the other. Each instance is
// placed as a decision would place it, since what one takes decides how the next one fits. Rows with equal documents
// and ratios are counted once, and the counts are kept.
#pragma once

#include <cstdint>
#include <gantry/driver.hpp>
#include <vector>

#include "decision/document_counts.hpp"
#include "decision/placing.hpp"
#include "policy/policy.hpp"
#include "request/request_facts.hpp"

namespace filter_driver {

class document_walk {
 public:
  // `filters`: as run on all rows. nullptr if the request skips the filters. All arguments must outlive this object.
  document_walk(gantry::call& call, const gantry::request& request, const policy& rules, const host_table& hosts,
                const request_facts& facts, const filtering* filters, document_counts& kept)
      : call_(call), request_(request), rules_(rules), hosts_(hosts), facts_(facts), filters_(filters), kept_(kept) {}

  // Lowers most[row], for each row of the bitmap, to the number of instances that the row's documents take. The first
  // instance has passed the filters already. Throws gantry::failure if the deadline passes.
  void limit(const std::vector<std::uint64_t>& rows, std::vector<double>& most);

 private:
  gantry::call& call_;
  const gantry::request& request_;
  const policy& rules_;
  const host_table& hosts_;
  const request_facts& facts_;
  const filtering* filters_;
  document_counts& kept_;
};

}  // namespace filter_driver
