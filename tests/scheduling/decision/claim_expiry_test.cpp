// SPDX-License-Identifier: Apache-2.0
//
// Claims that no report ends expire, whichever method made and confirmed them.
#include <gtest/gtest.h>

#include <thread>

#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

constexpr auto expiring_uuid = "0d0d0d0d-0000-4000-8000-000000000001";

std::string asked_for(const std::string& uuid) {
  return R"({"request_spec":{"instance_uuids":[")" + uuid +
         R"("],"flavor":{"name":"pick","vcpus":1,"memory_mb":600,"root_gb":0}}})";
}

class ClaimExpiry : public ::testing::Test {
 protected:
  static fleet::FleetSettings short_lived() {
    fleet::FleetSettings settings;
    settings.claim_max_age = 200'000'000;
    return settings;
  }
  ClaimExpiry() { manager.add_host("a", 16); }
  std::size_t claims() {
    manager.result("list_hosts", "{}");
    return manager.fleet().claims().size();
  }
  bool expires() {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (claims() != 0 && std::chrono::steady_clock::now() < end)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return claims() == 0;
  }
  RunningManager manager{"puppet", short_lived(), {}, GANTRY_ZOO_DIRECTORY};
};

TEST_F(ClaimExpiry, EndsTheClaimOfASelection) {
  manager.result("select_destinations", asked_for(expiring_uuid));
  EXPECT_TRUE(expires());
}

TEST_F(ClaimExpiry, EndsTheClaimOfAMethod) {
  manager.result("schedule", R"({"topic":"compute","schedule_method":"run","kwargs":{"case":"claim"}})");
  EXPECT_TRUE(expires());
}

TEST_F(ClaimExpiry, EndsTheClaimOfAnInstanceAfterItsCastWasAcknowledgedAndNotBefore) {
  manager.result("schedule_run_instance", asked_for(expiring_uuid));
  std::this_thread::sleep_for(std::chrono::milliseconds(400));
  EXPECT_EQ(claims(), 1U);
  const auto cast = manager.result("list_casts", "{}").at(0).at("id");
  manager.result("acknowledge_cast", json::write(json::object{{"id", cast}}));
  EXPECT_TRUE(expires());
}

TEST_F(ClaimExpiry, EndsTheClaimOfASelectionForAnInstanceThatIsDeleted) {
  manager.result("schedule_run_instance", asked_for(expiring_uuid));
  manager.result("delete_instance", R"({"instance":")" + std::string(expiring_uuid) + R"("})");
  manager.result("select_destinations", asked_for(expiring_uuid));
  EXPECT_TRUE(expires());
}

}  // namespace
}  // namespace gantry::scheduling
