// SPDX-License-Identifier: Apache-2.0
//
// IoOpsFilter (from Icehouse on): num_io_ops (builds, resizes, snapshots and the like under way on the host) must be
// below max_io_ops_per_host.
#include "filters/filters.hpp"
#include "filters/parts/below_limit.hpp"
#include "filters/parts/capacity.hpp"

namespace filter_driver {

namespace {

class io_ops final : public filter {
 public:
  std::unique_ptr<filter_run> begin(const question& asked) const override { return begin_io_ops(asked, {}); }
};

}  // namespace

std::unique_ptr<filter_run> begin_io_ops(const question& asked, std::string_view aggregate_key) {
  return std::make_unique<below_limit>(asked, "I/O operations under way (max_io_ops_per_host)", asked.hosts.num_io_ops,
                                       asked.options.max_io_ops_per_host, aggregate_key);
}

const filter_rule io_ops_filter{"IoOpsFilter", false, false, make_filter<io_ops>,
                                "too many I/O operations under way (max_io_ops_per_host)"};

}  // namespace filter_driver
