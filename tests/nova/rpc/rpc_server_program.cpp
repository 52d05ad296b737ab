// SPDX-License-Identifier: Apache-2.0
//
// A server that a request may kill: rpc_server_program URL JOURNAL EVENTS. Appends each event to the file EVENTS.
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <fstream>
#include <iostream>

#include "core/nova/rpc/rpc_server.hpp"
#include "tests/nova/rpc/echo_handler.hpp"

int main(int count, char** arguments) {
  namespace amqp = gantry::amqp;
  namespace nova = gantry::nova;
  namespace telemetry = gantry::telemetry;
  if (count != 4) return 2;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  const auto log = telemetry::Logger::open({});
  nova::RpcServerSettings settings;
  settings.url = *gantry::config::nova::parse_transport_url(arguments[1]);
  settings.host = "host1";
  settings.journal = arguments[2];
  nova::EchoHandler handler([path = std::string(arguments[3])](const std::string& event) {
    std::ofstream(path, std::ios::app) << event << std::endl;
  });
  auto server = nova::RpcServer::make(settings, handler, *log, std::make_shared<telemetry::Counters>());
  if (!server) {
    std::cerr << server.error().message << '\n';
    return 1;
  }
  (*server)->start();
  for (;;) ::pause();
}
