// SPDX-License-Identifier: Apache-2.0
//
// How a decision counts what each row takes, in place of picking one.
#include <gantry/driver/failure.hpp>

#include "decision/decision.hpp"
#include "decision/row_counting.hpp"

namespace filter_driver {

void decision::count(gantry::row_counts counts, document_counts& kept) {
  if (facts_.group)
    throw gantry::failure(gantry::code::unsupported, "the members of a server group depend on each other's hosts");
  if (!narrow(0)) return;
  row_counting({call_, request_, rules_, documents_, facts_, hosts_->table(), skips_filters_ ? nullptr : &*filters_,
                rooms_, kept},
               rows_)
      .count(counts);
}

}  // namespace filter_driver
