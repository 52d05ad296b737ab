// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/driver.hpp"
#include "core/drivers/judge/option_check.hpp"

namespace gantry::drivers {
namespace {

using testing::AllOf;
using testing::HasSubstr;

Manifest make_manifest() {
  Result<Manifest> manifest = parse_manifest(
      "manifest = 1\nabi = '0.1'\nid = 'zoo'\nversion = '1'\ndescription = 'd'\ntopics = ['compute']\nthreads = "
      "'serial'\n"
      "[options.reserve]\ntype = 'integer'\ndefault = 512\nhelp = 'MiB kept free'\nminimum = 0\n"
      "[options.ratio]\ntype = 'real'\ndefault = 1.5\nhelp = 'r'\n"
      "[options.hosts]\ntype = 'strings'\ndefault = ['a']\nhelp = 'h'\nchoices = ['a', 'b']\n"
      "[options.map]\ntype = 'table'\ndefault = {}\nhelp = 'm'\n"
      "[options.fast]\ntype = 'boolean'\ndefault = true\nhelp = 'f'\n"
      "[options.zone]\ntype = 'string'\nrequired = true\nhelp = 'the zone'\n");
  EXPECT_TRUE(manifest) << manifest.error().message;
  return *std::move(manifest);
}

config::DriverSettings make_settings() {
  config::DriverSettings settings;
  settings.origin = "/etc/gantry/gantry.toml:9:1";
  settings.options["zone"] = {std::string("z1"), "/etc/gantry/gantry.toml:10:1"};
  return settings;
}

std::string error_for(const std::string& name, config::OptionValue value) {
  config::DriverSettings settings = make_settings();
  settings.options[name] = {std::move(value), "/etc/gantry/gantry.toml:12:1"};
  const Result<void> checked = check_options(make_manifest(), settings);
  return checked ? "no error" : checked.error().message;
}

TEST(CheckOptions, RefusesAnUnknownKeyWithItsOriginAndTheNearestName) {
  EXPECT_THAT(error_for("reserv", std::int64_t{1}), AllOf(HasSubstr("/etc/gantry/gantry.toml:12:1"),
                                                          HasSubstr("driver.zoo.reserv"), HasSubstr("'reserve'?")));
}

TEST(CheckOptions, RefusesAWrongType) {
  EXPECT_THAT(error_for("reserve", std::string("much")), AllOf(HasSubstr("an integer"), HasSubstr("string 'much'")));
  EXPECT_THAT(error_for("fast", std::int64_t{1}), AllOf(HasSubstr("boolean"), HasSubstr("integer 1")));
}

TEST(CheckOptions, RefusesAValueOutOfRangeOrOutsideTheChoices) {
  EXPECT_THAT(error_for("reserve", std::int64_t{-1}), AllOf(HasSubstr("at least 0"), HasSubstr("-1")));
  EXPECT_THAT(error_for("hosts", std::vector<std::string>{"c"}), AllOf(HasSubstr("'a', 'b'"), HasSubstr("'c'")));
}

TEST(CheckOptions, TakesAnIntegerForAReal) {
  EXPECT_EQ(error_for("ratio", std::int64_t{2}), "no error");
}

TEST(CheckOptions, RefusesAMissingRequiredOne) {
  const Result<void> checked = check_options(make_manifest(), {});
  ASSERT_FALSE(checked);
  EXPECT_THAT(checked.error().message,
              AllOf(HasSubstr("driver.zoo.zone"), HasSubstr("requires"), HasSubstr("the zone")));
}

TEST(Options, HaveDefaultsInTheManifestsOrder) {
  config::DriverSettings settings = make_settings();
  settings.options["ratio"] = {std::int64_t{2}, "--set"};
  settings.options["map"] = {std::map<std::string, std::string>{{"a", "1"}, {"b", "2"}}, "--set"};
  const Options options(make_manifest(), settings);
  const gantry_options& table = *options.table();
  ASSERT_EQ(table.option_count, 6U);
  EXPECT_EQ(from_abi(table.options[0].name), "reserve");
  EXPECT_EQ(table.options[0].integer, 512);
  EXPECT_EQ(table.options[0].is_default, 1);
  EXPECT_EQ(table.options[1].real, 2.0);
  EXPECT_EQ(table.options[1].is_default, 0);
  EXPECT_EQ(from_abi(table.options[2].strings.items[0]), "a");
  EXPECT_EQ(from_abi(table.options[3].table.items[1].value), "2");
  EXPECT_EQ(table.options[4].integer, 1);
  EXPECT_EQ(from_abi(table.options[5].string), "z1");
}

}  // namespace
}  // namespace gantry::drivers
