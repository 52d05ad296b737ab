// SPDX-License-Identifier: Apache-2.0
//
// Calls of drivers that are answered by another thread while they still hold theirs.
#include <gmock/gmock.h>

#include "tests/transport/server_fixture.hpp"
#include "tests/transport/test_certificate.hpp"

namespace gantry::testing {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

// Is answered after some milliseconds, and holds its thread for longer.
std::string overrunning(int answered_ms, int held_ms) {
  return post("select_destinations", R"({"args":{"fake":{"delay_ms":)" + std::to_string(answered_ms) +
                                         R"(,"overrun_ms":)" + std::to_string(held_ms) + "}}}");
}

class HttpOverrun : public ServerTest {
 protected:
  HttpOverrun() { settings_.workers = 1; }
};

TEST_F(HttpOverrun, TheConnectionGoesOnWhileTheCallHoldsItsThread) {
  start();
  auto connection = connect();
  const auto begun = Clock::now();
  connection.send(overrunning(50, 3000) + numbered(1) + overrunning(50, 3000) + numbered(2));
  EXPECT_EQ(connection.answer()->status, 200);
  EXPECT_EQ(number_in(result_of(*connection.answer())), 1);
  EXPECT_EQ(connection.answer()->status, 200);
  EXPECT_EQ(number_in(result_of(*connection.answer())), 2);
  EXPECT_LT(Clock::now() - begun, 2500ms);
}

TEST_F(HttpOverrun, TheConnectionIsServedOnAfterTheCallHasReturned) {
  start();
  auto connection = connect();
  for (int i = 0; i < 5; ++i) {
    connection.send(overrunning(5, 10));
    EXPECT_EQ(connection.answer()->status, 200);
    connection.send(numbered(i));
    EXPECT_EQ(number_in(result_of(*connection.answer())), i);
  }
}

TEST_F(HttpOverrun, AnAnswerThatIsDueToAnEarlierRequestStillComesFirst) {
  start();
  auto connection = connect();
  connection.send(numbered(1, R"({"delay_ms":600})") + overrunning(50, 300) + numbered(2));
  EXPECT_EQ(number_in(result_of(*connection.answer())), 1);
  EXPECT_EQ(connection.answer()->status, 200);
  EXPECT_EQ(number_in(result_of(*connection.answer())), 2);
}

TEST_F(HttpOverrun, TheSameHoldsOverTls) {
  const auto certificate = make_certificate(directory_.path());
  settings_.listen = {"127.0.0.1:0"};
  settings_.tls_certificate = certificate.chain;
  settings_.tls_key = certificate.key;
  settings_.require_tokens = false;
  start();
  const auto address = server_->addresses().at(0);
  auto connection = RawConnection::to_tls_port(std::stoi(address.substr(address.rfind(':') + 1)));
  const auto begun = Clock::now();
  connection.send(numbered(0));
  EXPECT_EQ(connection.answer()->status, 200);
  connection.send(overrunning(50, 3000) + numbered(1));
  EXPECT_EQ(connection.answer()->status, 200);
  EXPECT_EQ(number_in(result_of(*connection.answer())), 1);
  EXPECT_LT(Clock::now() - begun, 2500ms);
}

TEST_F(HttpOverrun, ACallThatReturnsAtTheMomentOfItsAnswerLosesNothing) {
  settings_.workers = 2;
  start();
  std::vector<RawConnection> connections;
  for (int i = 0; i < 8; ++i) connections.push_back(connect());
  for (int round = 0; round < 50; ++round) {
    for (auto& connection : connections) connection.send(overrunning(1, 1) + numbered(round));
    for (auto& connection : connections) {
      EXPECT_EQ(connection.answer()->status, 200);
      EXPECT_EQ(number_in(result_of(*connection.answer())), round);
    }
  }
}

TEST_F(HttpOverrun, AStopEndsAConnectionThatHasGoneOn) {
  start();
  auto connection = connect();
  connection.send(overrunning(20, 500) + numbered(1));
  EXPECT_EQ(connection.answer()->status, 200);
  EXPECT_EQ(number_in(result_of(*connection.answer())), 1);
  stop();
  EXPECT_TRUE(connection.ended());
}

}  // namespace
}  // namespace gantry::testing
