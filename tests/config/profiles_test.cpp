// SPDX-License-Identifier: Apache-2.0
//
// [[profile]], and several drivers of one file.
#include <gmock/gmock.h>

#include "core/config/changes.hpp"
#include "core/config/load.hpp"
#include "tests/config/scratch.hpp"

namespace gantry::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view two_rules = R"(scheduler_driver = ['filter', 'gpu']
[[profile]]
name = 'gpu'
driver = 'gpu'
flavor = ['g1.*', 'g2.*']
project = 'p1'
hint = {arch = 'arm*', rack = ['r1', 'r2']}
[[profile]]
name = 'spread'
driver = 'filter'
group_policy = 'anti-affinity'
availability_zone = 'az1'
aggregate = 'fast'
)";

Result<Loaded> loaded_text(std::string_view text, std::vector<std::string> overrides = {}) {
  const Scratch scratch;
  scratch.write("gantry.toml", text);
  auto sources = scratch.sources();
  sources.overrides = std::move(overrides);
  return load(sources);
}

std::string refusal_of_text(std::string_view text) {
  const auto result = loaded_text(text);
  return result ? "none" : result.error().message;
}

TEST(ProfileSettings, AreReadInTheirOrderWithTheirPlaces) {
  const auto result = loaded_text(two_rules);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_THAT(result->settings.profiles, SizeIs(2));
  const auto& gpu = result->settings.profiles[0];
  EXPECT_EQ(gpu.name + " " + gpu.driver, "gpu gpu");
  EXPECT_THAT(gpu.flavor, ElementsAre("g1.*", "g2.*"));
  EXPECT_THAT(gpu.project, ElementsAre("p1"));
  EXPECT_THAT(gpu.hint.at("rack"), ElementsAre("r1", "r2"));
  EXPECT_THAT(gpu.hint.at("arch"), ElementsAre("arm*"));
  EXPECT_THAT(gpu.aggregate, IsEmpty());
  const auto& spread = result->settings.profiles[1];
  EXPECT_THAT(spread.group_policy, ElementsAre("anti-affinity"));
  EXPECT_THAT(spread.availability_zone, ElementsAre("az1"));
  EXPECT_THAT(spread.aggregate, ElementsAre("fast"));
  EXPECT_THAT(spread.origin, HasSubstr("gantry.toml:"));
}

TEST(ProfileSettings, AreShownByTheirNames) {
  const auto result = loaded_text(two_rules);
  std::vector<std::string> lines;
  for (const auto& shown : result->shown)
    if (shown.key.starts_with("profile")) lines.push_back(shown.key + " = " + shown.value);
  EXPECT_THAT(lines,
              ElementsAre("profile = [\"gpu\", \"spread\"]",
                          "profile.gpu = {driver = \"gpu\", flavor = [\"g1.*\", \"g2.*\"], project = [\"p1\"], hint = "
                          "{arch = [\"arm*\"], rack = [\"r1\", \"r2\"]}}",
                          HasSubstr("profile.spread = {driver = \"filter\"")));
}

TEST(ProfileSettings, ChangeWithoutARestart) {
  const auto before = loaded_text(two_rules);
  const auto after = loaded_text(two_rules, {"profile=[{name='gpu',driver='filter'}]"});
  ASSERT_TRUE(after) << after.error().message;
  std::vector<std::string> keys;
  for (const auto& change : changes_between(*before, *after)) {
    EXPECT_TRUE(change.is_reloadable) << change.key;
    keys.push_back(change.key);
  }
  EXPECT_THAT(keys, ElementsAre("profile", "profile.gpu", "profile.spread"));
}

TEST(ProfileSettings, NameEachFault) {
  EXPECT_THAT(refusal_of_text("[[profile]]\nname = 'x'\n"),
              HasSubstr("profile[1].driver: expected a value, found no such key"));
  EXPECT_THAT(refusal_of_text("[[profile]]\nname = 'x'\ndriver = 'y'\nflavour = 'z'\n"),
              HasSubstr("gantry.toml:4:1: unknown key 'profile[1].flavour'; did you mean 'flavor'?"));
  EXPECT_THAT(refusal_of_text("[[profile]]\nname = 'x'\ndriver = 'y'\nflavor = [1]\n"),
              HasSubstr("profile[1].flavor: expected a pattern such as \"g1.*\", or a list of them, found"));
  EXPECT_THAT(refusal_of_text("[[profile]]\nname = 'x'\ndriver = 'y'\nflavor = []\n"),
              HasSubstr("found an empty list"));
  EXPECT_THAT(refusal_of_text("[[profile]]\nname = 'x'\ndriver = 'y'\nhint = 'z'\n"),
              HasSubstr("expected a table of hints"));
  EXPECT_THAT(refusal_of_text("[[profile]]\nname = 'a b'\ndriver = 'y'\n"),
              HasSubstr("profile[1].name: expected a name"));
  EXPECT_THAT(refusal_of_text("[profile]\nname = 'x'\n"), HasSubstr("write [[profile]] with two brackets"));
  EXPECT_THAT(refusal_of_text("[[profile]]\nname = 'x'\ndriver = 'y'\n[[profile]]\nname = 'x'\ndriver = 'y'\n"),
              HasSubstr("profile 'x': expected each name once"));
}

TEST(DriverFileSetting, NamesAFileOfTheDriverDirectories) {
  const auto result = loaded_text("[driver.gpu]\ncompatibility = '2025.1'\nfile = 'filter.so'\n");
  ASSERT_TRUE(result) << result.error().message;
  const auto& gpu = result->settings.drivers.at("gpu");
  EXPECT_EQ(gpu.file, "filter.so");
  EXPECT_THAT(gpu.options, SizeIs(1));
  // Another name of the filter driver's file: its releases have the same names.
  EXPECT_EQ(gpu.options.at("compatibility").value, OptionValue(std::string("epoxy")));
}

TEST(DriverFileSetting, IsNoPathAndStandsInItsPlace) {
  EXPECT_THAT(refusal_of_text("[driver.gpu]\nfile = '/opt/filter.so'\n"),
              HasSubstr("driver.gpu.file: expected a file name such as \"filter.so\", without a directory, found"));
  EXPECT_THAT(refusal_of_text("[driver.gpu]\nfile = 'filter.so'\npath = '/opt/filter.so'\n"),
              HasSubstr("gantry.toml:2:1: driver.gpu.file: expected one of path and file, found both; path is set at"));
}

}  // namespace
}  // namespace gantry::config
