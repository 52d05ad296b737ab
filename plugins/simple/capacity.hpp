// SPDX-License-Identifier: Apache-2.0
//
// The capacity and use of rows, and their load with one more instance. All numbers are totals of a row: vcpus, memory
// in MiB, disk in GiB.
//
// A row's limit of a resource is its capacity times its allocation ratio. An instance fits if use plus the instance's
// need stays within each limit. The row's load is then the greatest of the three fractions (use + need) / limit. The
// fraction of a resource is 0 if limit, use and need are 0.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <gantry/driver.hpp>
#include <gantry/driver/capacity.hpp>
#include <limits>

#include "tournament.hpp"

namespace simple_driver {

// The amounts that each instance of a request takes.
struct taken {
  double vcpu = 0;
  double memory_mb = 0;
  double disk_gb = 0;
};

// How many rows have room: vcpu for the vcpus, memory_mb for vcpus and memory, disk_gb for vcpus, memory and disk.
struct fitting {
  std::int64_t vcpu = 0;
  std::int64_t memory_mb = 0;
  std::int64_t disk_gb = 0;
};

// The three columns of one resource. `capacity` is the host's total, `ratio` its allocation ratio.
struct resource {
  const std::int64_t* capacity;
  const double* ratio;
  const double* used;

  resource(const gantry::view& view, const char* capacity_name, const char* ratio_name, const char* used_name)
      : capacity(view.integers(capacity_name).data()),
        ratio(view.reals(ratio_name).data()),
        used(view.reals(used_name).data()) {}

  double limit(std::size_t row) const { return static_cast<double>(capacity[row]) * ratio[row]; }
  double free(std::size_t row) const { return limit(row) - used[row]; }
};

class capacity {
 public:
  capacity(const gantry::view& view, const taken& taken)
      : vcpu_(view, "vcpus", "cpu_allocation_ratio", "vcpus_used"),
        memory_mb_(view, "memory_mb", "ram_allocation_ratio", "memory_mb_used"),
        disk_gb_(view, "local_gb", "disk_allocation_ratio", "local_gb_used"),
        taken_(taken) {}

  const resource& vcpu() const { return vcpu_; }
  const resource& memory_mb() const { return memory_mb_; }
  const resource& disk_gb() const { return disk_gb_; }

  gantry::limits limits(std::uint32_t row) const {
    return {vcpu_.limit(row), memory_mb_.limit(row), disk_gb_.limit(row), {}};
  }

  // Returns the load of a row that has already got `earlier` instances of this request, with one more. `none` if this
  // one does not fit.
  double load(std::uint32_t row, std::uint32_t earlier) const {
    const double vcpu = vcpu_.used[row] + (earlier + 1) * taken_.vcpu;
    const double memory_mb = memory_mb_.used[row] + (earlier + 1) * taken_.memory_mb;
    const double disk_gb = disk_gb_.used[row] + (earlier + 1) * taken_.disk_gb;
    if (!(vcpu <= vcpu_.limit(row) && memory_mb <= memory_mb_.limit(row) && disk_gb <= disk_gb_.limit(row)))
      return none;
    return greatest(fraction(vcpu, vcpu_.limit(row)), fraction(memory_mb, memory_mb_.limit(row)),
                    fraction(disk_gb, disk_gb_.limit(row)));
  }

  // Returns how many instances the row takes, one after the other.
  std::uint64_t count(std::uint32_t row) const {
    return std::min({gantry::claims_that_fit(vcpu_.used[row], taken_.vcpu, vcpu_.limit(row)),
                     gantry::claims_that_fit(memory_mb_.used[row], taken_.memory_mb, memory_mb_.limit(row)),
                     gantry::claims_that_fit(disk_gb_.used[row], taken_.disk_gb, disk_gb_.limit(row))});
  }

  // Returns whether the row has room for the resources that are checked before `resource`. The order is vcpus, memory,
  // disk.
  bool fits_before(const resource& resource, std::uint32_t row) const {
    if (resource.used == vcpu_.used) return true;
    if (vcpu_.used[row] + taken_.vcpu > vcpu_.limit(row)) return false;
    return resource.used == memory_mb_.used || memory_mb_.used[row] + taken_.memory_mb <= memory_mb_.limit(row);
  }

  // Writes the loads of `count` rows from `first` on, 64 at most, with one more instance. `loads[i]` and bit i of
  // `rows` belong to row first + i. The load is `none` if the row does not fit or its bit is clear. Returns how many
  // rows whose bit is set have room.
  fitting loads(std::size_t first, std::size_t count, std::uint64_t rows, std::array<double, 64>& loads) const {
    const std::array<double, 64> barred = infinite_where_clear(rows);
    const resource vcpu = from(vcpu_, first);
    const resource memory_mb = from(memory_mb_, first);
    const resource disk_gb = from(disk_gb_, first);
    fitting total;
    for (std::size_t row = 0; row < count; ++row) {
      const double vcpu_limit = vcpu.limit(row);
      const double memory_mb_limit = memory_mb.limit(row);
      const double disk_gb_limit = disk_gb.limit(row);
      const double vcpu_use = vcpu.used[row] + taken_.vcpu;
      const double memory_mb_use = memory_mb.used[row] + taken_.memory_mb;
      const double disk_gb_use = disk_gb.used[row] + taken_.disk_gb;
      const std::int64_t has_vcpu = vcpu_use + barred[row] <= vcpu_limit ? 1 : 0;
      const std::int64_t has_memory_mb = memory_mb_use <= memory_mb_limit ? has_vcpu : 0;
      const std::int64_t has_disk_gb = disk_gb_use <= disk_gb_limit ? has_memory_mb : 0;
      total.vcpu += has_vcpu;
      total.memory_mb += has_memory_mb;
      total.disk_gb += has_disk_gb;
      const double load = greatest(fraction(vcpu_use, vcpu_limit), fraction(memory_mb_use, memory_mb_limit),
                                   fraction(disk_gb_use, disk_gb_limit));
      loads[row] = has_disk_gb != 0 ? load : none;
    }
    return total;
  }

 private:
  static resource from(resource resource, std::size_t first) {
    resource.capacity += first;
    resource.ratio += first;
    resource.used += first;
    return resource;
  }

  static double fraction(double use, double limit) {
    constexpr double least_limit = 1e-9;  // in place of limit 0, so that 0 / 0 gives 0
    return use / (limit > least_limit ? limit : least_limit);
  }

  static double greatest(double first, double second, double third) {
    const double greater = first > second ? first : second;
    return greater > third ? greater : third;
  }

  static std::array<double, 64> infinite_where_clear(std::uint64_t rows) {
    constexpr auto table = [] {
      std::array<std::array<double, 4>, 16> entries = {};
      for (std::size_t pattern = 0; pattern < 16; ++pattern) {
        for (std::size_t bit = 0; bit < 4; ++bit) entries[pattern][bit] = ((pattern >> bit) & 1) != 0 ? 0.0 : none;
      }
      return entries;
    }();
    std::array<double, 64> values;
    for (std::size_t part = 0; part < 16; ++part) {
      const std::array<double, 4>& entry = table[(rows >> (part * 4)) & 15];
      for (std::size_t bit = 0; bit < 4; ++bit) values[part * 4 + bit] = entry[bit];
    }
    return values;
  }

  resource vcpu_;
  resource memory_mb_;
  resource disk_gb_;
  taken taken_;
};

}  // namespace simple_driver
