// SPDX-License-Identifier: Apache-2.0
//
// The real HTTP server over the fake manager, for clients in other languages: client_test_server SOCKET [tls
// DIRECTORY]. Says "ready" when it accepts, and over TLS its address and the file that holds its certificate's
// authority; ends with its input.
#include <cstdio>
#include <iostream>
#include <string>

#include "core/transport/http_server.hpp"
#include "tests/transport/fake_manager.hpp"
#include "tests/transport/test_certificate.hpp"

int main(int count, char** arguments) {
  const bool tls = count == 4 && std::string(arguments[2]) == "tls";
  if (count != 2 && !tls) {
    std::fputs("usage: client_test_server SOCKET [tls DIRECTORY]\n", stderr);
    return 2;
  }
  gantry::config::Settings::Server settings;
  settings.socket = arguments[1];
  settings.workers = 2;
  if (tls) {
    const auto certificate = gantry::testing::make_certificate(arguments[3]);
    settings.listen = {"127.0.0.1:0"};
    settings.tls_certificate = certificate.chain;
    settings.tls_key = certificate.key;
  }
  gantry::testing::FakeManager manager;
  auto server = gantry::transport::HttpServer::start(settings, manager, gantry::telemetry::Logger::none());
  if (!server) {
    std::fprintf(stderr, "%s\n", server.error().message.c_str());
    return 1;
  }
  std::cout << "ready";
  for (const auto& address : (*server)->addresses()) std::cout << ' ' << address << ' ' << settings.tls_certificate;
  std::cout << std::endl;
  std::string line;
  while (std::getline(std::cin, line)) {
  }
  (*server)->stop(std::chrono::steady_clock::now() + std::chrono::seconds(5));
  return 0;
}
