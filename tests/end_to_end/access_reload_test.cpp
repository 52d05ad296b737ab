// SPDX-License-Identifier: Apache-2.0
//
// Certificates, roles of the unix socket and the need of tokens change while the service runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pwd.h>
#include <unistd.h>

#include <csignal>
#include <gantry/client.hpp>

#include "tests/end_to_end/running_gantry.hpp"
#include "tests/transport/raw_connection.hpp"
#include "tests/transport/test_certificate.hpp"

namespace gantry::test {
namespace {

using gantry::testing::make_certificate;
using gantry::testing::RawConnection;
using gantry::testing::TestCertificate;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

class AccessReload : public ::testing::Test {
 protected:
  static std::string tls(const TestCertificate& files) {
    return "server.tls_certificate = \"" + files.chain + "\"\nserver.tls_key = \"" + files.key + "\"\n";
  }
  void configure(const std::string& more) {
    gantry.configure("\"simple\"", "server.listen = [\"127.0.0.1:0\"]\n" + more);
  }
  void serve(const std::string& more) {
    configure(more);
    gantry.start();
    ASSERT_TRUE(eventually([this] { return gantry.log().find(" ready ") != std::string::npos; }));
    const auto log = gantry.log();
    const auto at = log.find("http", log.find("INFO listening"));
    address = log.substr(at, log.find_first_of(" \n", at) - at);
  }
  Ran reload_with(const std::string& more) {
    configure(more);
    return gantry.gantry({"reload"});
  }
  // Whether a client that trusts this certificate alone is served over TCP.
  bool is_served_with(const TestCertificate& files) const {
    client::connection_options options;
    options.target = address;
    options.ca_file = files.chain;
    options.timeout_ms = 20'000;
    return static_cast<bool>(client::client(options).call("status", "{}"));
  }
  static int status_of(RawConnection& connection, const std::string& method) {
    connection.send(gantry::testing::post(method, R"({"args":{"name":"a"}})"));
    return connection.answer().value_or(gantry::testing::RawAnswer{}).status;
  }

  RunningGantry gantry;
  std::string address;
};

constexpr auto without_tokens = "server.require_tokens = false\n";

TEST_F(AccessReload, TakesAnotherCertificateForNewConnections) {
  const auto first = make_certificate(gantry.directory(), 30, "first");
  const auto second = make_certificate(gantry.directory(), 30, "second");
  serve(without_tokens + tls(first));
  EXPECT_TRUE(is_served_with(first));
  EXPECT_FALSE(is_served_with(second));
  const auto applied = reload_with(without_tokens + tls(second));
  EXPECT_EQ(applied.exit_status, 0) << applied.err;
  EXPECT_EQ(applied.out, "server.tls_certificate: \"" + first.chain + "\" -> \"" + second.chain +
                             "\"\nserver.tls_key: \"" + first.key + "\" -> \"" + second.key + "\"\n");
  EXPECT_FALSE(is_served_with(first));
  EXPECT_TRUE(is_served_with(second));
}

TEST_F(AccessReload, TellsOfACertificateThatWasRenewedInItsPlace) {
  const auto files = make_certificate(gantry.directory());
  serve(without_tokens + tls(files));
  EXPECT_EQ(gantry.ask({"reload"}).at("outcome"), "unchanged");
  make_certificate(gantry.directory());
  EXPECT_FALSE(is_served_with(files));
  EXPECT_EQ(gantry.ask({"reload", "--check"}).at("outcome"), "accepted");
  EXPECT_FALSE(is_served_with(files));
  const auto applied = gantry.gantry({"reload"});
  EXPECT_THAT(applied.out,
              MatchesRegex("server.tls_certificate: " + files.chain + ", until [-0-9]+, SHA-256 [0-9a-f]+ -> " +
                           files.chain + ", until [-0-9]+, SHA-256 [0-9a-f]+\n"));
  EXPECT_TRUE(is_served_with(files));
  EXPECT_THAT(gantry.log(), HasSubstr("method=reload object=configuration changes=\"server.tls_certificate: "));
  EXPECT_EQ(gantry.ask({"reload"}).at("outcome"), "unchanged");
}

TEST_F(AccessReload, WithAKeyOfAnotherCertificateAppliesNothing) {
  const auto first = make_certificate(gantry.directory(), 30, "first");
  const auto second = make_certificate(gantry.directory(), 30, "second");
  serve(without_tokens + tls(first));
  const auto refused = reload_with("log.level = \"debug\"\n" + (without_tokens + tls({second.chain, first.key})));
  EXPECT_EQ(refused.exit_status, 78);
  EXPECT_THAT(refused.err,
              AllOf(HasSubstr("server.tls_key '" + first.key + "': expected the PEM private key of that certificate"),
                    HasSubstr("nothing was applied")));
  EXPECT_TRUE(is_served_with(first));
  EXPECT_EQ(gantry.ask({"log-level"}).at("level"), "info");
}

TEST_F(AccessReload, LeavesItToARestartThatTlsBegins) {
  serve(without_tokens);
  const auto refused = reload_with(without_tokens + tls(make_certificate(gantry.directory())));
  EXPECT_EQ(refused.exit_status, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("server.tls_certificate: needs a restart"),
                                 HasSubstr("server.tls_key: needs a restart"), HasSubstr("nothing was applied")));
}

TEST_F(AccessReload, GivesCallersOfTheUnixSocketOtherRolesOnConnectionsThatAreOpen) {
  const std::string user = getpwuid(geteuid())->pw_name;
  serve("");
  RawConnection kept(gantry.socket_path());
  EXPECT_EQ(status_of(kept, "create_aggregate"), 200);
  const auto refused = reload_with("server.socket_roles = [\"user:no-such-user=reader\"]\n");
  EXPECT_THAT(refused.err, HasSubstr("expected a user of this system, found 'no-such-user'"));
  EXPECT_EQ(reload_with("server.socket_roles = [\"user:" + user + "=reader\"]\n").exit_status, 0);
  EXPECT_EQ(status_of(kept, "create_aggregate"), 403);
  EXPECT_EQ(status_of(kept, "list_hosts"), 400) << "a reader may call it, with the right arguments";
  // A reader may not reload. The signal asks no role.
  EXPECT_NE(reload_with("").exit_status, 0);
  gantry.signal(SIGHUP);
  EXPECT_TRUE(eventually([&] { return status_of(kept, "create_aggregate") != 403; }));
}

TEST_F(AccessReload, AsksForTokensOnConnectionsThatAreOpen) {
  serve(without_tokens);
  auto kept = RawConnection::to_port(std::stoi(address.substr(address.rfind(':') + 1)));
  EXPECT_EQ(status_of(kept, "create_aggregate"), 200);
  EXPECT_EQ(reload_with("").out, "server.require_tokens: false -> true\n");
  EXPECT_EQ(status_of(kept, "create_aggregate"), 401);
}

}  // namespace
}  // namespace gantry::test
