// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <random>

#include "core/config/load.hpp"
#include "core/config/sources/toml.hpp"
#include "tests/config/scratch.hpp"

namespace gantry::config {
namespace {

constexpr int rounds = 1000;

class RandomInput : public testing::Test {
 protected:
  std::size_t below(std::size_t bound) { return std::uniform_int_distribution<std::size_t>(0, bound - 1)(generator_); }

  std::string bytes(std::size_t size) {
    std::string text(size, '\0');
    for (char& c : text) c = static_cast<char>(below(256));
    return text;
  }

  // TOML's own characters find more than bytes that fail at once.
  std::string words(std::size_t size) {
    static constexpr std::string_view alphabet = "ab1.=[]{}\"'\\#, \n-_+:e0xu";
    std::string text(size, '\0');
    for (char& c : text) c = alphabet[below(alphabet.size())];
    return text;
  }

  std::string damaged(std::string text) {
    for (std::size_t times = 1 + below(4); times > 0; --times) {
      const std::size_t at = below(text.size());
      switch (below(3)) {
        case 0: text[at] = static_cast<char>(below(256)); break;
        case 1: text.erase(at, 1 + below(20)); break;
        default: text.insert(at, words(1 + below(8))); break;
      }
      if (text.empty()) text = " ";
    }
    return text;
  }

  // A value or an error that says something; and what is shown reads back as TOML.
  static void expect_answer(const Sources& sources) {
    const auto result = load(sources);
    if (!result) {
      EXPECT_EQ(result.error().code, ErrorCode::invalid_configuration);
      EXPECT_FALSE(result.error().message.empty());
      return;
    }
    for (const auto& line : result->shown) {
      const auto read = parse_toml_value(line.value);
      ASSERT_TRUE(read) << line.key << " = " << line.value;
      EXPECT_EQ(to_toml(*read), line.value);
    }
  }

  Scratch scratch_;

 private:
  std::mt19937_64 generator_{20'130'131};
};

TEST_F(RandomInput, RandomTextInAFileGivesSettingsOrAnError) {
  for (int round = 0; round < rounds; ++round) {
    scratch_.write("gantry.toml", round % 2 == 0 ? bytes(below(200)) : words(below(60)));
    expect_answer(scratch_.sources());
  }
}

TEST_F(RandomInput, ADamagedFileGivesSettingsOrAnError) {
  const std::string whole = R"(scheduler_driver = ["ip", "volume"]
[server]
socket_mode = "0660"
workers = 4
request_timeout = 1.5
[driver.ip]
prefixes = {"10.1" = "doc"}
zones = ["a", "b"]
text = "line\n\u00e9\t\\"
)";
  for (int round = 0; round < rounds; ++round) {
    scratch_.write("gantry.toml", damaged(whole));
    expect_answer(scratch_.sources());
  }
}

TEST_F(RandomInput, RandomTextInTheEnvironmentAndOnTheCommandLineGivesSettingsOrAnError) {
  static constexpr const char* variables[] = {"GANTRY_SCHEDULER_DRIVER", "GANTRY_SERVER__SOCKET",
                                              "GANTRY_SERVER__WORKERS", "GANTRY_DRIVER__IP__X", "GANTRY_LOG__FILE"};
  for (int round = 0; round < rounds; ++round) {
    auto sources = scratch_.sources();
    sources.environment[variables[below(std::size(variables))]] = below(2) == 0 ? bytes(below(20)) : words(below(20));
    sources.environment["GANTRY_" + words(below(20))] = words(3);
    sources.overrides = {words(below(30)), "driver.ip.x=" + words(below(20)), "log.file=/" + bytes(below(9))};
    if (below(2) == 0) sources.environment.erase(sources.environment.begin());
    if (below(2) == 0) sources.overrides.erase(sources.overrides.begin());
    expect_answer(sources);
  }
}

TEST_F(RandomInput, DeepNestingIsAnError) {
  for (const std::size_t depth : {std::size_t{65}, std::size_t{100'000}}) {
    scratch_.write("gantry.toml", "\na = " + std::string(depth, '[') + std::string(depth, ']'));
    const auto result = load(scratch_.sources());
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message,
                testing::HasSubstr("gantry.toml:2: expected values nested at most 64 deep, found a deeper one"));
  }
  scratch_.write("gantry.toml", "[" + std::string(100'000, 'a') + "]");
  EXPECT_FALSE(load(scratch_.sources()));
}

TEST_F(RandomInput, ManyDottedKeysAreAnError) {
  std::string dotted = "a";
  for (int depth = 0; depth < 100'000; ++depth) dotted += ".a";
  for (const auto& text : {dotted + " = 1", "[" + dotted + "]", "x = {" + dotted + " = 1}",
                           "x = '''\n''''\n" + dotted + " = 1", "x = \"\\\"\" # \"\n" + dotted + " = 1"}) {
    scratch_.write("gantry.toml", text);
    const auto result = load(scratch_.sources());
    ASSERT_FALSE(result);
    EXPECT_THAT(result.error().message, testing::HasSubstr("expected keys of at most 16 parts, found a longer one"));
  }
}

TEST_F(RandomInput, TheDeepestTextThatIsReadIsAnError) {
  std::string text = "x = ";
  std::string end;
  for (int depth = 0; depth < 64; ++depth) {
    text += "{a.a.a.a.a.a.a.a.a.a.a.a.a.a.a.a = ";
    end += "}";
  }
  EXPECT_TRUE(parse_toml(text + "1" + end, "F"));
  scratch_.write("gantry.toml", text + "1" + end);
  EXPECT_FALSE(load(scratch_.sources()));
}

TEST_F(RandomInput, ManyDotsInATextAreAllowed) {
  const std::string dots(1000, '.');
  scratch_.write("gantry.toml", "# " + dots + "\n[log]\nfile = '/" + dots + "'\n");
  EXPECT_TRUE(load(scratch_.sources()));
}

}  // namespace
}  // namespace gantry::config
