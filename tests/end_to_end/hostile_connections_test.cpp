// SPDX-License-Identifier: Apache-2.0
//
// Clients that are slow, silent, many, or speak no TLS where they should.
#include <openssl/ssl.h>
#include <sys/resource.h>

#include <thread>

#include "tests/end_to_end/hostile_fixture.hpp"

namespace gantry::test {
namespace {

using gantry::testing::get;
using gantry::testing::post;
using namespace std::chrono_literals;
using ::testing::HasSubstr;

// A byte at a time to each, for half a second; what comes of it is the server's to say.
template <class Connections>
void drip(Connections& connections) {
  for (int i = 0; i < 50; ++i) {
    for (auto& connection : connections) connection.send("x");
    std::this_thread::sleep_for(10ms);
  }
}

void set_soft_limit(rlim_t wanted) {
  rlimit descriptors{};
  getrlimit(RLIMIT_NOFILE, &descriptors);
  descriptors.rlim_cur = std::min(wanted, descriptors.rlim_max);
  setrlimit(RLIMIT_NOFILE, &descriptors);
}

class HostileConnections : public HostileClients {
 protected:
  void expect_408_of_the_slow() {
    const std::vector<std::string> begun{"GET /v1/hosts_up?topic=x",
                                         "POST /v1/select_destinations HTTP/1.1\r\nHost: h\r\nContent-Type: "
                                         "application/json\r\nContent-Length: 900\r\n" +
                                             bearer() + "\r\n{"};
    std::vector<RawConnection> slow;
    for (const bool over_tcp : {false, true}) {
      for (const auto& text : begun) {
        for (int i = 0; i < 3; ++i) {
          slow.push_back(over_tcp ? tcp() : local());
          slow.back().send(text);
        }
      }
    }
    drip(slow);
    for (auto& connection : slow) {
      EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 408);
      EXPECT_TRUE(connection.ended());
    }
    expect_as_before();
  }
};

TEST_F(HostileConnections, SlowHeadersAndBodiesAreRefusedInTime) {
  serve("server.receive_timeout = 0.7\n");
  expect_408_of_the_slow();
}

TEST_F(HostileConnections, SlowHeadersAndBodiesAreRefusedInTimeOverTls) {
  serve("server.receive_timeout = 0.7\n", true);
  expect_408_of_the_slow();
}

TEST_F(HostileConnections, SilentConnectionsAreClosed) {
  serve("server.idle_timeout = 0.4\n");
  std::vector<RawConnection> silent;
  for (int i = 0; i < 100; ++i) silent.push_back(i % 2 == 0 ? local() : tcp());
  for (auto& connection : silent) EXPECT_TRUE(connection.ended());
  expect_as_before();
}

TEST_F(HostileConnections, AHalfClosedConnectionGetsItsAnswerOrACleanEnd) {
  serve();
  const auto whole = get("/v1/hosts_up?topic=compute", bearer());
  for (const bool over_tcp : {false, true}) {
    auto asking = over_tcp ? tcp() : local();
    asking.send(whole);
    asking.end_of_input();
    EXPECT_EQ(asking.answer().value_or(RawAnswer{}).status, 200);
    EXPECT_TRUE(asking.ended());
    for (const std::size_t size : {std::size_t{0}, std::size_t{7}, whole.size() - 1}) {
      auto unfinished = over_tcp ? tcp() : local();
      unfinished.send(std::string_view(whole).substr(0, size));
      unfinished.end_of_input();
      EXPECT_TRUE(unfinished.ended()) << size;
    }
  }
  expect_as_before();
}

TEST_F(HostileConnections, AClientThatReadsNothingCostsABoundedAmount) {
  serve();
  std::string flood;
  for (int i = 0; i < 100; ++i) flood += get("/");
  const auto before = memory("VmRSS");
  {
    std::vector<RawConnection> deaf;
    for (int i = 0; i < 20; ++i) {
      deaf.push_back(i % 2 == 0 ? local() : tcp());
      while (::send(deaf.back().descriptor(), flood.data(), flood.size(), MSG_DONTWAIT | MSG_NOSIGNAL) > 0) {
      }
    }
    std::this_thread::sleep_for(100ms);
    expect_service();
    EXPECT_LT(memory("VmRSS"), before + 100);
  }
  expect_as_before();
}

TEST_F(HostileConnections, AFullPortAnswersSoAndLeavesTheUnixSocketAlone) {
  serve("server.max_connections = 30\n");
  {
    std::vector<RawConnection> held;
    for (int i = 0; i < 30; ++i) {
      held.push_back(tcp());
      held.back().send(get("/v1/hosts_up?topic=compute", bearer()));
      EXPECT_EQ(held.back().answer().value_or(RawAnswer{}).status, 200);
    }
    for (int i = 0; i < 5; ++i) {
      auto refused = tcp();
      refused.send(get("/livez"));
      const auto answer = refused.answer();
      ASSERT_TRUE(answer);
      EXPECT_EQ(answer->status, 503);
      EXPECT_EQ(answer->headers.at("retry-after"), "1");
      EXPECT_TRUE(refused.ended());
    }
    EXPECT_EQ(status_of(local(), get("/v1/hosts_up?topic=compute")), 200);
    for (auto& connection : held) {
      connection.send(get("/v1/hosts_up?topic=compute", bearer()));
      EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 200) << "a known caller keeps its place";
    }
  }
  EXPECT_TRUE(eventually([this] { return status_of(tcp(), get("/livez")) == 200; }));
  expect_as_before();
}

TEST_F(HostileConnections, ManyWithoutATokenTakePlacesOfEachOtherAlone) {
  serve("server.max_connections = 30\n");
  {
    auto known = tcp();
    known.send(get("/v1/hosts_up?topic=compute", bearer()));
    EXPECT_EQ(known.answer().value_or(RawAnswer{}).status, 200);
    std::vector<RawConnection> strangers;
    for (int i = 0; i < 40; ++i) {
      strangers.push_back(tcp());
      strangers.back().send(get("/livez"));
      EXPECT_EQ(strangers.back().answer().value_or(RawAnswer{}).status, 200) << i;
    }
    std::size_t served = 0;
    for (auto& stranger : strangers) {
      stranger.send(get("/livez"));
      served += stranger.answer().value_or(RawAnswer{}).status == 200 ? 1 : 0;
    }
    EXPECT_EQ(served, 16U) << "the most of an address";
    known.send(get("/v1/hosts_up?topic=compute", bearer()));
    EXPECT_EQ(known.answer().value_or(RawAnswer{}).status, 200);
    expect_service();
  }
  expect_as_before();
}

TEST_F(HostileConnections, ThousandsAreHeldAndServed) {
  set_soft_limit(1'024);
  serve();
  set_soft_limit(20'000);
  std::string line;
  for (std::ifstream limits(process_ + "/limits");
       std::getline(limits, line) && line.rfind("Max open files", 0) != 0;) {
  }
  rlimit own{};
  getrlimit(RLIMIT_NOFILE, &own);
  const auto hard = std::to_string(own.rlim_max);
  EXPECT_THAT(line, ::testing::ContainsRegex(hard + " +" + hard)) << "the daemon has not raised its limit";
  const auto most = std::min<std::size_t>(4'000, std::min<rlim_t>(own.rlim_cur, own.rlim_max / 2) - 300);
  const auto before = memory("VmRSS");
  {
    std::vector<RawConnection> held;
    held.reserve(most);
    for (std::size_t i = 0; i < most; ++i) {
      held.push_back(i % 2 == 0 ? local() : tcp());
      ASSERT_TRUE(held.back().connected()) << i;
      if (i % 4 < 2) held.back().send("GET /livez HTTP/1.1\r\n");
    }
    expect_service();
    for (std::size_t i = 0; i < most; ++i) held[i].send(i % 4 < 2 ? "Host: h\r\n\r\n" : get("/livez"));
    for (auto& connection : held) EXPECT_EQ(connection.answer().value_or(RawAnswer{}).status, 200);
    EXPECT_LT(memory("VmRSS") - before, static_cast<long>(most / 16)) << "MiB, 64 KiB a connection";
  }
  expect_as_before();
}

TEST_F(HostileConnections, TooFewDescriptorsAreSaidAndTheUnixSocketIsServedAllTheSame) {
  gantry.configure("\"simple\"", "server.listen = [\"127.0.0.1:0\"]\n");
  Background few({"sh", "-c", "ulimit -n 400 && exec \"$0\" --config \"$1\"",
                  std::string(GANTRY_BIN_DIRECTORY) + "/gantryd", gantry.config_file()},
                 (gantry.directory() / "gantryd.log").string());
  ASSERT_TRUE(eventually([&] { return gantry.gantry({"status"}).exit_status == 0; }));
  learn(false);
  EXPECT_THAT(gantry.log(), HasSubstr("server.max_connections = 16384: expected a limit of at least 33024 open files, "
                                      "found 400; goes on with 72 connections of each kind; raise LimitNOFILE"));
  {
    std::vector<RawConnection> flood;
    for (int i = 0; i < 500; ++i) flood.push_back(tcp());
    EXPECT_EQ(status_of(local(), get("/v1/hosts_up?topic=compute")), 200);
  }
  EXPECT_TRUE(eventually([this] { return status_of(tcp(), get("/livez")) == 200; }));
  expect_as_before();
}

TEST_F(HostileConnections, AConnectionWithoutTlsOrAFinishedHandshakeIsClosed) {
  serve("server.receive_timeout = 0.7\n", true);
  std::vector<RawConnection> strangers;
  const std::string record("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 11);
  for (int i = 0; i < 40; ++i) {
    for (const std::string& bytes : {std::string(), record, std::string("\x16"), std::string(300, '\x16')}) {
      strangers.push_back(plain_tcp());
      strangers.back().send(bytes);
    }
  }
  expect_service();
  for (auto& stranger : strangers) {
    while (stranger.answer()) {
    }
  }
  auto plain = plain_tcp();
  plain.send(get("/livez"));
  const auto answer = plain.answer();
  EXPECT_TRUE(!answer || answer->status == 400) << "plain HTTP gets at most a word that the port speaks TLS";
  expect_as_before();
}

TEST_F(HostileConnections, NoNewKeysAreMadeInTheMidstOfAConnection) {
  serve("", true);
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_client_method()), &SSL_CTX_free);
  SSL_CTX_set_max_proto_version(context.get(), TLS1_2_VERSION);
  {
    const auto connection = plain_tcp();
    const std::unique_ptr<SSL, decltype(&SSL_free)> client(SSL_new(context.get()), &SSL_free);
    SSL_set_fd(client.get(), connection.descriptor());
    ASSERT_EQ(SSL_connect(client.get()), 1);
    SSL_renegotiate(client.get());
    EXPECT_NE(SSL_do_handshake(client.get()), 1);
  }
  expect_as_before();
}

}  // namespace
}  // namespace gantry::test
