// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/mirror_difference.hpp"

#include <gtest/gtest.h>

namespace gantry::nova {
namespace {

// The rule that keeps a provider out which has VCPUs, no disk, and not the trait.
std::string rule(const std::string& query) {
  return rule_of(query, [](const std::string& shorter) {
    return shorter.find("DISK_GB") == std::string::npos && shorter.find("CUSTOM_GOLD") == std::string::npos;
  });
}

TEST(MirrorDifference, NamesTheParameterThatKeepsTheProviderOut) {
  EXPECT_EQ(rule("resources=VCPU:1&required=CUSTOM_GOLD&limit=1000"), "required=CUSTOM_GOLD");
  EXPECT_EQ(rule("in_tree=u&resources=VCPU:1&required1=CUSTOM_GOLD&resources1=VF:1"), "required1=CUSTOM_GOLD");
}

TEST(MirrorDifference, NamesTheResourceThatKeepsTheProviderOut) {
  EXPECT_EQ(rule("resources=DISK_GB%3A5%2CVCPU%3A1&limit=1000"), "resources=DISK_GB%3A5");
}

TEST(MirrorDifference, NamesAllGroupsIfNoPartAloneIsTheReason) {
  EXPECT_EQ(rule("resources=DISK_GB:5&required=CUSTOM_GOLD"), "the groups together");
}

}  // namespace
}  // namespace gantry::nova
