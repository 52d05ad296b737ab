// SPDX-License-Identifier: Apache-2.0
#include "core/nova/http/http_client.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <deque>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "core/nova/http/http_connection.hpp"

namespace gantry::nova {

namespace {

// One request on its way.
struct Call {
  HttpRequest request;
  HttpDone done;
  Timers::Handle timer;
  std::shared_ptr<HttpConnection> connection;  // null: waits for one
  bool is_repeated = false;
  bool is_late = false;

  void finish(HttpOutcome outcome) {
    timer.reset();
    if (const HttpDone taken = std::exchange(done, nullptr)) taken(std::move(outcome));
  }
  bool is_finished() const { return done == nullptr; }
};

// Whether the text can stand in a head without an end of line or a further header.
bool is_line(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char byte) { return byte >= ' ' && byte != '\x7f'; });
}

// nullopt: the request can be sent.
std::optional<std::string> fault_of(const HttpRequest& request) {
  if (!is_line(request.target) || request.target.find(' ') != std::string::npos)
    return "the path holds a blank or a control character";
  for (const auto& [name, value] : request.headers) {
    if (!is_line(value)) return "the header " + name + " holds a control character";
  }
  return std::nullopt;
}

HttpOutcome not_sent(std::string reason) {
  HttpOutcome outcome;
  outcome.reason = std::move(reason);
  return outcome;
}

}  // namespace

class HttpClient::Pool : public std::enable_shared_from_this<Pool> {
 public:
  Pool(const Strand& strand, HttpAddress address, HttpClientOptions options)
      : strand_(strand), timers_(strand), address_(std::move(address)), options_(std::move(options)) {}

  const HttpAddress& address() const { return address_; }

  void send(HttpRequest request, Clock::time_point deadline, HttpDone done) {
    auto call = std::make_shared<Call>(Call{std::move(request), std::move(done), nullptr, nullptr});
    auto fault = fault_of(call->request);
    if (address_.is_tls && !options_.tls) fault = "TLS is not set up for https";
    if (fault) {
      boost::asio::post(strand_, [call, reason = *std::move(fault)] { call->finish(not_sent(reason)); });
      return;
    }
    call->timer = timers_.at(deadline, [self = shared_from_this(), late = std::weak_ptr(call)] {
      if (const auto found = late.lock()) self->end_at_deadline(*found);
    });
    waiting_.push_back(std::move(call));
    boost::asio::post(strand_, [self = shared_from_this()] { self->serve(); });
  }

  void close() {
    is_closed_ = true;
    for (const auto& call : std::exchange(waiting_, {})) call->finish(not_sent("the client has ended"));
    for (const auto& call : std::exchange(under_way_, {})) call->connection->abort("the client has ended");
    idle_.clear();
  }

 private:
  void end_at_deadline(Call& call) {
    call.is_late = true;
    if (call.connection) return call.connection->abort("no whole answer came until the deadline");
    std::erase_if(waiting_, [&call](const auto& other) { return other.get() == &call; });
    call.finish(
        not_sent("all " + std::to_string(options_.connections) + " connections were in use until the deadline"));
  }

  void serve() {
    while (!is_closed_ && !waiting_.empty() && under_way_.size() < options_.connections) {
      const auto call = std::move(waiting_.front());
      waiting_.pop_front();
      if (!call->is_finished()) begin(call);
    }
  }

  std::shared_ptr<HttpConnection> take_connection() {
    while (!idle_.empty()) {
      auto connection = std::move(idle_.back());
      idle_.pop_back();
      if (Clock::now() - connection->idle_since() < options_.idle_limit && connection->is_alive()) return connection;
      connection->abort("");
    }
    return new_connection();
  }

  std::shared_ptr<HttpConnection> new_connection() const {
    return std::make_shared<HttpConnection>(strand_, address_, options_.tls, options_.body_limit);
  }

  void begin(const std::shared_ptr<Call>& call) {
    call->connection = call->is_repeated ? new_connection() : take_connection();
    under_way_.push_back(call);
    call->connection->exchange(
        call->request, [self = shared_from_this(), call](HttpOutcome outcome) { self->end(call, std::move(outcome)); });
  }

  void end(const std::shared_ptr<Call>& call, HttpOutcome outcome) {
    std::erase(under_way_, call);
    const auto connection = std::exchange(call->connection, nullptr);
    if (outcome.is_answered() && connection->is_alive() && !is_closed_) idle_.push_back(connection);
    if (may_repeat(*call, *connection, outcome)) {
      call->is_repeated = true;
      waiting_.push_front(call);
    } else {
      call->finish(std::move(outcome));
    }
    serve();
  }

  // The server may end a connection in the same moment as a request is sent on it.
  bool may_repeat(const Call& call, const HttpConnection& connection, const HttpOutcome& outcome) const {
    return outcome.kind == HttpOutcome::Kind::lost && call.request.verb == "GET" && connection.was_used() &&
           !connection.has_heard() && !call.is_repeated && !call.is_late && !is_closed_;
  }

  Strand strand_;
  AsioTimers timers_;
  HttpAddress address_;
  HttpClientOptions options_;
  std::deque<std::shared_ptr<Call>> waiting_;
  std::vector<std::shared_ptr<Call>> under_way_;
  std::vector<std::shared_ptr<HttpConnection>> idle_;
  bool is_closed_ = false;
};

HttpClient::HttpClient(const Strand& strand, HttpAddress address, HttpClientOptions options)
    : pool_(std::make_shared<Pool>(strand, std::move(address), std::move(options))) {}

HttpClient::~HttpClient() {
  pool_->close();
}

void HttpClient::send(HttpRequest request, Clock::time_point deadline, HttpDone done) {
  pool_->send(std::move(request), deadline, std::move(done));
}

const HttpAddress& HttpClient::address() const {
  return pool_->address();
}

}  // namespace gantry::nova
