// SPDX-License-Identifier: Apache-2.0
#include "core/transport/amqp/connection.hpp"

#include <gmock/gmock.h>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include <functional>

#include "tests/transport/amqp/scripted_broker.hpp"

namespace gantry::amqp {
namespace {

using boost::asio::ip::tcp;
using testing::ElementsAre;
using testing::HasSubstr;

// A broker on loopback that plays a script in the same thread.
struct ConnectionTest : testing::Test {
  ConnectionTest() {
    settings.host = "127.0.0.1";
    settings.port = acceptor.local_endpoint().port();
    settings.limits.heartbeat = 1;
    acceptor.async_accept(peer, [this](const boost::system::error_code& error) {
      if (!error) read();
    });
  }
  void read() {
    peer.async_read_some(boost::asio::buffer(input), [this](const boost::system::error_code& error, std::size_t size) {
      heard.append(input.data(), size);
      if (error) return;
      if (!is_mute) answer();
      read();
    });
  }
  // Answers as much of the login as the client has asked for.
  void answer() {
    const auto methods = methods_of(heard);
    const std::string last = methods.empty() ? "" : methods.back();
    if (last.empty() && heard.size() == 8) say_bytes(say_start());
    if (last == "connection.start-ok") say_bytes(say_tune(2047, 131072, 60));
    if (last == "connection.open" && !opened) say_bytes(say_open_ok());
    if (last == "connection.open") opened = true;
    if (last == "connection.close") say_bytes(say<amqp_connection_close_ok_t>(0, AMQP_CONNECTION_CLOSE_OK_METHOD));
  }
  void say_bytes(const std::string& bytes) { boost::asio::write(peer, boost::asio::buffer(bytes)); }
  std::shared_ptr<Connection> connect(std::function<void()> on_open = [] {}) {
    DialogueEvents events;
    events.on_open = std::move(on_open);
    events.on_closed = [this](const Result<void>& result) { closed = result ? "goodbye" : result.error().message; };
    auto made = Connection::make(transport::Strand(context.get_executor()), settings, events);
    made->start();
    return made;
  }
  // Runs until the condition holds; fails the test after a long while.
  void run_until(const std::function<bool()>& holds) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!holds() && std::chrono::steady_clock::now() < end) context.run_one_for(std::chrono::milliseconds(50));
    EXPECT_TRUE(holds());
  }

  boost::asio::io_context context;
  tcp::acceptor acceptor{context, tcp::endpoint(boost::asio::ip::address_v4::loopback(), 0)};
  tcp::socket peer{context};
  std::array<char, 4096> input{};
  std::string heard;
  bool is_mute = false;
  bool opened = false;
  ConnectionSettings settings;
  std::optional<std::string> closed;
};

TEST_F(ConnectionTest, OpensAndTakesLeave) {
  std::shared_ptr<Connection> connection;
  connection = connect([&] { connection->close(); });
  run_until([&] { return closed.has_value(); });
  EXPECT_EQ(closed, "goodbye");
  EXPECT_THAT(methods_of(heard),
              ElementsAre("connection.start-ok", "connection.tune-ok", "connection.open", "connection.close"));
  context.run();  // nothing is left to be done
}

TEST_F(ConnectionTest, SendsHeartbeatsAndEndsWhenThePeerIsSilentForTwo) {
  connect([&] { is_mute = true; });
  run_until([&] { return closed.has_value(); });
  EXPECT_THAT(*closed, HasSubstr("the broker has been silent for two heartbeats, 2 s"));
  EXPECT_THAT(*closed, HasSubstr("broker 127.0.0.1:" + std::to_string(settings.port)));
  const auto frames = frames_of(heard);
  EXPECT_EQ(frames.back().type, FrameType::heartbeat);
}

TEST_F(ConnectionTest, StaysWhileThePeerSendsHeartbeats) {
  connect();
  run_until([&] { return opened; });
  std::size_t beats = 0;
  const auto began = std::chrono::steady_clock::now();
  run_until([&] {
    const auto passed = std::chrono::steady_clock::now() - began;
    if (passed > beats * std::chrono::milliseconds(500)) {
      ++beats;
      say_bytes(say_frame(FrameType::heartbeat, 0, ""));
    }
    return passed > std::chrono::seconds(4) || closed;
  });
  EXPECT_FALSE(closed) << *closed;
}

TEST_F(ConnectionTest, EndsWhenThePeerIsGone) {
  connect([&] { peer.close(); });
  run_until([&] { return closed.has_value(); });
  EXPECT_THAT(*closed, HasSubstr("the connection was lost: the broker ended it"));
}

TEST_F(ConnectionTest, GivesUpABrokerThatDoesNotAnswer) {
  is_mute = true;
  settings.patience = std::chrono::milliseconds(200);
  connect();
  run_until([&] { return closed.has_value(); });
  EXPECT_THAT(*closed, HasSubstr("did not come about in time"));
}

TEST_F(ConnectionTest, SaysThatNobodyListens) {
  acceptor.close();
  connect();
  run_until([&] { return closed.has_value(); });
  EXPECT_THAT(*closed, HasSubstr("cannot connect: Connection refused"));
}

TEST_F(ConnectionTest, SaysThatTheHostIsUnknown) {
  settings.host = "no-such-host.invalid";
  connect();
  run_until([&] { return closed.has_value(); });
  EXPECT_THAT(*closed, HasSubstr("broker no-such-host.invalid:"));
  EXPECT_THAT(*closed, HasSubstr("the host was not found"));
}

TEST_F(ConnectionTest, SaysThatThePeerSpeaksNoTls) {
  settings.tls = *transport::TlsClient::load({.verifies = false}, false);
  is_mute = true;
  std::shared_ptr<Connection> connection = connect();
  run_until([&] { return !heard.empty(); });
  say_bytes(std::string("AMQP\x00\x00\x09\x01", 8));
  run_until([&] { return closed.has_value(); });
  EXPECT_THAT(*closed, HasSubstr("TLS failed"));
}

}  // namespace
}  // namespace gantry::amqp
