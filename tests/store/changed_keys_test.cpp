// SPDX-License-Identifier: Apache-2.0
#include "core/store/changed_keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gantry::store {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(ChangedKeysTest, ComeOutOfTheirTextAsTheyWere) {
  ChangedKeys changed;
  changed.add({{Kind::claim, "b\n7 all\n", "1"}, {Kind::service, "", std::nullopt}, {Kind::claim, "a b", "2"}});
  changed.add({{Kind::claim, "a b", std::nullopt}});
  const auto read = ChangedKeys::parse(changed.text());
  ASSERT_TRUE(read);
  EXPECT_THAT(read->of(Kind::claim), ElementsAre("a b", "b\n7 all\n"));
  EXPECT_THAT(read->of(Kind::service), ElementsAre(""));
  EXPECT_THAT(read->of(Kind::token), IsEmpty());
}

TEST(ChangedKeysTest, NoPartOfTheirTextPassesForAll) {
  ChangedKeys changed;
  changed.add({{Kind::claim, "all\n", "1"}, {Kind::token, "12 3", "1"}});
  const auto text = changed.text();
  for (std::size_t size = 0; size < text.size(); ++size) EXPECT_FALSE(ChangedKeys::parse(text.substr(0, size))) << size;
  for (std::size_t from = 1; from <= text.size(); ++from) EXPECT_FALSE(ChangedKeys::parse(text.substr(from))) << from;
  EXPECT_TRUE(ChangedKeys::parse(text));
}

TEST(ChangedKeysTest, ATextThatNamesAnUnknownTableDoesNotPass) {
  EXPECT_TRUE(ChangedKeys::parse("changed\nclaims 1 a\nall\n"));
  EXPECT_FALSE(ChangedKeys::parse("changed\nothers 1 a\nall\n"));
  EXPECT_FALSE(ChangedKeys::parse("changed\nclaims 18446744073709551615 a\nall\n"));
}

}  // namespace
}  // namespace gantry::store
