// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <gantry/driver/options.hpp>
#include <gantry/testing/manifest.hpp>

namespace gantry::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Property;
using ::testing::Throws;

constexpr const char* text = R"(
[columns]
needs = ['vcpus', 'stats.rack:string']
[options]
on = { type = 'boolean', default = true }
reserve = { type = 'integer', default = 512 }
ratio = { type = 'real', default = 2 }
zone = { type = 'string', default = 'nova' }
names = { type = 'strings', default = ['a', 'b'] }
prefixes = { type = 'table', default = { '10.1' = 'doc' } }
key = { type = 'string', required = true }
[offers.RackFilter]
columns.needs = ['stats.rack:string']
[offers.RackFilter.options.hint]
type = 'string'
default = 'rack'
)";

TEST(ManifestOfATest, NamesTheNeededColumnsWithoutTheirTypes) {
  EXPECT_THAT(manifest(text).needs(), ElementsAre("vcpus", "stats.rack"));
}

TEST(ManifestOfATest, GivesEachOptionItsDefault) {
  const fake_options given = manifest(text).options();
  const gantry_options raw = given.raw();
  const gantry::options read(raw);
  EXPECT_TRUE(read.boolean("on"));
  EXPECT_EQ(read.integer("reserve"), 512);
  EXPECT_EQ(read.real("ratio"), 2.0);
  EXPECT_EQ(read.string("zone"), "nova");
  EXPECT_EQ(read.strings("names").count, 2U);
  EXPECT_EQ(gantry::text(read.table("prefixes").items[0].value), "doc");
}

TEST(ManifestOfATest, LeavesARequiredOptionToTheTest) {
  const fake_options given = manifest(text).options();
  const gantry_options raw = given.raw();
  EXPECT_THAT([&] { gantry::options(raw).string("key"); },
              Throws<gantry::failure>(Property(&gantry::failure::what, HasSubstr("fake_host::options"))));
}

TEST(ManifestOfATest, LetsTheTestReplaceADefault) {
  fake_options given = manifest(text).options();
  given.integer("reserve", 1024);
  const gantry_options raw = given.raw();
  EXPECT_EQ(gantry::options(raw).integer("reserve"), 1024);
  EXPECT_EQ(raw.option_count, 6U);
}

TEST(ManifestOfATest, HasAPartForEachOffer) {
  EXPECT_THAT(manifest(text).offer("RackFilter").needs(), ElementsAre("stats.rack"));
  const fake_options given = manifest(text).offer("RackFilter").options();
  const gantry_options raw = given.raw();
  EXPECT_EQ(gantry::options(raw).string("hint"), "rack");
  EXPECT_THROW(manifest(text).offer("NoFilter"), std::runtime_error);
}

TEST(ManifestOfATest, SaysThatAFileHoldsNone) {
  EXPECT_THAT([] { manifest::of_file("/bin/true"); },
              Throws<std::runtime_error>(Property(&std::runtime_error::what, HasSubstr("expected a section"))));
}

}  // namespace
}  // namespace gantry::testing
