// SPDX-License-Identifier: Apache-2.0
#include "core/cli/terminal/connection.hpp"

#include <gmock/gmock.h>

namespace gantry::cli {
namespace {

using testing::HasSubstr;

TEST(Connection, SaysAtOnceThatALocalDaemonHasNoSocketWhereTheCallAwaitsNone) {
  for (const std::string url : {"/nonexistent/socket", "unix:///nonexistent/socket"}) {
    auto connection = connect({url, "", ""});
    ASSERT_TRUE(connection) << connection.error().message;
    CallWishes wishes;
    wishes.awaits_daemon = false;
    const auto answer = (*connection)->call("status", {}, wishes);
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, ErrorCode::unavailable);
    EXPECT_THAT(answer.error().message, HasSubstr(url + ": expected the socket of a daemon, found none"));
  }
}

}  // namespace
}  // namespace gantry::cli
