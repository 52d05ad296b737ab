// SPDX-License-Identifier: Apache-2.0
//
// A client of one OpenStack service: requests with a token, to the endpoint that the login names.
#pragma once

#include <memory>

#include "core/nova/http/http_client.hpp"
#include "core/nova/http/service_login.hpp"

namespace gantry::nova {

// [strand]
class ServiceClient {
 public:
  // `login` must outlive this object.
  ServiceClient(Strand strand, ServiceLogin& login, HttpClientOptions options);
  ~ServiceClient();
  ServiceClient(const ServiceClient&) = delete;
  ServiceClient& operator=(const ServiceClient&) = delete;

  // Calls `done` once, at the deadline at the latest. A token that is refused is renewed once. not_sent: also if there
  // is no token.
  void send(HttpRequest request, Clock::time_point deadline, HttpDone done);

 private:
  class Sender;
  std::shared_ptr<Sender> sender_;
};

}  // namespace gantry::nova
