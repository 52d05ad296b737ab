// SPDX-License-Identifier: Apache-2.0
#include "decision/document_walk.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>
#include <map>
#include <unordered_map>

#include "numa/topology_json.hpp"
#include "rules/asking.hpp"

namespace filter_driver {

namespace {

namespace json = boost::json;

constexpr double unlimited = std::numeric_limits<double>::infinity();

// Documents, some of which have changed.
class changed_documents final : public document_column {
 public:
  explicit changed_documents(const document_column* before) : before_(before) {}

  const json::value& at(std::uint32_t row) const override {
    const auto changed = changed_.find(row);
    if (changed != changed_.end()) return changed->second;
    return before_ == nullptr ? nothing_ : before_->at(row);
  }
  std::uint64_t identity(std::uint32_t row) const override {
    if (changed_.contains(row)) return 0;
    return before_ == nullptr ? UINT64_MAX : before_->identity(row);
  }
  void change(std::uint32_t row, json::value document) { changed_.insert_or_assign(row, std::move(document)); }

 private:
  const document_column* before_;
  std::unordered_map<std::uint32_t, json::value> changed_;
  json::value nothing_;
};

// Rows with equal documents and ratios.
struct alike_rows {
  std::vector<std::uint32_t> rows;  // the first one stands for all
  double most = 0;                  // the greatest number that may be asked of one of them
  double count = 0;
};

std::vector<alike_rows> group_rows(const host_table& hosts, const std::vector<std::uint64_t>& rows,
                                   const std::vector<double>& most) {
  std::map<std::array<std::uint64_t, 5>, alike_rows> groups;
  const gantry::bits all(rows.data(), hosts.rows);
  all.for_each([&](std::uint32_t row) {
    std::array<std::uint64_t, 5> key{};
    key[0] = hosts.numa_topology == nullptr ? UINT64_MAX : hosts.numa_topology->identity(row);
    key[1] = hosts.pci_stats == nullptr ? UINT64_MAX : hosts.pci_stats->identity(row);
    key[2] = std::bit_cast<std::uint64_t>(hosts.cpu_allocation_ratio[row]);
    key[3] = std::bit_cast<std::uint64_t>(hosts.ram_allocation_ratio[row]);
    if (key[0] == 0 || key[1] == 0) key[4] = row + 1;  // documents that have no identity are equal to no others
    auto& group = groups[key];
    group.rows.push_back(row);
    group.most = std::max(group.most, most[row]);
  });
  std::vector<alike_rows> found;
  found.reserve(groups.size());
  for (auto& [key, group] : groups) found.push_back(std::move(group));
  return found;
}

// The steps of all groups, each with one more instance on the first row of the group.
class walk_of_rows {
 public:
  walk_of_rows(gantry::call& call, const gantry::request& request, const policy& rules, const host_table& hosts,
               const request_facts& facts, bool filters)
      : topologies_(hosts.numa_topology),
        pools_(hosts.pci_stats),
        hosts_(changed(hosts)),
        facts_(facts),
        use_(call, request.view(), rules.options()),
        with_{call, request, request.view(), 0},
        asked_{hosts_, facts, rules.options(), &with_},
        rooms_(block::room_count * block_rows) {
    if (filters) filters_.emplace(rules.filters(), asked_, true);
  }

  // Places one more instance on the row. Returns false if it does not fit.
  bool place(alike_rows& group) {
    const auto row = group.rows.front();
    if (group.count > 0 && !passes(row)) return false;
    host_limits limits;
    each_filter([&](filter_run& run) { run.set_limits(row, limits); });
    const auto placed = use_.place(hosts_, facts_, limits, row);
    if (!use_.fits(placed, row)) return false;
    ++group.count;
    if (placed.items().size() == 0) {
      group.count = unlimited;  // nothing was taken, so the next one finds the same
      return true;
    }
    use_.take(placed, row);
    if (placed.topology() != nullptr) topologies_.change(row, to_json(*placed.topology()));
    if (placed.pools() != nullptr) pools_.change(row, to_flat_json(*placed.pools()));
    return true;
  }

 private:
  host_table changed(const host_table& hosts) {
    host_table table = hosts;
    table.numa_topology = &topologies_;
    table.pci_stats = &pools_;
    return table;
  }

  template <class Visit>
  void each_filter(Visit&& visit) {
    if (!filters_) return;
    for (const auto& step : filters_->steps()) {
      if (step.run && step.run->effect_of_claims() == claims_effect::by_documents) visit(*step.run);
    }
  }

  bool passes(std::uint32_t row) {
    std::array<std::uint64_t, block_rows / 64> left{};
    const std::uint32_t first = row / block_rows * block_rows;
    left[(row - first) / 64] = std::uint64_t{1} << (row % 64);
    const block only{first, std::min(block_rows, hosts_.rows - first), left.data(), rooms_.data()};
    each_filter([&](filter_run& run) { run.keep(only); });
    return left[(row - first) / 64] != 0;
  }

  changed_documents topologies_;
  changed_documents pools_;
  host_table hosts_;
  const request_facts& facts_;
  cell_and_device_use use_;
  asking with_;
  question asked_;
  std::optional<filtering> filters_;
  std::vector<double> rooms_;
};

}  // namespace

void document_walk::limit(const std::vector<std::uint64_t>& rows, std::vector<double>& most) {
  auto groups = group_rows(hosts_, rows, most);
  walk_of_rows walk(call_, request_, rules_, hosts_, facts_, filters_);
  for (auto& group : groups) {
    while (group.count < group.most && walk.place(group)) {
      if (call_.should_stop())
        throw gantry::failure(gantry::code::deadline_exceeded, "the deadline passed while instances were counted");
    }
    for (const auto row : group.rows) most[row] = std::min(most[row], group.count);
  }
}

}  // namespace filter_driver
