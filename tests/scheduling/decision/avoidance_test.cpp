// SPDX-License-Identifier: Apache-2.0
//
// A host that fails builds of a kind again and again is used last for that kind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/encoding/uuid.hpp"
#include "core/scheduling/state/build_failures.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Avoidance : public testing::Test {
 protected:
  Avoidance() {
    manager.keep_decisions();
    manager.restart();
    manager.add_host("large", 64);  // the least loaded: chosen as long as it is not avoided
    manager.add_host("small", 8);
  }

  static std::string asking(const std::string& flavor, const std::string& more = "") {
    return R"({"request_spec":{"num_instances":1,"flavor":{"name":")" + flavor +
           R"(","vcpus":1,"memory_mb":1,"root_gb":0})" + more + "}}";
  }
  json::object launch(const std::string& flavor, const std::string& more = "") {
    return manager.result("schedule_run_instance", asking(flavor, more)).at("instances").at(0).as_object();
  }
  std::string host_for(const std::string& flavor, const std::string& more = "") {
    return std::string(*json::find_string(launch(flavor, more), "host"));
  }
  void report(const json::object& instance, const std::string& state) {
    manager.result("update_instance", json::write(json::object{{"uuid", instance.at("uuid")}, {"vm_state", state}}));
  }
  void fail(const std::string& flavor, int times) {
    for (int i = 0; i < times; ++i) {
      const auto instance = launch(flavor);
      ASSERT_EQ(instance.at("host").as_string(), "large");
      report(instance, "error");
    }
  }
  void disable(const std::string& host) {
    manager.result("disable_service", R"({"topic":"compute","host":")" + host + R"("})");
  }
  json::array failures() { return manager.result("list_build_failures", "{}").as_array(); }

  RunningManager manager{"simple"};
};

TEST_F(Avoidance, BeginsWithTheThirdFailureOfAKindAndNamesTheFailures) {
  fail("m", 3);
  EXPECT_EQ(host_for("m"), "small");
  EXPECT_EQ(host_for("other"), "large");
  ASSERT_THAT(failures(), SizeIs(1));
  EXPECT_EQ(failures()[0].at("kind").as_string(), "flavor m");
  EXPECT_EQ(failures()[0].at("failures"), 3);
  EXPECT_EQ(failures()[0].at("avoided"), true);
  const auto shown = manager.result("show_instance", json::write(json::object{{"instance", launch("m").at("uuid")}}));
  const auto& last = shown.at("decision").at("steps").as_array().back();
  EXPECT_EQ(last.at("name").as_string(), "build_failures");
  EXPECT_THAT(std::string(last.at("reason").as_string()), HasSubstr("large failed 3 builds of flavor m since "));
}

TEST_F(Avoidance, IsOfImagesTooAndEndsWithASuccess) {
  const std::string image = R"(,"image":{"name":"broken","properties":{}})";
  for (int i = 0; i < 3; ++i) report(launch("f" + std::to_string(i), image), "error");
  EXPECT_EQ(host_for("other", image), "small");
  disable("small");
  const auto nevertheless = launch("other", image);
  EXPECT_EQ(nevertheless.at("host").as_string(), "large") << "the only host is used last, not never";
  report(nevertheless, "active");
  manager.result("enable_service", R"({"topic":"compute","host":"small"})");
  EXPECT_EQ(host_for("other", image), "large");
}

TEST_F(Avoidance, EndsWhenTheFailuresAreClearedOrTheServiceRestarts) {
  fail("m", 3);
  EXPECT_EQ(manager.result("clear_build_failures", R"({"host":"large"})").at("cleared"), 3);
  EXPECT_EQ(host_for("m"), "large");
  EXPECT_EQ(manager.result("clear_build_failures", R"({"host":"large"})").at("cleared"), 0);
  fail("m", 3);
  manager.restart();
  EXPECT_THAT(failures(), IsEmpty());
  EXPECT_EQ(host_for("m"), "large");
}

TEST_F(Avoidance, LeavesARequestThatNamesItsHostAloneAndCanBeSwitchedOff) {
  fail("m", 3);
  EXPECT_EQ(host_for("m", R"(,"force_hosts":["large"])"), "large");
  manager.manager_settings().avoid_failing_hosts = false;
  manager.restart();
  fail("m", 3);
  EXPECT_EQ(host_for("m"), "large");
}

TEST_F(Avoidance, IsToldOfAndMadeAgainInAKeptDecision) {
  fail("m", 3);
  const auto uuid = std::string(*json::find_string(launch("m"), "uuid"));
  const auto shown = manager.result("show_decision", R"({"instance_uuid":")" + uuid + R"("})");
  EXPECT_EQ(shown.at("facts").at("known"), true) << json::write(shown.at("facts"));
  const auto why = manager.result("why_not", R"({"instance_uuid":")" + uuid + R"(","host":"large"})");
  EXPECT_EQ(why.at("outcome").as_string(), "lost");
  EXPECT_THAT(std::string(why.at("sentence").as_string()), HasSubstr("it was passed over: large failed 3 builds"));
  disable("small");
  const auto none = manager.result("list_decisions", R"({"outcome":"no_valid_host"})");
  launch("m");
  EXPECT_EQ(manager.result("list_decisions", R"({"outcome":"no_valid_host"})"), none) << "the attempt is not told";
}

TEST(BuildFailures, AreForgottenAfterAnHourAndBounded) {
  BuildFailures failures;
  const std::vector<std::string> kind{"flavor m"};
  constexpr std::int64_t minute = 60'000'000'000;
  for (int i = 1; i <= 3; ++i) failures.failed("a", kind, i * minute);
  EXPECT_THAT(failures.avoided(kind, 4 * minute), SizeIs(1));
  EXPECT_THAT(failures.avoided(kind, 61 * minute), IsEmpty()) << "the first of the three is forgotten";
  EXPECT_THAT(failures.list(61 * minute), SizeIs(1));
  for (std::size_t i = 0; i < BuildFailures::most + 10; ++i) failures.failed("h" + std::to_string(i), kind, minute);
  EXPECT_THAT(failures.list(2 * minute), SizeIs(BuildFailures::most));
}

TEST(BuildFailures, AreCountedInWords) {
  EXPECT_EQ(sentence_of({"a", "flavor m", 1, 36'120'000'000'000, false}),
            "a failed 1 build of flavor m since 10:02 UTC");
  EXPECT_EQ(sentence_of({"a", "image i", 2, 36'120'000'000'000, false}),
            "a failed 2 builds of image i since 10:02 UTC");
}

}  // namespace
}  // namespace gantry::scheduling
