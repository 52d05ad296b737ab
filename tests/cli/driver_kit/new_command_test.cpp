// SPDX-License-Identifier: Apache-2.0
//
// `gantry driver new`: what a project is called, and what is refused. tests/sdk builds the projects.
#include <gmock/gmock.h>

#include "core/cli/terminal/exit_code.hpp"
#include "tests/cli/driver_kit/scratch_sdk.hpp"

namespace gantry::cli::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class DriverNew : public testing::Test {
 protected:
  ScratchSdk sdk_;
};

TEST_F(DriverNew, NamesIdFilesClassAndTestAsTheDriver) {
  const Ran ran = sdk_.driver({"new", "our-spread", sdk_.path("p")});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("gantry driver build"));
  const std::string source = sdk_.read("p/our-spread.cpp");
  EXPECT_THAT(source, HasSubstr("id = 'our-spread'"));
  EXPECT_THAT(source, HasSubstr("class our_spread_driver final"));
  EXPECT_THAT(sdk_.read("p/CMakeLists.txt"), HasSubstr("gantry_add_driver(our-spread SOURCES our-spread.cpp)"));
  EXPECT_THAT(sdk_.read("p/CMakeLists.txt"), HasSubstr("our_spread_test.cpp"));
  for (const char* file : {"p/our_spread_test.cpp", "p/README.md", "p/CHANGELOG.md", "p/.github/workflows/test.yml"}) {
    EXPECT_NE(sdk_.read(file), "") << file;
    EXPECT_THAT(sdk_.read(file), Not(HasSubstr("first_fit"))) << file;
  }
}

TEST_F(DriverNew, GivesADriverOfMethodsItsTopic) {
  const Ran ran = sdk_.driver(
      {"new", "slots", "--lang", "c", "--kind", "method", "--topic", "backup", sdk_.path("p"), "-o", "json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("\"topic\": \"backup\""));
  EXPECT_THAT(sdk_.read("p/slots.c"), HasSubstr("\"topics = ['backup']\\n\""));
  EXPECT_THAT(sdk_.read("p/slots.c"), HasSubstr("\"'backup' = ['take_seats']\\n\""));
  EXPECT_THAT(sdk_.read("p/slots_test.cpp"), HasSubstr(", \"backup\");"));
}

TEST_F(DriverNew, TellsAMakefileWhereTheSdkIs) {
  ASSERT_EQ(sdk_.driver({"new", "slots", "--lang", "c", sdk_.path("p")}).code, 0);
  EXPECT_THAT(sdk_.read("p/Makefile"), HasSubstr(":" + sdk_.path("sdk/lib/pkgconfig") + "\" pkg-config"));
}

TEST_F(DriverNew, MakesAPolicyInLuaAndSaysHowToConfigureIt) {
  const Ran ran = sdk_.driver({"new", "our-policy", "--lang", "lua", sdk_.path("p")});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("make check"));
  EXPECT_THAT(ran.out,
              HasSubstr("[driver.our-policy]\n  file = \"lua.so\"\n  policy = \"/etc/gantry/our-policy.lua\""));
  EXPECT_THAT(ran.out, Not(HasSubstr("driver build")));
  for (const char* file : {"p/our-policy.lua", "p/Makefile", "p/README.md", "p/CHANGELOG.md"}) {
    EXPECT_NE(sdk_.read(file), "") << file;
    EXPECT_THAT(sdk_.read(file), Not(HasSubstr("site_policy"))) << file;
  }
}

TEST_F(DriverNew, MakesAPolicyThatNeedsNoBuild) {
  ASSERT_EQ(sdk_.driver({"new", "ours", "--lang", "lua", sdk_.path("p")}).code, 0);
  for (const char* place : {"p", "p/ours.lua"}) {
    const Ran ran = sdk_.driver({"build", sdk_.path(place)});
    EXPECT_EQ(ran.code, exit_code::usage);
    EXPECT_THAT(ran.err, HasSubstr("ours.lua: expected sources of a driver, found a policy in Lua"));
  }
}

TEST_F(DriverNew, FillsAnEmptyDirectory) {
  std::filesystem::create_directory(sdk_.path("p"));
  EXPECT_EQ(sdk_.driver({"new", "spread", sdk_.path("p") + "/"}).code, 0);
  EXPECT_NE(sdk_.read("p/spread.cpp"), "");
}

TEST_F(DriverNew, KeepsADirectoryWithFilesAsItIs) {
  sdk_.write("p/mine.txt", "mine");
  const Ran ran = sdk_.driver({"new", "spread", sdk_.path("p")});
  EXPECT_EQ(ran.code, exit_code::failure);
  EXPECT_THAT(ran.err, HasSubstr("found files in it; name another directory"));
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(sdk_.path("p")), {}), 1);
}

struct Refused {
  std::vector<std::string> words;
  int code;
  std::string message;
};

class DriverNewRefuses : public DriverNew, public testing::WithParamInterface<Refused> {};

TEST_P(DriverNewRefuses, AndSaysHowToGoOn) {
  std::vector<std::string> words{"new"};
  words.insert(words.end(), GetParam().words.begin(), GetParam().words.end());
  words.push_back(sdk_.path("p"));
  const Ran ran = sdk_.driver(words);
  EXPECT_EQ(ran.code, GetParam().code);
  EXPECT_THAT(ran.err, HasSubstr(GetParam().message));
  EXPECT_FALSE(std::filesystem::exists(sdk_.path("p")));
}

INSTANTIATE_TEST_SUITE_P(
    WrongTurns, DriverNewRefuses,
    testing::Values(
        Refused{
            {"1st"}, exit_code::usage, "expected a letter, then letters, digits, _ and -, 64 at most, found \"1st\""},
        Refused{{"a/b"}, exit_code::usage, "found \"a/b\""},
        Refused{{std::string(65, 'a')}, exit_code::usage, "64 at most"},
        Refused{{"x", "--lang", "go"}, exit_code::usage, "expected one of c, cpp, rust, lua"},
        Refused{{"x", "--lang", "lua", "--kind", "filter"},
                exit_code::usage,
                "take --lang c, cpp or rust, or --kind driver, a policy of filters and weighers"},
        Refused{{"x", "--lang", "lua", "--kind", "method"}, exit_code::usage, "take --lang c or cpp, or --kind driver"},
        Refused{{"x", "--lang", "rust", "--kind", "method"},
                exit_code::usage,
                "take --lang c or cpp, or --kind driver, filter or weigher"},
        Refused{{"x", "--kind", "weigher", "--topic", "a"}, exit_code::usage, "has no topic of its own"},
        Refused{
            {"x", "--lang", "lua", "--topic", "a"}, exit_code::usage, "the driver lua decides for the topic compute"},
        Refused{{"x", "--topic", "a b"}, exit_code::usage, "letters, digits, _, - and ., found \"a b\""}));

TEST(DriverNewWithoutAnSdk, SaysHowToGetOne) {
  FakeDaemon daemon;
  const Ran ran = run(daemon, {"driver", "new", "x"}, "", {{"GANTRY_SDK", "/nowhere"}});
  EXPECT_EQ(ran.code, exit_code::failure);
  EXPECT_THAT(ran.err, HasSubstr("/nowhere/include/gantry/driver.h, found none; $GANTRY_SDK names the prefix"));
}

}  // namespace
}  // namespace gantry::cli::test
