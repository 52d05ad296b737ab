// SPDX-License-Identifier: Apache-2.0
//
// The run of a weigher whose raw weights are the numbers of one column of the host table.
#pragma once

#include <algorithm>

#include "rules/weigher.hpp"

namespace filter_driver {

class column_run final : public weigher_run {
 public:
  // `column` must outlive the run.
  explicit column_run(const number_column& column) : column_(column) {}

  void weigh(const block& candidates, double* raw) override {
    const double* const values = read(candidates, raw);
    if (values != raw) std::copy_n(values, candidates.count, raw);
  }
  const double* read(const block& candidates, double* room) override {
    return column_.read(candidates.first, candidates.count, room);
  }

 private:
  const number_column& column_;
};

}  // namespace filter_driver
