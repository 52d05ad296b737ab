// SPDX-License-Identifier: Apache-2.0
//
// AggregateIoOpsFilter (from Juno on): IoOpsFilter's rule with the least max_io_ops_per_host of the host's aggregates
// where one sets it.
#include "filters/filters.hpp"
#include "filters/parts/capacity.hpp"

namespace filter_driver {

namespace {

class aggregate_io_ops final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override {
    return begin_io_ops(asked, "max_io_ops_per_host");
  }
};

}  // namespace

const filter_rule aggregate_io_ops_filter{"AggregateIoOpsFilter", false, false, make_filter<aggregate_io_ops>,
                                          "too many I/O operations under way, by the limit of the host's aggregates"};

}  // namespace filter_driver
