// SPDX-License-Identifier: Apache-2.0
//
// Requests for as many instances as there may be.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {
namespace {

// Hosts of unlike size, so that some hold many more instances than others.
constexpr auto ten_hosts = R"(
[[hosts]]
name = "large-{1..2}"
vcpus = 4000
memory_mb = 8192000
local_gb = 100000
[[hosts]]
name = "small-{1..8}"
vcpus = 700
memory_mb = 1024000
local_gb = 10000
)";

// As many as a request may ask for. Fewer in a sanitizer's build, which takes many times as long for each.
#ifdef GANTRY_SANITIZE
constexpr std::size_t most_instances = 2'000;
#else
constexpr std::size_t most_instances = 10'000;
#endif

class LargeRequests : public ::testing::TestWithParam<std::string> {
 protected:
  LargeRequests() {
    // Long times: the test counts instances and measures no time.
    gantry.configure("[\"" + GetParam() + "\"]", "server.request_timeout = 300\nscheduling.call_timeout = 300\n");
    gantry.start();
    gantry.simulate(ten_hosts);
  }
  RunningGantry gantry;
};

TEST_P(LargeRequests, PlaceThousandsOfInstancesFromTheCommandLine) {
  ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 10; }));
  gantry.end_simulation();
  const std::vector<std::string> request{"--timeout", "300", "--count",     std::to_string(most_instances),
                                         "--vcpus",   "1",   "--memory-mb", "512"};
  auto words = request;
  words.insert(words.begin(), {"select"});
  EXPECT_EQ(gantry.list(words).size(), most_instances);

  words = request;
  words.insert(words.begin(), {"server", "create", "--no-wait"});
  words.emplace_back("web");
  const auto answer = gantry.ask(words);
  const auto& instances = answer.at("instances").as_array();
  ASSERT_EQ(instances.size(), most_instances);
  for (const auto& instance : instances)
    ASSERT_EQ(json::find_string(instance.as_object(), "vm_state"), "building") << json::write(instance);
  EXPECT_EQ(gantry.list({"cast", "list"}).size(), most_instances);
}

INSTANTIATE_TEST_SUITE_P(Every, LargeRequests, ::testing::Values("filter", "simple"),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace gantry::test
