// SPDX-License-Identifier: Apache-2.0
//
// The hosts of a record, as the filter driver sees hosts.
#pragma once

#include <memory>
#include <vector>

#include "hosts/host_table.hpp"

namespace filter_driver::parity {

// Returns the cell of the column image_properties of a host in a record: what the system metadata of each instance says
// of its image.
boost::json::value recorded_images(const boost::json::object& host);

// Refers to the record, which outlives it.
class recorded_hosts {
 public:
  // `up`: what the service group said of each host; empty: all are up.
  recorded_hosts(const std::vector<const boost::json::object*>& hosts, const std::vector<bool>& up);
  ~recorded_hosts();
  recorded_hosts(const recorded_hosts&) = delete;
  recorded_hosts& operator=(const recorded_hosts&) = delete;

  const host_table& table() const { return table_; }

 private:
  struct storage;
  std::unique_ptr<storage> storage_;
  host_table table_;
};

}  // namespace filter_driver::parity
