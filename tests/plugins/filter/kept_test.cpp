// SPDX-License-Identifier: Apache-2.0
//
// What the filter driver keeps between requests changes no answer: filters and weighers that have seen the hosts change
// again and again say what fresh ones say.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "plugins/filter/policy/registry.hpp"
#include "plugins/filter/rules/weigher.hpp"

namespace filter_driver {
namespace {

namespace json = boost::json;

constexpr std::uint32_t row_count = 1100;  // more than a block, and no whole number of words

// A value for each row, one of a few; identities are the same for the same value, or 0.
class changing_documents final : public document_column {
 public:
  explicit changing_documents(std::vector<json::value> values)
      : values_(std::move(values)), chosen_(row_count, 0), says_nothing_(row_count, false) {}

  const json::value& at(std::uint32_t row) const override { return values_[chosen_[row]]; }
  std::uint64_t identity(std::uint32_t row) const override { return says_nothing_[row] ? 0 : chosen_[row] + 1; }

  void change(std::mt19937_64& chance) {
    const auto row = chance() % row_count;
    chosen_[row] = chance() % values_.size();
    says_nothing_[row] = chance() % 8 == 0;
  }

 private:
  std::vector<json::value> values_;
  std::vector<std::size_t> chosen_;
  std::vector<bool> says_nothing_;
};

json::value topology(int pinned, int used_pages) {
  json::array taken;
  for (int cpu = 0; cpu < pinned; ++cpu) taken.push_back(cpu);
  const json::object cpus{{"_set", json::array{0, 1, 2, 3, 4, 5, 6, 7}}};
  json::array siblings;
  for (int cpu = 0; cpu < 8; cpu += 2) siblings.push_back(json::object{{"_set", json::array{cpu, cpu + 1}}});
  const auto page = [](int size_kb, int total, int used) {
    return json::object{
        {"_object", "NUMAPagesTopology"}, {"size_kb", size_kb}, {"total", total}, {"used", used}, {"reserved", 0}};
  };
  return json::object{
      {"_object", "NUMATopology"},
      {"cells", json::array{json::object{{"_object", "NUMACell"},
                                         {"id", 0},
                                         {"cpuset", cpus},
                                         {"pcpuset", cpus},
                                         {"cpu_usage", 0},
                                         {"memory", 4096},
                                         {"memory_usage", 0},
                                         {"pinned_cpus", json::object{{"_set", std::move(taken)}}},
                                         {"siblings", std::move(siblings)},
                                         {"socket", 0},
                                         {"mempages", json::array{page(4, 1048576, 0), page(2048, 64, used_pages)}}}}}};
}

std::vector<json::value> topologies() {
  std::vector<json::value> all{nullptr};
  for (int pinned = 0; pinned <= 8; ++pinned) {
    for (const int used_pages : {0, 40}) all.push_back(topology(pinned, used_pages));
  }
  return all;
}

std::vector<json::value> pools() {
  std::vector<json::value> all{nullptr, json::array()};
  for (int count = 1; count < 6; ++count) {
    all.push_back(
        json::array{json::object{{"vendor_id", "10de"}, {"product_id", "20b5"}, {"numa_node", 0}, {"count", count}}});
  }
  return all;
}

request_facts pinned(int cpus) {
  json::array wanted;
  for (int cpu = 0; cpu < cpus; ++cpu) wanted.push_back(cpu);
  request_facts request;
  request.flavor.emplace().extra_specs.emplace();
  request.image.emplace();
  request.numa_topology =
      json::object{{"_object", "InstanceNUMATopology"},
                   {"cells", json::array{json::object{{"_object", "InstanceNUMACell"},
                                                      {"id", 0},
                                                      {"cpuset", json::object{{"_set", json::array()}}},
                                                      {"pcpuset", json::object{{"_set", std::move(wanted)}}},
                                                      {"cpuset_reserved", nullptr},
                                                      {"memory", 64},
                                                      {"pagesize", 2048},
                                                      {"cpu_pinning_raw", nullptr},
                                                      {"cpu_policy", "dedicated"},
                                                      {"cpu_thread_policy", nullptr}}}}};
  return request;
}

class Kept : public testing::Test {
 protected:
  Kept() {
    table.rows = row_count;
    table.numa_topology = &topology_column;
    table.pci_stats = &pool_column;
    table.metrics = &metric_column;
    table.cpu_allocation_ratio = number_column(ratios.data());
    table.ram_allocation_ratio = number_column(ratios.data());
    const auto* const given = std::getenv("GANTRY_TEST_SEED");
    const auto seed = given == nullptr ? std::random_device()() : std::strtoul(given, nullptr, 10);
    std::cout << "seed " << seed << "\n";
    chance.seed(seed);
  }

  void change_some() {
    for (int i = 0; i < 60; ++i) {
      topology_column.change(chance);
      pool_column.change(chance);
      metric_column.change(chance);
      ratios[chance() % row_count] = chance() % 2 == 0 ? 1.0 : 1.5;
    }
  }

  // visit(block) for each block, with all of its rows as candidates or a random half.
  template <class Visit>
  void each_block(std::vector<std::uint64_t>& rows, Visit&& visit) {
    for (std::uint32_t first = 0; first < row_count; first += block_rows)
      visit(block{first, std::min(block_rows, row_count - first), rows.data() + first / 64, rooms.data()});
  }
  std::vector<std::uint64_t> some_rows() {
    std::vector<std::uint64_t> rows((row_count + 63) / 64);
    for (auto& word : rows) word = chance() % 3 == 0 ? chance() : ~std::uint64_t{0};
    rows.back() &= (std::uint64_t{1} << (row_count % 64)) - 1;
    return rows;
  }

  std::vector<std::uint64_t> kept_by(const filter& made, const request_facts& request,
                                     std::vector<std::uint64_t> rows) {
    const auto run = made.begin({table, request, options});
    if (run) each_block(rows, [&](const block& here) { run->keep(here); });
    return rows;
  }
  std::vector<double> raw_by(const weigher& made, const request_facts& request, std::vector<std::uint64_t> rows) {
    const auto run = made.begin({table, request, options});
    std::vector<double> raw;
    each_block(rows, [&](const block& here) {
      std::vector<double> room(block_rows);
      const double* const numbers = run->read(here, room.data());
      here.for_each([&](std::uint32_t i) { raw.push_back(numbers[i]); });
    });
    return raw;
  }

  settings options;
  std::mt19937_64 chance;
  host_table table;
  changing_documents topology_column{topologies()};
  changing_documents pool_column{pools()};
  changing_documents metric_column{{json::object(), json::object{{"cpu.percent", 5}}}};
  std::vector<double> ratios = std::vector<double>(row_count, 1.0);
  std::vector<double> rooms = std::vector<double>(block::room_count * block_rows);
};

TEST_F(Kept, GivesTheVerdictsOfAFreshFilterHoweverHostsChange) {
  options.metrics_weight_setting = {{"cpu.percent", 1.0}};
  const auto numa = find_filter("NUMATopologyFilter")->make(options);
  const auto metrics = find_filter("MetricsFilter")->make(options);
  std::size_t passed = 0;
  std::size_t asked = 0;
  for (int round = 0; round < 60; ++round) {
    change_some();
    const auto request = pinned(1 + static_cast<int>(chance() % 6));
    const auto rows = some_rows();
    for (const auto* const warm : {numa.get(), metrics.get()}) {
      const auto fresh = find_filter(warm == numa.get() ? "NUMATopologyFilter" : "MetricsFilter")->make(options);
      const auto kept = kept_by(*warm, request, rows);
      ASSERT_EQ(kept, kept_by(*fresh, request, rows)) << "round " << round;
      for (const auto word : kept) passed += static_cast<std::size_t>(__builtin_popcountll(word));
      for (const auto word : rows) asked += static_cast<std::size_t>(__builtin_popcountll(word));
    }
  }
  EXPECT_GT(passed, 0U);
  EXPECT_LT(passed, asked);
}

TEST_F(Kept, GivesTheWeightsOfAFreshWeigherHoweverHostsChange) {
  const auto* const rule = find_weigher("PCIWeigher");
  const auto warm = rule->make(options);
  const request_facts request;
  for (int round = 0; round < 60; ++round) {
    change_some();
    const auto rows = some_rows();
    ASSERT_EQ(raw_by(*warm, request, rows), raw_by(*rule->make(options), request, rows)) << "round " << round;
  }
}

}  // namespace
}  // namespace filter_driver
