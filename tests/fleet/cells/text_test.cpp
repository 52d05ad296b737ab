// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/cells/interned_text.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace gantry::fleet {
namespace {

TEST(TextPool, MakesEqualTextsOne) {
  TextPool pool;
  const auto a = pool.intern("a");
  EXPECT_EQ(pool.intern("a"), a);
  EXPECT_NE(pool.intern("b"), a);
  EXPECT_EQ(pool.intern(""), nullptr);
  EXPECT_EQ(view_of(pool.intern("")), "");
}

TEST(TextPool, ForgetsUnusedTexts) {
  TextPool pool;
  const auto held = pool.intern("held");
  for (int at = 0; at < 100'000; ++at) pool.intern("text " + std::to_string(at));
  EXPECT_LT(pool.size(), 10'000u);
  EXPECT_EQ(pool.intern("held"), held);
}

TEST(TextPool, KeepsEveryTextThatIsHeld) {
  TextPool pool;
  std::vector<TextPointer> held;
  for (int at = 0; at < 20'000; ++at) held.push_back(pool.intern("text " + std::to_string(at)));
  for (int at = 0; at < 20'000; ++at) EXPECT_EQ(pool.intern("text " + std::to_string(at)), held[std::size_t(at)]);
}

TEST(Text, ATextHasItsOwnVersionAndOutlivesItsPool) {
  TextPointer kept;
  {
    TextPool pool;
    kept = pool.intern("kept");
  }
  EXPECT_EQ(kept->view(), "kept");
  EXPECT_NE(Text::make("kept")->version(), kept->version());
}

}  // namespace
}  // namespace gantry::fleet
