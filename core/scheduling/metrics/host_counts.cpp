// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/metrics/host_counts.hpp"

#include <algorithm>
#include <utility>

#include "core/scheduling/metrics/view_cells.hpp"

namespace gantry::scheduling {

namespace {

// One resource of the rows.
class Share {
 public:
  Share(const fleet::Moment& moment, const gantry_view& view, std::string_view total, std::string_view ratio,
        std::string_view used)
      : total_(moment, view, total), ratio_(moment, view, ratio), used_(moment, view, used) {}

  double of(std::uint32_t row) const {
    const double capacity = total_.number_or_zero(row) * ratio_.number_or_zero(row);
    return capacity > 0 ? used_.number_or_zero(row) / capacity : 0;
  }

 private:
  ViewCells total_, ratio_, used_;  // used_ counts claims, too
};

}  // namespace

HostCounts count_hosts(const fleet::Moment& moment, const gantry_view& view) {
  const ViewCells up(moment, view, "up");
  const ViewCells disabled(moment, view, "disabled");
  const ViewCells forced_down(moment, view, "forced_down");
  HostCounts counts;
  for (std::uint32_t row = 0; row < view.rows; ++row) {
    auto& count = forced_down.truth(row) ? counts.forced_down
                  : disabled.truth(row)  ? counts.disabled
                  : up.truth(row)        ? counts.up
                                         : counts.down;
    ++count;
  }
  return counts;
}

double HostFullness::most() const {
  return std::max({vcpus, memory, disk});
}

std::vector<HostFullness> fullest_hosts(const fleet::Moment& moment, const gantry_view& view, std::size_t most) {
  const ViewCells up(moment, view, "up");
  const ViewCells disabled(moment, view, "disabled");
  const ViewCells instances(moment, view, "instances");
  const Share vcpus(moment, view, "vcpus", "cpu_allocation_ratio", "vcpus_used");
  const Share memory(moment, view, "memory_mb", "ram_allocation_ratio", "memory_mb_used");
  const Share disk(moment, view, "local_gb", "disk_allocation_ratio", "local_gb_used");
  std::vector<std::pair<double, std::uint32_t>> rows;
  for (std::uint32_t row = 0; row < view.rows; ++row) {
    if (up.truth(row) && !disabled.truth(row))
      rows.emplace_back(-std::max({vcpus.of(row), memory.of(row), disk.of(row)}), row);
  }
  std::sort(rows.begin(), rows.end());
  if (rows.size() > most) rows.resize(most);
  std::vector<HostFullness> fullest;
  for (const auto& [fullness, row] : rows) {
    const auto name = moment.row_name(view, row);
    fullest.push_back({std::string(name.host), std::string(name.node), vcpus.of(row), memory.of(row), disk.of(row),
                       instances.items(row)});
  }
  return fullest;
}

}  // namespace gantry::scheduling
