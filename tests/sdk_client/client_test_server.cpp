// SPDX-License-Identifier: Apache-2.0
//
// The real HTTP server over the fake manager, for clients in other languages: client_test_server SOCKET. Says "ready"
// when it accepts; ends with its input.
#include <cstdio>
#include <iostream>
#include <string>

#include "core/transport/http_server.hpp"
#include "tests/transport/fake_manager.hpp"

int main(int count, char** arguments) {
  if (count != 2) {
    std::fputs("usage: client_test_server SOCKET\n", stderr);
    return 2;
  }
  gantry::config::Settings::Server settings;
  settings.socket = arguments[1];
  settings.workers = 2;
  gantry::testing::FakeManager manager;
  auto server = gantry::transport::HttpServer::start(settings, manager, gantry::telemetry::Logger::none());
  if (!server) {
    std::fprintf(stderr, "%s\n", server.error().message.c_str());
    return 1;
  }
  std::cout << "ready" << std::endl;
  std::string line;
  while (std::getline(std::cin, line)) {
  }
  (*server)->stop(std::chrono::steady_clock::now() + std::chrono::seconds(5));
  return 0;
}
