// SPDX-License-Identifier: Apache-2.0
//
// A policy in Lua, in a real gantryd and a process of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {
namespace {

using ::testing::HasSubstr;

constexpr auto small_and_big = R"(
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

constexpr auto prefers_big = R"(
filter "memory" { host = function(host, request) return host.free_ram_mb >= request.memory_mb, "too small" end }
weigh "free" { columns = function(view) return view.free_ram_mb end }
)";

class LuaInGantryd : public ::testing::Test {
 protected:
  void SetUp() override {
    write(prefers_big);
    gantry.configure(R"(["lua", "volume"])",
                     "[driver.lua]\npolicy = \"" + policy() + "\"\nmemory_mb = 8\n[scheduling]\ncall_timeout = 1\n");
  }
  void start() {
    gantry.start();
    gantry.simulate(small_and_big);
    ASSERT_TRUE(eventually([&] { return gantry.list({"hosts-up", "compute"}).size() == 2; }));
  }
  std::string policy() const { return (gantry.directory() / "policy.lua").string(); }
  void write(const std::string& text) const { std::ofstream(policy()) << text; }
  Ran reload() const { return gantry.gantry({"reload"}); }
  Ran select(std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"select", "--vcpus", "1", "--memory-mb", "64"});
    return gantry.gantry(std::move(more));
  }
  std::string failure() const {
    const Ran ran = select();
    EXPECT_NE(ran.exit_status, 0) << ran.out;
    return ran.err;
  }

  RunningGantry gantry;
};

TEST_F(LuaInGantryd, DecidesAndExplainsInAProcessOfItsOwn) {
  start();
  EXPECT_TRUE(gantry.ask({"status"}).at("drivers").as_array().at(0).at("process").is_object());
  const std::string told = select({"--explain"}).out;
  EXPECT_THAT(told, HasSubstr("chosen  big"));
  for (const char* part : {"memory ", "free ", "small"}) EXPECT_THAT(told, HasSubstr(part));
}

TEST_F(LuaInGantryd, TakesAChangedFileAtAReloadAndKeepsTheOldOneForABadFile) {
  start();
  write("weigh 'free' { multiplier = -1, columns = function(view) return view.free_ram_mb end }");
  EXPECT_EQ(reload().exit_status, 0);
  EXPECT_THAT(select().out, HasSubstr("small"));
  write("\n\nweigh 'free' { host = function( }");
  const Ran refused = reload();
  EXPECT_NE(refused.exit_status, 0) << refused.out;
  EXPECT_THAT(refused.err, HasSubstr("policy.lua:3:"));
  EXPECT_THAT(select().out, HasSubstr("small"));
}

TEST_F(LuaInGantryd, RefusesToStartWithASyntaxErrorAndNamesItsLine) {
  write("\nfilter 'x' {{");
  const Ran refused = gantry.start_refused();
  EXPECT_EQ(refused.exit_status, 78);
  EXPECT_THAT(refused.out + refused.err, HasSubstr("policy.lua:2:"));
}

TEST_F(LuaInGantryd, FailsByErrorLoopAndMemoryAloneAndGoesOn) {
  start();
  write("filter 'x' { host = function(host)\n return host.stats.none > 1 end }");
  ASSERT_EQ(reload().exit_status, 0);
  EXPECT_THAT(failure(), HasSubstr("policy.lua:2: attempt to compare number with nil, in filter 'x', for host '"));
  write("filter 'x' { host = function(host)\n while true do end end }");
  ASSERT_EQ(reload().exit_status, 0);
  EXPECT_THAT(failure(), HasSubstr("policy.lua:2: the deadline has passed, in filter 'x'"));
  write("filter 'x' { host = function(host) local all = {} while true do all[#all + 1] = {} end end }");
  ASSERT_EQ(reload().exit_status, 0);
  EXPECT_THAT(failure(), HasSubstr("policy.lua:1: more memory than memory_mb = 8 allows, in filter 'x'"));
  EXPECT_EQ(gantry.gantry({"hosts-up", "volume"}).exit_status, 0) << "other topics are served";
  write(prefers_big);
  ASSERT_EQ(reload().exit_status, 0);
  EXPECT_THAT(select().out, HasSubstr("big"));
}

}  // namespace
}  // namespace gantry::test
