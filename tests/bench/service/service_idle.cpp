// SPDX-License-Identifier: Apache-2.0
#include "service_idle.hpp"

#include <chrono>
#include <cstdio>
#include <thread>

#include "service_load.hpp"
#include "service_requests.hpp"
#include "service_under_test.hpp"

namespace gantry::bench {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t hosts = 1000;
constexpr std::chrono::seconds interval{10};  // as the agent's default
constexpr double most_commits = 5;
constexpr double most_kilobytes = 100;

// One heartbeat and one report of each host, spread over the interval.
void one_interval(const std::string& socket, const std::vector<std::string>& heartbeats,
                  const std::vector<std::string>& reports) {
  const auto begun = Clock::now();
  for (std::size_t host = 0; host < hosts; ++host) {
    std::this_thread::sleep_until(begun + interval * host / hosts);
    ask(socket, heartbeats[host]);
    ask(socket, reports[host]);
  }
  std::this_thread::sleep_until(begun + interval);
}

std::vector<std::string> requests(std::string_view method, std::vector<std::string> bodies) {
  for (auto& body : bodies) body = http_request(method, body);
  return bodies;
}

}  // namespace

int measure_idle_fleet(int intervals) {
  const RunDirectory run;
  const ServiceUnderTest service(run.path() / "idle", "chance", hosts, 2);
  const auto heartbeats = requests("report_state", heartbeat_bodies(hosts));
  const auto reports = requests("update_resource_stats", report_bodies(hosts, false));
  one_interval(service.socket(), heartbeats, reports);  // the first batch makes the rows
  const auto commits_before = service.commits().transactions;
  const auto bytes_before = service.written_bytes();
  const auto processor_before = service.processor_seconds();
  const auto begun = Clock::now();
  for (int i = 0; i < intervals; ++i) one_interval(service.socket(), heartbeats, reports);
  const double seconds = std::chrono::duration<double>(Clock::now() - begun).count();
  const double commits = static_cast<double>(service.commits().transactions - commits_before) / seconds;
  const double kilobytes = static_cast<double>(service.written_bytes() - bytes_before) / 1000 / seconds;
  std::printf("%zu idle hosts, each a heartbeat and a report in %d s, for %.0f s\n", hosts,
              static_cast<int>(interval.count()), seconds);
  std::printf("  %-34s %8s %8s\n", "", "a second", "at most");
  std::printf("  %-34s %8.0f\n", "calls", 2.0 * hosts * intervals / seconds);
  std::printf("  %-34s %8.2f %8.0f\n", "commits, a sync of the log each", commits, most_commits);
  std::printf("  %-34s %8.1f %8.0f\n", "kB written to disk", kilobytes, most_kilobytes);
  std::printf("  %-34s %8.2f\n", "processor, ms", (service.processor_seconds() - processor_before) * 1000 / seconds);
  return commits <= most_commits && kilobytes <= most_kilobytes ? 0 : 1;
}

}  // namespace gantry::bench
