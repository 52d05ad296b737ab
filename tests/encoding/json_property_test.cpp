// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <random>
#include <string>

#include "core/encoding/json.hpp"
#include "core/encoding/utf8.hpp"

namespace gantry::json {
namespace {

// Random values and texts from a fixed seed, so that a failure can be had again.
class Source {
 public:
  explicit Source(std::uint64_t seed) : engine_(seed) {}

  std::size_t below(std::size_t bound) { return engine_() % bound; }

  value any(int depth) {
    switch (below(depth > 0 ? 8 : 6)) {
      case 0: return nullptr;
      case 1: return below(2) == 0;
      case 2: return static_cast<std::int64_t>(engine_() >> below(64));
      // A smaller one would be read back as a signed integer: equal, but of another kind.
      case 3: return engine_() | (std::uint64_t{1} << 63);
      case 4: return finite_double();
      case 5: return boost::json::string(text());
      case 6: return elements(depth);
      default: return members(depth);
    }
  }

  double finite_double() {
    for (;;) {
      const double number = below(2) == 0
                                ? std::bit_cast<double>(engine_())
                                : static_cast<double>(static_cast<std::int64_t>(engine_() >> below(64))) / 1000;
      if (std::isfinite(number)) return number;
    }
  }

  std::string text() {
    static constexpr std::string_view pieces[] = {"a",
                                                  "host",
                                                  "\"",
                                                  "\\",
                                                  "\n",
                                                  "\x01",
                                                  "/",
                                                  "\xc3\xa9",
                                                  "\xf0\x9f\x90\x98",
                                                  " ",
                                                  "\x7f",
                                                  "\xe2\x80\xa8",
                                                  "0123456789012345678901234567890123456789"};
    std::string out;
    for (std::size_t n = below(12); n > 0; --n) out += pieces[below(std::size(pieces))];
    if (below(8) == 0) out += '\0';
    return out;
  }

  std::string bytes(std::size_t size) {
    std::string out(size, '\0');
    for (auto& byte : out) byte = static_cast<char>(engine_());
    return out;
  }

 private:
  value elements(int depth) {
    array out;
    for (std::size_t n = below(6); n > 0; --n) out.push_back(any(depth - 1));
    return out;
  }
  value members(int depth) {
    object out;
    for (std::size_t n = below(below(10) == 0 ? 60 : 6); n > 0; --n) out[text()] = any(depth - 1);
    return out;
  }

  std::mt19937_64 engine_;
};

bool same(const value& a, const value& b) {
  if (a.kind() != b.kind()) return false;
  if (a.is_double())
    return std::bit_cast<std::uint64_t>(a.get_double()) == std::bit_cast<std::uint64_t>(b.get_double());
  return a == b;
}

TEST(JsonProperty, WrittenValuesRoundTrip) {
  Source source(20260711);
  for (int i = 0; i < 5000; ++i) {
    const value before = source.any(4);
    for (const auto& text : {write(before), write_canonical(before), write_pretty(before)}) {
      const auto after = parse(text);
      ASSERT_TRUE(after) << text << ": " << after.error().message;
      ASSERT_EQ(*after, before) << text;
    }
  }
}

TEST(JsonProperty, DoublesRoundTripBitByBit) {
  Source source(7);
  for (int i = 0; i < 50'000; ++i) {
    const value before = source.finite_double();
    const auto after = parse(write(before));
    ASSERT_TRUE(after);
    ASSERT_TRUE(same(*after, before)) << write(before);
  }
}

TEST(JsonProperty, OneCanonicalTextWhateverTheOrderOfKeys) {
  Source source(11);
  for (int i = 0; i < 500; ++i) {
    object forward;
    for (int n = 0; n < 25; ++n) forward[source.text()] = source.any(2);
    object backward;
    for (auto member = forward.end(); member != forward.begin();) {
      --member;
      backward[member->key()] = member->value();
    }
    ASSERT_EQ(write_canonical(forward), write_canonical(backward));
  }
}

TEST(JsonProperty, AnyBytesAsAStringAreWrittenReadably) {
  Source source(13);
  for (int i = 0; i < 2000; ++i) {
    const std::string bytes = source.bytes(source.below(40));
    const std::string text = write(value(boost::json::string(bytes)));
    const auto after = parse(text);
    ASSERT_TRUE(after) << testing::PrintToString(bytes);
    if (is_utf8(bytes)) {
      ASSERT_EQ(after->as_string(), bytes);
    }
  }
}

TEST(JsonProperty, DamagedTextsAreReadOrRefusedButNeverCrash) {
  Source source(17);
  for (int i = 0; i < 5000; ++i) {
    std::string text = write(source.any(4));
    for (std::size_t n = 1 + source.below(3); n > 0 && !text.empty(); --n) {
      text[source.below(text.size())] = "\"\\{}[],:0e-\xff u"[source.below(15)];
    }
    const auto result = parse(text);
    if (!result) {
      ASSERT_FALSE(result.error().message.empty());
    } else {
      ASSERT_TRUE(parse(write(*result)));
    }
  }
}

}  // namespace
}  // namespace gantry::json
