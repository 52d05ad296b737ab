// SPDX-License-Identifier: Apache-2.0
#include "core/transport/nearest_names.hpp"

#include <gmock/gmock.h>

namespace gantry::transport {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(NearestNames, FindsAMistypedName) {
  EXPECT_THAT(nearest_names("statsu", {"hosts_up", "status"}), ElementsAre("status"));
}

TEST(NearestNames, FindsANameOfWhichAPartIsGiven) {
  EXPECT_THAT(nearest_names("destinations", {"schedule", "select_destinations"}), ElementsAre("select_destinations"));
}

TEST(NearestNames, PutsTheNearestFirstAndNamesThreeAtMost) {
  EXPECT_THAT(nearest_names("list_host", {"list_casts", "list_hosts", "list_posts", "list_roast", "status"}),
              ::testing::AllOf(SizeIs(3), ::testing::Contains("list_hosts")));
  EXPECT_EQ(nearest_names("list_host", {"list_casts", "list_hosts"}).front(), "list_hosts");
}

TEST(NearestNames, FindsNothingForWhatIsFarOrAbsurd) {
  EXPECT_THAT(nearest_names("reboot", {"status"}), IsEmpty());
  EXPECT_THAT(nearest_names("", {"status"}), IsEmpty());
  EXPECT_THAT(nearest_names(std::string(100'000, 'x'), {"status"}), IsEmpty());
}

}  // namespace
}  // namespace gantry::transport
