// SPDX-License-Identifier: Apache-2.0
#include "tests/bench/hostile/hostile_attack.hpp"

#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <memory>
#include <thread>

#include "tests/transport/raw_connection.hpp"

namespace gantry::bench {

namespace {

using testing::get;
using testing::post;

std::string bearer(const std::string& token) {
  return "Authorization: Bearer " + token + "\r\n";
}

std::string in_args(const std::string& value) {
  return R"({"args":{"request_spec":)" + value + "}}";
}

std::string times(std::size_t count, const std::string& text) {
  std::string all;
  all.reserve(count * text.size());
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

// Returns the first message of OpenSSL's client. The server answers with a signature.
std::string client_hello() {
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(SSL_CTX_new(TLS_client_method()), &SSL_CTX_free);
  const std::unique_ptr<SSL, decltype(&SSL_free)> client(SSL_new(context.get()), &SSL_free);
  BIO* const spoken = BIO_new(BIO_s_mem());
  SSL_set_bio(client.get(), BIO_new(BIO_s_mem()), spoken);
  SSL_connect(client.get());
  const char* bytes = nullptr;
  const auto size = BIO_get_mem_data(spoken, &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

// Keeps the process to its share of a processor: sleeps after using more.
class Throttle {
 public:
  explicit Throttle(double share) : share_(share) {}

  void pause() {
    const auto used = used_so_far() - used_before_;
    const auto now = std::chrono::steady_clock::now();
    const auto allowed =
        began_ + std::chrono::nanoseconds(static_cast<std::int64_t>(static_cast<double>(used) / share_));
    if (allowed > now + std::chrono::microseconds(50)) return std::this_thread::sleep_until(allowed);
    // Unused time is not saved up for a burst.
    if (allowed + std::chrono::milliseconds(20) < now) {
      began_ = now;
      used_before_ += used;
    }
  }

 private:
  static std::int64_t used_so_far() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec * 1'000'000'000LL + time.tv_nsec;
  }

  double share_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  std::int64_t used_before_ = used_so_far();
};

// Bytes a send. A client on another machine sends a few packets at a time. Here one large send would keep a processor
// from the clients while the kernel copies.
constexpr std::size_t packets = 16 * 1024;

class Connection {
 public:
  bool is_open() const { return socket_ >= 0; }

  void open(const Attack& attack, const Target& target) {
    offset_ = 0;
    static bool is_local_turn = false;
    is_local_turn = !is_local_turn;
    const bool is_local = attack.way == Way::local || (attack.way == Way::both && is_local_turn);
    socket_ = socket(is_local ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (socket_ < 0) return;
    if (is_local ? open_local(target) : open_tcp(attack, target)) return;
    close();
  }

  // Without TIME_WAIT, which would use up the ports.
  void close() {
    const linger at_once{1, 0};
    setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
    ::close(socket_);
    socket_ = -1;
  }

  // Reads what has come. False: the server has ended the connection.
  bool drain() const {
    static std::array<char, 262'144> buffer;
    for (int reads = 0; reads < 4; ++reads) {
      const auto size = recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
      if (size < 0) return errno == EAGAIN || errno == ENOTCONN;
      if (size == 0) return false;
      if (static_cast<std::size_t>(size) < buffer.size()) break;
    }
    return true;
  }

  // True: the text is sent to its end.
  bool send_some(const Attack& attack) {
    if (offset_ >= attack.bytes.size()) return false;
    const std::size_t left = attack.bytes.size() - offset_;
    const std::size_t size = std::min(left, attack.at_once);
    const auto sent = send(socket_, attack.bytes.data() + offset_, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) offset_ += static_cast<std::size_t>(sent);
    return offset_ >= attack.bytes.size();
  }
  void begin_again() { offset_ = 0; }

 private:
  bool open_local(const Target& target) const {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::copy_n(target.socket.c_str(), std::min(target.socket.size() + 1, sizeof address.sun_path), address.sun_path);
    return connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  bool open_tcp(const Attack& attack, const Target& target) const {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(attack.way == Way::tls ? target.tls_port : target.tcp_port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int on = 1;
    setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 || errno == EINPROGRESS;
  }

  int socket_ = -1;
  std::size_t offset_ = 0;
};

// The attackers represent processes on other machines. So they stay on one processor, at the lowest priority: the
// clients wait for the daemon, not for a processor that an attacker uses.
void give_way() {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
  sched_setaffinity(0, sizeof one, &one);
  struct {
    std::uint32_t size = 48;
    std::uint32_t policy = 0;
    std::uint64_t flags = 0;
    std::int32_t nice = 19;
    std::uint32_t priority = 0;
    std::uint64_t runtime = 100'000'000;  // nanoseconds of a time slice: the longest
    std::uint64_t deadline = 0;
    std::uint64_t period = 0;
  } const wanted;
  if (syscall(SYS_sched_setattr, 0, &wanted, 0) != 0) setpriority(PRIO_PROCESS, 0, wanted.nice);
}

void step(Connection& connection, const Attack& attack, const Target& target, Progress& progress) {
  if (!connection.is_open()) {
    connection.open(attack, target);
    if (!connection.is_open()) return;
    ++progress.connections;
    ++progress.open;
  } else if (attack.after != After::leaves && !connection.drain()) {
    connection.close();
    --progress.open;
    return;
  }
  if (!connection.send_some(attack)) return;
  ++progress.sent;
  if (attack.after == After::repeats) connection.begin_again();
  if (attack.after == After::leaves) {
    connection.close();
    --progress.open;
  }
}

}  // namespace

std::vector<Attack> attacks(const Target& target) {
  const auto token = bearer(target.token);
  const std::string head = "POST /v1/select_destinations HTTP/1.1\r\nHost: h\r\nX-Filler: ";
  const std::string large = in_args("[" + times(2'000'000, "0,") + "0]");
  const std::string objects = in_args("[" + times(300'000, R"({"a":{}},)") + "0]");
  return {
      {"nothing at all", Way::tcp, 1, "", packets, After::reconnects},
      {"arithmetic, without a connection", Way::tcp, 0, "x", packets, After::reconnects},
      {"10,000 connections held open", Way::both, 10'000, "", packets, After::reconnects},
      {"slow headers, 2,000 connections", Way::tcp, 2'000, head + std::string(15'000, 'x'), 1, After::reconnects},
      {"slow bodies, 2,000 connections", Way::local, 2'000, post("select_destinations", std::string(15'000, ' ')), 1,
       After::repeats},
      {"connect, half a request, leave (TCP)", Way::tcp, 64, "GET /livez HTTP/1.1\r\n", packets, After::leaves},
      {"connect, half a request, leave (unix)", Way::local, 64, "GET /livez HTTP/1.1\r\n", packets, After::leaves},
      {"wrong tokens, connections kept", Way::tcp, 64, get("/v1/hosts_up?topic=compute", bearer("wrong")), packets,
       After::repeats},
      {"no token, connections kept", Way::tcp, 64, post("select_destinations", "{}"), packets, After::repeats},
      {"bytes that are no HTTP", Way::tcp, 64, std::string(200, '\xff'), packets, After::reconnects},
      {"pipelined floods of /livez", Way::tcp, 16, times(64, get("/livez")), packets, After::repeats},
      {"unknown methods with long names", Way::local, 64, get("/v1/" + std::string(250, 'e')), packets, After::repeats},
      {"deep JSON", Way::local, 64, post("select_destinations", in_args(std::string(60'000, '['))), packets,
       After::repeats},
      {"wide JSON of 4 MB", Way::local, 16, post("select_destinations", large), packets, After::repeats},
      {"wide JSON of 4 MB, with a token", Way::tcp, 16, post("select_destinations", large, token), packets,
       After::repeats},
      {"300,000 small objects", Way::local, 16, post("select_destinations", objects), packets, After::repeats},
      {"bodies too large", Way::local, 64, post("select_destinations", std::string(9 << 20, ' ')), packets,
       After::reconnects},
      {"TLS handshakes begun and left", Way::tls, 64, client_hello(), packets, After::leaves},
      {"TLS handshakes begun and kept", Way::tls, 2'000, client_hello(), packets, After::reconnects},
      {"plain bytes into TLS", Way::tls, 64, get("/livez"), packets, After::reconnects},
  };
}

void play(const Attack& attack, const Target& target, double share, Progress& progress) {
  give_way();
  prctl(PR_SET_TIMERSLACK, 1'000);
  Throttle throttle(share);
  std::vector<Connection> connections(attack.connections);
  for (;;) {
    bool moved = false;
    if (connections.empty()) throttle.pause();
    for (auto& connection : connections) {
      const auto before = progress.sent + progress.connections;
      step(connection, attack, target, progress);
      moved = moved || progress.sent + progress.connections != before;
      throttle.pause();
    }
    progress.begun = true;
    // Only a connection that the server has ended needs work.
    if (attack.bytes.empty() && !moved) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

}  // namespace gantry::bench
