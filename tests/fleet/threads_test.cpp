// SPDX-License-Identifier: Apache-2.0
//
// Reports, heartbeats, claims, releases and pins at once. Most of its worth shows under -fsanitize=thread.
#include <gtest/gtest.h>

#include <atomic>
#include <barrier>
#include <thread>

#include "core/encoding/uuid.hpp"
#include "snapshot.hpp"

namespace gantry::fleet::testing {
namespace {

constexpr int hosts = 40;
constexpr int turns = 1500;
constexpr double limit = 16;

std::string host_name(int at) {
  return "h" + std::to_string(at % hosts);
}

// No row of any moment is over the limit that every claim asked for.
void read_everything(const Moment& moment) {
  const auto& view = *moment.view("compute");
  const auto* used = moment.column(view, "vcpus_used");
  const auto* claimed = moment.column(view, "claims.vcpu");
  for (std::uint32_t row = 0; row < view.rows; ++row) {
    const double in_use = static_cast<const double*>(used->values)[row];
    ASSERT_LE(in_use, limit);
    ASSERT_LE(static_cast<const double*>(claimed->values)[row], in_use);
  }
  const auto rows = snapshot(moment);
  ASSERT_EQ(rows.size(), view.rows);
}

void write_reports(Fleet& fleet) {
  for (int turn = 0; turn < turns; ++turn) {
    const auto rest = R"("vcpus_used":2,"memory_mb":)" + std::to_string(turn) + R"(,"host_ip":"ip )" +
                      std::to_string(turn) + R"(","stats":{"turn":)" + std::to_string(turn) + "}}";
    put(fleet, report(host_name(turn), "n", "{" + rest));
    fleet.put_service(service(host_name(turn * 7), noon + turn));
  }
}

void come_and_go(Fleet& fleet) {
  for (int turn = 0; turn < turns / 3; ++turn) {
    put(fleet, report("passing" + std::to_string(turn % 5), "n", R"({"vcpus_used":1})"));
    Aggregate aggregate;
    aggregate.id = turn % 3;
    aggregate.name = "a" + std::to_string(turn);
    aggregate.hosts = {host_name(turn), host_name(turn + 1)};
    fleet.put_aggregate(aggregate);
    fleet.put_instance(instance(1'000'000u + static_cast<unsigned>(turn % 50), host_name(turn), "n"));
    fleet.remove_compute_node("compute", "passing" + std::to_string((turn + 2) % 5), "n");
    sweep(fleet, noon);
  }
}

void claim_and_release(Fleet& fleet, std::uint64_t worker, std::atomic<int>& held) {
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    const auto moment = fleet.pin(noon + static_cast<Nanoseconds>(turn));
    const auto& view = *moment.view("compute");
    const auto row = static_cast<std::uint32_t>((turn * 31 + worker) % view.rows);
    auto wanted = claim_of(text_of(worker * 10'000 + turn), 3, limit);
    if (claim(fleet, moment, row, wanted) == ClaimOutcome::held) ++held;
    if (turn >= 20) release_all(fleet, text_of(worker * 10'000 + turn - 20));
  }
}

void pin_and_read(Fleet& fleet, const std::atomic<bool>& stop) {
  Moment old = fleet.pin(noon);
  auto shown = snapshot(old);
  for (int turn = 0; !stop; ++turn) {
    const auto moment = fleet.pin(noon);
    read_everything(moment);
    moment.locate(*parse_uuid(text_of(1'000'000)));
    moment.row_of("compute", host_name(turn), "n");
    if (turn % 10 != 0) continue;
    ASSERT_EQ(snapshot(old), shown);
    old = moment;
    shown = snapshot(old);
  }
}

TEST(FleetThreads, NoMomentEverShowsARowOverItsLimitOrAPinnedOneChanging) {
  Fleet fleet({});
  for (int at = 0; at < hosts; ++at) put(fleet, report(host_name(at), "n", R"({"vcpus_used":2})"));
  std::atomic<int> held{0};
  std::atomic<bool> stop{false};
  std::vector<std::thread> readers;
  std::vector<std::thread> writers;
  for (int at = 0; at < 2; ++at) readers.emplace_back([&] { pin_and_read(fleet, stop); });
  writers.emplace_back([&] { write_reports(fleet); });
  writers.emplace_back([&] { come_and_go(fleet); });
  for (std::uint64_t at = 1; at <= 2; ++at) writers.emplace_back([&, at] { claim_and_release(fleet, at, held); });
  for (auto& writer : writers) writer.join();
  stop = true;
  for (auto& reader : readers) reader.join();
  EXPECT_GT(held, 0);
}

TEST(FleetThreads, OfManyRacingClaimsExactlyAsManyAreHeldAsFit) {
  Fleet fleet({});
  put(fleet, report("h1", "n", R"({"vcpus_used":2})"));
  std::atomic<int> held{0};
  constexpr int threads = 4;
  std::barrier start(threads);
  std::vector<std::thread> claimers;
  for (int thread = 0; thread < threads; ++thread) {
    claimers.emplace_back([&, thread] {
      start.arrive_and_wait();
      const auto moment = fleet.pin(noon);
      for (int at = 0; at < 100; ++at) {
        auto wanted = claim_of(text_of(static_cast<std::uint64_t>(thread * 1000 + at)), 1, limit);
        if (claim(fleet, moment, 0, wanted) == ClaimOutcome::held) ++held;
      }
    });
  }
  for (auto& claimer : claimers) claimer.join();
  EXPECT_EQ(held, 14);
  EXPECT_EQ(row_of(fleet.pin(noon), "h1", "n").at("vcpus_used"), limit);
}

}  // namespace
}  // namespace gantry::fleet::testing
