// SPDX-License-Identifier: Apache-2.0
#include "core/transport/amqp/kept_connection.hpp"

#include <algorithm>
#include <utility>

namespace gantry::amqp {

namespace {

// A broker that ends each connection at once is not asked more often.
constexpr std::chrono::milliseconds brief{1'000};

}  // namespace

KeptConnection::KeptConnection(const transport::Strand& strand, std::vector<ConnectionSettings> brokers,
                               std::uint64_t seed, KeptConnectionEvents events)
    : strand_(strand),
      brokers_(std::move(brokers)),
      events_(std::move(events)),
      reconnect_(brokers_.size(), seed),
      timer_(strand) {}

void KeptConnection::start() {
  attempt();
}

void KeptConnection::attempt() {
  const auto next = reconnect_.next();
  timer_.expires_after(std::max(next.wait, was_brief_ ? brief : std::chrono::milliseconds(0)));
  timer_.async_wait([this, broker = next.broker](const boost::system::error_code& error) {
    if (!error && !is_ending_) connect(broker);
  });
}

void KeptConnection::connect(std::size_t broker) {
  const auto& settings = brokers_[broker];
  broker_ = address_of(settings);
  DialogueEvents events;
  events.on_open = [this] { on_open(); };
  events.on_closed = [this](const Result<void>& reason) { on_closed(reason); };
  events.on_blocked = events_.on_blocked;
  events.on_unblocked = events_.on_unblocked;
  connection_ = Connection::make(strand_, settings, std::move(events));
  connection_->start();
}

void KeptConnection::on_open() {
  is_up_ = true;
  opened_at_ = Clock::now();
  reconnect_.note_success();
  events_.on_up();
}

void KeptConnection::on_closed(const Result<void>& reason) {
  was_brief_ = std::exchange(is_up_, false) && Clock::now() - opened_at_ < brief;
  connection_.reset();
  if (is_ending_) {
    if (const auto done = std::exchange(on_goodbye_, nullptr)) done();
    return;
  }
  attempt();
  events_.on_down(reason ? Error{ErrorCode::unavailable, "the broker took leave", ""} : reason.error());
}

void KeptConnection::close(std::function<void()> done) {
  is_ending_ = true;
  timer_.cancel();
  if (!connection_) return done();
  on_goodbye_ = std::move(done);
  connection_->close();
}

std::shared_ptr<Channel> KeptConnection::open_channel(std::function<void(const Error&)> on_closed) {
  return connection_->open_channel(std::move(on_closed));
}

}  // namespace gantry::amqp
