// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/service/kept_beside_authority.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/store/partial_store.hpp"
#include "tests/scheduling/fake_authority.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

TEST(KeptBesideAnAuthority, AreTokensAndFactsOfOtherTopics) {
  using enum store::Kind;
  for (const auto& [kind, key] :
       {std::pair{service, "volume/v1"}, std::pair{compute_node, "volume/v1/n"}, std::pair{capabilities, "volume/v1"},
        std::pair{heartbeat, "service/volume/v1"}, std::pair{claim, "consumer/volume/v1/n"}, std::pair{cast, "1"},
        std::pair{idempotency, "key"}, std::pair{token, "id"}})
    EXPECT_TRUE(is_kept_beside_authority(kind, key)) << key;
}

TEST(KeptBesideAnAuthority, AreNoFactsOfTheAuthority) {
  using enum store::Kind;
  for (const auto& [kind, key] : {std::pair{service, "compute/c1"}, std::pair{compute_node, "compute/c1/n"},
                                  std::pair{capabilities, "compute/c1"}, std::pair{heartbeat, "service/compute/c1"},
                                  std::pair{claim, "consumer/compute/c1/n"}, std::pair{aggregate, "1"},
                                  std::pair{group, "uuid"}, std::pair{instance, "uuid"}})
    EXPECT_FALSE(is_kept_beside_authority(kind, key)) << key;
}

TEST(KeptBesideAnAuthority, OutlivesARestart) {
  FakeAuthority authority;
  RunningManager manager("simple", {}, [](std::unique_ptr<store::Store> store) -> std::unique_ptr<store::Store> {
    return std::make_unique<store::PartialStore>(std::move(store), is_kept_beside_authority);
  });
  manager.add_host("c1", 4);
  manager.set_authority(&authority);
  manager.restart();
  EXPECT_TRUE(manager.result("list_hosts", "{}").as_array().empty()) << "the store has kept a host of topic compute";
  manager.result("service_register", R"({"topic":"volume","host":"v1"})");
  manager.result("create_token", R"({"name":"monitoring","role":"reader","sha256":")" + std::string(64, 'a') + R"("})");
  manager.restart();
  EXPECT_EQ(manager.result("list_services", R"({"topic":"volume"})").as_array().size(), 1U);
  EXPECT_EQ(manager.result("list_tokens", "{}").as_array().size(), 1U);
  EXPECT_EQ(manager.result("doctor", "{}").at("sound"), true);
}

}  // namespace
}  // namespace gantry::scheduling
