// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http_server.hpp"

#include <fcntl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <future>
#include <utility>

#include "core/encoding/uuid.hpp"
#include "core/transport/http_listener.hpp"
#include "core/transport/server_sockets.hpp"
#include "core/transport/session/http_session.hpp"
#include "core/transport/sockets/tcp_socket.hpp"
#include "core/transport/sockets/unix_socket.hpp"

namespace gantry::transport {

namespace {

constexpr int warned_days = 14;

std::string ending(int days_left) {
  return days_left < 0 ? "the TLS certificate has expired" : "the TLS certificate ends soon";
}

std::vector<std::string> warnings_of(const TlsCertificate& certificate) {
  const int days = certificate.days_left();
  const auto file = certificate.file();
  if (days >= warned_days) return {};
  if (days < 0) return {ending(days) + ", so that callers over TCP refuse it: " + file};
  return {ending(days) + ", in " + std::to_string(days) + (days == 1 ? " day: " : " days: ") + file};
}

struct WatchedBudgets {
  const Budget& waiting_requests;
  const Seats& local_connections;
  const Seats& tcp_connections;
  const UnsentAnswers& unsent_answers;
};

void write_metrics(const AnswerCounts& answers, const WatchedBudgets& budgets, telemetry::MetricText& into) {
  using telemetry::MetricType;
  auto& counts = into.family("gantry_http_answers_total", MetricType::counter,
                             "HTTP answers by status, those included that no method gave.");
  for (unsigned status = AnswerCounts::first_status; status <= AnswerCounts::last_status; ++status) {
    if (const auto count = answers.of(status); count != 0) counts.add({{"status", std::to_string(status)}}, count);
  }
  auto& connections = into.family("gantry_http_connections", MetricType::gauge, "Connections that are open.");
  connections.add({{"socket", "unix"}}, budgets.local_connections.taken());
  connections.add({{"socket", "tcp"}}, budgets.tcp_connections.taken());
  into.family("gantry_http_requests_waiting", MetricType::gauge, "HTTP requests that wait for their answer.")
      .add({}, budgets.waiting_requests.taken());
  into.family("gantry_http_requests_waiting_max", MetricType::gauge,
              "server.max_waiting_requests: beyond it requests are answered 503.")
      .add({}, budgets.waiting_requests.most());
  into.family("gantry_http_unsent_bytes", MetricType::gauge,
              "Bytes of answers that clients have not taken yet: of connections with 64 KiB of them or more.")
      .add({}, budgets.unsent_answers.bytes());
}

class BeastHttpServer final : public HttpServer {
 public:
  BeastHttpServer(const config::Settings::Server& settings, scheduling::Manager& manager,
                  const std::shared_ptr<telemetry::Logger>& logger, const HttpLimits& limits, ServerSockets sockets)
      : manager_(manager),
        routes_(manager.methods(), settings.request_timeout, [&manager] { return manager.unready_reasons(); }),
        access_(manager, logger),
        context_(pools_, routes_, access_, manager, logger, limits, settings),
        certificate_(std::move(sockets.certificate)),
        local_endpoint_(Endpoint::Kind::local, false, settings.max_connections),
        tcp_endpoint_(Endpoint::Kind::tcp, settings.require_tokens, settings.max_connections),
        peer_roles_(std::move(sockets.roles)),
        local_socket_(std::move(sockets.local)),
        keeps_file_(sockets.keeps_file) {
    listen(std::move(local_socket_.descriptor), {AF_UNIX, &peer_of, nullptr, &peer_roles_}, local_endpoint_);
    for (auto& socket : sockets.tcp) {
      addresses_.push_back((certificate_ ? "https://" : "http://") + socket.address);
      listen(std::move(socket.descriptor), {socket.is_ipv6 ? AF_INET6 : AF_INET, &prepare_tcp, certificate_},
             tcp_endpoint_);
    }
    if (certificate_) manager.add_warnings([certificate = certificate_] { return warnings_of(*certificate); });
    routes_.set_metrics([&manager] { return manager.metrics(); });
    manager.add_metrics([answers = context_.answers, waiting = context_.waiting_requests, local = local_endpoint_.seats,
                         tcp = tcp_endpoint_.seats, unsent = context_.unsent_answers](auto& into) {
      write_metrics(*answers, {*waiting, *local, *tcp, *unsent}, into);
    });
    manager.set_executor([this](std::function<void()> work) { workers_.run(std::move(work)); });
  }

  ~BeastHttpServer() override { end(std::chrono::steady_clock::now()); }
  BeastHttpServer(const BeastHttpServer&) = delete;
  BeastHttpServer& operator=(const BeastHttpServer&) = delete;

  void serve(std::vector<HandedConnection> connections) override {
    for (auto& connection : connections) adopt(std::move(connection));
    pools_.start(context_.settings.worker_count());
  }
  std::vector<std::string> addresses() const override { return addresses_; }
  Result<void> reload_certificate() override { return certificate_ ? certificate_->reload() : Result<void>(); }
  Access access() const override { return {certificate_ ? certificate_->describe() : std::string(), {}}; }
  Result<Access> read_access(const config::Settings::Server& settings) override;
  bool is_listening() const override {
    return std::ranges::all_of(listeners_, [](const auto& listener) { return listener->is_listening(); });
  }
  bool works(std::chrono::milliseconds within) override;
  void begin_stop() override { routes_.set_stopping(); }
  void stop(std::chrono::steady_clock::time_point deadline) override { end(deadline); }
  void hold() override;
  bool wait_until_held(std::chrono::steady_clock::time_point deadline) override {
    return context_.connections->wait_until_held(deadline);
  }
  void release() override;
  HandedSockets sockets() override;
  void leave() override;

 private:
  void listen(Descriptor descriptor, HttpListener::Kind kind, const Endpoint& endpoint) {
    listeners_.push_back(std::make_shared<HttpListener>(std::move(descriptor), std::move(kind), context_, endpoint));
    listeners_.back()->start();
  }

  void adopt(HandedConnection connection);

  void end(std::chrono::steady_clock::time_point deadline) {
    if (!pools_.is_started()) return;
    routes_.set_stopping();
    local_socket_.remove_file();
    std::vector<std::future<void>> stopped;
    stopped.reserve(listeners_.size());
    for (const auto& listener : listeners_) stopped.push_back(listener->stop());
    for (const auto& each : stopped) each.wait_until(deadline);
    context_.connections->drain();
    if (!context_.connections->wait_until_empty(deadline)) {
      context_.logger->write(telemetry::Level::warning, "stopping with requests unanswered at the deadline");
    }
    context_.connections->close();
    manager_.set_executor({});
    pools_.join();
  }

  scheduling::Manager& manager_;
  ThreadPools pools_;  // outlives the sockets of the listeners and of the sessions
  WorkerPool& workers_ = pools_.pool(ClientClass::proven);
  static constexpr std::array<ClientClass, 2> pool_classes{ClientClass::proven, ClientClass::stranger};
  std::array<std::uint64_t, pool_classes.size()> seen_steps_{};  // at the last call of works()
  HttpRoutes routes_;
  HttpAccess access_;
  HttpSessionContext context_;
  std::shared_ptr<TlsCertificate> certificate_;
  std::vector<std::string> addresses_;
  Endpoint local_endpoint_;
  Endpoint tcp_endpoint_;
  RolesInForce peer_roles_;
  UnixListener local_socket_;
  bool keeps_file_;
  std::vector<std::shared_ptr<HttpListener>> listeners_;
};

Result<HttpServer::Access> BeastHttpServer::read_access(const config::Settings::Server& settings) {
  auto roles = PeerRoles::of(settings.socket_roles);
  if (!roles) return std::move(roles).error();
  std::shared_ptr<TlsCertificate> certificate;
  if (certificate_) {
    auto loaded = TlsCertificate::load(settings.tls_certificate, settings.tls_key);
    if (!loaded) return std::move(loaded).error();
    certificate = *std::move(loaded);
  }
  return Access{certificate ? certificate->describe() : std::string(),
                [this, certificate, roles = *std::move(roles), requires_token = settings.require_tokens] {
                  if (certificate) certificate_->become(*certificate);
                  peer_roles_.replace(roles);
                  tcp_endpoint_.requires_token = requires_token;
                }};
}

// Under load the work of this look waits behind that of the clients: then what their calls have done tells.
bool BeastHttpServer::works(std::chrono::milliseconds within) {
  const auto until = std::chrono::steady_clock::now() + within;
  std::array<std::future<void>, pool_classes.size()> taken_up;
  for (std::size_t i = 0; i < pool_classes.size(); ++i) {
    auto done = std::make_shared<std::promise<void>>();
    taken_up.at(i) = done->get_future();
    boost::asio::post(pools_.pool(pool_classes.at(i)).context(), [done] { done->set_value(); });
  }
  bool are_alive = true;
  for (std::size_t i = 0; i < pool_classes.size(); ++i) {
    const bool is_idle = taken_up.at(i).wait_until(until) == std::future_status::ready;
    const auto steps = pools_.steps(pool_classes.at(i)).load();
    const bool has_gone_on = std::exchange(seen_steps_.at(i), steps) != steps;
    are_alive = are_alive && (is_idle || has_gone_on);
  }
  return are_alive;
}

void BeastHttpServer::hold() {
  std::vector<std::future<void>> held;
  held.reserve(listeners_.size());
  for (const auto& listener : listeners_) held.push_back(listener->hold());
  for (const auto& each : held) each.wait();
  context_.connections->hold();
}

void BeastHttpServer::release() {
  context_.connections->release();
  for (const auto& listener : listeners_) listener->release();
}

HandedSockets BeastHttpServer::sockets() {
  HandedSockets handed;
  handed.keeps_file = keeps_file_;
  for (const auto& listener : listeners_) handed.listening.emplace_back(fcntl(listener->socket(), F_DUPFD_CLOEXEC, 0));
  handed.connections = context_.connections->handed();
  return handed;
}

void BeastHttpServer::leave() {
  std::vector<std::future<void>> left;
  left.reserve(listeners_.size());
  for (const auto& listener : listeners_) left.push_back(listener->leave());
  for (const auto& each : left) each.wait();
  context_.connections->close();
  manager_.set_executor({});
  pools_.join();
}

// A connection that no listener of the configuration would have accepted is closed.
void BeastHttpServer::adopt(HandedConnection connection) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (getsockname(connection.descriptor.number(), reinterpret_cast<sockaddr*>(&address), &size) != 0) return;
  const auto fits = [family = address.ss_family](const auto& listener) {
    return listener->family() == family && !listener->is_tls();
  };
  const auto found = std::ranges::find_if(listeners_, fits);
  if (found != listeners_.end()) (*found)->adopt(std::move(connection));
}

}  // namespace

HttpServer::Findings HttpServer::check(const config::Settings::Server& settings) {
  Findings found;
  if (auto group = group_of(settings); !group) found.problems.push_back(std::move(group).error());
  if (auto roles = PeerRoles::of(settings.socket_roles); !roles) found.problems.push_back(std::move(roles).error());
  if (auto directory = check_directory_of(settings); !directory) {
    found.problems.push_back(std::move(directory).error());
  } else if (!*directory) {
    found.warnings.push_back("server.socket '" + settings.socket +
                             "': its directory is not there now; the start is refused unless the unit's "
                             "RuntimeDirectory makes it");
  }
  if (settings.tls_certificate.empty()) return found;
  if (auto certificate = TlsCertificate::load(settings.tls_certificate, settings.tls_key); !certificate) {
    found.problems.push_back(std::move(certificate).error());
  } else if (const int days = (*certificate)->days_left(); days < warned_days) {
    found.warnings.push_back("server.tls_certificate '" + settings.tls_certificate + "': " + ending(days) +
                             " (days left: " + std::to_string(days) + ")");
  }
  return found;
}

Result<std::unique_ptr<HttpServer>> HttpServer::start(const config::Settings::Server& settings,
                                                      scheduling::Manager& manager,
                                                      const std::shared_ptr<telemetry::Logger>& logger,
                                                      const HttpLimits& limits) {
  auto server = make(settings, manager, logger, {}, limits);
  if (server) (*server)->serve({});
  return server;
}

Result<std::unique_ptr<HttpServer>> HttpServer::make(const config::Settings::Server& settings,
                                                     scheduling::Manager& manager,
                                                     const std::shared_ptr<telemetry::Logger>& logger,
                                                     HandedSockets handed, const HttpLimits& limits) {
  auto sockets = open_sockets(settings, std::move(handed));
  if (!sockets) return std::move(sockets).error();
  return std::unique_ptr<HttpServer>(
      std::make_unique<BeastHttpServer>(settings, manager, logger, limits, *std::move(sockets)));
}

}  // namespace gantry::transport
