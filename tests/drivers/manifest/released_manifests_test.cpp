// SPDX-License-Identifier: Apache-2.0
//
// The manifests that a release accepts: one for each key, type, column and bound. They are kept beside the layouts of the
// release, and later hosts accept them too.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "core/drivers/manifest/manifest.hpp"

namespace gantry::drivers {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

const std::filesystem::path frozen = GANTRY_FROZEN_DIRECTORY;
const std::string longest(64, 'x');

std::string content_of(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

Manifest of_1_0(const std::string& name) {
  Result<Manifest> manifest = parse_manifest(content_of(frozen / "1_0_manifests" / (name + ".toml")));
  EXPECT_TRUE(manifest) << name << ": " << (manifest ? "" : manifest.error().message);
  return manifest ? *std::move(manifest) : Manifest{};
}

TEST(ReleasedManifests, AreStillAccepted) {
  int found = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(frozen)) {
    if (entry.path().extension() != ".toml") continue;
    ++found;
    const Result<Manifest> manifest = parse_manifest(content_of(entry.path()));
    ASSERT_TRUE(manifest) << entry.path() << ": " << manifest.error().message;
    const Result<void> fits = check_abi(*manifest, GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR);
    EXPECT_TRUE(fits) << entry.path() << ": " << fits.error().message;
  }
  EXPECT_GE(found, 13);
}

TEST(ReleasedManifests, KeepTheMeaningOfTheirKeys) {
  const Manifest manifest = of_1_0("every_key");
  EXPECT_EQ(manifest.threads, Threads::reentrant);
  EXPECT_EQ(manifest.decides_from, DecidesFrom::history);
  EXPECT_EQ(manifest.isolation, config::Isolation::process);
  EXPECT_THAT(manifest.topics, ElementsAre("compute", "volume"));
  EXPECT_THAT(manifest.methods.at("volume"), ElementsAre("attach"));
  EXPECT_THAT(manifest.needs, SizeIs(2));
  EXPECT_EQ(manifest.options.at(0).maximum, 4096.0);
  EXPECT_EQ(of_1_0("no_optional_key").needs_minor, 0U) << "the minor of the header";
  EXPECT_EQ(of_1_0("no_optional_key").isolation, config::Isolation::none);
  const Manifest columns = of_1_0("columns");
  ASSERT_THAT(columns.needs, SizeIs(7));
  EXPECT_EQ(columns.needs[1].type, GANTRY_TYPE_BOOL);
  EXPECT_EQ(columns.needs[2].type, GANTRY_TYPE_I64);
  EXPECT_EQ(columns.needs[3].type, GANTRY_TYPE_F64);
  EXPECT_EQ(columns.needs[4].type, GANTRY_TYPE_STRING);
  EXPECT_TRUE(of_1_0("keys_of_options").options.at(0).is_file);
  EXPECT_THAT(of_1_0("keys_of_options").options.at(2).columns, SizeIs(2));
  EXPECT_THAT(of_1_0("later_library").left_out_offers, SizeIs(1));
}

// A stricter bound would refuse a kept manifest, since each stands at the bound.
TEST(ReleasedManifests, StandAtTheBounds) {
  for (const char* const name : {"names_at_their_bounds", "library"}) {
    const std::string text = content_of(frozen / "1_0_manifests" / (std::string(name) + ".toml"));
    std::size_t at = text.find(longest);
    ASSERT_NE(at, std::string::npos);
    for (; at != std::string::npos; at = text.find(longest, at + longest.size())) {
      EXPECT_FALSE(parse_manifest(std::string(text).insert(at, "x"))) << name << ", byte " << at;
    }
  }
  const std::string text = content_of(frozen / "1_0_manifests" / "names_at_their_bounds.toml");
  const std::size_t description = text.find(std::string(500, 'y'));
  ASSERT_NE(description, std::string::npos);
  EXPECT_FALSE(parse_manifest(std::string(text).insert(description, "y")));
}

}  // namespace
}  // namespace gantry::drivers
