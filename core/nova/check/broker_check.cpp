// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/broker_check.hpp"

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "core/config/nova/urls/transport_url.hpp"
#include "core/nova/rpc/configured.hpp"
#include "core/nova/rpc/declarations.hpp"
#include "core/transport/amqp/connection.hpp"

namespace gantry::nova {

namespace {

using BrokerClock = std::chrono::steady_clock;

struct BrokerAccess {
  std::string vhost;
  std::shared_ptr<transport::TlsClient> tls;  // nullptr: without TLS
  std::string words;                          // "vhost /, TLS without a check of the certificate"
  std::uint16_t heartbeat = 0;
};

Result<BrokerAccess> access_of(const config::NovaSettings& settings, const config::nova::TransportUrl& url) {
  const auto& rabbit = settings.rabbit;
  BrokerAccess access{url.vhost, nullptr, "vhost " + url.vhost, heartbeat_of(settings)};
  if (!rabbit.ssl) {
    access.words += ", without TLS";
    return access;
  }
  const bool verifies = !rabbit.ssl_ca_file.empty();
  auto tls = transport::TlsClient::load({rabbit.ssl_ca_file, rabbit.ssl_cert_file, rabbit.ssl_key_file, verifies},
                                        verifies && rabbit.ssl_enforce_hostname_verification);
  if (!tls) return std::move(tls).error();
  access.tls = *std::move(tls);
  access.words += verifies ? ", TLS checked by " + rabbit.ssl_ca_file : ", TLS without a check of the certificate";
  return access;
}

// A connection to one broker, whose calls wait for their outcome.
class BrokerVisit {
 public:
  BrokerVisit(boost::asio::io_context& context, const config::nova::Broker& broker, const BrokerAccess& access,
              bool is_external)
      : context_(context), address_(address_of(broker)), state_(std::make_shared<State>()) {
    amqp::ConnectionSettings made;
    made.host = broker.host;
    made.port = broker.port;
    made.tls = access.tls;
    made.login = {is_external, broker.user, broker.password, access.vhost, "gantry nova check"};
    made.limits.heartbeat = access.heartbeat;
    made.patience = step_limit;
    amqp::DialogueEvents events;
    events.on_open = [state = state_, began = BrokerClock::now()] { state->took = took_since(began); };
    events.on_closed = [state = state_](const Result<void>& reason) {
      state->closed = reason ? Error{ErrorCode::unavailable, "the connection was closed", ""} : reason.error();
    };
    connection_ = amqp::Connection::make(transport::Strand(context.get_executor()), made, std::move(events));
    connection_->start();
  }
  ~BrokerVisit() {
    if (!state_->closed) connection_->close();
    wait_for([this] { return state_->closed.has_value(); });
  }
  BrokerVisit(const BrokerVisit&) = delete;
  BrokerVisit& operator=(const BrokerVisit&) = delete;

  // Waits for the connection, and returns whether it is open.
  bool is_open() {
    wait_for([this] { return !state_->took.empty() || state_->closed; });
    return !state_->took.empty() && !state_->closed;
  }
  std::string reason() const { return state_->closed ? state_->closed->message : "no answer within 10 s"; }
  const std::string& address() const { return address_; }
  const std::string& took() const { return state_->took; }
  const std::string& product() const { return connection_->product(); }

  Result<void> look_up(const amqp::Exchange& exchange) {
    return outcome<Result<void>>([&](auto& channel, auto done) { channel.look_up_exchange(exchange.name, done); });
  }
  Result<amqp::QueueState> look_up(const amqp::Queue& queue) {
    return outcome<Result<amqp::QueueState>>(
        [&](auto& channel, auto done) { channel.look_up_queue(queue.name, done); });
  }
  // The broker compares what it has with what is wanted.
  Result<void> compare(const amqp::Exchange& exchange) {
    return outcome<Result<void>>([&](auto& channel, auto done) { channel.declare(exchange, done); });
  }
  Result<amqp::QueueState> compare(const amqp::Queue& queue) {
    return outcome<Result<amqp::QueueState>>([&](auto& channel, auto done) { channel.declare(queue, done); });
  }

 private:
  // The state of the connection, which may change after the end of this object.
  struct State {
    std::string took;  // empty: not open yet
    std::optional<Error> closed;
  };

  // An error ends a channel, so each operation has one of its own.
  template <class Outcome, class Operation>
  Outcome outcome(const Operation& operation) {
    const auto found = std::make_shared<std::optional<Outcome>>();
    const auto channel = connection_->open_channel([](const Error&) {});
    operation(*channel, [found](Outcome result) { found->emplace(std::move(result)); });
    wait_for([&] { return found->has_value(); });
    if (channel->is_open()) channel->close([](const Result<void>&) {});
    if (!found->has_value()) return Error{ErrorCode::deadline_exceeded, "no answer within 10 s", ""};
    return **found;
  }

  template <class Holds>
  void wait_for(const Holds& holds) {
    const auto end = BrokerClock::now() + step_limit + std::chrono::seconds(1);
    while (!holds() && BrokerClock::now() < end) {
      if (context_.stopped()) context_.restart();
      context_.run_one_until(end);
    }
  }

  boost::asio::io_context& context_;
  std::string address_;
  std::shared_ptr<State> state_;
  std::shared_ptr<amqp::Connection> connection_;
};

// Says how an exchange or a queue differs from the configuration. Gantry uses it all the same, as it is.
template <class Outcome>
void say_difference(const std::string& subject, const Outcome& compared, const std::string& found,
                    const Report& report) {
  if (compared) return report.ok(subject, found + "; its arguments are those of nova.conf");
  if (compared.error().code == ErrorCode::failed_precondition)
    return report.warn(subject, found + ", with other arguments than nova.conf has: " + compared.error().message +
                                    "; Gantry uses it as it is");
  if (compared.error().code == ErrorCode::permission_denied)
    return report.fail(subject, found + "; the user may not declare it: " + compared.error().message);
  report.fail(subject, compared.error());
}

void check_exchange(BrokerVisit& visit, const amqp::Exchange& exchange, const Report& report) {
  const auto subject = "exchange " + exchange.name;
  const auto found = visit.look_up(exchange);
  if (found) return say_difference(subject, visit.compare(exchange), "exists", report);
  if (found.error().code == ErrorCode::not_found) return report.ok(subject, "is absent; the start declares it");
  report.fail(subject, found.error());
}

void check_queue(BrokerVisit& visit, const amqp::Queue& queue, const Report& report) {
  const auto subject = "queue " + queue.name;
  const auto found = visit.look_up(queue);
  if (found)
    return say_difference(
        subject, visit.compare(queue),
        "exists, with " + count_of(found->consumers, "consumer") + " and " + count_of(found->messages, "message") +
            (found->consumers == 0 ? " waiting" : " waiting; each consumer is a worker of a scheduler that runs now"),
        report);
  if (found.error().code == ErrorCode::not_found) return report.ok(subject, "is absent; the start declares it");
  report.fail(subject, found.error());
}

void check_queues(BrokerVisit& visit, const config::NovaSettings& settings, const std::vector<ServerQueue>& queues,
                  const Report& report) {
  check_exchange(visit, queues[0].exchange, report);
  check_queue(visit, queues[0].queue, report);
  check_queue(visit, queues[1].queue, report);
  check_exchange(visit, queues[2].exchange, report);
  if (settings.rabbit.heartbeat_timeout_threshold == 0)
    report.warn(
        "broker",
        "[oslo_messaging_rabbit] heartbeat_timeout_threshold is 0: without heartbeats, a broker that falls silent "
        "is noticed late");
}

// One broker that answers is enough.
void say_broker(BrokerVisit& visit, const std::string& access, bool has_other, const Report& report) {
  const auto subject = "broker " + visit.address();
  if (visit.is_open()) return report.ok(subject, visit.product() + ", " + access + ", connected in " + visit.took());
  const auto sentence = "expected a connection, " + access + ", found: " + visit.reason();
  if (has_other) return report.warn(subject, sentence);
  report.fail(subject, sentence);
}

// The queue for casts has a name of its own in each process, and is not looked at.
Result<std::vector<ServerQueue>> queues_of(const config::NovaSettings& settings) {
  return server_queues(settings.control_exchange, "scheduler", host_of(settings), "", queue_options_of(settings));
}

}  // namespace

void check_brokers(const config::NovaSettings& settings, const Report& report) {
  const std::string subject = "broker";
  if (settings.transport_url.empty()) return report.fail(subject, "expected transport_url in nova.conf, found none");
  const auto url = config::nova::parse_transport_url(settings.transport_url);
  if (!url) return report.fail(subject, url.error());
  const auto access = access_of(settings, *url);
  if (!access) return report.fail(subject, access.error());
  const auto queues = queues_of(settings);
  if (!queues) return report.fail(subject, queues.error());
  boost::asio::io_context context;
  std::vector<std::unique_ptr<BrokerVisit>> visits;
  for (const auto& broker : url->brokers)
    visits.push_back(
        std::make_unique<BrokerVisit>(context, broker, *access, settings.rabbit.rabbit_login_method == "EXTERNAL"));
  const auto reached = std::find_if(visits.begin(), visits.end(), [](const auto& visit) { return visit->is_open(); });
  for (const auto& visit : visits) say_broker(*visit, access->words, reached != visits.end(), report);
  if (reached != visits.end()) check_queues(**reached, settings, *queues, report);
}

}  // namespace gantry::nova
