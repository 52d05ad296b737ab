// SPDX-License-Identifier: Apache-2.0
//
// The RPC server of a scheduler: consumes what nova-scheduler consumes, hands each request to a handler, and answers.
// Before a request is acknowledged it stands in a journal, so that the next process answers it if this one ends.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "core/config/nova/urls/transport_url.hpp"
#include "core/nova/rpc/declarations.hpp"
#include "core/nova/rpc/direct_requests.hpp"
#include "core/nova/rpc/rpc_work.hpp"
#include "core/result.hpp"
#include "core/telemetry/counters.hpp"
#include "core/telemetry/log.hpp"

namespace gantry::nova {

struct RpcServerSettings {
  config::nova::TransportUrl url;
  std::string control_exchange = "nova";
  std::string topic = "scheduler";
  std::string host;  // names the queue for this server alone
  QueueOptions queues;
  // The server receives a copy of each request and gives no answers. It keeps no journal then.
  bool takes_copies = false;
  std::uint16_t prefetch = 64;
  std::int64_t consumer_priority = 0;  // the broker prefers the consumer with the highest one that has room
  // Requests beyond this number wait unacknowledged, so that the broker keeps the rest for others.
  std::size_t most_under_way = 1000;

  // Options of [oslo_messaging_rabbit].
  bool ssl = false;
  std::string ssl_ca_file;  // empty: the broker's certificate is not verified, as oslo.messaging has it
  std::string ssl_cert_file;
  std::string ssl_key_file;
  bool ssl_enforce_hostname_verification = false;  // the certificate must be for the broker's host, if it is verified
  std::string rabbit_login_method = "AMQPLAIN";    // EXTERNAL: by certificate; all others: by user and password
  std::chrono::seconds kombu_missing_consumer_retry_timeout{60};

  std::uint16_t heartbeat = 20;  // seconds, between broker and server
  bool rpc_ping_enabled = false;
  std::string journal;  // the file's path; the file's directory must exist
};

struct RpcServerStatus {
  bool is_connected = false;  // requests arrive, and answers can leave
  bool is_paused = false;
  // Tells an operator since when the broker is away or takes no messages, and why. Empty if all is well.
  std::string trouble;
  std::string broker;               // "10.0.0.5:5672", that requests come from; empty if there is none
  std::size_t under_way = 0;        // requests without an answer
  std::size_t replies_waiting = 0;  // answers that the broker has not taken yet
};

// All members but make() and the destructor: [any thread]
class RpcServer {
 public:
  // Opens the journal. Errors: invalid_configuration names the option or file that is not usable; already_exists:
  // another process has the journal. The handler outlives the server.
  static Result<std::unique_ptr<RpcServer>> make(const RpcServerSettings& settings, RpcHandler& handler,
                                                 std::shared_ptr<telemetry::Logger> logger,
                                                 std::shared_ptr<telemetry::Counters> counters);
  // Ends at once. Requests under way stay in the journal.
  ~RpcServer();
  RpcServer(const RpcServer&) = delete;
  RpcServer& operator=(const RpcServer&) = delete;

  // Takes up the requests of the journal and connects. Call this once. The broker may be away.
  void start();
  // Takes no further requests: the broker gives them to others, or keeps them. Requests under way are answered.
  void pause();
  // After pause(): how many others take requests from the queue. Blocks. nullopt: the broker has not told by the deadline.
  std::optional<std::uint32_t> other_consumers(std::chrono::steady_clock::time_point deadline);
  // Takes requests again after a pause.
  void resume();
  // After pause(): waits until all requests under way are answered. Blocks. False: some are not by the deadline.
  bool wait_until_idle(std::chrono::steady_clock::time_point deadline);
  // Pauses, waits until all requests under way are answered, and takes leave of the broker. Blocks. False: the deadline
  // has come before, and the rest stays in the journal.
  bool stop(std::chrono::steady_clock::time_point deadline);

  // Takes a request that comes past the broker.
  void take(DirectRequest request);

  RpcServerStatus status() const;

 private:
  class Running;

  explicit RpcServer(std::unique_ptr<Running> running);

  std::unique_ptr<Running> running_;
};

}  // namespace gantry::nova
