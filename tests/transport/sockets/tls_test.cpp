// SPDX-License-Identifier: Apache-2.0
//
// The certificate of the server, and what comes to a TLS port that is none.
#include "core/transport/sockets/tls.hpp"

#include <gmock/gmock.h>
#include <openssl/ssl.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/transport/server_fixture.hpp"
#include "tests/transport/test_certificate.hpp"

namespace gantry::testing {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using transport::TlsCertificate;

class Tls : public ServerTest {
 protected:
  std::string refusal(const std::string& chain, const std::string& key) {
    const auto loaded = TlsCertificate::load(chain, key);
    if (loaded) return "loaded";
    EXPECT_EQ(loaded.error().code, ErrorCode::invalid_configuration);
    return loaded.error().message;
  }
  void start_tls() {
    settings_.listen = {"127.0.0.1:0"};
    settings_.tls_certificate = certificate_.chain;
    settings_.tls_key = certificate_.key;
    start();
  }
  RawConnection connect_tcp() const {
    const auto address = server_->addresses().at(0);
    return RawConnection::to_port(std::stoi(address.substr(address.rfind(':') + 1)));
  }
  std::string file(const std::string& name, const std::string& content) const {
    const auto path = directory_.path() + "/" + name;
    std::ofstream(path) << content;
    chmod(path.c_str(), 0600);
    return path;
  }

  TestCertificate certificate_ = make_certificate(directory_.path());
};

TEST_F(Tls, LoadsACertificateAndItsKey) {
  const auto loaded = TlsCertificate::load(certificate_.chain, certificate_.key);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ((*loaded)->days_left(), 30);
}

TEST_F(Tls, OffersSuitesWithFreshKeysAndAuthenticatedEncryptionAlone) {
  const auto loaded = TlsCertificate::load(certificate_.chain, certificate_.key);
  ASSERT_TRUE(loaded);
  const std::unique_ptr<SSL, decltype(&SSL_free)> connection(SSL_new((*loaded)->context()->native_handle()), &SSL_free);
  int suites = 0;
  for (const char* name = nullptr; (name = SSL_get_cipher_list(connection.get(), suites)) != nullptr; ++suites)
    EXPECT_THAT(name,
                ::testing::MatchesRegex("TLS_.*|ECDHE-(RSA|ECDSA)-(AES(128|256)-GCM-SHA(256|384)|CHACHA20-POLY1305)"));
  EXPECT_GT(suites, 3);
}

TEST_F(Tls, KnowsWhenACertificateHasEnded) {
  const auto old = make_certificate(directory_.path(), -3, "old");
  const auto loaded = TlsCertificate::load(old.chain, old.key);
  ASSERT_TRUE(loaded);
  EXPECT_LT((*loaded)->days_left(), 0);
}

TEST_F(Tls, RefusesFilesThatAreMissingOrNotPem) {
  EXPECT_THAT(refusal("/nowhere.pem", certificate_.key),
              HasSubstr("server.tls_certificate '/nowhere.pem': expected a PEM file, found none"));
  EXPECT_THAT(refusal(certificate_.chain, directory_.path()), HasSubstr("found no regular file"));
  EXPECT_THAT(refusal(file("text.pem", "hello"), certificate_.key), HasSubstr("expected a PEM certificate chain"));
  EXPECT_THAT(refusal(certificate_.chain, file("text.key", "hello")), HasSubstr("expected the PEM private key"));
}

TEST_F(Tls, RefusesTheKeyOfAnotherCertificate) {
  const auto other = make_certificate(directory_.path(), 30, "other");
  EXPECT_THAT(refusal(certificate_.chain, other.key), HasSubstr("server.tls_key"));
}

TEST_F(Tls, RefusesAKeyThatEverybodyMayRead) {
  chmod(certificate_.key.c_str(), 0644);
  EXPECT_THAT(refusal(certificate_.chain, certificate_.key),
              HasSubstr("expected that others may not read it, found mode 0644; run: chmod o= "));
}

TEST_F(Tls, RefusesFilesThatEverybodyMayWrite) {
  chmod(certificate_.chain.c_str(), 0646);
  EXPECT_THAT(refusal(certificate_.chain, certificate_.key),
              HasSubstr("expected that others may not write it, found mode 0646; run: chmod o-w "));
}

TEST_F(Tls, RefusesAFifoInAFilesPlaceWithoutWaiting) {
  const auto fifo = directory_.path() + "/fifo";
  ASSERT_EQ(mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_THAT(refusal(fifo, certificate_.key), HasSubstr("found no regular file"));
  EXPECT_THAT(refusal(certificate_.chain, fifo), HasSubstr("found no regular file"));
}

TEST_F(Tls, KeepsTheOldCertificateIfTheNewOneIsUnusable) {
  const auto loaded = TlsCertificate::load(certificate_.chain, certificate_.key);
  ASSERT_TRUE(loaded);
  file("server.pem", "half written");
  EXPECT_FALSE((*loaded)->reload());
  EXPECT_EQ((*loaded)->days_left(), 30);
  make_certificate(directory_.path(), 60);
  EXPECT_TRUE((*loaded)->reload());
  EXPECT_EQ((*loaded)->days_left(), 60);
}

TEST_F(Tls, DoesNotStartWithoutItsCertificate) {
  settings_.listen = {"127.0.0.1:0"};
  settings_.tls_certificate = "/nowhere.pem";
  settings_.tls_key = "/nowhere.key";
  const auto started = transport::HttpServer::start(settings_, manager_, telemetry::Logger::none());
  ASSERT_FALSE(started);
  EXPECT_THAT(started.error().message, HasSubstr("server.tls_certificate"));
  EXPECT_FALSE(std::filesystem::exists(settings_.socket));
}

TEST_F(Tls, TellsAConnectionThatSpeaksPlainHttpToUseTls) {
  start_tls();
  EXPECT_THAT(server_->addresses().at(0), StartsWith("https://"));
  auto connection = connect_tcp();
  connection.send(get("/livez"));
  const auto answer = connection.answer();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 400);
  EXPECT_THAT(answer->body, HasSubstr("expected TLS on this port, found HTTP"));
  EXPECT_TRUE(connection.ended());
  EXPECT_EQ(ask(get("/livez")).status, 200);
}

TEST_F(Tls, ServesSmallAndLargeCallsOfOneConnection) {
  start_tls();
  const auto address = server_->addresses().at(0);
  auto connection = RawConnection::to_tls_port(std::stoi(address.substr(address.rfind(':') + 1)));
  ASSERT_TRUE(connection.connected());
  const std::string bearer = "Authorization: Bearer admin\r\n";
  const std::string large(1 << 20, 'x');
  for (int i = 0; i < 3; ++i) {
    connection.send(get("/livez") + post("schedule", R"({"args":{"number":1}})", bearer) +
                    post("schedule", R"({"args":{"number":2,"fake":{"delay_ms":5}}})", bearer));
    EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 200);
    EXPECT_EQ(number_in(result_of(*connection.answer())), 1);
    EXPECT_EQ(number_in(result_of(*connection.answer())), 2);
    connection.send(post("schedule", R"({"args":{"large":")" + large + "\"}}", bearer));
    const auto answer = connection.answer();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
    EXPECT_GT(answer->body.size(), large.size());
  }
}

// Another process takes over: what the connections of this one hear.
class TlsHeld : public Tls {
 protected:
  void SetUp() override {
    Tls::SetUp();
    start_tls();
  }
  RawConnection connect() const {
    const auto address = server_->addresses().at(0);
    return RawConnection::to_tls_port(std::stoi(address.substr(address.rfind(':') + 1)));
  }
  // A connection that has had an answer.
  RawConnection used() const {
    auto connection = connect();
    connection.send(call());
    EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 200);
    return connection;
  }
  static std::string call(int delay_ms = 0) {
    return post("schedule", R"({"args":{"number":1,"fake":{"delay_ms":)" + std::to_string(delay_ms) + "}}}",
                "Authorization: Bearer admin\r\n");
  }
  bool hold() const {
    server_->hold();
    return server_->wait_until_held(std::chrono::steady_clock::now() + 5s);
  }
};

TEST_F(TlsHeld, EndsProperlyBetweenTwoRequests) {
  auto connection = used();
  ASSERT_TRUE(hold());
  server_->leave();
  EXPECT_TRUE(connection.ended());
  EXPECT_TRUE(connection.ended_properly());
}

TEST_F(TlsHeld, EndsAfterTheAnswersToAllThatWasSent) {
  auto connection = used();
  auto another = used();
  connection.send(call(30));
  another.send(call());
  ASSERT_TRUE(hold());
  server_->leave();
  for (auto* each : {&connection, &another}) {
    const auto answer = each->answer();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 200);
    EXPECT_TRUE(each->ended());
    EXPECT_TRUE(each->ended_properly());
  }
}

TEST_F(TlsHeld, AnswersTheFirstRequestOfAConnection) {
  auto connection = connect();
  ASSERT_TRUE(connection.connected());
  connection.send(call());
  ASSERT_TRUE(hold());
  server_->leave();
  EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 200);
  EXPECT_TRUE(connection.ended());
  EXPECT_TRUE(connection.ended_properly());
}

TEST_F(TlsHeld, RefusesARequestOfWhichOnlyAPartHasCome) {
  auto connection = used();
  const auto whole = call();
  connection.send(whole.substr(0, whole.size() - 5));
  ASSERT_TRUE(hold());
  const auto answer = connection.answer();
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->status, 503);
  EXPECT_EQ(answer->headers.at("connection"), "close");
  EXPECT_THAT(answer->body, HasSubstr("send it again"));
}

TEST_F(Tls, EndsAConnectionThatNeverShakesHands) {
  settings_.receive_timeout = 50ms;
  start_tls();
  auto silent = connect_tcp();
  EXPECT_TRUE(silent.ended());
  auto slow = connect_tcp();
  slow.send("\x16\x03\x01");
  EXPECT_TRUE(slow.ended());
}

TEST_F(Tls, StopsWhileHandshakesAreUnderWay) {
  start_tls();
  std::vector<RawConnection> waiting;
  for (int i = 0; i < 20; ++i) {
    waiting.push_back(connect_tcp());
    waiting.back().send("\x16\x03\x01");
  }
  stop();
  for (auto& connection : waiting) EXPECT_FALSE(connection.answer());
}

}  // namespace
}  // namespace gantry::testing
