// SPDX-License-Identifier: Apache-2.0
#include "core/config/load.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>

#include "core/config/sample.hpp"
#include "tests/config/scratch.hpp"

namespace gantry::config {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

Loaded loaded(const Sources& sources) {
  auto result = load(sources);
  EXPECT_TRUE(result) << (result ? "" : result.error().message);
  return result ? *std::move(result) : Loaded{};
}

std::string refusal(const Sources& sources) {
  const auto result = load(sources);
  if (result) return "loaded";
  EXPECT_EQ(result.error().code, ErrorCode::invalid_configuration);
  return result.error().message;
}

std::string refusal_of_file(std::string_view text) {
  const Scratch scratch;
  scratch.write("gantry.toml", text);
  std::string message = refusal(scratch.sources());
  const std::string file = scratch.path("gantry.toml");
  for (auto at = message.find(file); at != std::string::npos; at = message.find(file))
    message.replace(at, file.size(), "F");
  return message;
}

Settings settings_of_file(std::string_view text) {
  const Scratch scratch;
  scratch.write("gantry.toml", text);
  return loaded(scratch.sources()).settings;
}

Shown shown_of(const Loaded& loaded, const std::string& key) {
  const auto at = std::find_if(loaded.shown.begin(), loaded.shown.end(), [&](const Shown& s) { return s.key == key; });
  return at == loaded.shown.end() ? Shown{key, "missing", "missing"} : *at;
}

TEST(Load, NeedsNoFile) {
  const Scratch scratch;
  const auto all = loaded(scratch.sources());
  EXPECT_THAT(all.settings.scheduler_driver, ElementsAre("simple"));
  EXPECT_EQ(all.settings.scheduler_driver_origin, "default");
  EXPECT_EQ(all.settings.server.socket, "/run/gantry/gantry.sock");
  EXPECT_EQ(all.settings.driver_directories.back(), "/usr/local/lib/gantry/drivers");
  EXPECT_EQ(shown_of(all, "server.socket").origin, "default");
  EXPECT_THAT(all.warnings, IsEmpty());
}

TEST(Load, NeedsTheFileThatTheUserNamed) {
  const Scratch scratch;
  auto sources = scratch.sources();
  sources.file_must_exist = true;
  EXPECT_EQ(refusal(sources), sources.file + ": expected a configuration file, found none of that name");
}

TEST(Load, ReadsEveryTypeFromAFile) {
  const auto settings = settings_of_file(R"(
scheduler_driver = ["ip", "volume"]
driver_directories = ["/a", "/b"]
seal_drivers = false
[server]
socket = "/tmp/g.sock"
socket_mode = "0600"
socket_group = "nova"
workers = 4
request_timeout = 2.5
max_body_bytes = 4096
[store]
path = "/tmp/g.db"
[scheduling]
service_down_time = 90
claim_max_age = 0.25
cpu_allocation_ratio = 4
ram_allocation_ratio = 1.25
[log]
level = "debug"
format = "json"
file = "/tmp/g.log"
)");
  EXPECT_THAT(settings.scheduler_driver, ElementsAre("ip", "volume"));
  EXPECT_THAT(settings.driver_directories, ElementsAre("/a", "/b"));
  EXPECT_FALSE(settings.seal_drivers);
  EXPECT_EQ(settings.server.socket, "/tmp/g.sock");
  EXPECT_EQ(settings.server.socket_mode, 0600U);
  EXPECT_EQ(settings.server.socket_group, "nova");
  EXPECT_EQ(settings.server.workers, 4U);
  EXPECT_EQ(settings.server.request_timeout, 2500ms);
  EXPECT_EQ(settings.server.max_body_bytes, 4096U);
  EXPECT_EQ(settings.store.path, "/tmp/g.db");
  EXPECT_EQ(settings.scheduling.service_down_time, 90s);
  EXPECT_EQ(settings.scheduling.claim_max_age, 250ms);
  EXPECT_EQ(settings.scheduling.cpu_allocation_ratio, 4.0);
  EXPECT_EQ(settings.scheduling.ram_allocation_ratio, 1.25);
  EXPECT_EQ(settings.log.level, "debug");
  EXPECT_EQ(settings.log.format, "json");
  EXPECT_EQ(settings.log.file, "/tmp/g.log");
}

TEST(Load, TakesOneDriverNameForAListOfOne) {
  EXPECT_THAT(settings_of_file("scheduler_driver = 'ip'").scheduler_driver, ElementsAre("ip"));
}

TEST(Load, LetsLaterSourcesWinKeyByKey) {
  const Scratch scratch;
  scratch.write("gantry.toml", "[log]\nlevel = 'debug'\nformat = 'json'\nfile = '/1'\n[server]\nworkers = 1");
  scratch.write("conf.d/20-b.toml", "[log]\nformat = 'text'\nfile = '/3'");
  scratch.write("conf.d/10-a.toml", "[log]\nformat = 'json'\nfile = '/2'");
  auto sources = scratch.sources();
  sources.environment = {{"GANTRY_LOG__FILE", "/4"}, {"GANTRY_SERVER__WORKERS", "2"}, {"PATH", "/bin"}};
  sources.overrides = {"server.workers=3"};
  const auto all = loaded(sources);
  EXPECT_EQ(all.settings.log.level, "debug");
  EXPECT_EQ(all.settings.log.format, "text");
  EXPECT_EQ(all.settings.log.file, "/4");
  EXPECT_EQ(all.settings.server.workers, 3U);
  EXPECT_EQ(shown_of(all, "log.level").origin, scratch.path("gantry.toml") + ":2:1");
  EXPECT_EQ(shown_of(all, "log.format").origin, scratch.path("conf.d/20-b.toml") + ":2:1");
  EXPECT_EQ(shown_of(all, "log.file").origin, "environment GANTRY_LOG__FILE");
  EXPECT_EQ(shown_of(all, "server.workers").origin, "--set");
}

TEST(Load, PassesOverOtherNamesAmongTheDropIns) {
  const Scratch scratch;
  scratch.write("conf.d/10-a.toml.dpkg-new", "nonsense");
  scratch.write("conf.d/.hidden.toml", "nonsense");
  scratch.write("conf.d/README", "nonsense");
  EXPECT_EQ(loaded(scratch.sources()).settings.log.level, "info");
}

TEST(Load, ReadsTheDropInDirectoryThatTheUserNamed) {
  const Scratch scratch;
  scratch.write("mine/a.toml", "log.level = 'error'");
  auto sources = scratch.sources();
  sources.drop_in_directory = scratch.path("mine");
  EXPECT_EQ(loaded(sources).settings.log.level, "error");
  sources.drop_in_directory = scratch.path("yours");
  EXPECT_EQ(refusal(sources),
            scratch.path("yours") + ": expected a directory of drop-in files, found none of that name");
}

TEST(Load, RefusesADropInThatIsADirectoryOrADanglingLink) {
  const Scratch scratch;
  std::filesystem::create_directories(scratch.path("conf.d/10-a.toml"));
  std::filesystem::create_symlink("nowhere", scratch.path("conf.d/20-b.toml"));
  EXPECT_EQ(refusal(scratch.sources()),
            scratch.path("conf.d/10-a.toml") + ": expected a readable file, found: a directory\n" +
                scratch.path("conf.d/20-b.toml") + ": expected a configuration file, found none of that name");
}

TEST(Load, RefusesADirectoryForAFile) {
  const Scratch scratch;
  std::filesystem::create_directories(scratch.path("gantry.toml"));
  EXPECT_EQ(refusal(scratch.sources()), scratch.path("gantry.toml") + ": expected a readable file, found: a directory");
}

TEST(Load, SaysWhyAFileCannotBeOpened) {
  const Scratch scratch;
  scratch.write("plain", "");
  auto sources = scratch.sources();
  sources.file = scratch.path("plain/gantry.toml");
  sources.drop_in_directory = scratch.path(".");
  EXPECT_EQ(refusal(sources), sources.file + ": expected a readable file, found: Not a directory");
}

TEST(Load, WarnsOfAFileThatEveryoneMayWrite) {
  const Scratch scratch;
  const auto file = scratch.write("gantry.toml", "");
  ::chmod(file.c_str(), 0666);
  EXPECT_THAT(loaded(scratch.sources()).warnings, ElementsAre(HasSubstr("chmod o-w " + file)));
}

TEST(Load, NamesPlaceAndReasonOfBadToml) {
  EXPECT_THAT(refusal_of_file("[log]\nlevel = 'info\n"), StartsWith("F:2:14: this is not TOML: "));
  EXPECT_THAT(refusal_of_file("\xff\xfe["), StartsWith("F:1:1: expected TOML in UTF-8, found the byte order mark"));
  EXPECT_THAT(refusal_of_file("[log]\nlevel = 'info'\nlevel = 'debug'"), StartsWith("F:3:"));
  EXPECT_THAT(refusal_of_file("a = \"\xff\""), StartsWith("F:1:"));
}

TEST(Load, ReportsEveryProblemOfEverySourceOnALineOfItsOwn) {
  const Scratch scratch;
  scratch.write("gantry.toml", "schedular_driver = 'ip'\n[server]\nsocket_mode = 'rw'\n");
  scratch.write("conf.d/a.toml", "[log\n");
  auto sources = scratch.sources();
  sources.environment = {{"GANTRY_LOG__LEVEL", "loud"}};
  sources.overrides = {"server.workers=many"};
  const auto message = refusal(sources);
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 4);
  EXPECT_THAT(message, HasSubstr(":1:1: unknown key 'schedular_driver'; did you mean 'scheduler_driver'?"));
  EXPECT_THAT(message, HasSubstr(":3:1: server.socket_mode: expected an octal text such as \"0660\", found \"rw\""));
  EXPECT_THAT(message, HasSubstr("environment GANTRY_LOG__LEVEL: log.level: expected one of \"debug\", \"info\", "
                                 "\"warning\", \"error\", found \"loud\""));
  EXPECT_THAT(message, HasSubstr("--set: server.workers: expected a whole number, 0 to 1024, found \"many\""));
}

struct WrongInput {
  std::string_view text;
  std::string message;
};

class Refuses : public testing::TestWithParam<WrongInput> {};

TEST_P(Refuses, SaysWhatWasExpectedAndFound) {
  EXPECT_EQ(refusal_of_file(GetParam().text), GetParam().message);
}

INSTANTIATE_TEST_SUITE_P(
    Load, Refuses,
    testing::Values(
        WrongInput{"[sever]\nworkers = 1", "F:1:2: unknown key 'sever'; did you mean 'server'?"},
        WrongInput{"[server]\nsokcet = '/x'", "F:2:1: unknown key 'server.sokcet'; did you mean 'server.socket'?"},
        WrongInput{"socket = '/x'", "F:1:1: unknown key 'socket'; 'socket' belongs to [server]"},
        WrongInput{
            "[log]\nscheduler_driver = 'ip'",
            "F:2:1: unknown key 'log.scheduler_driver'; 'scheduler_driver' stands in front of the first [section]"},
        WrongInput{"[log]\nzzz = 1", "F:2:1: unknown key 'log.zzz'; `gantry config sample` shows every key"},
        WrongInput{"ram_weight_multiplier = 2",
                   "F:1:1: unknown key 'ram_weight_multiplier'; an option of a driver is driver.<driver>.<option>, and "
                   "`gantry config sample` shows every other key"},
        WrongInput{"log = 'x'", "F:1:1: log: expected the section [log], found \"x\""},
        WrongInput{"seal_drivers = 'yes'", "F:1:1: seal_drivers: expected true or false, found \"yes\""},
        WrongInput{"server.workers = 1025",
                   "F:1:8: server.workers: expected a whole number, 0 to 1024, found the integer 1025"},
        WrongInput{"server.workers = -1",
                   "F:1:8: server.workers: expected a whole number, 0 to 1024, found the integer -1"},
        WrongInput{"server.workers = 1.0", "F:1:8: server.workers: expected a whole number, 0 to 1024, found 1.0"},
        WrongInput{"server.max_body_bytes = 9223372036854775807",
                   "F:1:8: server.max_body_bytes: expected a whole number, 1024 to 1073741824, found the integer "
                   "9223372036854775807"},
        WrongInput{"server.socket_mode = 432",
                   "F:1:8: server.socket_mode: expected an octal text such as \"0660\", found the integer 432"},
        WrongInput{"server.socket_mode = '0999'",
                   "F:1:8: server.socket_mode: expected an octal text such as \"0660\", found \"0999\""},
        WrongInput{"server.socket_mode = '7777'",
                   "F:1:8: server.socket_mode: expected an octal text such as \"0660\", found \"7777\""},
        WrongInput{"server.request_timeout = '30s'",
                   "F:1:8: server.request_timeout: expected a number of seconds, 0.001 to 86400, found \"30s\""},
        WrongInput{"server.request_timeout = 0",
                   "F:1:8: server.request_timeout: expected a number of seconds, 0.001 to 86400, found the integer 0"},
        WrongInput{"scheduling.cpu_allocation_ratio = inf",
                   "F:1:12: scheduling.cpu_allocation_ratio: expected a number, 0.001 to 1000000, found inf"},
        WrongInput{"scheduling.cpu_allocation_ratio = nan",
                   "F:1:12: scheduling.cpu_allocation_ratio: expected a number, 0.001 to 1000000, found nan"},
        WrongInput{"server.socket = 'gantry.sock'",
                   "F:1:8: server.socket: expected an absolute path in quotes, found \"gantry.sock\""},
        WrongInput{"store.path = 2026-01-02",
                   "F:1:7: store.path: expected an absolute path in quotes, found the date 2026-01-02"},
        WrongInput{"log.file = 'x'", "F:1:5: log.file: expected an absolute path in quotes, or \"\", found \"x\""},
        WrongInput{"log.level = 'warn'",
                   "F:1:5: log.level: expected one of \"debug\", \"info\", \"warning\", \"error\", found \"warn\""},
        WrongInput{"log.level = 'eror'",
                   "F:1:5: log.level: expected one of \"debug\", \"info\", \"warning\", "
                   "\"error\", found \"eror\"; did you mean \"error\"?"},
        WrongInput{"driver_directories = '/a'",
                   "F:1:1: driver_directories: expected a list of absolute paths, found \"/a\""},
        WrongInput{"driver_directories = ['/a', 'b']",
                   "F:1:1: driver_directories: expected a list of absolute paths, found \"b\" in it"},
        WrongInput{"driver_directories = ['/a', 1]",
                   "F:1:1: driver_directories: expected a list of absolute paths, found the integer 1 in it"}));

INSTANTIATE_TEST_SUITE_P(
    DriverNames, Refuses,
    testing::Values(
        WrongInput{"scheduler_driver = []",
                   "F:1:1: scheduler_driver: expected the name of a driver (letters, digits, _ and -), or a list of "
                   "different names, found the list []"},
        WrongInput{"scheduler_driver = ['ip', 'ip']",
                   "F:1:1: scheduler_driver: expected the name of a driver (letters, digits, _ and -), or a list of "
                   "different names, found \"ip\" twice"},
        WrongInput{"scheduler_driver = '../evil'",
                   "F:1:1: scheduler_driver: expected the name of a driver (letters, digits, _ and -), or a list of "
                   "different names, found \"../evil\""},
        WrongInput{"scheduler_driver = 'ip.so'",
                   "F:1:1: scheduler_driver: expected the name of a driver (letters, digits, _ and -), or a list of "
                   "different names, found \"ip.so\"; give the name without .so here, and a file elsewhere as path in "
                   "its [driver.<name>]"},
        WrongInput{"scheduler_driver = true",
                   "F:1:1: scheduler_driver: expected the name of a driver (letters, digits, _ and -), or a list of "
                   "different names, found true"}));

TEST(Load, RefusesASocketPathThatIsTooLongForTheKernel) {
  const auto message = refusal_of_file("server.socket = '/" + std::string(107, 'x') + "'");
  EXPECT_EQ(message, "F:1:8: server.socket: expected at most 107 bytes, as unix sockets allow, found 108");
}

TEST(Load, WarnsOfADriverDeadlineThatNoRequestLivesToSee) {
  const Scratch scratch;
  scratch.write("gantry.toml", "server.request_timeout = 1");
  EXPECT_THAT(loaded(scratch.sources()).warnings, ElementsAre(HasSubstr("scheduling.call_timeout")));
}

TEST(Shown, ListsEveryKeyInTheOrderOfTheSampleAsToml) {
  const Scratch scratch;
  const auto all = loaded(scratch.sources());
  std::size_t at = 0;
  const auto text = sample();
  for (const auto& line : all.shown) {
    const auto name = line.key.substr(line.key.find('.') + 1);
    const auto next = text.find(name + " = ", at);
    EXPECT_NE(next, std::string::npos) << line.key;
    at = next;
  }
  EXPECT_EQ(shown_of(all, "server.socket_mode").value, "\"0660\"");
  EXPECT_EQ(shown_of(all, "server.request_timeout").value, "30");
  EXPECT_EQ(shown_of(all, "scheduling.ram_allocation_ratio").value, "1.5");
  EXPECT_EQ(shown_of(all, "scheduler_driver").value, "\"simple\"");
}

}  // namespace
}  // namespace gantry::config
