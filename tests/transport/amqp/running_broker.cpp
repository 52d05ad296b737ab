// SPDX-License-Identifier: Apache-2.0
#include "tests/transport/amqp/running_broker.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "core/files/descriptor.hpp"

namespace gantry::testing {

namespace {

constexpr const char* programs = "/usr/lib/rabbitmq/bin/";

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

// A port that is free now. Ports of one call are all different.
std::uint16_t free_port() {
  static std::set<std::uint16_t> given;
  for (;;) {
    const files::Descriptor probe(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    auto address = loopback(0);
    socklen_t size = sizeof address;
    if (bind(probe.number(), reinterpret_cast<sockaddr*>(&address), size) != 0 ||
        getsockname(probe.number(), reinterpret_cast<sockaddr*>(&address), &size) != 0)
      throw std::runtime_error("no free port");
    if (given.insert(ntohs(address.sin_port)).second) return ntohs(address.sin_port);
  }
}

void end_process(pid_t& process) {
  if (process <= 0) return;
  ::kill(process, SIGKILL);
  waitpid(process, nullptr, 0);
  process = -1;
}

std::string quoted(const std::string& text) {
  return "'" + text + "'";
}

}  // namespace

std::string RunningBroker::reason_to_skip() {
  if (access("/usr/lib/rabbitmq/bin/rabbitmq-server", X_OK) == 0) return "";
  return "RabbitMQ is not installed: packaging/install-packages --nova";
}

RunningBroker::RunningBroker()
    : certificate_(make_certificate(directory_.path())),
      port_(free_port()),
      tls_port_(free_port()),
      epmd_port_(free_port()),
      node_port_(free_port()) {
  write_files();
  epmd_ = run("exec epmd -address 127.0.0.1 -port " + std::to_string(epmd_port_));
  start();
}

RunningBroker::~RunningBroker() {
  end_process(broker_);
  end_process(epmd_);
}

void RunningBroker::write_files() {
  const auto port = [](std::uint16_t number) { return "127.0.0.1:" + std::to_string(number); };
  directory_.write("rabbitmq.conf", "listeners.tcp.1 = " + port(port_) + "\nlisteners.ssl.1 = " + port(tls_port_) +
                                        "\nlisteners.ssl.2 = 127.0.0.2:" + std::to_string(tls_port_) +
                                        "\nssl_options.cacertfile = " + certificate_.chain +
                                        "\nssl_options.certfile = " + certificate_.chain +
                                        "\nssl_options.keyfile = " + certificate_.key +
                                        "\nssl_options.verify = verify_none\nssl_options.fail_if_no_peer_cert = false\n"
                                        "default_user = " +
                                        user_ + "\ndefault_pass = " + password_ + "\n");
  directory_.write("enabled_plugins", "[].\n");
  directory_.write(".erlang.cookie", "gantry" + std::to_string(port_), 0400);
}

pid_t RunningBroker::run(const std::string& command) const {
  // The process ends with this one, even if a time limit kills it.
  const std::string script = "cd " + quoted(directory_.path()) + " && exec >>broker.out 2>&1 && " + command;
  std::array<const char*, 7> arguments{"setpriv", "--pdeathsig", "KILL", "sh", "-c", script.c_str(), nullptr};
  pid_t process = -1;
  if (posix_spawnp(&process, "setpriv", nullptr, nullptr, const_cast<char**>(arguments.data()), environ) != 0)
    throw std::runtime_error("setpriv cannot be run");
  return process;
}

std::string RunningBroker::environment() const {
  const auto file = [this](std::string_view name) { return quoted(directory_.path(name)); };
  return "HOME=" + quoted(directory_.path()) + " RUNNING_UNDER_SYSTEMD=true NOTIFY_SOCKET= RABBITMQ_NODENAME=gantry" +
         std::to_string(port_) + "@localhost RABBITMQ_CONFIG_FILE=" + file("rabbitmq.conf") +
         " RABBITMQ_CONF_ENV_FILE=/dev/null RABBITMQ_ENABLED_PLUGINS_FILE=" + file("enabled_plugins") +
         " RABBITMQ_MNESIA_BASE=" + file("mnesia") + " RABBITMQ_LOG_BASE=" + file("log") +
         " RABBITMQ_DIST_PORT=" + std::to_string(node_port_) + " ERL_EPMD_PORT=" + std::to_string(epmd_port_) +
         " ERL_EPMD_ADDRESS=127.0.0.1 ";
}

void RunningBroker::control(const std::string& command) const {
  const auto process = run(environment() + "exec " + programs + "rabbitmqctl -q " + command);
  int status = -1;
  if (waitpid(process, &status, 0) != process || status != 0)
    throw std::runtime_error("rabbitmqctl " + command + " failed: " + last_words());
}

void RunningBroker::start() {
  broker_ = run(environment() +
                "RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS='+S 2:2 -kernel inet_dist_use_interface {127,0,0,1}' exec " +
                programs + "rabbitmq-server");
  for (const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(3); !listens();) {
    if (waitpid(broker_, nullptr, WNOHANG) == broker_) {
      broker_ = -1;
      throw std::runtime_error("RabbitMQ ended: " + last_words());
    }
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("RabbitMQ does not listen: " + last_words());
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

void RunningBroker::kill() {
  end_process(broker_);
}

// The port for TLS opens last.
bool RunningBroker::listens() const {
  for (const auto port : {port_, tls_port_}) {
    const files::Descriptor probe(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const auto address = loopback(port);
    if (connect(probe.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) return false;
  }
  return true;
}

std::string RunningBroker::last_words() const {
  std::ifstream file(directory_.path("broker.out"));
  std::ostringstream words;
  words << file.rdbuf();
  const auto text = words.str();
  return text.size() > 4000 ? text.substr(text.size() - 4000) : text;
}

std::string RunningBroker::url() const {
  return "rabbit://gantry:p%40ss%3Aword@127.0.0.1:" + std::to_string(port_) + "/";
}

}  // namespace gantry::testing
