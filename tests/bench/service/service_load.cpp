// SPDX-License-Identifier: Apache-2.0
#include "service_load.hpp"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <deque>

#include "service_child.hpp"

namespace gantry::bench {

namespace {

using Clock = std::chrono::steady_clock;

int connected(const std::string& path) {
  const int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  if (connect(descriptor, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return descriptor;
  close(descriptor);
  return -1;
}

// Size of the first whole answer in `text`; 0: it is not there yet.
std::size_t answer_size(std::string_view text) {
  constexpr std::string_view length_name = "Content-Length: ";
  const auto head = text.find("\r\n\r\n");
  if (head == std::string_view::npos) return 0;
  const auto length_at = text.substr(0, head).find(length_name);
  std::size_t length = 0;
  if (length_at != std::string_view::npos) {
    const char* digits = text.data() + length_at + length_name.size();
    std::from_chars(digits, text.data() + head, length);
  }
  const std::size_t size = head + 4 + length;
  if (text.size() < size) return 0;
  if (!text.starts_with("HTTP/1.1 200")) give_up("expected 200, found " + std::string(text.substr(0, size)));
  return size;
}

// What is sent, one request after another, each with ids of its own.
class Source {
 public:
  explicit Source(const std::vector<std::string>& requests) : requests_(requests), marks_(requests.size()) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      for (auto at = requests[i].find(id_mark); at != std::string::npos; at = requests[i].find(id_mark, at + 1)) {
        marks_[i].push_back(at);
      }
    }
  }

  void append_next(std::string& out) {
    const auto start = out.size();
    out += requests_[next_];
    for (const auto mark : marks_[next_]) {
      static std::uint64_t ids = static_cast<std::uint64_t>(getpid()) << 32;
      std::array<char, 40> id{};
      const std::uint64_t spread = ++ids * 0x9e3779b97f4a7c15U;
      std::snprintf(id.data(), id.size(), "%08x-%04x-4%03x-8000-%012llx", static_cast<unsigned>(spread >> 32),
                    static_cast<unsigned>(spread >> 16 & 0xffff), static_cast<unsigned>(spread & 0xfff),
                    static_cast<unsigned long long>(ids & 0xffffffffffff));
      out.replace(start + mark, id_mark.size(), id.data());
    }
    next_ = (next_ + 1) % requests_.size();
  }

 private:
  const std::vector<std::string>& requests_;
  std::vector<std::vector<std::size_t>> marks_;
  std::size_t next_ = 0;
};

class Connection {
 public:
  explicit Connection(const std::string& socket) : descriptor_(connected(socket)) {
    if (descriptor_ < 0) give_up("cannot connect to " + socket);
    fcntl(descriptor_, F_SETFL, O_NONBLOCK);
  }
  ~Connection() { close(descriptor_); }
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  int descriptor() const { return descriptor_; }
  bool idle() const { return sent_.empty(); }

  void queue(Source& source) {
    source.append_next(out_);
    sent_.push_back(Clock::now());
  }
  // False: not all of it could be written; epoll says when.
  bool write_out() {
    while (written_ < out_.size()) {
      const auto size = send(descriptor_, out_.data() + written_, out_.size() - written_, MSG_NOSIGNAL);
      if (size < 0) return false;
      written_ += static_cast<std::size_t>(size);
    }
    out_.clear();
    written_ = 0;
    return true;
  }
  // The number of answers that have come; their times go into `measured`.
  unsigned read_in(std::vector<std::uint32_t>& nanoseconds) {
    const auto size = recv(descriptor_, buffer_.data(), buffer_.size(), 0);
    if (size == 0) give_up("the server closed a connection");
    if (size < 0) return 0;
    in_.append(buffer_.data(), static_cast<std::size_t>(size));
    const auto now = Clock::now();
    unsigned count = 0;
    std::size_t taken = 0;
    while (const auto one = answer_size(std::string_view(in_).substr(taken))) {
      taken += one;
      ++count;
      nanoseconds.push_back(static_cast<std::uint32_t>((now - sent_.front()).count()));
      sent_.pop_front();
    }
    in_.erase(0, taken);
    return count;
  }

 private:
  int descriptor_;
  std::string out_;
  std::size_t written_ = 0;
  std::string in_;
  std::deque<Clock::time_point> sent_;
  std::array<char, 64 * 1024> buffer_{};
};

// Keeps all connections busy until the end, then waits for the last answers.
class Generator {
 public:
  Generator(const LoadSettings& settings, const std::vector<std::string>& requests)
      : settings_(settings), source_(requests), epoll_(epoll_create1(EPOLL_CLOEXEC)) {
    for (unsigned i = 0; i < settings.connections; ++i) {
      auto& connection = connections_.emplace_back(settings.socket);
      epoll_event wanted{EPOLLIN, {.ptr = &connection}};
      epoll_ctl(epoll_, EPOLL_CTL_ADD, connection.descriptor(), &wanted);
    }
  }
  ~Generator() { close(epoll_); }
  Generator(const Generator&) = delete;
  Generator& operator=(const Generator&) = delete;

  Measured run() {
    Measured measured;
    const auto began = Clock::now();
    const auto until = began + settings_.length;
    for (auto& connection : connections_) {
      for (unsigned i = 0; i < settings_.depth; ++i) connection.queue(source_);
      send(connection);
    }
    while (Clock::now() < until) turn(measured.nanoseconds, true);
    measured.seconds = std::chrono::duration<double>(Clock::now() - began).count();
    measured.answers = measured.nanoseconds.size();
    std::vector<std::uint32_t> late;
    while (std::any_of(connections_.begin(), connections_.end(), [](const auto& one) { return !one.idle(); })) {
      turn(late, false);
    }
    return measured;
  }

 private:
  void send(Connection& connection) {
    epoll_event wanted{EPOLLIN, {.ptr = &connection}};
    if (!connection.write_out()) {
      wanted.events |= EPOLLOUT;
    } else if (!blocked_) {
      return;
    }
    blocked_ = true;
    epoll_ctl(epoll_, EPOLL_CTL_MOD, connection.descriptor(), &wanted);
  }

  void turn(std::vector<std::uint32_t>& nanoseconds, bool go_on) {
    std::array<epoll_event, 64> events{};
    const int count = epoll_wait(epoll_, events.data(), events.size(), 100);
    for (int i = 0; i < count; ++i) {
      auto& connection = *static_cast<Connection*>(events[static_cast<std::size_t>(i)].data.ptr);
      unsigned answered = connection.read_in(nanoseconds);
      for (; go_on && answered > 0; --answered) connection.queue(source_);
      send(connection);
    }
  }

  const LoadSettings& settings_;
  Source source_;
  int epoll_;
  std::deque<Connection> connections_;
  bool blocked_ = false;  // some connection could not take all
};

}  // namespace

void Measured::add(const Measured& round) {
  answers += round.answers;
  seconds += round.seconds;
  nanoseconds.insert(nanoseconds.end(), round.nanoseconds.begin(), round.nanoseconds.end());
}

double Measured::microseconds(double quantile) {
  if (nanoseconds.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(quantile * static_cast<double>(nanoseconds.size() - 1));
  std::nth_element(nanoseconds.begin(), nanoseconds.begin() + at, nanoseconds.end());
  return nanoseconds[static_cast<std::size_t>(at)] / 1000.0;
}

Measured load(const LoadSettings& settings, const std::vector<std::string>& requests) {
  return Generator(settings, requests).run();
}

std::string ask(const std::string& socket, const std::string& request) {
  const int descriptor = connected(socket);
  if (descriptor < 0) give_up("cannot connect to " + socket);
  std::string text = request;
  for (std::size_t written = 0; written < text.size();) {
    const auto size = send(descriptor, text.data() + written, text.size() - written, MSG_NOSIGNAL);
    if (size <= 0) give_up("cannot write to " + socket);
    written += static_cast<std::size_t>(size);
  }
  text.clear();
  std::array<char, 64 * 1024> buffer{};
  while (answer_size(text) == 0) {
    const auto size = recv(descriptor, buffer.data(), buffer.size(), 0);
    if (size <= 0) give_up("no answer from " + socket);
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
  close(descriptor);
  return text.substr(text.find("\r\n\r\n") + 4);
}

bool answers(const std::string& socket) {
  const int descriptor = connected(socket);
  if (descriptor >= 0) close(descriptor);
  return descriptor >= 0;
}

std::string http_request(std::string_view method, std::string_view body) {
  std::string text = "POST /v1/";
  text.append(method).append(" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ");
  text.append(std::to_string(body.size())).append("\r\n\r\n").append(body);
  return text;
}

}  // namespace gantry::bench
