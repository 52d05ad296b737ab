// SPDX-License-Identifier: Apache-2.0
//
// One connection to a broker: finds its address, connects, shakes hands over TLS, logs in, keeps up the heartbeats, and
// notices a broker that is gone.
#pragma once

#include <array>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/transport/amqp/dialogue.hpp"
#include "core/transport/sockets/byte_stream.hpp"
#include "core/transport/sockets/tls_client.hpp"

namespace gantry::amqp {

struct ConnectionSettings {
  std::string host;
  std::uint16_t port = 5672;
  std::shared_ptr<transport::TlsClient> tls;  // nullptr: without TLS
  Login login;
  DialogueLimits limits;
  // For all that goes before on_open, and for the broker's goodbye.
  std::chrono::milliseconds patience{10'000};
};

// Returns "h1:5672" or "[::1]:5672", for messages.
std::string address_of(const ConnectionSettings& settings);

// All members but make() are called on the strand, and the events come on it. The connection keeps itself alive from
// start() to on_closed.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  static std::shared_ptr<Connection> make(const transport::Strand& strand, ConnectionSettings settings,
                                          DialogueEvents events);

  // Begins. on_open follows, or on_closed with the reason. Call this once.
  void start();
  // See Dialogue::open_channel().
  std::shared_ptr<Channel> open_channel(std::function<void(const Error& error)> on_closed);
  // Takes leave of the broker; on_closed follows.
  void close();
  bool is_open() const { return dialogue_.is_open(); }
  // See Dialogue::product().
  const std::string& product() const { return dialogue_.product(); }

 private:
  using Clock = std::chrono::steady_clock;
  using Endpoints = boost::asio::ip::basic_resolver_results<boost::asio::ip::tcp>;

  Connection(const transport::Strand& strand, ConnectionSettings settings, DialogueEvents events);

  DialogueEvents with_own(DialogueEvents events);
  void on_resolved(const Endpoints& endpoints);
  void on_connected();
  void read();
  void on_read(std::size_t size);
  void write(const std::string& bytes);
  void write_pending();
  void fail(const std::string& what, const transport::StreamError& error);
  void fail(const std::string& what);
  void arm_patience(const std::string& what);
  void arm_heartbeat();
  void on_heartbeat_tick();
  void end();
  std::string name() const;

  const ConnectionSettings settings_;
  transport::Strand strand_;
  boost::asio::ip::basic_resolver<boost::asio::ip::tcp, transport::Strand> resolver_;
  boost::asio::basic_waitable_timer<Clock, boost::asio::wait_traits<Clock>, transport::Strand> timer_;
  std::optional<transport::StreamSocket> socket_;  // until it becomes the stream
  std::unique_ptr<transport::ByteStream> stream_;
  Dialogue dialogue_;
  std::array<char, 64 * 1024> input_{};
  std::string pending_;  // to be written
  std::string writing_;  // a write of these bytes is under way
  std::size_t written_ = 0;
  bool is_writing_ = false;
  Clock::time_point last_read_;
  Clock::time_point last_write_;
};

}  // namespace gantry::amqp
