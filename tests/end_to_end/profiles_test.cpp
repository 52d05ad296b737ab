// SPDX-License-Identifier: Apache-2.0
//
// Several drivers of one file, the rules that choose among the drivers of one topic, and fallbacks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <gantry/client.hpp>
#include <string>
#include <thread>
#include <vector>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/end_to_end/site_driver.hpp"
#include "tests/transport/raw_connection.hpp"

namespace gantry::test {
namespace {

using ::testing::AllOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr auto unlike_hosts = R"(
[[hosts]]
name = "small"
vcpus = 4
memory_mb = 8192
local_gb = 100
[[hosts]]
name = "big"
vcpus = 4
memory_mb = 65536
local_gb = 100
)";

// Two drivers of the filter's file: "wide" takes the host with most memory, "tight" the one with least.
constexpr auto wide_and_tight = R"(
[driver.wide]
file = "filter.so"
[driver.tight]
file = "filter.so"
ram_weight_multiplier = -1.0
)";
constexpr auto tight_for_g1 = R"(
[[profile]]
name = "packed"
driver = "tight"
flavor = "g1.*"
)";

class ProfilesOfAService : public ::testing::Test {
 protected:
  void serve(const std::string& drivers, const std::string& more) {
    gantry.configure(drivers, more);
    gantry.start();
    gantry.simulate(unlike_hosts);
    ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 2; }));
  }
  // The answer to a request for one instance of the flavor, with its decision or its failure.
  std::string select(const std::string& flavor) const {
    client::client client(gantry.url());
    const auto reply = client.call("select_destinations", R"({"explain":true,"request_spec":{"flavor":{"name":")" +
                                                              flavor + R"(","vcpus":1,"memory_mb":64,"root_gb":1}}})");
    return reply ? std::string(reply.json()) : reply.failure().message;
  }
  std::string metrics() const {
    gantry::testing::RawConnection connection(gantry.socket_path());
    connection.send(gantry::testing::get("/metrics"));
    return connection.answer().value_or(gantry::testing::RawAnswer{}).body;
  }
  std::string refusal(const std::string& drivers, const std::string& more) {
    gantry.configure(drivers, more);
    return gantry.start_refused().err;
  }

  RunningGantry gantry;
};

TEST_F(ProfilesOfAService, ChooseAmongDriversOfOneFile) {
  serve(R"(["wide", "tight"])", std::string(wide_and_tight) + tight_for_g1);
  EXPECT_THAT(select("m1.small"),
              AllOf(HasSubstr(R"("host":"big")"), HasSubstr(R"("driver":"wide")"), Not(HasSubstr("profile"))));
  EXPECT_THAT(select("g1.small"), AllOf(HasSubstr(R"("host":"small")"), HasSubstr(R"("driver":"tight")"),
                                        HasSubstr(R"("profile":"packed")")));
  EXPECT_THAT(gantry.log(), ContainsRegex("scheduled.*driver=tight.*profile=packed"));
  const auto drivers = json::write(gantry.ask({"status"}).at("drivers"));
  EXPECT_THAT(drivers,
              AllOf(HasSubstr(R"("id":"wide","kind":"filter")"), HasSubstr(R"("id":"tight","kind":"filter")")));
  const auto listed = gantry.gantry({"--config", gantry.config_file(), "driver", "list"}).out;
  EXPECT_THAT(listed, AllOf(ContainsRegex("tight +ok.*filter.so"), ContainsRegex("wide +ok.*filter.so")));
  EXPECT_THAT(metrics(), HasSubstr(R"(gantry_driver_info{driver="tight")"));
}

TEST_F(ProfilesOfAService, AreNamedByRecordsThatAreDecidedAgainByTheDriverOfThen) {
  serve(R"(["wide", "tight"])", std::string(wide_and_tight) + tight_for_g1);
  gantry.configure(R"(["wide", "tight"])", wide_and_tight);
  const std::string server = "6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01";
  client::client client(gantry.url());
  const auto reply =
      client.call("select_destinations", R"({"request_spec":{"instance_uuids":[")" + server +
                                             R"("],"flavor":{"name":"g1.x","vcpus":1,"memory_mb":64}}})");
  ASSERT_TRUE(reply) << reply.failure().message;
  ASSERT_EQ(gantry.gantry({"reload"}).exit_status, 0);
  EXPECT_THAT(select("g1.small"), HasSubstr(R"("driver":"wide")"));
  ASSERT_TRUE(eventually([&] { return gantry.gantry({"why", server}).exit_status == 0; }));
  EXPECT_THAT(gantry.gantry({"why", server}).out, AllOf(HasSubstr("tight"), HasSubstr("packed")));
  EXPECT_THAT(gantry.gantry({"decision", "list"}).out, AllOf(HasSubstr("PROFILE"), HasSubstr("packed")));
  EXPECT_THAT(json::write(gantry.ask({"why-not", server, "big"})), HasSubstr("big"));
}

TEST_F(ProfilesOfAService, ChangeByAReloadWhileRequestsComeAndNoneIsLost) {
  serve(R"(["wide", "tight"])", std::string(wide_and_tight) + tight_for_g1);
  std::atomic<bool> ends{false};
  std::atomic<int> decided{0};
  std::atomic<int> failed{0};
  std::vector<std::thread> callers;
  for (int i = 0; i < 3; ++i)
    callers.emplace_back([&] {
      while (!ends) {
        const auto answer = select("g1.small");
        const bool is_whole =
            (answer.find("\"tight\"") != std::string::npos && answer.find("packed") != std::string::npos) ||
            (answer.find("\"wide\"") != std::string::npos && answer.find("packed") == std::string::npos);
        ++(is_whole ? decided : failed);
      }
    });
  for (int round = 0; round < 6; ++round) {
    const int before = decided;
    ASSERT_TRUE(eventually([&] { return decided > before + 20 || failed > 0; }));
    gantry.configure(R"(["wide", "tight"])", std::string(wide_and_tight) + (round % 2 == 0 ? "" : tight_for_g1));
    const auto reloaded = gantry.gantry({"reload"});
    EXPECT_EQ(reloaded.exit_status, 0) << reloaded.err;
    EXPECT_THAT(reloaded.out, HasSubstr("profile.packed"));
  }
  ends = true;
  for (auto& caller : callers) caller.join();
  EXPECT_EQ(failed, 0);
}

TEST_F(ProfilesOfAService, DecideWhatCapacityIsCountedBy) {
  serve(R"(["wide", "tight"])", std::string(wide_and_tight) + tight_for_g1);
  client::client client(gantry.url());
  const auto reply = client.call("capacity", R"({"flavors":[{"name":"g1.x","vcpus":1,"memory_mb":64,"root_gb":1},
                                                            {"name":"m1.x","vcpus":1,"memory_mb":64,"root_gb":1}]})");
  ASSERT_TRUE(reply) << reply.failure().message;
  EXPECT_THAT(std::string(reply.json()), AllOf(ContainsRegex(R"("name":"g1.x".*"driver":"tight","profile":"packed")"),
                                               ContainsRegex(R"("name":"m1.x".*"driver":"wide"})")));
}

TEST_F(ProfilesOfAService, AreCheckedBeforeAStartAndAReload) {
  const auto both = R"(["wide", "tight"])";
  EXPECT_THAT(refusal(both, wide_and_tight),
              AllOf(HasSubstr("one driver for topic 'compute', or a way to each further one"),
                    HasSubstr("which nothing reaches"), HasSubstr("name 'tight' in a [[profile]]")));
  EXPECT_THAT(
      refusal(both, std::string(wide_and_tight) + tight_for_g1 + "[[profile]]\nname = \"x\"\ndriver = \"tihgt\"\n"),
      HasSubstr("found 'tihgt'; did you mean 'tight'?"));
  gantry.configure(both, std::string(wide_and_tight) + tight_for_g1 +
                             "[[profile]]\nname = \"late\"\ndriver = \"wide\"\nflavor = \"g1.large\"\n");
  const auto checked = gantry.gantry({"--config", gantry.config_file(), "config", "check"});
  EXPECT_EQ(checked.exit_status, 0) << checked.err;
  EXPECT_THAT(checked.err + checked.out, HasSubstr("profile 'late' takes no request: profile 'packed'"));
}

TEST_F(ProfilesOfAService, MayBeRequired) {
  serve(R"(["wide", "tight"])", "scheduling.profiles_required = true\n" + std::string(wide_and_tight) + tight_for_g1);
  EXPECT_THAT(select("m1.small"), HasSubstr("No profile takes the request (flavor 'm1.small'"));
  EXPECT_THAT(select("g1.small"), HasSubstr(R"("host":"small")"));
  EXPECT_THAT(gantry.log(), ContainsRegex("no valid host.*No profile takes the request"));
}

class FallbackOfAService : public ProfilesOfAService {
 protected:
  // A driver that fails as the amount of memory asks it to.
  void serve_faulty(const std::string& keys = "fallback = \"simple\"\n") {
    build({.id = "faulty", .begin = R"(
  const int64_t wish = request->memory_mb;
  if (wish > 64) {
    gantry_pick pick = {.struct_size = sizeof pick};
    host->pick(call, &pick);
  }
  if (wish == 65) return host->fail(call, GANTRY_INTERNAL, (gantry_string){"the rack is on fire", 19});
  if (wish == 66) return 42;
  if (wish == 67) return host->fail(call, GANTRY_NO_VALID_HOST, (gantry_string){"none is good enough", 19});
  if (wish == 68) return host->fail(call, GANTRY_INVALID_ARGUMENT, (gantry_string){"odd", 3});
  if (wish == 69) { while (!host->should_stop(call)) usleep(10000); return host->fail(call, GANTRY_DEADLINE_EXCEEDED, (gantry_string){"too slow", 8}); }
)"},
          gantry);
    serve("\"faulty\"", "scheduling.call_timeout = 1\n[driver.faulty]\n" + keys);
  }
  std::string ask(int memory_mb, const std::string& uuids = "[]") const {
    client::client client(gantry.url());
    const auto reply =
        client.call("select_destinations", R"({"explain":true,"request_spec":{"instance_uuids":)" + uuids +
                                               R"(,"flavor":{"name":"m1","vcpus":1,"root_gb":1,"memory_mb":)" +
                                               std::to_string(memory_mb) + "}}}");
    return reply ? std::string(reply.json()) : reply.failure().message;
  }
};

TEST_F(FallbackOfAService, DecidesWhereADecisionFailsByTheDriversFault) {
  serve_faulty();
  EXPECT_THAT(ask(64), AllOf(HasSubstr(R"("driver":"faulty")"), Not(HasSubstr("fallback"))));
  EXPECT_THAT(ask(65, R"(["6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01"])"),
              AllOf(HasSubstr(R"("driver":"simple")"), HasSubstr(R"("fallback_for":"faulty")"),
                    HasSubstr("select_destinations: the rack is on fire")));
  EXPECT_THAT(ask(66), HasSubstr(R"("fallback_for":"faulty")"));
  EXPECT_THAT(ask(69), AllOf(HasSubstr(R"("fallback_for":"faulty")"), HasSubstr("too slow")));
  // The picks of the driver are given back: that of its fallback alone is claimed.
  EXPECT_EQ(gantry.list({"claim", "list"}).size(), 1U);
}

TEST_F(FallbackOfAService, LeavesResultsAndTheCallersFaultsAsTheyAre) {
  serve_faulty();
  EXPECT_THAT(ask(67), HasSubstr("none is good enough"));
  EXPECT_THAT(ask(68), HasSubstr("odd"));
  EXPECT_THAT(gantry.log(), Not(HasSubstr("fallback_for")));
}

TEST_F(FallbackOfAService, IsToldByTheRecordTheLogTheStatusAndTheMetrics) {
  serve_faulty();
  ask(65);
  EXPECT_THAT(gantry.log(),
              AllOf(ContainsRegex("the driver failed, its fallback decides.*driver=faulty.*fallback=simple"),
                    ContainsRegex("scheduled.*driver=simple.*fallback_for=faulty.*fallback_reason=")));
  EXPECT_THAT(gantry.gantry({"status"}).out + gantry.gantry({"status"}).err,
              HasSubstr("driver 'faulty' fails, and its fallback 'simple' decides in its place"));
  EXPECT_THAT(metrics(), HasSubstr(R"(gantry_driver_fallback_decisions_total{driver="faulty"} 1)"));
  ASSERT_TRUE(eventually([&] { return !gantry.list({"decision", "list"}).empty(); }));
  EXPECT_THAT(json::write(gantry.list({"decision", "list"}).at(0)),
              AllOf(HasSubstr(R"("driver":"simple")"), HasSubstr(R"("fallback_for":"faulty")")));
}

TEST_F(FallbackOfAService, IsNotItselfAndHasNoneOfItsOwn) {
  build({.id = "faulty"}, gantry);
  EXPECT_THAT(refusal("\"faulty\"", "[driver.faulty]\nfallback = \"faulty\"\n"), HasSubstr("expected another driver"));
  EXPECT_THAT(refusal("\"faulty\"", "[driver.faulty]\nfallback = \"simple\"\n[driver.simple]\nfallback = \"chance\"\n"),
              HasSubstr("a driver without isolation and fallback of its own"));
}

}  // namespace
}  // namespace gantry::test
