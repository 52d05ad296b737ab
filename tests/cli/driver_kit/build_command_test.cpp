// SPDX-License-Identifier: Apache-2.0
//
// `gantry driver build` on a source file, with the compiler of the machine. tests/sdk builds whole projects.
#include <gmock/gmock.h>

#include "core/cli/terminal/exit_code.hpp"
#include "tests/cli/driver_kit/scratch_sdk.hpp"

namespace gantry::cli::test {
namespace {

using testing::HasSubstr;

class DriverBuild : public testing::Test {
 protected:
  DriverBuild() {
    EXPECT_EQ(sdk_.driver({"new", "spread", "--lang", "c", sdk_.path("project")}).code, 0);
    source_ = sdk_.read("project/spread.c");
  }

  void write_source(const std::string& name, const std::string& old, const std::string& with) {
    std::string text = source_;
    text.replace(text.find(old), old.size(), with);
    sdk_.write(name, text);
  }

  ScratchSdk sdk_;
  std::string source_;
};

TEST_F(DriverBuild, CompilesASourceFileAndJudgesTheDriver) {
  sdk_.write("one/any_name.c", source_);
  const Ran ran = sdk_.driver({"build", sdk_.path("one")});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr(sdk_.path("one/build/spread.so")));
  EXPECT_EQ(sdk_.driver({"inspect", sdk_.path("one/build/spread.so")}).code, 0);
}

TEST_F(DriverBuild, ShowsTheCompilersMessage) {
  write_source("one/spread.c", "static void destroy", "static vod destroy");
  const Ran ran = sdk_.driver({"build", sdk_.path("one/spread.c")});
  EXPECT_EQ(ran.code, exit_code::failure);
  EXPECT_THAT(ran.err, HasSubstr("unknown type name"));
  EXPECT_THAT(ran.err, HasSubstr(": exit status 1"));
}

TEST_F(DriverBuild, GivesTheCompilersMessageToPrograms) {
  write_source("one/spread.c", "static void destroy", "static vod destroy");
  const Ran ran = sdk_.driver({"build", sdk_.path("one"), "-o", "json"});
  EXPECT_THAT(ran.err, HasSubstr("{\"error\":{\"code\":\"failed_precondition\""));
  EXPECT_THAT(ran.err, HasSubstr("\"details\":{\"output\":"));
}

TEST_F(DriverBuild, NamesASymbolThatIsMissing) {
  write_source("one/spread.c", "free(driver);", "extern void missing(void); missing();");
  const Ran ran = sdk_.driver({"build", sdk_.path("one")});
  EXPECT_EQ(ran.code, exit_code::failure);
  EXPECT_THAT(ran.err, HasSubstr("missing"));
}

TEST_F(DriverBuild, RefusesWhatTheDaemonWouldRefuse) {
  write_source("one/spread.c", "'memory_mb_used'", "'memory_used'");
  const Ran ran = sdk_.driver({"build", sdk_.path("one")});
  EXPECT_EQ(ran.code, exit_code::invalid_configuration);
  EXPECT_THAT(ran.err, HasSubstr("column 'memory_used', which is not one of the core's"));
}

TEST_F(DriverBuild, SaysWhatItBuilds) {
  sdk_.write("two/a.c", source_);
  sdk_.write("two/b.c", source_);
  const Ran ran = sdk_.driver({"build", sdk_.path("two")});
  EXPECT_EQ(ran.code, exit_code::usage);
  EXPECT_THAT(ran.err, HasSubstr("expected Cargo.toml, CMakeLists.txt, Makefile or one source file, found a.c, b.c"));
  EXPECT_THAT(sdk_.driver({"build", sdk_.path("no")}).err, HasSubstr("found nothing of that name"));
  sdk_.write("rust/Cargo.toml", "");
  EXPECT_THAT(sdk_.driver({"build", sdk_.path("rust"), "--sanitize", "address"}).err,
              HasSubstr("expected a project in C or C++, found Cargo.toml"));
}

}  // namespace
}  // namespace gantry::cli::test
