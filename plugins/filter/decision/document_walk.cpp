// SPDX-License-Identifier: Apache-2.0
#include "decision/document_walk.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <boost/json.hpp>
#include <limits>
#include <map>
#include <string>

namespace filter_driver {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

// Rows with equal documents and ratios.
struct alike_rows {
  std::vector<std::uint32_t> rows;  // the first one stands for all
  double most = 0;                  // the greatest number that may be asked of one of them
  double count = 0;
  bool is_whole = false;  // they take no more than `count`
  document_counts::key documents{};
  bool is_known = false;  // false: the documents have no identity
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
    std::copy_n(key.begin(), group.documents.size(), group.documents.begin());
    group.is_known = key[4] == 0;
    group.most = std::max(group.most, most[row]);
  });
  std::vector<alike_rows> found;
  found.reserve(groups.size());
  for (auto& [key, group] : groups) found.push_back(std::move(group));
  return found;
}

// The walk of one request over groups of rows, with one more instance in each step.
class walk_of_rows {
 public:
  // `filters`: as run on all rows. nullptr if the request skips the filters.
  walk_of_rows(gantry::call& call, const gantry::request& request, const policy& rules, const host_table& hosts,
               const request_facts& facts, const filtering* filters)
      : call_(call), hosts_(hosts), wishes_(facts), use_(call, request.view(), rules.options()) {
    if (filters == nullptr) return;
    for (const auto& step : filters->steps()) {
      if (step.run && step.run->effect_of_claims() == claims_effect::by_documents) judges_.push_back(step.run.get());
    }
  }

  // Places instances on the first row of the group until one does not fit, or as many as are asked for.
  void go(alike_rows& group) {
    const auto row = group.rows.front();
    auto host = documents_on(hosts_, row);
    use_.forget_taken();
    while (group.count < group.most) {
      std::optional<numa_limits> limits;
      const bool passes = std::all_of(judges_.begin(), judges_.end(),
                                      [&](filter_run* run) { return run->passes_with(row, host, limits); });
      if (!passes) return end(group, group.count);
      const auto placed = use_.place(wishes_, host, limits, hosts_, row);
      if (!use_.fits(placed, row)) return end(group, group.count);
      ++group.count;
      if (placed.items().size() == 0) return end(group, unlimited);  // nothing was taken: the next finds the same
      use_.take(placed, row);
      if (placed.topology() != nullptr) host.topology = *placed.topology();
      if (placed.pools() != nullptr) host.pools = *placed.pools();
      if (call_.should_stop())
        throw gantry::failure(gantry::code::deadline_exceeded, "the deadline passed while instances were counted");
    }
  }

 private:
  static void end(alike_rows& group, double count) {
    group.count = count;
    group.is_whole = true;
  }

  gantry::call& call_;
  const host_table& hosts_;
  const cell_and_device_wishes wishes_;
  cell_and_device_use use_;
  std::vector<filter_run*> judges_;
};

// Returns all that the filters by documents and the placing read in the request.
std::string question_of(const request_facts& request, bool skips_filters) {
  std::string text = skips_filters ? "forced\n" : "\n";
  for (const auto* part : {&request.numa_topology, &request.pci_requests, &request.network_metadata})
    text += boost::json::serialize(*part) + "\n";
  if (request.image) text += boost::json::serialize(request.image->properties);
  if (!request.flavor || !request.flavor->extra_specs) return text;
  for (const auto& [key, value] : *request.flavor->extra_specs)
    text += "\n" + boost::json::serialize(boost::json::array{boost::json::value(key), boost::json::value(value)});
  return text;
}

}  // namespace

void document_walk::limit(const std::vector<std::uint64_t>& rows, std::vector<double>& most) {
  auto groups = group_rows(hosts_, rows, most);
  walk_of_rows walk(call_, request_, rules_, hosts_, facts_, filters_);
  const auto question = question_of(facts_, filters_ == nullptr);
  for (auto& group : groups) {
    const auto known = group.is_known ? kept_.find(question, group.documents) : std::nullopt;
    if (known && (known->is_whole || known->count >= group.most)) {
      group.count = known->count;
    } else {
      walk.go(group);
      if (group.is_known) kept_.put(question, group.documents, {group.count, group.is_whole});
    }
    for (const auto row : group.rows) most[row] = std::min(most[row], group.count);
  }
}

}  // namespace filter_driver
