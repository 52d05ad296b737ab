// SPDX-License-Identifier: Apache-2.0
//
// `gantry driver install` and `gantry driver remove`, with bundled drivers in the place of a third party's.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "core/cli/terminal/exit_code.hpp"
#include "tests/cli/fake_daemon.hpp"
#include "tests/drivers/trusted_directory.hpp"

namespace gantry::cli::test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// A site that runs `scheduler_driver`, with the directories bundled/ and site/ for drivers.
class DriverInstall : public testing::Test {
 protected:
  DriverInstall() { configure("simple"); }

  void configure(const std::string& driver, const std::string& more = "") const {
    for (const char* name : {"bundled", "site", "new"}) fs::create_directories(place(name));
    if (!fs::exists(place("bundled/" + driver + ".so")))
      directory_.add(std::string(GANTRY_DRIVERS) + "/" + driver + ".so", "bundled/" + driver + ".so");
    directory_.write("gantry.toml", "scheduler_driver = '" + driver + "'\ndriver_directories = ['" +
                                        place("bundled").string() + "', '" + place("site").string() +
                                        "']\nstore.path = '" + place("gantry.db").string() + "'\nserver.socket = '" +
                                        place("s").string() + "'\n" + more);
  }

  fs::path place(const std::string& name) const { return directory_.path() / name; }
  fs::path drop_in() const { return place("conf.d/90-installed-drivers.toml"); }
  std::string add_new(const std::string& from, const std::string& name) const {
    return directory_.add(from + "/" + name, "new/" + name);
  }
  std::string chance() const { return add_new(GANTRY_DRIVERS, "chance.so"); }
  std::string rules() const { return add_new(GANTRY_ZOO_DIRECTORY, "site_filters.so"); }

  Ran driver(std::vector<std::string> words) {
    words.insert(words.begin(), {"--config", place("gantry.toml").string(), "driver"});
    return run(daemon_, words);
  }
  std::string configured() {
    return run({"--config", place("gantry.toml").string(), "-o", "value", "config", "show"}).out;
  }
  void expect_untouched(const std::string& what) const {
    EXPECT_FALSE(fs::exists(drop_in())) << what;
    EXPECT_TRUE(fs::is_empty(place("site"))) << what;
  }

  drivers::TrustedDirectory directory_;
  FakeDaemon daemon_;
};

TEST_F(DriverInstall, CopiesTheFileAndNamesItInTheConfiguration) {
  const Ran ran = driver({"install", chance()});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("chance serves the topic of simple, which gives way"));
  struct stat status {};
  ASSERT_EQ(::stat(place("site/chance.so").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777u, 0644u);
  EXPECT_THAT(configured(), HasSubstr("scheduler_driver\t\"chance\""));
  EXPECT_EQ(driver({"list", "-q"}).code, 0);
  EXPECT_EQ(daemon_.asked("restart").size(), 0u);
}

TEST_F(DriverInstall, IsTakenBackByRemove) {
  ASSERT_EQ(driver({"install", chance()}).code, 0);
  const Ran ran = driver({"remove", "chance"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("scheduler_driver is simple"));
  expect_untouched("after remove");
}

TEST_F(DriverInstall, ReplacesTheFileOfAnEarlierVersion) {
  ASSERT_EQ(driver({"install", chance()}).code, 0);
  const auto first = fs::file_size(place("site/chance.so"));
  fs::resize_file(place("site/chance.so"), first / 2);  // another content
  ASSERT_EQ(driver({"install", chance()}).code, 0);
  EXPECT_EQ(fs::file_size(place("site/chance.so")), first);
}

TEST_F(DriverInstall, GivesALibraryToTheDriverFilter) {
  configure("filter");
  const Ran ran = driver({"install", rules()});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("to use PowerFilter, name it in enabled_filters"));
  EXPECT_THAT(configured(), HasSubstr("driver.filter.libraries\t[\"site_filters.so\"]"));
  EXPECT_EQ(driver({"remove", "site_filters"}).code, 0);
  expect_untouched("after remove");
}

TEST_F(DriverInstall, ChangesNothingInADryRun) {
  const Ran ran = driver({"install", chance(), "--dry-run", "-o", "json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\"state\": \"would be installed\""));
  EXPECT_THAT(ran.out, HasSubstr("\"replaces\": [\n    \"simple\"\n  ]"));
  expect_untouched("after a dry run");
}

TEST_F(DriverInstall, PutsAllBackIfTheDaemonGoesOnWithTheOldDriver) {
  daemon_.on("restart", R"({"id": "r1"})");
  daemon_.on("status", R"({"last_restart": {"id": "r1", "outcome": "failed", "pid": 7, "reason": "no memory"}})");
  const Ran ran = driver({"install", chance(), "--restart"});
  EXPECT_EQ(ran.code, exit_code::failure);
  EXPECT_THAT(ran.err, HasSubstr("put back as it was: the restart has failed, process 7 serves as before: no memory"));
  expect_untouched("after a failed restart");
}

TEST_F(DriverInstall, TellsThatTheDaemonHasLoadedIt) {
  daemon_.on("restart", R"({"id": "r1"})");
  daemon_.on("status", R"({"last_restart": {"id": "r1", "outcome": "succeeded", "pid": 7}})");
  const Ran ran = driver({"install", chance(), "--restart"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("installed and loaded"));
}

TEST_F(DriverInstall, RefusesAFileThatTheDaemonWouldRefuse) {
  directory_.write("new/text.so", "no driver");
  const Ran ran = driver({"install", place("new/text.so").string()});
  EXPECT_EQ(ran.code, exit_code::invalid_configuration);
  expect_untouched("after a refusal");
}

TEST_F(DriverInstall, RefusesALibraryWithoutADriverThatTakesIt) {
  const Ran ran = driver({"install", rules()});
  EXPECT_EQ(ran.code, exit_code::failure);
  EXPECT_THAT(ran.err, HasSubstr("set scheduler_driver = \"filter\" first"));
  expect_untouched("after a refusal");
}

TEST_F(DriverInstall, RefusesWhereAnotherSourceIsAboveTheDropIn) {
  fs::create_directories(place("conf.d"));
  directory_.write("conf.d/99-ours.toml", "scheduler_driver = 'simple'\n");
  const Ran ran = driver({"install", chance()});
  EXPECT_EQ(ran.code, exit_code::failure);
  EXPECT_THAT(ran.err, HasSubstr("99-ours.toml:1:1: scheduler_driver: this source is above the drop-in"));
  expect_untouched("after a refusal");
}

TEST_F(DriverInstall, RefusesAWrongName) {
  const Ran ran = driver({"install", chance(), "--name", "a b"});
  EXPECT_EQ(ran.code, exit_code::usage);
  EXPECT_THAT(ran.err, HasSubstr("expected 1 to 64 letters, digits, _ and -, found \"a b\""));
}

TEST_F(DriverInstall, RemoveRefusesTheFallbackOfAnotherDriver) {
  ASSERT_EQ(driver({"install", chance()}).code, 0);
  directory_.add(std::string(GANTRY_DRIVERS) + "/ip.so", "bundled/ip.so");
  configure("simple", "[driver.ip]\nisolation = 'process'\nfallback = 'chance'\n");
  const Ran ran = driver({"remove", "chance"});
  EXPECT_EQ(ran.code, exit_code::failure);
  EXPECT_THAT(ran.err, HasSubstr("chance: driver.ip.fallback names it"));
  EXPECT_TRUE(fs::exists(place("site/chance.so")));
}

TEST_F(DriverInstall, RemoveNamesTheFileThatHasTheDriver) {
  const Ran ran = driver({"remove", "simple"});
  EXPECT_EQ(ran.code, exit_code::failure);
  EXPECT_THAT(ran.err, HasSubstr("gantry.toml:1:1: scheduler_driver names simple"));
}

TEST_F(DriverInstall, RemoveNamesWhatIsInstalled) {
  ASSERT_EQ(driver({"install", chance()}).code, 0);
  const Ran ran = driver({"remove", "chanse"});
  EXPECT_EQ(ran.code, exit_code::failure);
  EXPECT_THAT(ran.err, HasSubstr("has installed, found chance"));
}

}  // namespace
}  // namespace gantry::cli::test
