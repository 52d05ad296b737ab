// SPDX-License-Identifier: Apache-2.0
//
// A real RabbitMQ on loopback, for tests: its own node name, directory, ports and cookie. It ends with the object, and
// with the process.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "tests/support/scratch_directory.hpp"
#include "tests/transport/test_certificate.hpp"

namespace gantry::testing {

class RunningBroker {
 public:
  // Returns the reason to skip a test. Empty if RabbitMQ is installed.
  static std::string reason_to_skip();

  // Starts the broker and waits until it listens. Throws if it does not.
  RunningBroker();
  ~RunningBroker();
  RunningBroker(const RunningBroker&) = delete;
  RunningBroker& operator=(const RunningBroker&) = delete;

  // Ends the broker as a lost machine would. Queues that are not durable are gone.
  void kill();
  // Starts the broker again with the same ports.
  void start();
  // Gives the broker a command of rabbitmqctl, and waits for its end. Throws if the command fails.
  void control(const std::string& command) const;

  std::uint16_t port() const { return port_; }
  std::uint16_t tls_port() const { return tls_port_; }
  const std::string& user() const { return user_; }
  const std::string& password() const { return password_; }
  // The file of the broker's own certificate, which is for localhost and 127.0.0.1.
  const std::string& certificate() const { return certificate_.chain; }
  // "rabbit://user:password@127.0.0.1:port/"
  std::string url() const;

 private:
  void write_files();
  std::string environment() const;
  pid_t run(const std::string& command) const;
  bool listens() const;
  std::string last_words() const;

  support::ScratchDirectory directory_;
  TestCertificate certificate_;
  const std::string user_ = "gantry";
  const std::string password_ = "p@ss:word";
  std::uint16_t port_;
  std::uint16_t tls_port_;
  std::uint16_t epmd_port_;
  std::uint16_t node_port_;
  pid_t epmd_ = -1;
  pid_t broker_ = -1;
};

}  // namespace gantry::testing
