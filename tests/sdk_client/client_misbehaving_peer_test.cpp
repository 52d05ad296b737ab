// SPDX-License-Identifier: Apache-2.0
//
// The client against peers that are no Gantry, or a broken one.
#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstring>
#include <gantry/client.hpp>
#include <thread>
#include <vector>

#include "tests/support/scratch_directory.hpp"
#include "tests/transport/raw_connection.hpp"

namespace gantry::testing {
namespace {

using files::Descriptor;
using ::testing::HasSubstr;

const std::string good = "HTTP/1.1 200 OK\r\nContent-Length: 29\r\n\r\n{\"result\":7,\"request_id\":\"r\"}";
const std::string hang = "<hang>";  // reads the request and stays silent

// Answers the n-th connection's requests with the n-th text and closes; the last text serves all further ones.
class Peer {
 public:
  Peer(Descriptor listener, std::vector<std::string> answers)
      : listener_(std::move(listener)), answers_(std::move(answers)), thread_([this] { serve(); }) {}
  ~Peer() {
    ending_ = true;
    shutdown(listener_.number(), SHUT_RDWR);
    thread_.join();
  }

  static Descriptor on_path(const std::string& path) {
    Descriptor made(socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, path.c_str(), path.size());
    EXPECT_EQ(bind(made.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    EXPECT_EQ(listen(made.number(), 16), 0);
    return made;
  }
  static Descriptor on_loopback(int& port) {
    Descriptor made(socket(AF_INET, SOCK_STREAM, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    EXPECT_EQ(bind(made.number(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    socklen_t size = sizeof address;
    getsockname(made.number(), reinterpret_cast<sockaddr*>(&address), &size);
    port = ntohs(address.sin_port);
    EXPECT_EQ(listen(made.number(), 16), 0);
    return made;
  }

 private:
  void serve() {
    std::size_t next = 0;
    std::vector<Descriptor> silent;
    while (!ending_) {
      Descriptor connection(accept(listener_.number(), nullptr, nullptr));
      if (!connection.is_open()) return;
      const std::string& answer = answers_[std::min(next++, answers_.size() - 1)];
      take_request(connection);
      if (answer == hang) {
        silent.push_back(std::move(connection));
      } else {
        send(connection.number(), answer.data(), answer.size(), MSG_NOSIGNAL);
      }
    }
  }
  // All requests of these tests end in "}}" or "{}}" and arrive whole or soon.
  static void take_request(const Descriptor& connection) {
    std::string received;
    std::array<char, 4096> room;
    while (!received.ends_with("}}")) {
      const auto size = recv(connection.number(), room.data(), room.size(), 0);
      if (size <= 0) return;
      received.append(room.data(), static_cast<std::size_t>(size));
    }
  }

  Descriptor listener_;
  std::vector<std::string> answers_;
  std::atomic<bool> ending_{false};
  std::thread thread_;
};

class ClientAndPeer : public ::testing::Test {
 protected:
  client::reply call(std::vector<std::string> answers, int timeout_ms = 10'000) {
    const Peer peer(Peer::on_path(path_), std::move(answers));
    return client::client(path_, "", timeout_ms).call("status");
  }

  support::ScratchDirectory directory_;
  std::string path_ = directory_.path() + "/peer.sock";
};

TEST_F(ClientAndPeer, RepeatALostCallOverTcp) {
  int port = 0;
  const Peer peer(Peer::on_loopback(port), {good});
  const auto reply = client::client("http://127.0.0.1:" + std::to_string(port)).call("status");
  EXPECT_EQ(reply.json(), "7") << reply.failure().message;
}

TEST_F(ClientAndPeer, SayThatNoProcessListensOnATcpPort) {
  int port = 0;
  { const Descriptor closed_again = Peer::on_loopback(port); }
  const std::string url = "http://127.0.0.1:" + std::to_string(port);
  const auto reply = client::client(url, "", 100).call("status");
  EXPECT_EQ(reply.failure().code, "unreachable");
  EXPECT_THAT(reply.failure().message, HasSubstr("no daemon answers at " + url + " (Connection refused)"));
}

TEST_F(ClientAndPeer, RepeatACallWhoseConnectionIsLost) {
  const auto reply = call({"", "HTTP/1.1 200 OK\r\nContent-Le", good.substr(0, good.size() - 3), good});
  EXPECT_EQ(reply.json(), "7") << reply.failure().message;
  EXPECT_EQ(reply.attempts(), 4);
}

TEST_F(ClientAndPeer, GiveUpAfterThreeRepeatsIfTheConnectionIsAlwaysLost) {
  const auto reply = call({""}, 60'000);
  EXPECT_EQ(reply.failure().code, "unreachable");
  EXPECT_THAT(reply.failure().message, HasSubstr("was lost before the answer came"));
  EXPECT_EQ(reply.attempts(), 4);
}

TEST_F(ClientAndPeer, FailAtTheDeadlineIfThePeerHangs) {
  const auto reply = call({hang}, 100);
  EXPECT_EQ(reply.failure().code, "deadline_exceeded");
  EXPECT_EQ(reply.attempts(), 1);
}

TEST_F(ClientAndPeer, RecognizeAPeerThatIsNotGantry) {
  for (const std::string answer :
       {"SSH-2.0-OpenSSH_9.2\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n<ht>",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]", "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 502 Bad Gateway\r\nContent-Length: 12\r\n\r\n{\"error\":\"x\"}"}) {
    const auto reply = call({answer});
    EXPECT_EQ(reply.failure().code, "protocol") << answer;
    EXPECT_THAT(reply.failure().message, HasSubstr("check the address"));
    EXPECT_EQ(reply.attempts(), 1);
    unlink(path_.c_str());
  }
}

TEST_F(ClientAndPeer, SayThatTheFileIsNotASocket) {
  { std::fclose(std::fopen(path_.c_str(), "w")); }
  const auto reply = client::client(path_, "", 100).call("status");
  EXPECT_EQ(reply.failure().code, "unreachable");
}

}  // namespace
}  // namespace gantry::testing
