// SPDX-License-Identifier: Apache-2.0
//
// The kind numa_usage.
#include "numa/usage.hpp"
#include "tests/parity/recorded_numa.hpp"
#include "tests/parity/recorded_request.hpp"

namespace filter_driver::parity {

verdict check_numa_usage(const boost::json::object& record) {
  const auto host = readable(read_host_topology(member(record, "host_topology")));
  const auto instance = readable(read_instance_topology(member(record, "instance_topology")));
  const auto& expected_result = member(record.at("expected").as_object(), "result");
  if (!host) {  // one without cells is none
    const std::string difference = difference_of(readable(read_host_topology(expected_result)), host);
    return difference.empty() && !raises(record) ? verdict{} : differs("a host without cells: " + difference);
  }
  const auto change = member(record, "free").as_bool() ? usage_change::free : usage_change::add;
  auto used = usage_with(*host, address(instance), change, release_of(record));
  if (raises(record) || !used) return compare_raised(record, used ? nullptr : &used.error());
  const auto expected = readable(read_host_topology(record.at("expected").as_object().at("result")));
  const std::string difference = difference_of(expected, std::optional(std::move(*used)));
  return difference.empty() ? verdict{} : differs(difference);
}

}  // namespace filter_driver::parity
