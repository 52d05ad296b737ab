// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http_server.hpp"

#include <sys/socket.h>

#include <future>
#include <thread>

#include "core/config/listen_address.hpp"
#include "core/encoding/uuid.hpp"
#include "core/transport/http_listener.hpp"
#include "core/transport/session/http_session.hpp"
#include "core/transport/sockets/tcp_socket.hpp"
#include "core/transport/sockets/unix_socket.hpp"

namespace gantry::transport {

namespace {

// At least two: one worker stays free while a slow decision holds another.
std::uint32_t worker_count(const config::Settings::Server& settings) {
  return settings.workers != 0 ? settings.workers : std::max(2U, std::thread::hardware_concurrency());
}

// The sockets that a server listens on, bound and not yet served.
struct Sockets {
  UnixListener local;
  std::vector<TcpListener> tcp;
  std::shared_ptr<TlsCertificate> certificate;  // nullptr: without TLS
};

std::vector<std::string> warnings_of(const TlsCertificate& certificate, const std::string& file) {
  constexpr int soon = 14;
  const int days = certificate.days_left();
  if (days >= soon) return {};
  if (days < 0) return {"the TLS certificate has expired, so that callers over TCP refuse it: " + file};
  return {"the TLS certificate ends soon, in " + std::to_string(days) + (days == 1 ? " day: " : " days: ") + file};
}

class BeastHttpServer final : public HttpServer {
 public:
  BeastHttpServer(const config::Settings::Server& settings, scheduling::Manager& manager,
                  const std::shared_ptr<telemetry::Logger>& logger, const HttpLimits& limits, Sockets sockets)
      : routes_(manager.methods(), settings.request_timeout, [&manager] { return manager.unready_reasons(); }),
        access_(manager, logger),
        context_(pools_, routes_, access_, manager, logger, limits, settings),
        certificate_(std::move(sockets.certificate)),
        local_endpoint_(false, settings.max_connections),
        tcp_endpoint_(settings.require_tokens, settings.max_connections),
        local_socket_(std::move(sockets.local)) {
    listen(std::move(local_socket_.descriptor), {AF_UNIX, &peer_of, nullptr}, local_endpoint_);
    for (auto& socket : sockets.tcp) {
      addresses_.push_back((certificate_ ? "https://" : "http://") + socket.address);
      listen(std::move(socket.descriptor), {socket.is_ipv6 ? AF_INET6 : AF_INET, &prepare_tcp, certificate_},
             tcp_endpoint_);
    }
    if (certificate_)
      manager.add_warnings(
          [certificate = certificate_, file = settings.tls_certificate] { return warnings_of(*certificate, file); });
    pools_.start(worker_count(settings));
  }

  ~BeastHttpServer() override { end(std::chrono::steady_clock::now()); }
  BeastHttpServer(const BeastHttpServer&) = delete;
  BeastHttpServer& operator=(const BeastHttpServer&) = delete;

  std::vector<std::string> addresses() const override { return addresses_; }
  Result<void> reload_certificate() override { return certificate_ ? certificate_->reload() : Result<void>(); }
  void begin_stop() override { routes_.set_stopping(); }
  void stop(std::chrono::steady_clock::time_point deadline) override { end(deadline); }

 private:
  void listen(Descriptor descriptor, HttpListener::Kind kind, const Endpoint& endpoint) {
    listeners_.push_back(std::make_shared<HttpListener>(std::move(descriptor), std::move(kind), context_, endpoint));
    listeners_.back()->start();
  }

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
    pools_.join();
  }

  ThreadPools pools_;  // outlives the sockets of the listeners and of the sessions
  HttpRoutes routes_;
  HttpAccess access_;
  HttpSessionContext context_;
  std::shared_ptr<TlsCertificate> certificate_;
  std::vector<std::string> addresses_;
  Endpoint local_endpoint_;
  Endpoint tcp_endpoint_;
  UnixListener local_socket_;
  std::vector<std::shared_ptr<HttpListener>> listeners_;
};

Result<Sockets> open_sockets(const config::Settings::Server& settings) {
  Sockets sockets;
  if (!settings.tls_certificate.empty()) {
    auto certificate = TlsCertificate::load(settings.tls_certificate, settings.tls_key);
    if (!certificate) return std::move(certificate).error();
    sockets.certificate = *std::move(certificate);
  }
  for (const auto& text : settings.listen) {
    const auto address = config::parse_listen_address(text);
    if (!address) return address.error();
    auto socket = listen_at(*address);
    if (!socket) return std::move(socket).error();
    sockets.tcp.push_back(*std::move(socket));
  }
  auto local = listen_at(settings);
  if (!local) return std::move(local).error();
  sockets.local = *std::move(local);
  return sockets;
}

}  // namespace

std::vector<Error> HttpServer::problems_of(const config::Settings::Server& settings) {
  std::vector<Error> problems;
  if (auto group = group_of(settings); !group) problems.push_back(std::move(group).error());
  if (settings.tls_certificate.empty()) return problems;
  if (auto certificate = TlsCertificate::load(settings.tls_certificate, settings.tls_key); !certificate)
    problems.push_back(std::move(certificate).error());
  return problems;
}

Result<std::unique_ptr<HttpServer>> HttpServer::start(const config::Settings::Server& settings,
                                                      scheduling::Manager& manager,
                                                      const std::shared_ptr<telemetry::Logger>& logger,
                                                      const HttpLimits& limits) {
  auto sockets = open_sockets(settings);
  if (!sockets) return std::move(sockets).error();
  return std::unique_ptr<HttpServer>(
      std::make_unique<BeastHttpServer>(settings, manager, logger, limits, *std::move(sockets)));
}

}  // namespace gantry::transport
