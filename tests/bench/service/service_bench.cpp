// SPDX-License-Identifier: Apache-2.0
//
// Requests a second and their times: gantryd as it ships against a bare Beast server that parses the same JSON and
// answers as many bytes, and against bare SQLite that commits the same rows in transactions of as many requests. What
// is compared runs in turns of half a second in one run, under the same load generator on the same machine.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

#include "service_bare_server.hpp"
#include "service_bare_store.hpp"
#include "service_idle.hpp"
#include "service_load.hpp"
#include "service_requests.hpp"
#include "service_under_test.hpp"

namespace gantry::bench {

namespace {

using std::chrono::milliseconds;
using store::Kind;

constexpr int rounds = 3;
constexpr milliseconds warm_up{150};
constexpr milliseconds turn{500};

unsigned workers() {
  return std::max(2U, std::thread::hardware_concurrency());
}

struct Case {
  std::string name;
  std::string method;
  std::vector<std::string> bodies;
  unsigned connections = 16;
  unsigned depth = 1;
  bool against_server = true;
  std::vector<Kind> rows = {};  // that each request stores before it is answered; none: not against SQLite
  bool rows_change = false;     // the rows are there before and change, instead of being new
};

void print_line(const char* who, Measured& measured, double processor_seconds, double ratio) {
  std::printf("  %-22s %10.0f %9.0f %9.0f %9.0f %9.1f", who, measured.per_second(), measured.microseconds(0.5),
              measured.microseconds(0.99), measured.microseconds(0.999),
              processor_seconds * 1e6 / static_cast<double>(measured.answers));
  if (ratio > 0) std::printf(" %7.2f", ratio);
  std::printf("\n");
}

// The bare server of a case, with the answer's size that gantryd gave.
class BareServer {
 public:
  BareServer(const RunDirectory& run, std::size_t answer_bytes)
      : socket_((run.path() / "bare.sock").string()), child_(words(answer_bytes), (run.path() / "bare.log").string()) {
    await_socket(child_, socket_);
  }
  ~BareServer() { std::filesystem::remove(socket_); }
  BareServer(const BareServer&) = delete;
  BareServer& operator=(const BareServer&) = delete;

  const std::string& socket() const { return socket_; }
  double processor_seconds() const { return child_.processor_seconds(); }

 private:
  std::vector<std::string> words(std::size_t answer_bytes) const {
    return {"/proc/self/exe", "--bare-server", socket_, std::to_string(answer_bytes), std::to_string(workers())};
  }
  std::string socket_;
  Child child_;
};

// The turns of one case; the rates of all and the processor time that the servers took.
class Comparison {
 public:
  Comparison(const RunDirectory& run, const ServiceUnderTest& service, const Case& given)
      : service_(service), case_(given) {
    for (const auto& body : given.bodies) requests_.push_back(http_request(given.method, body));
    load({service.socket(), given.connections, given.depth, warm_up}, requests_);
    if (given.against_server) {
      // An id's mark is as long as an id.
      const auto answer =
          ask(service.socket(),
              requests_.front().find(id_mark) == std::string::npos ? requests_.front() : with_an_id(requests_.front()));
      server_.emplace(run, answer.size());
      load({server_->socket(), given.connections, given.depth, warm_up}, requests_);
    }
    if (!given.rows.empty()) {
      std::filesystem::remove_all(run.path() / "bare");
      std::filesystem::create_directory(run.path() / "bare");
      store_.emplace((run.path() / "bare" / "bare.db").string());
      if (given.rows_change)
        store_->commit(all_rows(service.store_path(), given.rows.front()), 512, milliseconds(9000), false);
    }
  }

  void run() {
    for (int round = 0; round < rounds; ++round) {
      if (server_) take_turn(*server_, server_time_, server_seconds_);
      const auto before = service_.commits();
      const auto answered = take_turn(service_, service_time_, service_seconds_);
      const auto after = service_.commits();
      if (store_) take_store_turn(before, after, answered);
    }
  }

  void print() {
    std::printf("%s, %u connection%s", case_.name.c_str(), case_.connections, case_.connections == 1 ? "" : "s");
    if (case_.depth > 1) std::printf(" of %u pipelined", case_.depth);
    std::printf("\n");
    const double rate = service_time_.per_second();
    print_line("gantryd", service_time_, service_seconds_, 0);
    if (server_) print_line("bare Beast", server_time_, server_seconds_, rate / server_time_.per_second());
    if (store_) {
      const double bare = static_cast<double>(committed_.requests) / committed_.seconds;
      std::printf("  %-22s %10.0f %*s %7.2f\n", ("SQLite, " + std::to_string(in_a_transaction()) + " a commit").c_str(),
                  bare, 39, "", rate / bare);
    }
    std::fflush(stdout);
  }

 private:
  static std::string with_an_id(std::string request) {
    for (auto at = request.find(id_mark); at != std::string::npos; at = request.find(id_mark)) {
      request.replace(at, id_mark.size(), "00000000-0000-4000-8000-000000000001");
    }
    return request;
  }

  template <class Server>
  std::uint64_t take_turn(const Server& server, Measured& sum, double& processor_seconds) {
    const double before = server.processor_seconds();
    const auto measured = load({server.socket(), case_.connections, case_.depth, turn}, requests_);
    processor_seconds += server.processor_seconds() - before;
    sum.add(measured);
    return measured.answers;
  }

  void take_store_turn(const ServiceUnderTest::Commits& before, const ServiceUnderTest::Commits& after,
                       std::uint64_t answered) {
    batches_ += after.batches - before.batches;
    transactions_ += after.transactions - before.transactions;
    const auto rows = case_.rows_change ? all_rows(service_.store_path(), case_.rows.front())
                                        : newest_rows(service_.store_path(), case_.rows, answered);
    const auto committed = store_->commit(rows, in_a_transaction(), turn, case_.rows_change);
    committed_.requests += committed.requests;
    committed_.seconds += committed.seconds;
  }

  // The mean, to the nearest whole.
  std::size_t in_a_transaction() const {
    return transactions_ == 0 ? 1 : std::max<std::size_t>(1, (batches_ + transactions_ / 2) / transactions_);
  }

  const ServiceUnderTest& service_;
  const Case& case_;
  std::vector<std::string> requests_;
  std::optional<BareServer> server_;
  std::optional<BareStore> store_;
  Measured service_time_;
  Measured server_time_;
  double service_seconds_ = 0;
  double server_seconds_ = 0;
  std::uint64_t batches_ = 0;
  std::uint64_t transactions_ = 0;
  BareStore::Committed committed_;
};

void compare(const RunDirectory& run, const std::string& driver, std::size_t hosts, const std::vector<Case>& cases,
             const char* only) {
  std::optional<ServiceUnderTest> service;
  for (auto one : cases) {
    one.name += ", " + driver + ", " + std::to_string(hosts) + " hosts";
    if (only != nullptr && one.name.find(only) == std::string::npos) continue;
    if (!service) service.emplace(run.path() / (driver + std::to_string(hosts)), driver, hosts, workers());
    Comparison comparison(run, *service, one);
    comparison.run();
    comparison.print();
  }
}

std::vector<Case> cases_of(const std::string& driver, std::size_t hosts) {
  const std::string select = "select_destinations";
  const std::string schedule = "schedule_run_instance";
  const Case launch{.name = schedule,
                    .method = schedule,
                    .bodies = {schedule_body()},
                    .connections = 64,
                    .against_server = false,
                    .rows = {Kind::claim, Kind::cast, Kind::instance}};
  std::vector<Case> cases{{.name = select, .method = select, .bodies = {select_body(false)}}};
  if (hosts == 1000) {
    cases.push_back({.name = select, .method = select, .bodies = {select_body(false)}, .connections = 4, .depth = 16});
    cases.push_back({.name = select + " with uuids", .method = select, .bodies = {select_body(true)}});
  }
  if (driver != "chance") return cases;
  cases.push_back(launch);
  if (hosts != 1000) return cases;
  cases.push_back(launch);
  cases.back().connections = 4;
  cases.back().depth = 16;
  cases.push_back({.name = "update_resource_stats",
                   .method = "update_resource_stats",
                   .bodies = report_bodies(hosts, true),
                   .connections = 64,
                   .rows = {Kind::compute_node},
                   .rows_change = true});
  return cases;
}

}  // namespace

void compare_all(const char* only) {
  std::printf("%u processors, shared by the server (%u workers) and the load generator (1 thread); %s\n",
              std::thread::hardware_concurrency(), workers(), GANTRY_BUILD);
  std::printf("  %-22s %10s %9s %9s %9s %9s %7s\n", "", "requests/s", "p50 us", "p99 us", "p99.9 us", "CPU us",
              "ratio");
  const RunDirectory run;
  for (const std::size_t hosts : {1'000U, 10'000U}) {
    for (const std::string driver : {"chance", "ip"}) compare(run, driver, hosts, cases_of(driver, hosts), only);
  }
}

}  // namespace gantry::bench

// Without arguments all cases; with one, those whose name holds it; with --idle [N], the cost of an idle fleet over N intervals.
int main(int argc, char** argv) {
  if (argc == 5 && std::strcmp(argv[1], "--bare-server") == 0) {
    return gantry::bench::run_bare_server(argv[2], std::strtoul(argv[3], nullptr, 10),
                                          static_cast<unsigned>(std::strtoul(argv[4], nullptr, 10)));
  }
  if (argc >= 2 && std::strcmp(argv[1], "--idle") == 0)
    return gantry::bench::measure_idle_fleet(argc == 3 ? std::max(1, std::atoi(argv[2])) : 6);
  gantry::bench::compare_all(argc > 1 ? argv[1] : nullptr);
}
