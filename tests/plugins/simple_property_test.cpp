// SPDX-License-Identifier: Apache-2.0
//
// Random fleets and requests: simple against a model that asks each host the same questions one by one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <random>

#include "bundled_driver.hpp"

namespace gantry::tests {
namespace {

using testing::fake_group;
using testing::fake_host;
using testing::fake_request;
using testing::host_row;

class Model {
 public:
  Model(const std::vector<host_row>& rows, const fake_request& request)
      : rows_(rows), request_(request), placed_(rows.size(), 0) {
    if (!request.group) return;
    for (const std::uint32_t row : request.group->member_rows) ++members_[rows[row].host];
  }

  // The row that simple must choose next; none: there is no valid host.
  std::optional<std::uint32_t> place() {
    std::optional<std::uint32_t> best;
    for (std::uint32_t row = 0; row < rows_.size(); ++row) {
      if (may_use(rows_[row]) && fits(row) && (!best || load(row) < load(*best))) best = row;
    }
    if (!best) return best;
    ++placed_[*best];
    if (request_.group) ++members_[rows_[*best].host];
    return best;
  }

 private:
  bool may_use(const host_row& row) const {
    if (!row.up || row.disabled || row.forced_down || !row.vcpus || !row.memory_mb || !row.local_gb) return false;
    if (std::count(request_.ignore_hosts.begin(), request_.ignore_hosts.end(), row.host) != 0) return false;
    if (!request_.force_hosts.empty() &&
        std::count(request_.force_hosts.begin(), request_.force_hosts.end(), row.host) == 0) {
      return false;
    }
    if (!request_.availability_zone.empty() && row.availability_zone != request_.availability_zone) return false;
    if (!request_.group) return true;
    const auto members = members_.find(row.host);
    if (request_.group->policy == "affinity") return members_.empty() || members != members_.end();
    return members == members_.end();
  }
  double use(std::uint32_t row, const std::optional<double>& used, double taken) const {
    return *used + (placed_[row] + 1) * taken;
  }
  static double part(double use, double limit) { return use / std::max(limit, 1e-9); }
  bool fits(std::uint32_t row) const {
    const host_row& host = rows_[row];
    return use(row, host.vcpus_used, vcpus()) <= static_cast<double>(*host.vcpus) * host.cpu_allocation_ratio &&
           use(row, host.memory_mb_used, memory_mb()) <=
               static_cast<double>(*host.memory_mb) * host.ram_allocation_ratio &&
           use(row, host.local_gb_used, request_.disk_gb) <=
               static_cast<double>(*host.local_gb) * host.disk_allocation_ratio;
  }
  double load(std::uint32_t row) const {
    const host_row& host = rows_[row];
    return std::max(
        {part(use(row, host.vcpus_used, vcpus()), static_cast<double>(*host.vcpus) * host.cpu_allocation_ratio),
         part(use(row, host.memory_mb_used, memory_mb()),
              static_cast<double>(*host.memory_mb) * host.ram_allocation_ratio),
         part(use(row, host.local_gb_used, request_.disk_gb),
              static_cast<double>(*host.local_gb) * host.disk_allocation_ratio)});
  }
  double vcpus() const { return static_cast<double>(*request_.vcpus); }
  double memory_mb() const { return static_cast<double>(*request_.memory_mb); }

  const std::vector<host_row>& rows_;
  const fake_request& request_;
  std::vector<int> placed_;
  std::map<std::string, int> members_;
};

class RandomFleet {
 public:
  explicit RandomFleet(std::uint64_t seed) : numbers_(seed) {}

  std::uint64_t below(std::uint64_t bound) {
    return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(numbers_);
  }

  std::vector<host_row> rows() {
    std::vector<host_row> rows(below(300));
    for (std::size_t index = 0; index < rows.size(); ++index) {
      host_row& row = rows[index];
      row.host = "host-" + std::to_string(index / (1 + below(2)));
      row.node = "node-" + std::to_string(index);
      row.up = below(8) != 0;
      row.disabled = below(8) == 0;
      row.availability_zone = "zone-" + std::to_string(below(3));
      if (below(16) == 0)
        row.vcpus = std::nullopt;
      else
        row.vcpus = 1 + below(64);
      row.memory_mb = 1024 * (1 + below(64));
      row.local_gb = below(500);
      row.vcpus_used = static_cast<double>(below(64));
      row.memory_mb_used = static_cast<double>(below(32768));
      row.local_gb_used = static_cast<double>(below(300));
      row.cpu_allocation_ratio = static_cast<double>(1 + below(4));
    }
    return rows;
  }

  fake_request request(const std::vector<host_row>& rows) {
    fake_request request;
    request.instances = static_cast<std::uint32_t>(1 + below(30));
    request.vcpus = 1 + below(8);
    request.memory_mb = 512 * below(16);
    request.disk_gb = static_cast<double>(below(60));
    if (below(2) == 0) request.availability_zone = "zone-" + std::to_string(below(3));
    for (std::uint64_t count = below(20); count > 0 && !rows.empty(); --count) {
      request.ignore_hosts.push_back(rows[below(rows.size())].host);
    }
    if (below(4) == 0) {
      for (std::uint64_t count = below(40); count > 0 && !rows.empty(); --count) {
        request.force_hosts.push_back(rows[below(rows.size())].host);
      }
    }
    if (below(2) == 0 || rows.empty()) return request;
    request.group = fake_group();
    request.group->policy = below(2) == 0 ? "affinity" : "anti-affinity";
    for (std::uint64_t count = below(4); count > 0; --count) {
      request.group->member_rows.push_back(static_cast<std::uint32_t>(below(rows.size())));
    }
    return request;
  }

 private:
  std::mt19937_64 numbers_;
};

TEST(SimpleProperty, DecidesAsTheModelForRandomFleets) {
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomFleet random(seed);
    fake_host host(random.rows());
    host.needs = {"host", "up", "disabled", "vcpus", "memory_mb", "local_gb"};
    const auto driver = host.create(*bundled_driver("simple"));
    const std::vector<host_row> rows = host.rows();
    const fake_request request = random.request(rows);
    const auto outcome = driver->schedule_run_instance(request);
    ASSERT_EQ(outcome.code, GANTRY_OK) << outcome.sentence;
    ASSERT_THAT(outcome.misuse, ::testing::IsEmpty());
    ASSERT_THAT(outcome.lost, ::testing::IsEmpty());

    Model model(rows, request);
    std::size_t placed = 0;
    for (std::uint32_t instance = 0; instance < request.instances; ++instance) {
      const std::optional<std::uint32_t> expected = model.place();
      if (!expected) break;
      ASSERT_LT(placed, outcome.picks.size()) << "instance " << instance;
      ASSERT_EQ(outcome.picks[placed].row, *expected) << "instance " << instance;
      ++placed;
    }
    ASSERT_EQ(outcome.picks.size(), placed);
  }
}

TEST(SimpleProperty, CountsAsManyAsTheModelPlaces) {
  for (std::uint64_t seed = 2000; seed < 2200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RandomFleet random(seed);
    fake_host host(random.rows());
    host.needs = {"host", "up", "disabled", "vcpus", "memory_mb", "local_gb"};
    const auto driver = host.create(*bundled_driver("simple"));
    const std::vector<host_row> rows = host.rows();
    fake_request request = random.request(rows);
    request.instances = 1;
    request.group.reset();
    const auto outcome = driver->count_capacity(request);
    ASSERT_TRUE(outcome);
    ASSERT_EQ(outcome->code, GANTRY_OK) << outcome->sentence;
    std::vector<std::uint64_t> placed(rows.size(), 0);
    Model model(rows, request);
    while (const auto row = model.place()) ++placed[*row];
    ASSERT_EQ(outcome->counts, placed);
  }
}

TEST(SimpleProperty, NarrowsTheHostsWithEachStep) {
  for (std::uint64_t seed = 1000; seed < 1100; ++seed) {
    RandomFleet random(seed);
    fake_host host(random.rows());
    host.needs = {"host", "up", "disabled", "vcpus", "memory_mb", "local_gb"};
    const auto driver = host.create(*bundled_driver("simple"));
    const auto outcome = driver->select_destinations(random.request(host.rows()));
    std::uint64_t left = host.rows().size();
    for (const testing::explained& step : outcome.steps) {
      if (step.name == "room") continue;
      EXPECT_EQ(step.hosts_in, left) << step.name;
      EXPECT_LE(step.hosts_out, step.hosts_in) << step.name;
      left = step.hosts_out;
    }
    EXPECT_EQ(outcome.code, left == 0 || outcome.step("room") != nullptr ? GANTRY_NO_VALID_HOST : GANTRY_OK);
  }
}

}  // namespace
}  // namespace gantry::tests
