// SPDX-License-Identifier: Apache-2.0
#include "tests/reliability/kill_run.hpp"

#include <algorithm>
#include <iomanip>
#include <memory>
#include <random>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "tests/reliability/agent.hpp"
#include "tests/reliability/client.hpp"
#include "tests/reliability/gate.hpp"
#include "tests/reliability/inspection.hpp"
#include "tests/reliability/killed_daemon.hpp"

namespace gantry::reliability {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t agent_count = 2;
constexpr std::size_t hosts_an_agent = 4;
constexpr std::size_t client_count = 4;
constexpr std::uint64_t kills_between_inspections = 10;
// Long enough for an agent to report what it has acknowledged, kills in between included.
constexpr std::chrono::seconds claim_age{15};
constexpr std::chrono::seconds settling_time{60};

class KillRun {
 public:
  explicit KillRun(const KillRunSettings& settings);
  ~KillRun();
  KillRun(const KillRun&) = delete;
  KillRun& operator=(const KillRun&) = delete;

  KillRunResult run();

 private:
  void begin_fleet();
  KillPoint any_point();
  void kill_once();
  void inspect_now();
  void remove_orphans();
  void settle();
  Shown shown();
  json::array listed(const std::string& method);
  std::map<std::string, std::set<std::string>> running() const;
  std::string table(const Ledger::Content& content) const;

  const KillRunSettings settings_;
  std::mt19937_64 random_;
  KilledDaemon daemon_{claim_age};
  CallCounts counts_;
  Ledger ledger_;
  Connection connection_{daemon_.gantry().url(), counts_};
  Gate gate_{client_count};
  std::vector<std::unique_ptr<Agent>> agents_;
  std::vector<std::unique_ptr<Client>> clients_;
  std::vector<std::thread> agent_threads_;
  std::vector<std::thread> client_threads_;
};

KillRun::KillRun(const KillRunSettings& settings) : settings_(settings), random_(settings.seed) {
  std::vector<std::string> all;
  for (std::size_t agent = 0; agent < agent_count; ++agent) {
    std::vector<std::string> hosts;
    for (std::size_t host = 0; host < hosts_an_agent; ++host)
      hosts.push_back("host-" + std::to_string(agent) + "-" + std::to_string(host));
    all.insert(all.end(), hosts.begin(), hosts.end());
    agents_.push_back(std::make_unique<Agent>(hosts, HostSize{}, daemon_.gantry().url(), counts_, ledger_, random_()));
  }
  for (std::size_t client = 0; client < client_count; ++client) {
    clients_.push_back(std::make_unique<Client>("client-" + std::to_string(client), daemon_.gantry().url(), counts_,
                                                ledger_, all, random_()));
  }
}

KillRun::~KillRun() {
  gate_.end();
  for (auto& thread : client_threads_) thread.join();
  for (auto& agent : agents_) agent->stop();
  for (auto& thread : agent_threads_) thread.join();
}

// Hosts are there before the first client asks.
void KillRun::begin_fleet() {
  daemon_.start();
  for (auto& agent : agents_) agent_threads_.emplace_back([&agent] { agent->run(); });
  const bool up = test::eventually([this] {
    const auto hosts = connection_.ask("hosts_up", {{"topic", "compute"}});
    return hosts.ok && hosts.result.as_array().size() == agent_count * hosts_an_agent;
  });
  if (!up) throw std::runtime_error("the hosts did not come up:\n" + daemon_.gantry().log());
  for (auto& client : clients_) {
    client_threads_.emplace_back([this, &client] {
      while (gate_.pass()) client->step();
    });
  }
}

// Early ones meet the start, with its recovery of what the kill before has left.
KillPoint KillRun::any_point() {
  const bool after = random_() % 2 == 0;
  switch (random_() % 6) {
    case 0: return {"", 1 + random_() % 40, after};
    case 1: return {"sync", 1 + random_() % 80, after};
    case 2: return {"truncate", 1 + random_() % 4, after};
    default: return {"", 1 + random_() % 1200, after};
  }
}

void KillRun::kill_once() {
  const bool from_outside = random_() % 4 == 0;
  const auto point = from_outside ? std::nullopt : std::optional(any_point());
  if (!daemon_.start(point)) return;
  daemon_.kill_within(milliseconds(from_outside ? random_() % 400 : 600));
}

json::array KillRun::listed(const std::string& method) {
  const auto answer = connection_.ask(method, {{"limit", 10'000}});
  if (!answer.ok) throw std::runtime_error(method + " failed: " + answer.message);
  return answer.result.as_array();
}

Shown KillRun::shown() {
  // Agents go on reporting: what they were answered until now is to be seen.
  const auto reports = ledger_.content().reports;
  Shown shown{reports,
              listed("list_instances"),
              listed("list_groups"),
              listed("list_aggregates"),
              listed("list_hosts"),
              listed("list_claims"),
              listed("list_casts")};
  for (auto& value : shown.hosts) {
    auto& row = value.as_object();
    const auto answer = connection_.ask("show_host", {{"name", row.at("host")}});
    if (answer.ok && answer.result.as_object().contains("stats")) row["report"] = answer.result.at("stats");
  }
  return shown;
}

// Nobody asks meanwhile, and whatever was asked of the daemon before this one is decided.
void KillRun::inspect_now() {
  daemon_.start();
  gate_.close();
  // A call that a client gave up may be under way still: what it left is there or is not after one more kill.
  daemon_.kill_within(milliseconds(0));
  daemon_.start();
  inspect(shown(), ledger_);
  remove_orphans();
  gate_.open();
  daemon_.kill_within(milliseconds(random_() % 300));
}

void KillRun::remove_orphans() {
  for (const auto& [uuid, server] : ledger_.content().servers) {
    if (!server.is_orphan) continue;
    ledger_.deletion_asked(uuid);
    const auto answer = connection_.ask("delete_instance", {{"instance", uuid}});
    if (answer.ok)
      ledger_.deletion_answered(uuid);
    else
      ledger_.lost("server " + uuid + ": " + answer.message);
  }
}

std::map<std::string, std::set<std::string>> KillRun::running() const {
  std::map<std::string, std::set<std::string>> all;
  for (const auto& agent : agents_) all.merge(agent->running());
  return all;
}

// Claims left behind end by their age, casts reach their agents, and those say what they run.
void KillRun::settle() {
  daemon_.set_claim_max_age(std::chrono::seconds(1));
  daemon_.start();
  gate_.close();
  daemon_.kill_within(milliseconds(0));
  daemon_.start();
  for (auto& agent : agents_) agent->be_careful();
  inspect(shown(), ledger_);
  const bool settled = test::eventually(
      [this] {
        const bool all_said =
            std::all_of(agents_.begin(), agents_.end(), [](const auto& a) { return a->is_settled(); });
        return all_said && listed("list_casts").empty() && listed("list_claims").empty();
      },
      settling_time);
  if (!settled) ledger_.complain("after " + std::to_string(settling_time.count()) + " s casts or claims are left");
  daemon_.kill_within(milliseconds(0));
  daemon_.start();
  auto found = shown();
  found.instances = daemon_.gantry().list({"server", "list"});
  inspect(found, ledger_);
  inspect_settled(found, running(), ledger_);
}

KillRunResult KillRun::run() {
  begin_fleet();
  daemon_.kill_within(milliseconds(300));
  while (daemon_.kills() < settings_.kills) {
    if (daemon_.kills() % kills_between_inspections == kills_between_inspections - 1)
      inspect_now();
    else
      kill_once();
  }
  settle();
  const auto content = ledger_.content();
  return {content.findings, content.progress, table(content)};
}

std::string KillRun::table(const Ledger::Content& content) const {
  std::ostringstream out;
  const auto row = [&out](const std::string& name, std::uint64_t value) {
    out << std::left << std::setw(46) << name << std::right << std::setw(10) << value << "\n";
  };
  row("kills", daemon_.kills());
  for (const auto& [point, count] : daemon_.kills_by_point()) row("  " + point, count);
  row("  of these before it was ready", daemon_.kills_before_ready());
  row("restarts", daemon_.starts() - 1);
  row("calls acknowledged", counts_.acknowledged);
  row("  sent again after a lost or no answer", counts_.sent_again);
  row("calls given up", counts_.unanswered);
  row("servers placed", content.progress.placed);
  row("servers without a host", content.progress.without_host);
  row("servers deleted", content.progress.deleted);
  row("casts delivered", content.progress.delivered);
  row("repeats dropped", content.progress.repeats);
  row("lost", content.findings.lost.size());
  row("doubled", content.findings.doubled.size());
  row("other complaints", content.findings.wrong.size());
  auto times = daemon_.milliseconds_to_ready();
  std::sort(times.begin(), times.end());
  row("milliseconds from start to ready, p50", static_cast<std::uint64_t>(times[times.size() / 2]));
  row("milliseconds from start to ready, most", static_cast<std::uint64_t>(times.back()));
  return out.str();
}

}  // namespace

KillRunResult run_kills(const KillRunSettings& settings) {
  return KillRun(settings).run();
}

}  // namespace gantry::reliability
