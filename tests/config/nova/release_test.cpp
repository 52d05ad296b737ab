// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/release.hpp"

#include <gmock/gmock.h>

namespace gantry::config::nova {
namespace {

using testing::HasSubstr;

TEST(Release, HasACodeNameAndTheNameOfItsYear) {
  EXPECT_EQ(release_named("dalmatian"), Release::dalmatian);
  EXPECT_EQ(release_named("2024.2"), Release::dalmatian);
  EXPECT_EQ(release_named("Epoxy"), Release::epoxy);
  EXPECT_EQ(release_named("2026.2"), newest_release);
  EXPECT_EQ(name_of(Release::antelope), "antelope");
  EXPECT_EQ(release_named("2024.3"), std::nullopt);
  EXPECT_EQ(release_named(""), std::nullopt);
}

TEST(Release, NamesTheLevelToTakeForOneThatHasNoneOfItsOwn) {
  EXPECT_THAT(fault_of_release("Train"), HasSubstr("; train has no level of its own: take zed"));
  EXPECT_THAT(fault_of_release("pike"), HasSubstr("take zed"));
  EXPECT_THAT(fault_of_release("newton"), HasSubstr("take ocata"));
  EXPECT_THAT(fault_of_release("kilo"), HasSubstr("take icehouse"));
  EXPECT_THAT(fault_of_release("epoxi"), HasSubstr("dalmatian (2024.2)"));
  EXPECT_THAT(fault_of_release("epoxi"), HasSubstr("; did you mean epoxy?"));
}

}  // namespace
}  // namespace gantry::config::nova
