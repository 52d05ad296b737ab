// SPDX-License-Identifier: Apache-2.0
#include "core/nova/http/service_client.hpp"

#include <optional>
#include <utility>

namespace gantry::nova {

namespace {

struct ServiceCall {
  HttpRequest request;
  Clock::time_point deadline;
  HttpDone done;
  bool is_repeated = false;

  void end_without_answer(const std::string& reason) const {
    HttpOutcome outcome;
    outcome.reason = reason;
    done(std::move(outcome));
  }
};

}  // namespace

class ServiceClient::Sender : public std::enable_shared_from_this<Sender> {
 public:
  Sender(Strand strand, ServiceLogin& login, HttpClientOptions options)
      : strand_(std::move(strand)), login_(login), options_(std::move(options)) {}

  void send(std::shared_ptr<ServiceCall> call) {
    const auto deadline = call->deadline;
    login_.access(deadline, [self = shared_from_this(), call = std::move(call)](const Result<ServiceAccess>& access) {
      if (self->is_closed_) return call->end_without_answer("the client has ended");
      if (!access) return call->end_without_answer(access.error().message);
      self->send_with(*access, call);
    });
  }

  void close() {
    is_closed_ = true;
    client_.reset();
  }

 private:
  void send_with(const ServiceAccess& access, const std::shared_ptr<ServiceCall>& call) {
    const auto address = parse_http_address(access.endpoint);
    if (!address) return call->end_without_answer("the endpoint: " + address.error().message);
    if (!client_ || client_->address() != *address) client_ = std::make_shared<HttpClient>(strand_, *address, options_);
    HttpRequest request = call->request;
    request.headers.push_back({"X-Auth-Token", access.token});
    client_->send(std::move(request), call->deadline,
                  [self = shared_from_this(), call, token = access.token](HttpOutcome outcome) {
                    const bool is_refused = outcome.is_answered() && outcome.status == 401;
                    if (!is_refused || call->is_repeated || self->is_closed_ || !self->login_.reject(token))
                      return call->done(std::move(outcome));
                    call->is_repeated = true;
                    self->send(call);
                  });
  }

  Strand strand_;
  ServiceLogin& login_;
  HttpClientOptions options_;
  std::shared_ptr<HttpClient> client_;
  bool is_closed_ = false;
};

ServiceClient::ServiceClient(Strand strand, ServiceLogin& login, HttpClientOptions options)
    : sender_(std::make_shared<Sender>(std::move(strand), login, std::move(options))) {}

ServiceClient::~ServiceClient() {
  sender_->close();
}

void ServiceClient::send(HttpRequest request, Clock::time_point deadline, HttpDone done) {
  sender_->send(std::make_shared<ServiceCall>(ServiceCall{std::move(request), deadline, std::move(done)}));
}

}  // namespace gantry::nova
