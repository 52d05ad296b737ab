// SPDX-License-Identifier: Apache-2.0
//
// The latency of well-behaved clients of a real gantryd, alone and beside each kind of hostile client. The hostile
// clients have half a core together. The well-behaved clients call select_destinations among 1,000 hosts over the unix
// socket and over TCP with a token, and hosts_up, at a fixed pace.
//
//   bench_hostile [--rounds N] [--share 0.5] [--only TEXT] [--elsewhere]
//
// Prints one table. The aim: p99 beside the attack is at most 4 times p99 alone, and no request fails. The row of
// arithmetic shows the cost of half a core by itself, without a connection to the daemon. With --elsewhere the
// attackers connect to other gantryds on the same machine: that table shows the cost that no daemon can avoid.
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>
#include <new>
#include <numeric>
#include <optional>
#include <thread>

#include "tests/bench/hostile/hostile_attack.hpp"
#include "tests/end_to_end/running_gantry.hpp"
#include "tests/transport/raw_connection.hpp"
#include "tests/transport/test_certificate.hpp"

namespace {

using Clock = std::chrono::steady_clock;
using gantry::bench::Attack;
using gantry::bench::Progress;
using gantry::bench::Target;
using gantry::testing::RawConnection;

constexpr int hosts = 1'000;
constexpr auto pace = std::chrono::microseconds(500);
constexpr int requests_a_round = 400;  // of each client

// One well-behaved client: one connection, one request at a time.
struct Client {
  const char* name;
  RawConnection connection;
  std::string request;
  std::vector<double> microseconds{};
  int failures = 0;

  void ask() {
    const auto began = Clock::now();
    const bool sent = connection.send(request);
    const auto answer = sent ? connection.answer() : std::nullopt;
    microseconds.push_back(std::chrono::duration<double, std::micro>(Clock::now() - began).count());
    if (!answer || answer->status != 200) ++failures;
  }
};

double quantile(std::vector<double> values, double which) {
  if (values.empty()) return 0;
  const auto at = static_cast<std::ptrdiff_t>(which * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), values.begin() + at, values.end());
  return values[static_cast<std::size_t>(at)];
}

// Two daemons, one without TLS and one with.
class Pair {
 public:
  Pair() {
    certificate_ = gantry::testing::make_certificate(secure_.directory().string());
    plain_.configure("\"simple\"", common + "server.listen = [\"127.0.0.1:0\"]\n");
    secure_.configure("\"simple\"", common + "server.listen = [\"127.0.0.1:0\"]\nserver.tls_certificate = \"" +
                                        certificate_.chain + "\"\nserver.tls_key = \"" + certificate_.key + "\"\n");
    for (auto* gantry : {&plain_, &secure_}) {
      gantry->start();
      fill(*gantry);
    }
    target_.socket = (plain_.directory() / "gantry.sock").string();
    target_.tcp_port = port_of(plain_);
    target_.tls_port = port_of(secure_);
    target_.token =
        std::string(plain_.ask({"token", "create", "bench", "--role", "reader"}).as_object().at("token").as_string());
  }

  const Target& target() const { return target_; }
  // secure: over the unix socket of the daemon whose TLS is attacked.
  std::vector<Client> clients(bool secure) const {
    const std::string body = R"({"args":{"dry_run":true,"request_spec":{"num_instances":1,"instance_type":)"
                             R"({"vcpus":1,"memory_mb":512,"root_gb":1}}}})";
    const auto socket = ((secure ? secure_ : plain_).directory() / "gantry.sock").string();
    std::vector<Client> all;
    all.push_back({"select, unix", RawConnection(socket), gantry::testing::post("select_destinations", body)});
    all.push_back({"hosts_up, unix", RawConnection(socket), gantry::testing::get("/v1/hosts_up?topic=compute")});
    if (!secure) {
      all.push_back(
          {"select, TCP", RawConnection::to_port(target_.tcp_port),
           gantry::testing::post("select_destinations", body, "Authorization: Bearer " + target_.token + "\r\n")});
    }
    return all;
  }

 private:
  static void fill(const gantry::test::RunningGantry& gantry) {
    gantry::json::array services;
    gantry::json::array nodes;
    for (int i = 0; i < hosts; ++i) {
      const auto name = "h" + std::to_string(i);
      services.push_back(gantry::json::object{{"topic", "compute"}, {"host", name}, {"binary", "nova-compute"}});
      nodes.push_back(gantry::json::object{{"host", name},
                                           {"hypervisor_hostname", name},
                                           {"vcpus", 64},
                                           {"memory_mb", 262'144},
                                           {"local_gb", 4'000},
                                           {"vcpus_used", 0},
                                           {"memory_mb_used", 512},
                                           {"local_gb_used", 0}});
    }
    const auto file = gantry.directory() / "tables.json";
    std::ofstream(file) << gantry::json::write(
        gantry::json::object{{"services", std::move(services)}, {"compute_nodes", std::move(nodes)}});
    gantry.ask({"host", "import", file.string()});
  }

  static int port_of(const gantry::test::RunningGantry& gantry) {
    const auto log = gantry.log();
    const auto at = log.find("://127.0.0.1:");
    return at == std::string::npos ? 0 : std::stoi(log.substr(at + std::strlen("://127.0.0.1:")));
  }

  const std::string common = "scheduling.service_down_time = 86400\nserver.idle_timeout = 600\n";
  gantry::test::RunningGantry plain_;
  gantry::test::RunningGantry secure_;
  gantry::testing::TestCertificate certificate_;
  Target target_;
};

// The daemons whose clients are measured, and the daemons that are attacked.
struct Subjects {
  explicit Subjects(bool elsewhere) {
    if (elsewhere) others.emplace();
  }
  const Target& target() const { return others ? others->target() : measured.target(); }

  Pair measured;
  std::optional<Pair> others;
};

// The attacking process. Ends with this object, or with this program.
class Attacker {
 public:
  Attacker(const Attack& attack, const Target& target, double share)
      : progress_(new (mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
                      Progress) {
    pid_ = fork();
    if (pid_ == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      gantry::bench::play(attack, target, share, *progress_);
    }
  }
  ~Attacker() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
    munmap(progress_, sizeof(Progress));
  }
  Attacker(const Attacker&) = delete;
  Attacker& operator=(const Attacker&) = delete;

  const Progress& progress() const { return *progress_; }

 private:
  Progress* progress_;
  pid_t pid_ = -1;
};

struct Latency {
  double p50 = 0;
  double p99 = 0;
};

double median(std::vector<double> values) {
  return quantile(std::move(values), 0.5);
}

// Returns each client's latency: the median of its rounds' quantiles, so that one round in which the machine stalls
// does not count.
std::vector<Latency> measure(std::vector<Client>& clients, int rounds) {
  std::vector<std::vector<double>> p50(clients.size());
  std::vector<std::vector<double>> p99(clients.size());
  for (int round = 0; round < rounds; ++round) {
    for (auto& client : clients) client.microseconds.clear();
    auto next = Clock::now();
    for (int i = 0; i < requests_a_round; ++i) {
      for (auto& client : clients) {
        next = std::max(next + pace, Clock::now());
        std::this_thread::sleep_until(next);
        client.ask();
      }
    }
    for (std::size_t i = 0; i < clients.size(); ++i) {
      p50[i].push_back(quantile(clients[i].microseconds, 0.5));
      p99[i].push_back(quantile(clients[i].microseconds, 0.99));
    }
  }
  std::vector<Latency> all;
  all.reserve(clients.size());
  for (std::size_t i = 0; i < clients.size(); ++i) all.push_back({median(p50[i]), median(p99[i])});
  return all;
}

void report(const Subjects& subjects, const Attack& attack, int rounds, double share) {
  auto clients = subjects.measured.clients(attack.way == gantry::bench::Way::tls);
  measure(clients, 1);
  const auto alone = measure(clients, rounds);
  std::vector<Latency> beside;
  std::uint64_t made = 0;
  std::uint64_t sent = 0;
  std::uint64_t open = 0;
  {
    const Attacker attacker(attack, subjects.target(), share);
    for (int waited = 0; waited < 300 && !attacker.progress().begun; ++waited)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    made = attacker.progress().connections;
    sent = attacker.progress().sent;
    const auto began = Clock::now();
    beside = measure(clients, rounds);
    const std::chrono::duration<double> took = Clock::now() - began;
    open = attacker.progress().open;
    made = static_cast<std::uint64_t>(static_cast<double>(attacker.progress().connections - made) / took.count());
    sent = static_cast<std::uint64_t>(static_cast<double>(attacker.progress().sent - sent) / took.count());
  }
  for (std::size_t i = 0; i < clients.size(); ++i) {
    std::printf("%-38s %6lu %7lu %7lu  %-14s %7.0f %7.0f %8.0f %8.0f %7.2f", i == 0 ? attack.name.c_str() : "",
                i == 0 ? open : 0, i == 0 ? made : 0, i == 0 ? sent : 0, clients[i].name, alone[i].p50, alone[i].p99,
                beside[i].p50, beside[i].p99, beside[i].p99 / alone[i].p99);
    std::printf(clients[i].failures > 0 ? "  %d FAILED\n" : "\n", clients[i].failures);
  }
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = 9;
  double share = 0.5;
  std::string only;
  bool elsewhere = false;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--elsewhere") {
      elsewhere = true;
      continue;
    }
    const char* const value = i + 1 < argc ? argv[++i] : "";
    if (word == "--rounds") rounds = std::atoi(value);
    if (word == "--share") share = std::atof(value);
    if (word == "--only") only = value;
    if (rounds > 0 && share > 0 && (word == "--rounds" || word == "--share" || word == "--only")) continue;
    std::fprintf(stderr, "bench_hostile [--rounds N] [--share 0.5] [--only TEXT] [--elsewhere]\n");
    return word == "--help" ? 0 : 2;
  }
  rlimit descriptors{};
  getrlimit(RLIMIT_NOFILE, &descriptors);
  descriptors.rlim_cur = descriptors.rlim_max;
  setrlimit(RLIMIT_NOFILE, &descriptors);
  const Subjects subjects(elsewhere);
  std::printf("microseconds; the attackers have %.2f of a core%s, the clients ask once every %ld\n", share,
              elsewhere ? " and go for other daemons" : "", static_cast<long>(pace.count()));
  std::printf("%-38s %6s %7s %7s  %-14s %7s %7s %8s %8s %7s\n", "attack", "open", "conn/s", "sent/s", "client", "p50",
              "p99", "p50 bes.", "p99 bes.", "p99 x");
  for (const auto& attack : gantry::bench::attacks(subjects.target())) {
    if (attack.name.find(only) != std::string::npos) report(subjects, attack, rounds, share);
  }
  return 0;
}
