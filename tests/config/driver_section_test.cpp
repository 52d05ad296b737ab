// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "core/config/load.hpp"
#include "tests/config/scratch.hpp"

namespace gantry::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::string_view prefixes = R"(scheduler_driver = 'ip'
[driver.ip]
path = '/opt/ip.so'
required = false
sha256 = 'E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855'
default_prefix = 'web'
limit = 12
share = 0.5
strict = true
zones = ['a', 'b']
prefixes = {"10.1" = 'doc', "10.2" = 'ops'}
)";

struct Outcome {
  Loaded loaded;
  std::string refusal;
};

Outcome outcome(std::string_view text, std::map<std::string, std::string> environment = {},
                std::vector<std::string> overrides = {}) {
  const Scratch scratch;
  scratch.write("gantry.toml", text);
  auto sources = scratch.sources();
  sources.environment = std::move(environment);
  sources.overrides = std::move(overrides);
  auto result = load(sources);
  if (result) return {*std::move(result), ""};
  std::string message = result.error().message;
  for (auto at = message.find(sources.file); at != std::string::npos; at = message.find(sources.file))
    message.replace(at, sources.file.size(), "F");
  return {{}, message};
}

DriverSettings ip_of(const Outcome& outcome) {
  EXPECT_EQ(outcome.refusal, "");
  const auto at = outcome.loaded.settings.drivers.find("ip");
  return at == outcome.loaded.settings.drivers.end() ? DriverSettings{} : at->second;
}

TEST(DriverSection, KeepsEachValueWithItsType) {
  const auto ip = ip_of(outcome(prefixes));
  EXPECT_EQ(ip.path, "/opt/ip.so");
  EXPECT_FALSE(ip.required);
  EXPECT_EQ(ip.sha256, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  ASSERT_EQ(ip.options.size(), 6U);
  EXPECT_EQ(ip.options.at("default_prefix").value, OptionValue(std::string("web")));
  EXPECT_EQ(ip.options.at("limit").value, OptionValue(std::int64_t{12}));
  EXPECT_EQ(ip.options.at("share").value, OptionValue(0.5));
  EXPECT_EQ(ip.options.at("strict").value, OptionValue(true));
  EXPECT_EQ(ip.options.at("zones").value, OptionValue(std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(ip.options.at("prefixes").value,
            OptionValue(std::map<std::string, std::string>{{"10.1", "doc"}, {"10.2", "ops"}}));
}

TEST(DriverSection, RemembersWhereEachOptionWasWritten) {
  const auto ip = ip_of(outcome(prefixes));
  EXPECT_THAT(ip.options.at("limit").origin, HasSubstr("gantry.toml:7:1"));
  EXPECT_THAT(ip.origin, HasSubstr("gantry.toml:2:9"));
}

TEST(DriverSection, IsShownWithItsOptions) {
  const auto shown = outcome(prefixes).loaded.shown;
  std::vector<std::string> lines;
  for (const auto& line : shown)
    if (line.key.starts_with("driver.")) lines.push_back(line.key + " = " + line.value);
  EXPECT_THAT(
      lines,
      ElementsAre("driver.ip.path = \"/opt/ip.so\"", "driver.ip.file = \"\"", "driver.ip.required = false",
                  HasSubstr("driver.ip.sha256 = \"e3b0"), "driver.ip.libraries = []", "driver.ip.fallback = \"\"",
                  "driver.ip.memory_limit = 2048", "driver.ip.cpu_limit = 0", "driver.ip.default_prefix = \"web\"",
                  "driver.ip.limit = 12", "driver.ip.prefixes = {\"10.1\" = \"doc\", \"10.2\" = \"ops\"}",
                  "driver.ip.share = 0.5", "driver.ip.strict = true", "driver.ip.zones = [\"a\", \"b\"]"));
}

TEST(DriverSection, ReadsANestedTableAsWellAsAnInlineOne) {
  const auto ip = ip_of(outcome("scheduler_driver = 'ip'\n[driver.ip.prefixes]\n'10.1' = 'doc'\n"));
  EXPECT_EQ(ip.options.at("prefixes").value, OptionValue(std::map<std::string, std::string>{{"10.1", "doc"}}));
}

TEST(DriverSection, TakesOptionsFromTheEnvironment) {
  const auto ip = ip_of(outcome("scheduler_driver = 'ip'", {{"GANTRY_DRIVER__IP__DEFAULT_PREFIX", "web"},
                                                            {"GANTRY_DRIVER__IP__LIMIT", "12"},
                                                            {"GANTRY_DRIVER__IP__PATH", "/x.so"},
                                                            {"GANTRY_DRIVER__IP__PREFIXES", "{'10.1' = 'doc'}"}}));
  EXPECT_EQ(ip.path, "/x.so");
  EXPECT_EQ(ip.options.at("default_prefix").value, OptionValue(std::string("web")));
  EXPECT_EQ(ip.options.at("default_prefix").origin, "environment GANTRY_DRIVER__IP__DEFAULT_PREFIX");
  EXPECT_EQ(ip.options.at("limit").value, OptionValue(std::int64_t{12}));
  EXPECT_EQ(ip.options.at("prefixes").value, OptionValue(std::map<std::string, std::string>{{"10.1", "doc"}}));
}

TEST(DriverSection, LetsALaterTableReplaceAnEarlierOne) {
  const auto ip = ip_of(outcome(prefixes, {}, {"driver.ip.prefixes={'10.9'='x'}", "driver.ip.default_prefix=\"12\""}));
  EXPECT_EQ(ip.options.at("prefixes").value, OptionValue(std::map<std::string, std::string>{{"10.9", "x"}}));
  EXPECT_EQ(ip.options.at("default_prefix").value, OptionValue(std::string("12")));
  EXPECT_EQ(ip.options.at("default_prefix").origin, "--set");
}

constexpr std::string_view site = R"(scheduler_driver = 'ip'
[driver.ip]
libraries = ['site.so', 'more.so']
[driver.ip.options.RackFilter]
racks = ['r1']
[driver.ip.options.PowerWeigher]
limit = 12
)";

TEST(DriverSection, NamesLibrariesAndTheOptionsOfWhatTheyOffer) {
  const auto ip = ip_of(outcome(site));
  EXPECT_THAT(ip.libraries, ElementsAre("site.so", "more.so"));
  EXPECT_THAT(ip.libraries_origin, HasSubstr("gantry.toml:3:1"));
  EXPECT_EQ(ip.offers.at("RackFilter").options.at("racks").value, OptionValue(std::vector<std::string>{"r1"}));
  EXPECT_THAT(ip.offers.at("RackFilter").origin, HasSubstr("gantry.toml:4:20"));
  EXPECT_THAT(ip.offers.at("PowerWeigher").options.at("limit").origin, HasSubstr("gantry.toml:7:1"));
  EXPECT_THAT(ip.options, IsEmpty());
}

TEST(DriverSection, ShowsTheOptionsOfOffersWithTheirOrigins) {
  const auto shown = outcome(site, {}, {"driver.ip.options.PowerWeigher.limit=13"}).loaded.shown;
  std::vector<std::string> lines;
  for (const auto& line : shown)
    if (line.key.find(".options.") != std::string::npos)
      lines.push_back(line.key + " = " + line.value + " " + line.origin);
  EXPECT_THAT(lines, ElementsAre("driver.ip.options.PowerWeigher.limit = 13 --set",
                                 testing::MatchesRegex("driver.ip.options.RackFilter.racks = \\[\"r1\"\\] .*:5:1")));
}

TEST(DriverSection, RefusesLibrariesThatAreNotFileNames) {
  for (const std::string libraries : {"'site.so'", "['dir/site.so']", "['site']", "[1]", "['a.so', 'a.so']"}) {
    EXPECT_THAT(outcome("[driver.ip]\nlibraries = " + libraries).refusal,
                HasSubstr("F:2:1: driver.ip.libraries: expected a list of file names such as \"site_filters.so\", each "
                          "once, found "))
        << libraries;
  }
}

TEST(DriverSection, MayIsolateItsDriver) {
  const auto ip =
      ip_of(outcome("[driver.ip]\nisolation = 'process'\nfallback = 'chance'\nmemory_limit = 512\ncpu_limit = 150\n"));
  EXPECT_EQ(ip.isolation, Isolation::process);
  EXPECT_EQ(ip.fallback, "chance");
  EXPECT_EQ(ip.memory_limit, std::uint64_t{512} << 20);
  EXPECT_EQ(ip.cpu_limit, 150U);
  EXPECT_THAT(ip.options, IsEmpty());
}

TEST(DriverSection, RefusesAnIsolationThatItDoesNotKnow) {
  const auto refusal = [](const std::string& line) { return outcome("[driver.ip]\n" + line).refusal; };
  EXPECT_EQ(refusal("isolation = 'thread'"),
            "F:2:1: driver.ip.isolation: expected \"none\", \"process\" or \"debug\", found \"thread\"");
  EXPECT_THAT(refusal("fallback = 'a b'"), HasSubstr("driver.ip.fallback: expected the id of a driver"));
  EXPECT_THAT(refusal("memory_limit = -1"), HasSubstr("driver.ip.memory_limit: expected a number of MiB"));
  EXPECT_THAT(refusal("memory_limit = 63"), HasSubstr("a number of MiB, 64 to 1048576, or 0 for no limit, found"));
  EXPECT_THAT(refusal("cpu_limit = 'all'"), HasSubstr("driver.ip.cpu_limit: expected a percentage of one processor"));
}

TEST(DriverSection, RefusesOptionsOfOffersThatAreNotSections) {
  EXPECT_EQ(outcome("[driver.ip]\noptions = 1").refusal,
            "F:2:1: driver.ip.options: expected sections [driver.ip.options.<offer>], found the integer 1");
  EXPECT_EQ(outcome("[driver.ip.options]\nx = 1").refusal,
            "F:2:1: driver.ip.options.x: expected a section of the offer's options, found the integer 1");
  EXPECT_EQ(outcome("[driver.ip.options.x]\ny = [1]").refusal,
            "F:1:20: driver.ip.options.x: y: expected a list of texts, found the integer 1 in it");
}

TEST(DriverSection, MayHaveUnderscoresAndHyphensInItsId) {
  const auto result = outcome("scheduler_driver = ['first_fit', 'a-b']\n[driver.a-b]\nx = 1\n",
                              {{"GANTRY_DRIVER__FIRST_FIT__SOME_KEY", "v"}});
  EXPECT_EQ(result.refusal, "");
  EXPECT_EQ(result.loaded.settings.drivers.at("first_fit").options.count("some_key"), 1U);
  EXPECT_EQ(result.loaded.settings.drivers.at("a-b").options.count("x"), 1U);
}

TEST(DriverSection, WarnsOfASectionWhoseDriverIsNotLoaded) {
  const auto result = outcome("scheduler_driver = 'volume'\n[driver.volumes]\nx = 1\n");
  EXPECT_THAT(
      result.loaded.warnings,
      ElementsAre(HasSubstr(":2:9: [driver.volumes] has no effect: scheduler_driver does not name 'volumes'; did "
                            "you mean [driver.volume]?")));
  EXPECT_THAT(outcome(prefixes).loaded.warnings, IsEmpty());
}

TEST(DriverSection, RefusesValuesThatNoDriverCouldTake) {
  EXPECT_EQ(outcome("driver = 'ip'").refusal, "F:1:1: driver: expected sections [driver.<id>], found \"ip\"");
  EXPECT_EQ(outcome("[driver]\nip = 'x'").refusal, "F:2:1: driver.ip: expected a section [driver.<id>], found \"x\"");
  EXPECT_EQ(outcome("[driver.'a/b']\nx = 1").refusal,
            "F:1:9: driver.\"a/b\": expected the id of a driver (letters, digits, _ and -), found \"a/b\"");
  EXPECT_EQ(outcome("[driver.ip]\npath = 'ip.so'").refusal,
            "F:2:1: driver.ip.path: expected an absolute path in quotes, found \"ip.so\"");
  EXPECT_EQ(outcome("[driver.ip]\nrequired = 1").refusal,
            "F:2:1: driver.ip.required: expected true or false, found the integer 1");
  EXPECT_EQ(
      outcome("[driver.ip]\nsha256 = 'abc'").refusal,
      "F:2:1: driver.ip.sha256: expected 64 hexadecimal digits in quotes, as sha256sum prints them, found \"abc\"");
  EXPECT_EQ(outcome("[driver.ip]\nx = [1]").refusal,
            "F:2:1: driver.ip.x: expected a list of texts, found the integer 1 in it");
  EXPECT_EQ(outcome("[driver.ip]\nx = {a = 1}").refusal,
            "F:2:1: driver.ip.x: expected a table whose values are texts, found the integer 1 for a");
  EXPECT_EQ(outcome("[driver.ip]\nx = 12:00:00").refusal,
            "F:2:1: driver.ip.x: expected true or false, a number, a text, a list of texts or a table of texts, found "
            "the date 12:00:00");
  EXPECT_EQ(outcome("[driver.ip]\nx = inf").refusal,
            "F:2:1: driver.ip.x: expected true or false, a number, a text, a list of texts or a table of texts, found "
            "inf");
}

}  // namespace
}  // namespace gantry::config
