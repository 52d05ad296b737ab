// SPDX-License-Identifier: Apache-2.0
//
// Tests options of kind file: the file is there, and its content is part of the policy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "core/drivers/judge/driver_file.hpp"
#include "core/drivers/judge/option_check.hpp"
#include "core/drivers/policy.hpp"
#include "tests/drivers/trusted_directory.hpp"

namespace gantry::drivers {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class FileOption : public ::testing::Test {
 protected:
  FileOption() {
    OptionDeclaration option;
    option.name = "policy";
    option.type = GANTRY_OPTION_STRING;
    option.is_file = true;
    option.required = true;
    driver_.manifest.id = "site";
    driver_.manifest.options = {option};
  }

  void write(const std::string& text) const { std::ofstream(path()) << text; }
  std::string path() const { return (directory_.path() / "policy.txt").string(); }
  static config::DriverSettings naming(const std::string& path) {
    config::DriverSettings section;
    section.options["policy"] = {path, "gantry.toml:7:1"};
    return section;
  }
  std::string refusal_of(const std::string& path) const {
    const auto checked = check_options(driver_.manifest, naming(path));
    return checked ? "" : checked.error().message;
  }

  TrustedDirectory directory_;
  DriverFile driver_;
};

TEST_F(FileOption, TakesAFileThatCanBeRead) {
  write("first");
  EXPECT_EQ(refusal_of(path()), "");
}

TEST_F(FileOption, RefusesAFileThatIsNotThere) {
  EXPECT_THAT(refusal_of(path()), AllOf(HasSubstr("gantry.toml:7:1"), HasSubstr("driver.site.policy"),
                                        HasSubstr("expected a file that can be read"), HasSubstr(path()),
                                        HasSubstr("No such file or directory")));
}

TEST_F(FileOption, RefusesADirectoryAndARelativePath) {
  EXPECT_THAT(refusal_of(directory_.path().string()), HasSubstr("no regular file"));
  EXPECT_THAT(refusal_of("policy.txt"), AllOf(HasSubstr("absolute path"), HasSubstr("'policy.txt'")));
}

TEST_F(FileOption, IsRefusedUnderAWrongNameWithTheNearestKeyOfTheHostToo) {
  write("first");
  config::DriverSettings section = naming(path());
  section.options["isolatoin"] = {std::string("process"), "gantry.toml:8:1"};
  const auto checked = check_options(driver_.manifest, section);
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message, AllOf(HasSubstr("cpu_limit"), HasSubstr("did you mean 'isolation'?")));
}

TEST_F(FileOption, MakesAnotherPolicyWithAnotherContentAlone) {
  write("first");
  const std::string first = policy_of(driver_, naming(path()));
  write("other");
  const std::string other = policy_of(driver_, naming(path()));
  EXPECT_NE(first, other);
  write("first");
  EXPECT_EQ(policy_of(driver_, naming(path())), first);
}

}  // namespace
}  // namespace gantry::drivers
