// SPDX-License-Identifier: Apache-2.0
#include "bundled_driver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gantry::tests {
namespace {

class BundledDriver : public ::testing::TestWithParam<const char*> {};

TEST_P(BundledDriver, DescribesItselfAsItsFileIsCalled) {
  const gantry_driver_info* info = bundled_driver(GetParam());
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->magic, GANTRY_MAGIC);
  EXPECT_EQ(info->abi_major, GANTRY_ABI_MAJOR);
  EXPECT_EQ(info->abi_minor, std::uint32_t{GANTRY_ABI_MINOR});
  EXPECT_EQ(text(info->id), GetParam());
  EXPECT_EQ(text(info->version), "1.0.0");
}

TEST_P(BundledDriver, LeavesToTheHostWhatItHasNoOpinionOn) {
  const gantry_driver_info* info = bundled_driver(GetParam());
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->ops->hosts_up, nullptr);
  EXPECT_EQ(info->ops->group_hosts, nullptr);
  EXPECT_EQ(info->ops->update_service_capabilities, nullptr);
  EXPECT_EQ(info->ops->extension != nullptr, std::string(GetParam()) != "volume") << "counts what fits";
  EXPECT_EQ(info->ops->call_method != nullptr, std::string(GetParam()) == "volume");
}

INSTANTIATE_TEST_SUITE_P(All, BundledDriver, ::testing::Values("chance", "simple", "ip", "volume"),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace gantry::tests
