// SPDX-License-Identifier: Apache-2.0
//
// Which rows have room for an instance, and what earlier instances of a request take of the rows. A row has room for a
// resource if use plus the instance's need stays within capacity times allocation ratio, which is the limit of a pick.
#pragma once

#include <array>
#include <cstdint>
#include <gantry/driver.hpp>
#include <optional>
#include <string>

namespace lua_driver {

// The resources, in the order in which they are checked.
struct resource {
  const char* name;
  const char* capacity;
  const char* ratio;
  const char* used;
};
constexpr std::array<resource, 3> resources = {{{"vcpus", "vcpus", "cpu_allocation_ratio", "vcpus_used"},
                                                {"memory_mb", "memory_mb", "ram_allocation_ratio", "memory_mb_used"},
                                                {"disk_gb", "local_gb", "disk_allocation_ratio", "local_gb_used"}}};

class room {
 public:
  room(const gantry::view& view, const gantry::request& request);

  // Removes the rows that lack room for one resource, an index of `resources`.
  void keep(std::size_t resource, gantry::bitmap& rows) const;
  bool has(std::uint32_t row) const;
  gantry::limits limits(std::uint32_t row) const;
  // Returns what was wanted, and what one row has free, or all rows at most.
  std::string lack(std::size_t resource, std::uint32_t row) const;
  std::string lack(std::size_t resource, const gantry::bits& rows) const;

 private:
  struct amounts {
    const std::int64_t* capacity;
    const double* ratio;
    const double* used;
    double taken;

    double limit(std::size_t row) const { return static_cast<double>(capacity[row]) * ratio[row]; }
    bool fits(std::size_t row) const { return used[row] + taken <= limit(row); }
  };
  std::array<amounts, 3> amounts_;
};

// The request's view with what its earlier instances have taken.
class consumption {
 public:
  consumption(gantry::call& call, const gantry::request& request) : call_(call), request_(request) {}

  // Takes what the instance needs from a row of the view. The view is another object after the first call.
  void take(std::uint32_t instance, std::uint32_t row);
  const gantry::view& view() const { return derived_ ? *derived_ : request_.view(); }

 private:
  void add(const char* column, std::uint32_t row, double amount);

  gantry::call& call_;
  const gantry::request& request_;
  std::optional<gantry::view> derived_;
};

}  // namespace lua_driver
