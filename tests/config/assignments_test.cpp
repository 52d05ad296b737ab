// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/config/load.hpp"
#include "tests/config/scratch.hpp"

namespace gantry::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<Loaded> with_environment(const std::string& variable, const std::string& words) {
  const Scratch scratch;
  auto sources = scratch.sources();
  sources.environment = {{variable, words}};
  return load(sources);
}

Result<Loaded> with_override(const std::string& words) {
  const Scratch scratch;
  auto sources = scratch.sources();
  sources.overrides = {words};
  return load(sources);
}

std::string refusal(const Result<Loaded>& result) {
  return result ? "loaded" : result.error().message;
}

TEST(Environment, SetsAKeyOfASection) {
  const auto result = with_environment("GANTRY_SERVER__SOCKET", "/tmp/a b.sock");
  ASSERT_TRUE(result) << refusal(result);
  EXPECT_EQ(result->settings.server.socket, "/tmp/a b.sock");
}

TEST(Environment, SetsAKeyOfNoSection) {
  const auto result = with_environment("GANTRY_SCHEDULER_DRIVER", "ip");
  ASSERT_TRUE(result) << refusal(result);
  EXPECT_THAT(result->settings.scheduler_driver, ElementsAre("ip"));
  EXPECT_EQ(result->settings.scheduler_driver_origin, "environment GANTRY_SCHEDULER_DRIVER");
}

TEST(Environment, TakesAListWithCommasOrAsToml) {
  for (const char* words : {"ip,volume", " ip , volume ", "['ip', 'volume']"}) {
    const auto result = with_environment("GANTRY_SCHEDULER_DRIVER", words);
    ASSERT_TRUE(result) << refusal(result);
    EXPECT_THAT(result->settings.scheduler_driver, ElementsAre("ip", "volume"));
  }
}

TEST(Environment, TakesANumberAsTextWhereTextIsWanted) {
  const auto group = with_environment("GANTRY_SERVER__SOCKET_GROUP", "42");
  ASSERT_TRUE(group) << refusal(group);
  EXPECT_EQ(group->settings.server.socket_group, "42");
  const auto mode = with_environment("GANTRY_SERVER__SOCKET_MODE", "660");
  ASSERT_TRUE(mode) << refusal(mode);
  EXPECT_EQ(mode->settings.server.socket_mode, 0660U);
}

TEST(Environment, SetsAnEmptyText) {
  const auto result = with_environment("GANTRY_LOG__FILE", "");
  ASSERT_TRUE(result) << refusal(result);
  EXPECT_EQ(result->settings.log.file, "");
}

TEST(Environment, LeavesTheVariablesOfThePrograms) {
  EXPECT_TRUE(with_environment("GANTRY_URL", "http://localhost:1"));
  EXPECT_TRUE(with_environment("GANTRY_CONFIG", "/x"));
  EXPECT_TRUE(with_environment("GANTRY_INSTANCE_UUID", "x"));
}

TEST(Environment, RefusesAnUnknownVariableWithTheNearest) {
  EXPECT_EQ(refusal(with_environment("GANTRY_SERVER_SOCKET", "/x")),
            "environment GANTRY_SERVER_SOCKET: unknown variable; did you mean GANTRY_SERVER__SOCKET?");
  EXPECT_EQ(refusal(with_environment("GANTRY_SCHEDULER_DRIVERS", "ip")),
            "environment GANTRY_SCHEDULER_DRIVERS: unknown variable; did you mean GANTRY_SCHEDULER_DRIVER?");
  EXPECT_EQ(refusal(with_environment("GANTRY_BANANA", "1")),
            "environment GANTRY_BANANA: unknown variable; expected GANTRY_<KEY>, GANTRY_<SECTION>__<KEY> or "
            "GANTRY_DRIVER__<ID>__<KEY>");
  EXPECT_THAT(refusal(with_environment("GANTRY_DRIVER__IP", "1")), HasSubstr("unknown variable"));
  EXPECT_THAT(refusal(with_environment("GANTRY_DRIVER__IP__PREFIXES__A", "1")), HasSubstr("unknown variable"));
  EXPECT_THAT(refusal(with_environment("GANTRY_log__level", "info")), HasSubstr("did you mean GANTRY_LOG__LEVEL?"));
  EXPECT_THAT(refusal(with_environment("GANTRY_", "1")), HasSubstr("unknown variable"));
}

TEST(Environment, RefusesAWrongValueByTheVariablesName) {
  EXPECT_EQ(refusal(with_environment("GANTRY_SERVER__WORKERS", "many")),
            "environment GANTRY_SERVER__WORKERS: server.workers: expected a whole number, 0 to 1024, found \"many\"");
  EXPECT_EQ(refusal(with_environment("GANTRY_SERVER__WORKERS", "")),
            "environment GANTRY_SERVER__WORKERS: server.workers: expected a whole number, 0 to 1024, found \"\"");
  EXPECT_EQ(refusal(with_environment("GANTRY_LOG__FILE", "/\xff")),
            "environment GANTRY_LOG__FILE: log.file: expected one line of UTF-8 text, found other bytes in it");
  EXPECT_EQ(refusal(with_environment("GANTRY_LOG__FILE", "/a\n/b")),
            "environment GANTRY_LOG__FILE: log.file: expected one line of UTF-8 text, found other bytes in it");
}

TEST(Override, TakesBareWordsAndToml) {
  EXPECT_EQ(with_override("log.level=debug")->settings.log.level, "debug");
  EXPECT_EQ(with_override("log.level = \"debug\"")->settings.log.level, "debug");
  EXPECT_EQ(with_override("server.workers=3")->settings.server.workers, 3U);
  EXPECT_EQ(with_override("seal_drivers=false")->settings.seal_drivers, false);
  EXPECT_THAT(with_override("scheduler_driver=ip")->settings.scheduler_driver, ElementsAre("ip"));
  EXPECT_THAT(with_override("scheduler_driver=ip,volume")->settings.scheduler_driver, ElementsAre("ip", "volume"));
  EXPECT_EQ(with_override("store.path=/a=b")->settings.store.path, "/a=b");
}

TEST(Override, RefusesATextWithoutAnAssignment) {
  EXPECT_EQ(refusal(with_override("log.level")),
            "--set log.level: expected <key>=<value> or <section>.<key>=<value>, such as log.level=debug");
  EXPECT_THAT(refusal(with_override("")), HasSubstr("expected <key>=<value>"));
  EXPECT_THAT(refusal(with_override("=1")), HasSubstr("expected <key>=<value>"));
  EXPECT_THAT(refusal(with_override("log..level=1")), HasSubstr("expected <key>=<value>"));
}

TEST(Override, RefusesAnUnknownKeyWithTheNearest) {
  EXPECT_EQ(refusal(with_override("log.levle=debug")), "--set: unknown key 'log.levle'; did you mean 'log.level'?");
  EXPECT_EQ(refusal(with_override("log=debug")), "--set: log: expected the section [log], found \"debug\"");
  EXPECT_EQ(refusal(with_override("log.level.x=1")),
            "--set: log.level: expected one of \"debug\", \"info\", \"warning\", \"error\", found a table");
}

}  // namespace
}  // namespace gantry::config
