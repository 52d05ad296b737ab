// SPDX-License-Identifier: Apache-2.0
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <thread>

#include "filter_bench.hpp"
#include "tests/bench/service/service_child.hpp"
#include "tests/bench/service/service_load.hpp"
#include "tests/bench/service/service_requests.hpp"

namespace gantry::bench {

namespace {

bool send_all(int socket, std::size_t bytes) {
  static const std::array<char, 65536> zeros{};
  while (bytes != 0) {
    const auto sent = write(socket, zeros.data(), std::min(bytes, zeros.size()));
    if (sent <= 0) return false;
    bytes -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, std::size_t bytes) {
  std::array<char, 65536> room{};
  while (bytes != 0) {
    const auto received = read(socket, room.data(), std::min(bytes, room.size()));
    if (received <= 0) return false;
    bytes -= static_cast<std::size_t>(received);
  }
  return true;
}

// As many bytes there and back over a pair of blocking sockets, the other end a thread.
Measured bare_round_trips(std::size_t request, std::size_t answer, std::chrono::milliseconds length) {
  using clock = std::chrono::steady_clock;
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends.data()) != 0) give_up("cannot make a pair of sockets");
  std::thread other([&] {
    while (receive_all(ends[1], request) && send_all(ends[1], answer)) {
    }
  });
  Measured measured;
  const auto start = clock::now();
  while (clock::now() - start < length) {
    const auto begin = clock::now();
    if (!send_all(ends[0], request) || !receive_all(ends[0], answer)) give_up("the pair of sockets broke");
    const auto taken = std::chrono::duration_cast<std::chrono::nanoseconds>(clock::now() - begin);
    measured.nanoseconds.push_back(static_cast<std::uint32_t>(taken.count()));
    ++measured.answers;
  }
  measured.seconds = std::chrono::duration<double>(clock::now() - start).count();
  shutdown(ends[0], SHUT_RDWR);
  other.join();
  close(ends[0]);
  close(ends[1]);
  return measured;
}

void print_line(const char* what, std::size_t hosts, Measured& measured) {
  std::printf("%-44s %8zu %10.0f %9.0f %9.0f %9.0f\n", what, hosts, measured.per_second(), measured.microseconds(0.5),
              measured.microseconds(0.99), measured.microseconds(0.999));
}

}  // namespace

void print_service(const RunDirectory& run, const std::vector<std::size_t>& sizes) {
  std::printf("%-44s %8s %10s %9s %9s %9s\n", "", "hosts", "requests/s", "p50 us", "p99 us", "p99.9 us");
  const auto request = http_request("select_destinations", select_body(true));
  for (const auto hosts : sizes) {
    const ServiceUnderTest service(run.path() / ("filter" + std::to_string(hosts)), "filter", hosts, 2);
    LoadSettings settings{service.socket()};
    load(settings, {request});
    settings.length = std::chrono::seconds(2);
    auto measured = load(settings, {request});
    print_line("select_destinations, a claim, one connection", hosts, measured);
  }
  auto bare = bare_round_trips(request.size(), 1024, std::chrono::seconds(1));
  print_line("bare socket, as many bytes", 0, bare);
}

}  // namespace gantry::bench
