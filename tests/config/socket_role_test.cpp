// SPDX-License-Identifier: Apache-2.0
#include "core/config/socket_role.hpp"

#include <gmock/gmock.h>

namespace gantry::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(SocketRole, NamesAUserAndItsRole) {
  const auto role = parse_socket_role("user:nagios=reader");
  ASSERT_TRUE(role) << role.error().message;
  EXPECT_EQ(role->who, SocketRole::Who::user);
  EXPECT_EQ(role->name, "nagios");
  EXPECT_EQ(role->role, "reader");
  EXPECT_TRUE(role->scope.empty());
}

TEST(SocketRole, NamesTheTopicsOfAServiceAndTheHostOfAnAgent) {
  const auto service = parse_socket_role("group:cinder=service/volume,backup");
  ASSERT_TRUE(service) << service.error().message;
  EXPECT_EQ(service->who, SocketRole::Who::group);
  EXPECT_THAT(service->scope, ElementsAre("volume", "backup"));
  EXPECT_THAT(parse_socket_role("user:a=agent/node1")->scope, ElementsAre("node1"));
}

TEST(SocketRole, RefusesWhatItCannotRead) {
  for (const auto& [text, why] : {std::pair{"nagios=reader", "no ':'"},
                                  {"user:nagios", "no ':' and '='"},
                                  {"host:a=reader", "neither user nor group"},
                                  {"user:=reader", "no name"},
                                  {"user:a=king", "no such role"},
                                  {"user:a=service", "a service without a topic"},
                                  {"user:a=service/x,,y", "an empty topic"},
                                  {"user:a=agent/h,i", "without its one host"},
                                  {"user:a=admin/x", "a '/' behind admin"}}) {
    const auto role = parse_socket_role(text);
    ASSERT_FALSE(role) << text;
    EXPECT_THAT(role.error().message, HasSubstr(why)) << text;
  }
}

}  // namespace
}  // namespace gantry::config
