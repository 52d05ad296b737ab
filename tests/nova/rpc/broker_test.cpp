// SPDX-License-Identifier: Apache-2.0
//
// The RPC server against oslo.messaging's own client and server.
#include <sys/wait.h>

#include <cstdlib>

#include "tests/nova/rpc/served_rpc.hpp"

namespace gantry::nova {
namespace {

// Debian's modules belong to Debian's own interpreter.
int exit_status_of_oslo(const std::string& role, const std::string& url) {
  const std::string command = "/usr/bin/python3 -B '" GANTRY_OSLO_CLIENT "' " + role + " '" + url + "'";
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

TEST_F(RealRpc, AnswersOsloMessagingsOwnClient) {
  auto made = settings();
  made.rpc_ping_enabled = true;
  const ServedRpc served(made);
  served.await_connection();
  const int found = exit_status_of_oslo("call", broker().url());
  if (found == 77) GTEST_SKIP() << "oslo.messaging is not installed: packaging/install-packages --nova";
  EXPECT_EQ(found, 0) << served.logger->text();
  EXPECT_THAT(served.handler.events(), ::testing::ElementsAre("cast sync_instance_info"));
  EXPECT_EQ(served.counted("nova_replies_dropped"), 0U);
  served.await([](const RpcServerStatus& status) { return status.under_way == 0; });
}

// A queue that the broker has with other arguments would be refused.
TEST_F(RealRpc, DeclaresWhatOsloMessagingsOwnServerDeclares) {
  const ServedRpc served(settings());
  served.await_connection();
  const int found = exit_status_of_oslo("serve", broker().url());
  if (found == 77) GTEST_SKIP() << "oslo.messaging is not installed: packaging/install-packages --nova";
  EXPECT_EQ(found, 0);
  EXPECT_FALSE(served.logger->has("other arguments")) << served.logger->text();
}

}  // namespace
}  // namespace gantry::nova
