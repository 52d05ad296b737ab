// SPDX-License-Identifier: Apache-2.0
//
// A real gantryd on a unix socket and a port, hostile clients that send bytes as they like, and what must hold after
// each of them: the daemon lives, serves a well-behaved client, and has let go of every connection.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/transport/raw_connection.hpp"
#include "tests/transport/test_certificate.hpp"

namespace gantry::test {

class HostileClients : public ::testing::Test {
 protected:
  using RawConnection = gantry::testing::RawConnection;
  using RawAnswer = gantry::testing::RawAnswer;

  // `keys` are lines of the config.
  void serve(const std::string& keys = {}, bool with_tls = false) {
    std::string more = "server.listen = [\"127.0.0.1:0\"]\nserver.workers = 2\n" + keys;
    if (with_tls) {
      const auto certificate = gantry::testing::make_certificate(gantry.directory().string());
      more += "server.tls_certificate = \"" + certificate.chain + "\"\nserver.tls_key = \"" + certificate.key + "\"\n";
    }
    gantry.configure("\"simple\"", more);
    gantry.start();
    learn(with_tls);
  }

  // What the tests need to know of a daemon that serves.
  void learn(bool with_tls) {
    is_tls_ = with_tls;
    // The log says it just after the first answer may be given.
    ASSERT_TRUE(eventually([this] { return gantry.log().find(" ready ") != std::string::npos; }));
    const auto log = gantry.log();
    const auto at = log.find("://127.0.0.1:");
    ASSERT_NE(at, std::string::npos) << log;
    port_ = std::stoi(log.substr(at + std::strlen("://127.0.0.1:")));
    token_ = std::string(
        gantry.ask({"token", "create", "well-behaved", "--role", "admin"}).as_object().at("token").as_string());
    auto connection = local();
    connection.send(gantry::testing::get("/livez"));
    ASSERT_TRUE(connection.answer());  // so the daemon has accepted it
    ucred daemon{};
    socklen_t size = sizeof daemon;
    ASSERT_EQ(getsockopt(connection.descriptor(), SOL_SOCKET, SO_PEERCRED, &daemon, &size), 0);
    process_ = "/proc/" + std::to_string(daemon.pid);
    quiet_ = 0;
    ASSERT_TRUE(eventually([this] { return std::exchange(quiet_, descriptors()) == descriptors(); }));
    --quiet_;  // `connection` is one of them
  }

  RawConnection local() const { return RawConnection((gantry.directory() / "gantry.sock").string()); }
  RawConnection plain_tcp() const { return RawConnection::to_port(port_); }
  // A machine under load may take longer for a handshake than server.receive_timeout allows.
  RawConnection tcp() const {
    if (!is_tls_) return RawConnection::to_port(port_);
    auto connection = RawConnection::to_tls_port(port_);
    for (int tries = 0; tries < 20 && !connection.connected(); ++tries) connection = RawConnection::to_tls_port(port_);
    return connection;
  }
  std::string bearer() const { return "Authorization: Bearer " + token_ + "\r\n"; }

  static int status_of(RawConnection connection, const std::string& request) {
    if (!connection.send(request)) return 0;
    return connection.answer().value_or(RawAnswer{}).status;
  }

  void expect_service() const {
    EXPECT_EQ(status_of(local(), gantry::testing::get("/v1/hosts_up?topic=compute")), 200);
    EXPECT_EQ(status_of(tcp(), gantry::testing::get("/v1/hosts_up?topic=compute", bearer())), 200);
  }
  // Once no connection is left.
  void expect_as_before() {
    expect_service();
    EXPECT_TRUE(eventually([this] { return descriptors() <= quiet_; }))
        << descriptors() << " descriptors, " << quiet_ << " before";
  }

  // The files of the archive of decisions are opened when there is something to keep.
  std::ptrdiff_t descriptors() const {
    const std::filesystem::directory_iterator all(process_ + "/fd");
    return std::count_if(begin(all), end(all), [](const auto& entry) {
      std::error_code closed;
      return std::filesystem::read_symlink(entry.path(), closed).string().find("/decisions/") == std::string::npos;
    });
  }
  // "VmRSS", "VmHWM"; MiB.
  long memory(const std::string& which) const {
    std::ifstream status(process_ + "/status");
    for (std::string word; status >> word;) {
      long kib = 0;
      if (word == which + ":" && status >> kib) return kib / 1024;
    }
    return -1;
  }

  RunningGantry gantry;
  int port_ = 0;
  bool is_tls_ = false;
  std::string token_;
  std::string process_;
  std::ptrdiff_t quiet_ = 0;
};

}  // namespace gantry::test
