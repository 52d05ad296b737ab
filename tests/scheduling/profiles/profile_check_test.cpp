// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/profiles/profile_check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gantry::scheduling {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ProfileCheck : public ::testing::Test {
 protected:
  ProfileCheck() { settings.scheduler_driver = {"filter", "gpu", "volume"}; }
  config::Profile& add(const std::string& name, const std::string& driver = "gpu") {
    settings.profiles.push_back({});
    auto& profile = settings.profiles.back();
    profile.name = name;
    profile.driver = driver;
    profile.origin = "gantry.toml:" + std::to_string(settings.profiles.size());
    return profile;
  }
  ProfileFindings found() const {
    return check_profiles(settings, {{"filter", {"compute"}}, {"gpu", {"compute"}}, {"volume", {"volume"}}});
  }
  std::string problem() const { return found().problems.empty() ? "none" : found().problems.front().message; }

  config::Settings settings;
};

TEST_F(ProfileCheck, AcceptsRulesThatTakeDifferentRequests) {
  add("small").flavor = {"g1.*"};
  add("large").flavor = {"g2.*", "g1.x"};
  add("rest");
  EXPECT_EQ(problem(), "none");
  EXPECT_THAT(found().warnings, IsEmpty());
}

TEST_F(ProfileCheck, RefusesADriverThatIsNotConfiguredAndNamesTheNearest) {
  add("small", "gpo");
  EXPECT_EQ(problem(),
            "gantry.toml:1: profile 'small': key 'driver': expected a driver that scheduler_driver names, found 'gpo'; "
            "did you mean 'gpu'?");
}

TEST_F(ProfileCheck, RefusesADriverOfAnotherTopic) {
  add("disks", "volume");
  EXPECT_THAT(problem(), AllOf(HasSubstr("expected a driver for topic 'compute', found 'volume'")));
}

TEST_F(ProfileCheck, WarnsOfARuleBehindOneThatTakesAllOfItsRequests) {
  add("gpus").flavor = {"g*"};
  auto& narrow = add("narrow");
  narrow.flavor = {"g1.*"};
  narrow.project = {"p"};
  EXPECT_THAT(
      found().warnings,
      ElementsAre(HasSubstr("gantry.toml:2: profile 'narrow' takes no request: profile 'gpus' at gantry.toml:1")));
}

TEST_F(ProfileCheck, WarnsOfARuleBehindOneWithFewerHints) {
  add("arm").hint = {{"arch", {"arm*"}}};
  add("arm_in_az").hint = {{"arch", {"arm64"}}, {"rack", {"r1"}}};
  add("other_arch").hint = {{"arch", {"*"}}};
  EXPECT_THAT(found().warnings, ElementsAre(HasSubstr("'arm_in_az'")));
}

TEST_F(ProfileCheck, RefusesRequiredProfilesWithoutAny) {
  settings.scheduling.profiles_required = true;
  EXPECT_THAT(problem(), HasSubstr("scheduling.profiles_required: expected a [[profile]] beside it"));
  add("all");
  EXPECT_EQ(problem(), "none");
}

}  // namespace
}  // namespace gantry::scheduling
