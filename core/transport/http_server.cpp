// SPDX-License-Identifier: Apache-2.0
#include "core/transport/http_server.hpp"

#include <pthread.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <thread>

#include "core/encoding/uuid.hpp"
#include "core/transport/http_listener.hpp"
#include "core/transport/unix_socket.hpp"

namespace gantry::transport {

namespace {

using UnixProtocol = boost::asio::local::stream_protocol;

// One worker at least stays free to answer /livez while another is held by a slow decision.
std::uint32_t worker_count(const config::Settings::Server& settings) {
  return settings.workers != 0 ? settings.workers : std::max(2U, std::thread::hardware_concurrency());
}

class BeastHttpServer final : public HttpServer {
 public:
  BeastHttpServer(const config::Settings::Server& settings, scheduling::Manager& manager,
                  std::shared_ptr<telemetry::Logger> logger, const HttpLimits& limits, UnixListener unix_listener)
      : routes_(manager.methods(), settings.request_timeout),
        context_{routes_,           manager, std::make_shared<ConnectionSet>(),
                 std::move(logger), limits,  settings.max_body_bytes},
        unix_listener_(std::move(unix_listener)),
        listener_(std::make_shared<HttpListener<UnixProtocol>>(io_, UnixProtocol(), unix_listener_.descriptor.release(),
                                                               context_, &peer_of)) {
    listener_->start();
    const std::uint32_t workers = worker_count(settings);
    for (std::uint32_t i = 0; i < workers; ++i) {
      workers_.emplace_back([this] { io_.run(); });
      pthread_setname_np(workers_.back().native_handle(), ("gantry-http-" + std::to_string(i)).c_str());
    }
  }

  ~BeastHttpServer() override { end(std::chrono::steady_clock::now()); }
  BeastHttpServer(const BeastHttpServer&) = delete;
  BeastHttpServer& operator=(const BeastHttpServer&) = delete;

  void begin_stop() override { routes_.set_stopping(); }
  void stop(std::chrono::steady_clock::time_point deadline) override { end(deadline); }

 private:
  void end(std::chrono::steady_clock::time_point deadline) {
    if (workers_.empty()) return;
    routes_.set_stopping();
    unix_listener_.remove_file();
    listener_->stop().wait_until(deadline);
    context_.connections->drain();
    if (!context_.connections->wait_until_empty(deadline)) {
      context_.logger->write(telemetry::Level::warning, "stopping with requests unanswered at the deadline");
    }
    context_.connections->close();
    work_.reset();  // the workers end when the last connection has closed
    for (auto& worker : workers_) worker.join();
    workers_.clear();
  }

  HttpRoutes routes_;
  HttpSessionContext context_;
  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_{io_.get_executor()};
  UnixListener unix_listener_;
  std::shared_ptr<HttpListener<UnixProtocol>> listener_;
  std::vector<std::thread> workers_;
};

}  // namespace

Result<std::unique_ptr<HttpServer>> HttpServer::start(const config::Settings::Server& settings,
                                                      scheduling::Manager& manager,
                                                      std::shared_ptr<telemetry::Logger> logger,
                                                      const HttpLimits& limits) {
  auto listener = listen_at(settings);
  if (!listener) return std::move(listener).error();
  return std::unique_ptr<HttpServer>(
      std::make_unique<BeastHttpServer>(settings, manager, std::move(logger), limits, std::move(*listener)));
}

}  // namespace gantry::transport
