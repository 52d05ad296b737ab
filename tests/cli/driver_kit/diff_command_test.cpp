// SPDX-License-Identifier: Apache-2.0
//
// `gantry driver diff`, on drivers that the machine's compiler makes of the starter project in C.
#include <gmock/gmock.h>

#include "core/cli/terminal/exit_code.hpp"
#include "tests/cli/driver_kit/scratch_sdk.hpp"

namespace gantry::cli::test {
namespace {

using testing::HasSubstr;

class DriverDiff : public testing::Test {
 protected:
  // Builds the starter project with these replacements, and returns the file.
  std::string built(const std::string& name, const std::vector<std::pair<std::string, std::string>>& changes) const {
    if (source_.empty()) {
      EXPECT_EQ(sdk_.driver({"new", "spread", "--lang", "c", sdk_.path("project")}).code, 0);
      source_ = sdk_.read("project/spread.c");
    }
    std::string text = source_;
    for (const auto& [old, with] : changes) text.replace(text.find(old), old.size(), with);
    sdk_.write(name + "/spread.c", text);
    const Ran ran = sdk_.driver({"build", sdk_.path(name)});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return sdk_.path(name + "/build/spread.so");
  }

  ScratchSdk sdk_;
  mutable std::string source_;
};

TEST_F(DriverDiff, SaysThatAFileIsTheSame) {
  const std::string file = built("one", {});
  const Ran ran = sdk_.driver({"diff", file, file});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("the files are the same"));
}

TEST_F(DriverDiff, SaysWhatAnOperatorHasToDo) {
  const Ran ran = sdk_.driver(
      {"diff", built("old", {}),
       built("new", {{"'disabled', 'memory_mb'", "'disabled', 'stats.rack:string', 'memory_mb'"},
                     {"\"default = 0\\n\"", "\"default = 512\\n\""},
                     {"'reentrant'", "'serial'"},
                     {"\"help = 'MiB kept free on each host'\\n\"",
                      "\"help = 'MiB'\\n[options.rack]\\ntype = 'string'\\nrequired = true\\nhelp = 'x'\\n\""}})});
  EXPECT_EQ(ran.code, exit_code::unsound) << ran.err;
  for (const char* text : {"option reserve_mb, default", "have the agents report it first", "set 0 to keep the old one",
                           "set driver.spread.rack, which has no default", "requests wait for each other", "build id",
                           "--restart` installs and loads it"})
    EXPECT_THAT(ran.out, HasSubstr(text));
}

TEST_F(DriverDiff, NamesWhatIsGone) {
  const std::string with = built("with", {});
  const std::string without = built(
      "without", {{"\"[options.reserve_mb]\\n\"\n    \"type = 'integer'\\n\"\n    \"default = 0\\n\"\n    "
                   "\"minimum = 0\\n\"\n    \"maximum = 1048576\\n\"\n    \"help = 'MiB kept free on each host'\\n\"",
                   ""}});
  const Ran ran = sdk_.driver({"diff", with, without, "-o", "json"});
  EXPECT_EQ(ran.code, exit_code::unsound);
  EXPECT_THAT(ran.out, HasSubstr("\"what\": \"option reserve_mb\""));
  EXPECT_THAT(ran.out, HasSubstr("take driver.spread.reserve_mb out of the configuration, which is refused otherwise"));
}

TEST_F(DriverDiff, RefusesWhatIsNoDriver) {
  const Ran ran = sdk_.driver({"diff", sdk_.write("a.so", "text"), sdk_.write("b.so", "text")});
  EXPECT_EQ(ran.code, exit_code::invalid_configuration);
  EXPECT_THAT(ran.err, HasSubstr("a.so"));
}

}  // namespace
}  // namespace gantry::cli::test
