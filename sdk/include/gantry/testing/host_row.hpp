// SPDX-License-Identifier: Apache-2.0
//
// One host of a test, a row of a fake view.
#pragma once

#include <gantry/driver.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace gantry::testing {

// A value of a column of type JSON.
struct json_text {
  std::string text;
};

// A value of a further column. Its C++ type decides the column's type.
using column_value = std::variant<bool, std::int64_t, double, std::string, json_text>;

struct host_aggregate {
  std::int64_t id = 0;
  std::string name = {};
  std::map<std::string, std::string> metadata = {};
  std::string uuid = {};
};

// A (host, node) pair and its values. std::nullopt means "never reported". The defaults describe a host that is up,
// enabled and without instances.
struct host_row {
  std::string host;
  std::string node = {};  // empty: a host without nodes
  bool up = true;
  bool disabled = false;
  bool forced_down = false;
  std::string availability_zone = "nova";
  std::optional<std::int64_t> vcpus = 16;
  std::optional<std::int64_t> memory_mb = 65536;
  std::optional<std::int64_t> local_gb = 1000;
  std::optional<double> vcpus_used = 0.0;  // reported use, without claims
  std::optional<double> memory_mb_used = 0.0;
  std::optional<double> local_gb_used = 0.0;
  double cpu_allocation_ratio = 16.0;
  double ram_allocation_ratio = 1.5;
  double disk_allocation_ratio = 1.0;
  std::map<std::string, double> claims = {};  // claimed amounts by resource: vcpu, memory_mb, disk_gb or any other
  std::map<std::string, column_value> columns = {};  // further columns by full name, e.g. "stats.rack", "running_vms"
  std::vector<gantry_uuid> instances = {};
  std::vector<host_aggregate> aggregates = {};  // rows that name the same id are in the same aggregate
};

}  // namespace gantry::testing
