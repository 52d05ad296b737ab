// SPDX-License-Identifier: Apache-2.0
#include "core/config/socket_role.hpp"

#include <gmock/gmock.h>

namespace gantry::config {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

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

TEST(SocketRole, NamesEverybodyElse) {
  const auto others = parse_socket_role("other=service/volume");
  ASSERT_TRUE(others);
  EXPECT_EQ(others->who, SocketRole::Who::other);
  EXPECT_EQ(others->name, "");
  EXPECT_EQ(others->role, "service");
  EXPECT_THAT(others->scope, ElementsAre("volume"));
}

TEST(SocketRole, WarnsOfAGroupThatAMemberOnlyLeavesToGetMore) {
  EXPECT_THAT(warnings_of_socket_roles({"group:a=reader", "other=admin"}),
              ElementsAre(HasSubstr("\"group:a=reader\" holds nobody back from \"other=admin\"")));
  EXPECT_THAT(warnings_of_socket_roles({"group:a=service/x", "group:b=service/y"}), SizeIs(1));
  EXPECT_THAT(warnings_of_socket_roles({"user:a=reader", "other=admin"}), IsEmpty());
  EXPECT_THAT(warnings_of_socket_roles({"group:a=admin", "other=reader"}), IsEmpty());
  EXPECT_THAT(warnings_of_socket_roles({"group:a=reader", "user:b=admin"}), IsEmpty());
  EXPECT_THAT(warnings_of_socket_roles({"group:a=admin", "group:b=admin"}), IsEmpty());
}

TEST(SocketRole, RefusesWhatItCannotRead) {
  for (const auto& [text, why] : {std::pair{"nagios=reader", "no ':'"},
                                  {"user:nagios", "no ':' and '='"},
                                  {"host:a=reader", "neither user nor group"},
                                  {"user:=reader", "no name"},
                                  {"user:a=king", "no such role"},
                                  {"other=", "no such role"},
                                  {"other:=reader", "neither user nor group"},
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
