// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/endpoints.hpp"

#include <gmock/gmock.h>

namespace gantry::nova {
namespace {

std::string fault(const std::string& method, const std::string& version, std::optional<std::string> name_space = {}) {
  RpcRequest request;
  request.method = method;
  request.version = version;
  request.name_space = std::move(name_space);
  const auto found = fault_of_target(request);
  return found ? found->class_name + ": " + found->message : "";
}

TEST(Endpoints, HaveTheMethodsOfAScheduler) {
  for (const auto* version : {"4.0", "4.1", "4.2", "4.3", "4.4", "4.5"}) {
    EXPECT_EQ(fault("select_destinations", version), "");
    EXPECT_EQ(fault("sync_instance_info", version), "");
  }
  for (const auto* method : {"update_aggregates", "delete_aggregate", "update_instance_info", "delete_instance_info"})
    EXPECT_EQ(fault(method, "4.2"), "");
  EXPECT_EQ(fault("ping", "1.0", "baseapi"), "");
  EXPECT_EQ(fault("get_backdoor_port", "1.1", "baseapi"), "");
}

TEST(Endpoints, RefuseOtherVersions) {
  for (const auto* version : {"4.6", "4.9", "5.0", "3.0", "1.0", "4.5.1", "", "4", "four.five", "4.5.0.0", "4..5"})
    EXPECT_EQ(fault("select_destinations", version), "UnsupportedVersion: Endpoint does not support RPC version " +
                                                         std::string(version) +
                                                         ". Attempted method: select_destinations");
  EXPECT_THAT(fault("ping", "1.2", "baseapi"), testing::HasSubstr("UnsupportedVersion"));
  EXPECT_THAT(fault("ping", "1.0", "other"), testing::HasSubstr("UnsupportedVersion"));
}

TEST(Endpoints, RefuseMethodsThatTheyDoNotHave) {
  EXPECT_EQ(fault("nope", "4.5"), "NoSuchMethod: Endpoint does not support RPC method nope");
  EXPECT_EQ(fault("_private", "4.5"), "NoSuchMethod: Endpoint does not support RPC method _private");
  EXPECT_EQ(fault("select_destinations", "1.1", "baseapi"),
            "NoSuchMethod: Endpoint does not support RPC method select_destinations");
}

}  // namespace
}  // namespace gantry::nova
