// SPDX-License-Identifier: Apache-2.0
//
// The NUMA fit of a block of hosts at once against that of each host by itself.
#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <memory>
#include <random>

#include "filters/parts/column_fit.hpp"

namespace filter_driver {
namespace {

class Any {
 public:
  explicit Any(std::uint64_t seed) : random_(seed) {}

  template <class Value>
  Value of(std::initializer_list<Value> values) {
    return values.begin()[random_() % values.size()];
  }
  bool once_in(std::uint64_t times) { return random_() % times == 0; }
  std::int64_t up_to(std::int64_t most) {
    return static_cast<std::int64_t>(random_() % (static_cast<std::uint64_t>(most) + 1));
  }

  cpu_set cpus(cpu_number first, cpu_number count, std::uint64_t drop_one_in) {
    std::vector<cpu_number> chosen;
    for (cpu_number cpu = first; cpu < first + count; ++cpu) {
      if (!once_in(drop_one_in)) chosen.push_back(cpu);
    }
    return cpu_set(chosen);
  }

  page_pool pages(std::int64_t size_kb) {
    page_pool pool{size_kb, up_to(4 * 1024 * 1024 / size_kb), 0, std::nullopt};
    if (once_in(4)) pool.total = 0;
    pool.used = once_in(2) ? 0 : up_to(pool.total + 1);
    if (once_in(2)) pool.reserved = up_to(2);
    return pool;
  }

  host_cell host_cell_of(std::int64_t id) {
    host_cell cell;
    cell.id = once_in(30) ? 7 : id;
    const auto first = static_cast<cpu_number>(8 * id);
    const auto threads = of<cpu_number>({1, 2, 2});
    cell.cpuset = cpus(first, 8, once_in(20) ? 1 : 12);
    cell.pcpuset = once_in(3) ? cpus(first, 8, 5) : cell.cpuset;
    cell.pinned_cpus = cpus(first, 8, of<std::uint64_t>({1, 2, 3}));
    if (!once_in(20)) {
      for (cpu_number core = first; core < first + 8; core += threads)
        cell.siblings.add(cpus(core, threads, 20).cpus());
    }
    cell.memory = of<std::int64_t>({0, 1024, 2048, 4096});
    cell.memory_usage = up_to(cell.memory + 1);
    cell.cpu_usage = up_to(12);
    if (!once_in(8)) cell.mempages.push_back(pages(once_in(5) ? 16 : 4));
    if (!once_in(4)) cell.mempages.push_back(pages(2048));
    if (once_in(3)) cell.mempages.push_back(pages(1048576));
    if (once_in(12)) cell.mempages.push_back(pages(of<std::int64_t>({16, 64, 2048, 16384, 524288})));
    cell.count_free();
    return cell;
  }
  host_topology host() {
    host_topology made;
    const auto cells = of<std::int64_t>({0, 1, 2, 2, 2, 2, 3});
    for (std::int64_t id = 0; id < cells; ++id) made.cells.push_back(host_cell_of(id));
    if (cells == 2 && once_in(20)) std::swap(made.cells[0], made.cells[1]);
    return made;
  }

  instance_cell cell(std::int64_t id, std::optional<std::int64_t> pagesize) {
    instance_cell made;
    made.id = once_in(30) ? 5 : id;
    made.cpu_policy =
        of({cpu_policy::unset, cpu_policy::shared, cpu_policy::dedicated, cpu_policy::dedicated, cpu_policy::mixed});
    const auto shared = static_cast<cpu_number>(up_to(6));
    const auto dedicated = static_cast<cpu_number>(up_to(5));
    if (made.wants_shared()) made.cpuset = cpus(0, shared, 100);
    if (made.wants_dedicated()) made.pcpuset = cpus(shared, dedicated, 100);
    made.memory = of<std::int64_t>({0, 2, 512, 1024, 1024, 1023, 2048});
    made.pagesize = pagesize;
    if (once_in(10))
      made.cpu_thread_policy = of({cpu_thread_policy::prefer, cpu_thread_policy::isolate, cpu_thread_policy::require});
    return made;
  }
  std::optional<std::int64_t> pagesize() {
    return of<std::optional<std::int64_t>>({std::nullopt, 0, 4, 2048, 2048, 1048576, -1, -2, -2, -3});
  }
  instance_topology instance() {
    instance_topology made;
    const auto cells = of<std::int64_t>({1, 1, 2, 2, 2, 3});
    const auto size = pagesize();
    for (std::int64_t id = 0; id < cells; ++id) made.cells.push_back(cell(id, once_in(4) ? pagesize() : size));
    if (cells == 2 && once_in(2)) {
      made.cells[1] = made.cells[0];
      made.cells[1].id = 1;
    }
    if (cells == 2 && once_in(8)) std::swap(made.cells[0].id, made.cells[1].id);
    if (once_in(5)) made.emulator_threads_policy = "isolate";
    return made;
  }
  double ratio() {
    return once_in(40) ? std::numeric_limits<double>::quiet_NaN()
                       : of({1.0, 1.5, 16.0, 0.3, std::numeric_limits<double>::infinity()});
  }

 private:
  std::mt19937_64 random_;
};

// A hundred rows from the 128th of what is kept of a block, as a filter is asked about a part of one.
struct Hosts {
  static constexpr std::uint32_t from = 5 * block_rows + 128;
  static constexpr std::uint32_t count = 100;

  explicit Hosts(Any& any) {
    for (std::uint32_t i = 0; i < count; ++i) {
      topologies.push_back(any.host());
      columns->set(from % block_rows + i, topologies.back().cells);
      cpu.push_back(any.ratio());
      ram.push_back(any.ratio());
    }
  }
  const host_topology* topology(std::size_t i) const {
    return topologies[i].cells.empty() ? nullptr : &topologies[i];  // as it is read from JSON
  }
  column_fit::verdicts judge(const column_fit& fit) const {
    std::array<std::uint64_t, 2> all{~std::uint64_t{0}, ~std::uint64_t{0}};
    return fit.judge(*columns, {from, count, all.data(), nullptr}, cpu.data(), ram.data());
  }
  outcome<bool> by_itself(const numa_wishes& wishes, std::size_t i) const {
    const auto known = [](double ratio) { return ratio == ratio ? std::optional(ratio) : std::nullopt; };
    return passes_numa_topology(wishes, {topology(i), nullptr, known(cpu[i]), known(ram[i])});
  }

  std::vector<host_topology> topologies;
  std::unique_ptr<cell_columns> columns = std::make_unique<cell_columns>();
  std::vector<double> cpu;
  std::vector<double> ram;
};

bool is_set(const std::array<std::uint64_t, block_rows / 64>& bits, std::size_t i) {
  return (bits[i / 64] >> i % 64 & 1) != 0;
}

TEST(NumaColumns, DecidesEachHostThatTheColumnsDescribeAsTheFitDoes) {
  const auto* const given = std::getenv("GANTRY_TEST_SEED");
  const auto seed = given == nullptr ? std::random_device()() : std::strtoul(given, nullptr, 10);
  SCOPED_TRACE("GANTRY_TEST_SEED=" + std::to_string(seed));
  Any any(seed);
  std::size_t asked = 0;
  std::size_t fit = 0;
  std::size_t refused = 0;
  for (int round = 0; round < 1000; ++round) {
    const Hosts hosts(any);
    const instance_topology instance = any.instance();
    numa_wishes wishes;
    wishes.topology = &instance;
    const auto by_columns = column_fit::of(wishes);
    if (!by_columns) continue;
    const auto verdicts = hosts.judge(*by_columns);
    for (std::size_t i = 0; i < Hosts::count; ++i) {
      ++asked;
      if (is_set(verdicts.unsure, i)) continue;
      const auto alone = hosts.by_itself(wishes, i);
      ASSERT_TRUE(alone) << "round " << round << ", host " << i << ": " << alone.error().sentence;
      ASSERT_EQ(is_set(verdicts.fit, i), *alone) << "round " << round << ", host " << i;
      ++(*alone ? fit : refused);
    }
  }
  EXPECT_GT(asked, 25'000);
  EXPECT_GT(fit, asked / 100);
  EXPECT_GT(refused, asked / 4);
}

// A host of `cells` cells with eight dedicated CPUs and 4 GiB each, half of them in pages of 2 MiB.
host_topology usual_host(std::int64_t cells) {
  host_topology made;
  for (std::int64_t id = 0; id < cells; ++id) {
    host_cell cell;
    cell.id = id;
    std::vector<cpu_number> cpus;
    for (auto cpu = static_cast<cpu_number>(8 * id); cpu < 8 * id + 8; ++cpu) cpus.push_back(cpu);
    cell.cpuset = cell.pcpuset = cpu_set(cpus);
    for (std::size_t core = 0; core < 8; core += 2) cell.siblings.add(std::span(cpus).subspan(core, 2));
    cell.memory = 4096;
    cell.mempages = {{4, 524288, 0, std::nullopt}, {2048, 1024, 0, std::nullopt}};
    cell.count_free();
    made.cells.push_back(std::move(cell));
  }
  return made;
}

instance_topology pinned(std::int64_t cells, std::int64_t memory, std::optional<std::int64_t> pagesize) {
  instance_topology made;
  for (std::int64_t id = 0; id < cells; ++id) {
    instance_cell cell;
    cell.id = id;
    cell.memory = memory;
    cell.pagesize = pagesize;
    cell.cpu_policy = cpu_policy::dedicated;
    cell.pcpuset = cpu_set(std::vector<cpu_number>{0, 1, 2, 3});
    made.cells.push_back(std::move(cell));
  }
  return made;
}

enum class said : std::uint8_t { fits, does_not_fit, unsure };
said by_columns(const host_topology& host, const instance_topology& instance) {
  const auto columns = std::make_unique<cell_columns>();
  columns->set(0, host.cells);
  numa_wishes wishes;
  wishes.topology = &instance;
  const auto fit = column_fit::of(wishes);
  if (!fit) return said::unsure;
  std::uint64_t one = 1;
  const double ratio = 1;
  const auto verdicts = fit->judge(*columns, {0, 1, &one, nullptr}, &ratio, &ratio);
  if (is_set(verdicts.unsure, 0)) return said::unsure;
  return is_set(verdicts.fit, 0) ? said::fits : said::does_not_fit;
}

TEST(NumaColumns, DecidesPinnedInstancesOnHostsOfOneCellOrTwo) {
  EXPECT_EQ(by_columns(usual_host(1), pinned(1, 1024, 2048)), said::fits);
  EXPECT_EQ(by_columns(usual_host(1), pinned(2, 1024, 2048)), said::does_not_fit);
  EXPECT_EQ(by_columns(usual_host(2), pinned(2, 2048, 2048)), said::fits);
  EXPECT_EQ(by_columns(usual_host(2), pinned(2, 2050, 2048)), said::does_not_fit);
  EXPECT_EQ(by_columns(usual_host(2), pinned(3, 2, 2048)), said::does_not_fit);
}

TEST(NumaColumns, TakesLargePagesForTheOnlyLargePagesThatAreFree) {
  constexpr std::int64_t large = -2;
  host_topology host = usual_host(2);
  EXPECT_EQ(by_columns(host, pinned(2, 2048, large)), said::fits);
  EXPECT_EQ(by_columns(host, pinned(2, 1023, large)), said::does_not_fit);  // no whole number of them
  for (host_cell& cell : host.cells) {
    cell.mempages.push_back({1048576, 0, 0, std::nullopt});
    cell.count_free();
  }
  EXPECT_EQ(by_columns(host, pinned(2, 2048, large)), said::fits);
  host.cells[0].mempages.back().total = 1;
  EXPECT_EQ(by_columns(host, pinned(2, 2048, large)), said::unsure);
}

// The trials ask the second cell for what they chose of the first.
TEST(NumaColumns, LeavesLargePagesUndecidedWhereOneCellsLargePagesAreTheOthersSmallest) {
  constexpr std::int64_t large = -2;
  host_topology host = usual_host(2);
  host.cells[0].mempages = {{4, 524288, 0, std::nullopt}, {64, 1, 0, std::nullopt}};
  host.cells[1].mempages = {{64, 32768, 0, std::nullopt}};
  for (host_cell& cell : host.cells) cell.count_free();
  EXPECT_EQ(by_columns(host, pinned(1, 1024, large)), said::unsure);
  EXPECT_EQ(by_columns(host, pinned(1, 1024, 64)), said::fits);
}

// What Nova remembers of its trials goes by these numbers, and a cell may take another's.
TEST(NumaColumns, LeavesCellsWhoseIdsAreNotTheirPositionsToTheFit) {
  host_topology host = usual_host(2);
  instance_topology instance = pinned(2, 1024, 2048);
  std::swap(instance.cells[0].id, instance.cells[1].id);
  EXPECT_EQ(by_columns(host, instance), said::unsure);
  std::swap(host.cells[0].id, host.cells[1].id);
  EXPECT_EQ(by_columns(host, pinned(2, 1024, 2048)), said::unsure);
}

TEST(NumaColumns, LeavesHostsOfMoreThanTwoCellsToTheFit) {
  EXPECT_EQ(by_columns(usual_host(3), pinned(1, 1024, 2048)), said::unsure);
}

}  // namespace
}  // namespace filter_driver
