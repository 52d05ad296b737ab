// SPDX-License-Identifier: Apache-2.0
#include "core/transport/sockets/peer_roles.hpp"

#include <gmock/gmock.h>
#include <grp.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

#include "tests/transport/server_fixture.hpp"

namespace gantry::testing {
namespace {

using scheduling::Role;
using ::testing::HasSubstr;
using transport::PeerIdentity;
using transport::PeerRoles;

constexpr uid_t somebody = 4'000'000;

// "admin", "refused" or the name of the caller's role.
std::string role_of(const std::vector<std::string>& entries, const PeerIdentity& peer) {
  const auto roles = PeerRoles::of(entries);
  if (!roles) return roles.error().message;
  const auto caller = roles->caller_of(peer);
  if (!caller) return caller.error().code == ErrorCode::permission_denied ? "refused" : caller.error().message;
  return *caller == nullptr ? "trusted" : std::string(name_of((*caller)->role));
}

TEST(PeerRoles, TrustEachPeerWhereNobodyIsNamed) {
  EXPECT_EQ(role_of({}, {true, somebody, somebody, {}}), "trusted");
}

TEST(PeerRoles, RefuseWhomNoEntryNames) {
  EXPECT_EQ(role_of({"user:nobody=reader"}, {true, somebody, somebody, {}}), "refused");
}

TEST(PeerRoles, LeaveRootAndTheDaemonsOwnUserAdmins) {
  EXPECT_EQ(role_of({"user:nobody=reader"}, {true, 0, 0, {}}), "trusted");
  EXPECT_EQ(role_of({"user:nobody=reader"}, {true, geteuid(), somebody, {}}), "trusted");
  EXPECT_EQ(role_of({"user:nobody=reader", "other=reader"}, {true, 0, 0, {}}), "trusted");
  EXPECT_EQ(role_of({"user:root=reader"}, {true, 0, 0, {}}), "reader");
}

TEST(PeerRoles, GiveTheOthersTheRoleThatIsTheirs) {
  EXPECT_EQ(role_of({"other=reader"}, {true, somebody, somebody, {}}), "reader");
  EXPECT_EQ(role_of({"other=admin", "user:nobody=reader"}, {true, 65534, somebody, {}}), "reader")
      << "an entry that names the caller comes first, wherever it stands";
}

TEST(PeerRoles, RefuseAMemberThatHasLeftItsGroup) {
  const group* own = getgrnam("nogroup");
  if (own == nullptr) GTEST_SKIP() << "needs the group nogroup";
  const std::vector<std::string> entries{"group:nogroup=reader"};
  EXPECT_EQ(role_of(entries, {true, somebody, somebody, {own->gr_gid}}), "reader");
  EXPECT_EQ(role_of(entries, {true, somebody, own->gr_gid, {}}), "reader");
  EXPECT_EQ(role_of(entries, {true, somebody, somebody, {}}), "refused");
}

TEST(PeerRoles, RefuseAPeerThatTheKernelDoesNotTell) {
  EXPECT_EQ(role_of({"other=admin"}, PeerIdentity{}), "refused");
}

class RefusedPeer : public ServerTest {};

// A thread may have a user of its own, which is that of its connections.
TEST_F(RefusedPeer, ReadsThePublicDocumentsAloneUnlessItShowsAToken) {
  if (geteuid() != 0) GTEST_SKIP() << "needs root";
  ASSERT_EQ(chmod(directory_.path().c_str(), 0755), 0);
  settings_.socket_mode = 0666;
  settings_.socket_roles = {"user:nobody=reader"};
  start();
  std::thread([this] {
    ASSERT_EQ(syscall(SYS_setresuid, -1, somebody, -1), 0);
    const auto refused = ask(post("status", "{}"));
    EXPECT_EQ(refused.status, 403);
    EXPECT_THAT(error_of(refused, "message"), HasSubstr("expected a user, or a member of a group, that server.socket"));
    EXPECT_EQ(ask(get("/metrics")).status, 403);
    EXPECT_EQ(ask(get("/livez")).status, 200);
    EXPECT_EQ(ask(post("status", "{}", "Authorization: Bearer admin\r\n")).status, 200);
  }).join();
}

}  // namespace
}  // namespace gantry::testing
