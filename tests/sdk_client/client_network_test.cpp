// SPDX-License-Identifier: Apache-2.0
//
// The client over TCP and TLS, against the real server.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gantry/client.hpp>

#include "tests/transport/server_fixture.hpp"
#include "tests/transport/test_certificate.hpp"

namespace gantry::testing {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class ClientNetwork : public ServerTest {
 protected:
  ClientNetwork() { settings_.listen = {"127.0.0.1:0"}; }

  void start_tls() {
    settings_.tls_certificate = certificate_.chain;
    settings_.tls_key = certificate_.key;
    start();
  }
  std::string address() const { return server_->addresses().at(0); }
  std::string port() const { return address().substr(address().rfind(':') + 1); }

  client::reply call(client::connection_options options, const std::string& method = "schedule") const {
    options.timeout_ms = 10'000;
    client::client caller(options);
    return caller.call(method, "{}");
  }
  client::connection_options with_token(const std::string& target, const std::string& token) const {
    client::connection_options options;
    options.target = target;
    options.token = token;
    options.ca_file = certificate_.chain;
    return options;
  }

  TestCertificate certificate_ = make_certificate(directory_.path());
};

TEST_F(ClientNetwork, SendsItsTokenOverTcp) {
  start();
  EXPECT_TRUE(call(with_token(address(), "admin")));
  const auto refused = call(with_token(address(), "nobody's"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.failure().code, "unauthenticated");
  EXPECT_EQ(call(with_token(address(), "good")).failure().code, "permission_denied");
}

TEST_F(ClientNetwork, SpeaksTls) {
  start_tls();
  client::client caller(with_token(address(), "admin"));
  for (int i = 0; i < 3; ++i) {
    const auto reply = caller.call("schedule", "{}");
    ASSERT_TRUE(reply) << reply.failure().message;
  }
  const auto large = caller.call("schedule", R"({"text":")" + std::string(3'000'000, 'x') + "\"}");
  ASSERT_TRUE(large) << large.failure().message;
  EXPECT_GT(large.json().size(), 3'000'000U);
  EXPECT_TRUE(call(with_token("https://localhost:" + port(), "admin")));
}

TEST_F(ClientNetwork, RefusesACertificateOfAnUntrustedAuthority) {
  start_tls();
  auto options = with_token(address(), "admin");
  options.ca_file = make_certificate(directory_.path(), 30, "other").chain;
  const auto refused = call(options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.failure().code, "unreachable");
  EXPECT_THAT(refused.failure().message, AllOf(HasSubstr("is not trusted ("), HasSubstr("GANTRY_CA_FILE")));
  EXPECT_EQ(manager_.handled(), 0U);
}

TEST_F(ClientNetwork, RefusesACertificateOfAnotherName) {
  start_tls();
  const auto refused = call(with_token("https://127.0.0.2:" + port(), "admin"));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.failure().code, "unreachable");
}

TEST_F(ClientNetwork, TakesANewCertificateWithoutARestart) {
  start_tls();
  EXPECT_TRUE(call(with_token(address(), "admin")));
  make_certificate(directory_.path());
  EXPECT_FALSE(call(with_token(address(), "admin")));
  ASSERT_TRUE(server_->reload_certificate());
  EXPECT_TRUE(call(with_token(address(), "admin")));
}

TEST_F(ClientNetwork, SendsNoTokenOverAPlainNetwork) {
  start();
  for (const auto* target : {"http://192.0.2.1:1", "http://127.evil.example:1", "http://127.0.0.1.evil.example:1"}) {
    const auto refused = call(with_token(target, "admin"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.failure().code, "invalid_argument") << target;
    EXPECT_THAT(refused.failure().message, HasSubstr("use https://")) << target;
  }
}

TEST_F(ClientNetwork, ReadsItsTokenFromAFile) {
  start();
  const std::string path = directory_.path() + "/token";
  std::ofstream(path) << "admin\n";
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  client::connection_options options;
  options.target = address();
  options.token_file = path;
  EXPECT_TRUE(call(options));
  options.token_file = "/nowhere";
  EXPECT_THAT(call(options).failure().message, HasSubstr("token file '/nowhere': cannot be read"));
  std::ofstream(path) << "two words\n";
  options.token_file = path;
  EXPECT_THAT(call(options).failure().message, HasSubstr("expected one token on one line"));
}

TEST_F(ClientNetwork, RefusesATokenFileThatOthersMayRead) {
  start();
  const std::string path = directory_.path() + "/token";
  std::ofstream(path) << "admin\n";
  std::filesystem::permissions(path, std::filesystem::perms(0644));
  client::connection_options options;
  options.target = address();
  options.token_file = path;
  EXPECT_THAT(
      call(options).failure().message,
      HasSubstr("token file '" + path + "': expected that others may not read it, found mode 0644; run: chmod o="));
}

TEST_F(ClientNetwork, RetriesIfThereAreTooManyConnections) {
  settings_.max_connections = 1;
  start();
  auto holding = std::make_unique<RawConnection>(RawConnection::to_port(std::stoi(port())));
  holding->send(get("/livez", "Authorization: Bearer good\r\n"));
  ASSERT_TRUE(holding->answer());
  std::thread later([&holding] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    holding.reset();
  });
  const auto reply = call(with_token(address(), "admin"));
  later.join();
  ASSERT_TRUE(reply) << reply.failure().message;
  EXPECT_GT(reply.attempts(), 1);
}

}  // namespace
}  // namespace gantry::testing
