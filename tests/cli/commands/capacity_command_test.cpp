// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/cli/fake_daemon.hpp"

namespace gantry::cli::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr const char* two_flavors =
    R"({"driver":"simple","exact":true,"generation":7,"flavors":[)"
    R"({"name":"m1.tiny","count":60,"unbounded":false,"hosts":3,"exact":true,"reason":"","groups":[)"
    R"({"name":"","count":20,"unbounded":false,"hosts":1},{"name":"az1","count":40,"unbounded":false,"hosts":2}]},)"
    R"({"name":"m1.large","count":null,"unbounded":true,"hosts":3,"exact":true,"reason":"","groups":[]}]})";

json::array flavors_asked(FakeDaemon& daemon) {
  return *json::find_array(daemon.asked("capacity").back().args, "flavors");
}

TEST(CapacityCommand, AsksForAllBuiltInFlavorsUnlessSomeAreNamed) {
  FakeDaemon daemon;
  daemon.on("capacity", two_flavors);
  ASSERT_EQ(run(daemon, {"capacity"}).code, 0);
  EXPECT_EQ(flavors_asked(daemon).size(), 5U);
  ASSERT_EQ(run(daemon, {"capacity", "--flavor", "m1.large", "-f", "m1.tiny"}).code, 0);
  EXPECT_EQ(flavors_asked(daemon).size(), 2U);
  EXPECT_EQ(flavors_asked(daemon).at(0).at("memory_mb").as_int64(), 8192);
}

TEST(CapacityCommand, TakesAFlavorOfAnySize) {
  FakeDaemon daemon;
  daemon.on("capacity", two_flavors);
  ASSERT_EQ(run(daemon, {"capacity", "--flavor", "db", "--vcpus", "16", "--memory-mb", "65536", "--extra-spec", "a=b",
                         "--image-property", "hw_architecture=x86_64", "--zone", "az1", "--by", "zone"})
                .code,
            0);
  const json::object args = daemon.asked("capacity").back().args;
  EXPECT_EQ(
      json::write(*json::find(args, "flavors")),
      R"([{"name":"db","vcpus":16,"memory_mb":65536,"root_gb":1,"ephemeral_gb":0,"swap":0,"extra_specs":{"a":"b"}}])");
  EXPECT_EQ(json::find_string(args, "by"), "zone");
  const auto* const rest = json::find_object(args, "request_spec");
  EXPECT_EQ(json::find_string(*rest, "availability_zone"), "az1");
  EXPECT_EQ(json::write(*json::find(*rest, "image")), R"({"properties":{"hw_architecture":"x86_64"}})");
}

TEST(CapacityCommand, RefusesSizesForSeveralFlavors) {
  FakeDaemon daemon;
  const Ran ran = run(daemon, {"capacity", "-f", "m1.tiny", "-f", "m1.large", "--vcpus", "2"});
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("sizes go with one --flavor"));
  EXPECT_THAT(run(daemon, {"capacity", "-f", "m1.larg"}).err, HasSubstr("did you mean `m1.large`"));
}

TEST(CapacityCommand, ShowsTotalsAndGroups) {
  FakeDaemon daemon;
  daemon.on("capacity", two_flavors);
  EXPECT_EQ(run(daemon, {"-o", "value", "capacity"}).out, "m1.tiny\t60\t3\nm1.large\tany number\t3\n");
  EXPECT_EQ(run(daemon, {"-o", "value", "capacity", "--by", "zone"}).out,
            "m1.tiny\t(all)\t60\t3\nm1.tiny\t-\t20\t1\nm1.tiny\taz1\t40\t2\nm1.large\t(all)\tany number\t3\n");
  EXPECT_THAT(run(daemon, {"capacity", "--by", "aggregate"}).out, AllOf(HasSubstr("FLAVOR"), HasSubstr("AGGREGATE")));
}

TEST(CapacityCommand, WarnsOfCountsThatAreNotExact) {
  FakeDaemon daemon;
  daemon.on("capacity",
            R"({"driver":"site","exact":false,"generation":7,"flavors":[{"name":"a","count":64,"unbounded":false,)"
            R"("hosts":1,"exact":false,"reason":"at least so many fit","groups":[]}]})");
  const Ran ran = run(daemon, {"capacity"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.err, HasSubstr("warning: not exact: at least so many fit"));
}

}  // namespace
}  // namespace gantry::cli::test
