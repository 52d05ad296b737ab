// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <sstream>

#include "core/config/keys.hpp"
#include "core/config/load.hpp"
#include "core/config/sample.hpp"
#include "tests/config/scratch.hpp"

namespace gantry::config {
namespace {

using testing::IsEmpty;

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// "#key = value" -> "key = value"; prose keeps its "# ".
std::string with_every_key_live(const std::string& sample) {
  std::istringstream lines(sample);
  std::string text;
  for (std::string line; std::getline(lines, line);) {
    const bool is_key = line.starts_with('#') && line.size() > 1 && line[1] != ' ';
    text += (is_key ? line.substr(1) : line) + "\n";
  }
  return text;
}

TEST(Sample, IsTheFileThatIsInstalled) {
  EXPECT_EQ(content(GANTRY_SOURCE_DIRECTORY "/config/gantry.toml"), sample())
      << "write it anew with: gantry config sample > config/gantry.toml";
}

TEST(Sample, LoadsAsTheDefaults) {
  const Scratch scratch;
  const auto defaults = load(scratch.sources());
  scratch.write("gantry.toml", sample());
  const auto loaded = load(scratch.sources());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_THAT(loaded->warnings, IsEmpty());
  ASSERT_TRUE(defaults);
  ASSERT_EQ(loaded->shown.size(), defaults->shown.size());
  for (std::size_t i = 0; i < loaded->shown.size(); ++i) EXPECT_EQ(loaded->shown[i].value, defaults->shown[i].value);
}

TEST(Sample, ShowsEveryKeyWithItsDefault) {
  const Scratch scratch;
  scratch.write("gantry.toml", with_every_key_live(sample().substr(0, sample().find("#[driver."))));
  const auto loaded = load(scratch.sources());
  ASSERT_TRUE(loaded) << loaded.error().message;
  for (const auto& line : loaded->shown) EXPECT_NE(line.origin, "default") << line.key;
  for (const auto& key : keys()) {
    if (!key.written_default.empty()) continue;
    EXPECT_EQ(value_text(key, loaded->settings), default_text(key)) << full_name(key);
  }
}

TEST(Sample, HasNoLongLines) {
  std::istringstream lines(sample());
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
}

TEST(Examples, LoadAsDropIns) {
  const Scratch scratch;
  for (const auto& entry : std::filesystem::directory_iterator(GANTRY_SOURCE_DIRECTORY "/config/examples")) {
    auto sources = scratch.sources();
    sources.file = entry.path().string();
    sources.file_must_exist = true;
    const auto loaded = load(sources);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_THAT(loaded->warnings, IsEmpty());
  }
}

}  // namespace
}  // namespace gantry::config
