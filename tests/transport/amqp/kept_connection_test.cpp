// SPDX-License-Identifier: Apache-2.0
#include "core/transport/amqp/kept_connection.hpp"

#include <gmock/gmock.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace gantry::amqp {
namespace {

using boost::asio::ip::tcp;
using ::testing::HasSubstr;
using ::testing::SizeIs;

ConnectionSettings broker_at(std::uint16_t port) {
  ConnectionSettings made;
  made.host = "127.0.0.1";
  made.port = port;
  return made;
}

struct Kept : ::testing::Test {
  void run_until(const std::function<bool()>& holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!holds() && std::chrono::steady_clock::now() < end) {
      if (context.stopped()) context.restart();
      context.run_one_for(std::chrono::milliseconds(100));
    }
    EXPECT_TRUE(holds());
  }
  KeptConnectionEvents events() {
    KeptConnectionEvents made;
    made.on_up = [this] { ++ups; };
    made.on_down = [this](const Error& error) { reasons.push_back(error.message); };
    return made;
  }

  boost::asio::io_context context;
  int ups = 0;
  std::vector<std::string> reasons;
};

TEST_F(Kept, TriesEachBrokerAndThenAgain) {
  // A socket that closes at once, and a port without one.
  tcp::acceptor acceptor(context, {tcp::v4(), 0});
  int accepted = 0;
  std::function<void()> accept = [&] {
    acceptor.async_accept([&](const boost::system::error_code& error, const tcp::socket&) {
      if (error) return;
      ++accepted;
      accept();
    });
  };
  accept();
  KeptConnection kept(transport::Strand(context.get_executor()),
                      {broker_at(acceptor.local_endpoint().port()), broker_at(1)}, 7, events());
  kept.start();
  run_until([&] { return reasons.size() == 4; });
  EXPECT_EQ(accepted, 2);
  EXPECT_THAT(reasons, ::testing::Contains(HasSubstr("127.0.0.1:1: cannot connect: Connection refused")).Times(2));
  EXPECT_EQ(ups, 0);
  EXPECT_FALSE(kept.is_up());
  bool is_closed = false;
  kept.close([&] { is_closed = true; });
  run_until([&] { return is_closed; });
  EXPECT_THAT(reasons, SizeIs(4));
}

}  // namespace
}  // namespace gantry::amqp
