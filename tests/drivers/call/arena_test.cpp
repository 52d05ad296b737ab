// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/call/arena.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace gantry::drivers {
namespace {

TEST(Arena, AlignsAsAsked) {
  Arena arena;
  for (const std::uint64_t align : {1U, 2U, 8U, 64U}) {
    EXPECT_NE(arena.allocate(1, 1), nullptr);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena.allocate(3, align)) % align, 0U);
  }
}

TEST(Arena, RefusesAnAlignmentOtherThanAPowerOfTwoUpTo64) {
  Arena arena;
  for (const std::uint64_t align : {0U, 3U, 128U}) EXPECT_EQ(arena.allocate(8, align), nullptr);
}

TEST(Arena, KeepsPiecesApartAcrossChunks) {
  Arena arena;
  auto* first = static_cast<unsigned char*>(arena.allocate(1000, 8));
  std::memset(first, 1, 1000);
  auto* large = static_cast<unsigned char*>(arena.allocate(1U << 20U, 8));
  std::memset(large, 2, 1U << 20U);
  auto* last = static_cast<unsigned char*>(arena.allocate(1000, 8));
  std::memset(last, 3, 1000);
  EXPECT_EQ(first[999], 1);
  EXPECT_EQ(large[(1U << 20U) - 1], 2);
}

TEST(Arena, ReturnsNullBeyondItsLimit) {
  Arena arena;
  EXPECT_EQ(arena.allocate(Arena::usual_limit + 1, 8), nullptr);
  EXPECT_EQ(arena.allocate(UINT64_MAX, 8), nullptr);
  std::uint64_t got = 0;
  const std::uint64_t piece = std::uint64_t{16} << 20U;
  while (arena.allocate(piece, 8) != nullptr) got += piece;
  EXPECT_GT(got, 0U);
  EXPECT_LE(got, Arena::usual_limit);
}

TEST(Arena, HasTheLimitThatItIsGiven) {
  Arena arena(std::uint64_t{1} << 20U);
  EXPECT_NE(arena.allocate(1U << 19U, 8), nullptr);
  EXPECT_EQ(arena.allocate(1U << 20U, 8), nullptr);
}

}  // namespace
}  // namespace gantry::drivers
