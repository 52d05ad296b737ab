// SPDX-License-Identifier: Apache-2.0
//
// The filter driver's loops over weights: the same to the last bit in each width of vectors, and as the plain
// expression.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include "plugins/filter/rules/extremes.hpp"

namespace filter_driver {
namespace {

std::vector<vectors> widths() {
  std::vector<vectors> all;
  for (const auto width : {vectors::bits_128, vectors::bits_256, vectors::bits_512})
    if (width <= widest_vectors()) all.push_back(width);
  return all;
}

// Numbers with any fraction and, one in a few, an exponent near the ends of what a double can hold.
double any_number(std::mt19937_64& random) {
  const auto fraction = std::bit_cast<double>((random() >> 12) | 0x3ff0000000000000U);
  const int exponent = random() % 5 == 0 ? static_cast<int>(random() % 2040) - 1020 : static_cast<int>(random() % 40);
  return (random() % 2 == 0 ? fraction : std::trunc(std::ldexp(fraction, 40))) * std::ldexp(1.0, exponent - 20);
}

void expect_as_the_expression(const std::vector<double>& raw, const extremes& range, const bounds* cut,
                              double multiplier) {
  for (const auto width : widths()) {
    std::vector<double> total(raw.size(), 0.25);
    add_normalised(raw.data(), static_cast<std::uint32_t>(raw.size()), range, cut, multiplier, total.data(), width);
    for (std::size_t i = 0; i < raw.size(); ++i) {
      const double within = cut == nullptr ? raw[i] : std::min(std::max(raw[i], cut->least), cut->greatest);
      const double wanted = 0.25 + multiplier * ((within - range.low) / (range.high - range.low));
      ASSERT_EQ(std::bit_cast<std::uint64_t>(total[i]), std::bit_cast<std::uint64_t>(wanted))
          << std::hexfloat << raw[i] << " within " << range.low << ".." << range.high << ", width "
          << static_cast<int>(width);
    }
  }
}

TEST(AddNormalised, AddsTheQuotientOfDoublesToTheLastBit) {
  std::mt19937_64 random(std::random_device{}());
  for (int turn = 0; turn < 20'000; ++turn) {
    extremes range{0, std::fabs(any_number(random))};
    if (random() % 2 == 0) range.low = random() % 2 == 0 ? any_number(random) : range.high / 3;
    if (!(range.low < range.high) || !std::isfinite(range.high - range.low)) continue;
    std::vector<double> raw(1 + random() % 70);
    for (auto& each : raw) {
      const double part = std::ldexp(static_cast<double>(random() >> 11), -53);
      const double number = random() % 4 == 0 ? any_number(random) : range.low + part * (range.high - range.low);
      each = std::min(std::max(number, range.low), range.high);
    }
    raw.front() = random() % 2 == 0 ? range.low : range.high;
    expect_as_the_expression(raw, range, nullptr, random() % 2 == 0 ? 1.0 : -1.7);
    if (HasFatalFailure()) return;
  }
}

TEST(AddNormalised, CutsToTheBoundsFirst) {
  const bounds cut{0, 100};
  expect_as_the_expression({-5, 0, 33, 100, 2000, 7, 99.5, 1e300, -1e300}, {0, 100}, &cut, 1);
}

TEST(AddNormalised, DividesWhereNumbersAreSmallerThanTheReciprocalIsGoodFor) {
  const double least = std::numeric_limits<double>::denorm_min();
  expect_as_the_expression({0, least, 3 * least, 1e-310, 1e-200, 0.5, 3}, {0, 3}, nullptr, 1);
  expect_as_the_expression({0, least, 2 * least, 3 * least}, {0, 3 * least}, nullptr, 1);
  expect_as_the_expression({0, 1e-300, 7e307, 1e308}, {0, 1e308}, nullptr, 1);
}

TEST(AddNormalised, HalvesNumbersWhoseDifferenceIsInfinite) {
  const double greatest = std::numeric_limits<double>::max();
  const std::vector<double> raw{-greatest, 0, greatest};
  for (const auto width : widths()) {
    std::vector<double> total(raw.size(), 0.0);
    add_normalised(raw.data(), static_cast<std::uint32_t>(raw.size()), {-greatest, greatest}, nullptr, 2, total.data(),
                   width);
    EXPECT_EQ(total, (std::vector<double>{0, 1, 2}));
  }
  EXPECT_EQ(normalised(0, {-greatest, greatest}), 0.5);
}

TEST(ObservedExtremes, FindsTheExtremesOfTheCandidatesInEachWidth) {
  std::mt19937_64 random(std::random_device{}());
  for (int turn = 0; turn < 2'000; ++turn) {
    const auto count = static_cast<std::uint32_t>(1 + random() % 200);
    std::vector<double> raw(count);  // of exactly that size: reading behind it would be found
    for (auto& each : raw) each = random() % 9 == 0 ? 0.0 : any_number(random);
    std::vector<std::uint64_t> rows((count + 63) / 64);
    std::vector<double> chosen;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (random() % 3 == 0) {
        raw[i] = std::numeric_limits<double>::quiet_NaN();  // of no candidate: it does not matter
        continue;
      }
      rows[i / 64] |= std::uint64_t{1} << (i % 64);
      chosen.push_back(raw[i]);
    }
    for (const auto width : widths()) {
      observed_extremes seen;
      ASSERT_TRUE(seen.add({0, count, rows.data(), nullptr}, raw.data(), width));
      ASSERT_EQ(seen.any(), !chosen.empty());
      if (chosen.empty()) continue;
      EXPECT_EQ(seen.least(), *std::min_element(chosen.begin(), chosen.end()));
      EXPECT_EQ(seen.greatest(), *std::max_element(chosen.begin(), chosen.end()));
    }
  }
}

TEST(ObservedExtremes, RefusesACandidateThatIsNotANumber) {
  std::vector<double> raw(70, 1.0);
  for (const std::size_t at : {std::size_t{0}, std::size_t{63}, std::size_t{64}, std::size_t{69}}) {
    auto with_nan = raw;
    with_nan[at] = std::numeric_limits<double>::quiet_NaN();
    std::vector<std::uint64_t> rows{~std::uint64_t{0}, 63};
    for (const auto width : widths()) {
      observed_extremes seen;
      EXPECT_FALSE(seen.add({0, 70, rows.data(), nullptr}, with_nan.data(), width)) << at;
      EXPECT_FALSE(seen.any());
    }
  }
}

}  // namespace
}  // namespace filter_driver
