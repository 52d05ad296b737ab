// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/http_connection.hpp"

#include <sys/socket.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include "core/transport/session/http_session.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {
namespace {

using Protocol = boost::asio::local::stream_protocol;
using Failure = boost::system::error_code;

// Answers each method at once with what it was called with.
class EchoManager final : public scheduling::Manager {
 public:
  bool handle(scheduling::MethodCall call, scheduling::Done done) override {
    done(json::value(json::object{{"method", call.method},
                                  {"context", std::move(call.context)},
                                  {"args", std::move(call.args)},
                                  {"idempotency_key", call.idempotency_key}}));
    return true;
  }
  std::vector<scheduling::MethodName> methods() const override {
    return {{"hosts_up", true, nullptr, false, false, false, true},
            {"report_state", false},
            {"select_destinations", false},
            {"status", true}};
  }
  Result<std::shared_ptr<const scheduling::Caller>> authenticate(std::string_view token) const override {
    if (token == "good") return std::shared_ptr<const scheduling::Caller>(std::make_shared<scheduling::Caller>());
    return Error{ErrorCode::unauthenticated, "the token is unknown", ""};
  }
  Result<void> check_role(const scheduling::Caller& /*caller*/, std::string_view method) const override {
    if (method != "report_state") return {};
    return Error{ErrorCode::permission_denied, "may not call it", ""};
  }
  bool drain(std::chrono::steady_clock::time_point) override { return true; }
};

// Small limits, so that short inputs reach them.
transport::HttpLimits small_limits() {
  transport::HttpLimits limits;
  limits.pipelined_requests = 4;
  limits.longest_pause = std::chrono::milliseconds(0);
  limits.unsent_bytes = 2048;
  return limits;
}

config::Settings::Server small_settings() {
  config::Settings::Server settings;
  settings.max_header_bytes = 1024;
  settings.max_body_bytes = 2048;
  return settings;
}

}  // namespace

struct HttpEndpoint::State {
  transport::ThreadPools pools;
  boost::asio::io_context io{1};  // of the clients
  EchoManager manager;
  transport::HttpRoutes routes{manager.methods(), std::chrono::seconds(30)};
  transport::HttpAccess access{manager, telemetry::Logger::none()};
  transport::HttpSessionContext context{pools,          routes,          access, manager, telemetry::Logger::none(),
                                        small_limits(), small_settings()};
  transport::Endpoint endpoint{transport::Endpoint::Kind::local, false, 1000};

  // The server's end of a socket pair, which becomes a session.
  void serve(Protocol::socket server) {
    transport::StreamSocket socket(pools.new_strand(transport::ClientClass::stranger), {AF_UNIX, 0}, server.release());
    auto session = std::make_shared<transport::HttpSession>(
        transport::HttpSession::new_connection(transport::ByteStream::plain(std::move(socket)), endpoint,
                                               endpoint.seats->seat({}), "fuzz", context),
        context, transport::ClientClass::stranger);
    context.connections->add(session);
    session->start();
  }
  // The set forgets a connection at its end.
  bool has_ended() { return context.connections->wait_until_empty({}); }

  // False: no bytes have arrived.
  static bool receive(Protocol::socket& client, std::string& into) {
    char buffer[4096];
    Failure error;
    const auto size = client.read_some(boost::asio::buffer(buffer), error);
    into.append(buffer, size);
    return size != 0;
  }
};

HttpEndpoint::HttpEndpoint() : state_(std::make_unique<State>()) {}
HttpEndpoint::~HttpEndpoint() = default;

std::string HttpEndpoint::exchange(const std::vector<std::string_view>& pieces) {
  auto& state = *state_;
  Protocol::socket client(state.io);
  Protocol::socket server(state.io);
  boost::asio::local::connect_pair(client, server);
  client.non_blocking(true);
  state.serve(std::move(server));

  std::string received;
  Failure error;
  for (std::string_view piece : pieces) {
    for (int idle = 0; !piece.empty() && !error && idle < 100;) {
      const auto sent = client.write_some(boost::asio::buffer(piece.data(), piece.size()), error);
      piece.remove_prefix(sent);
      if (error == boost::asio::error::would_block) error = {};
      state.pools.poll();
      const bool came = State::receive(client, received);
      idle = sent != 0 || came ? 0 : idle + 1;
    }
  }
  client.shutdown(Protocol::socket::shutdown_send, error);
  for (int idle = 0; idle < 100 && !state.has_ended();) {
    state.pools.poll();
    idle = State::receive(client, received) ? 0 : idle + 1;
  }
  while (State::receive(client, received)) {
  }
  if (!state.has_ended()) broken("the session goes on though its client has ended");
  return received;
}

}  // namespace gantry::fuzz
