// SPDX-License-Identifier: Apache-2.0
#include "tests/reliability/race_run.hpp"

#include <chrono>
#include <cmath>
#include <iomanip>
#include <memory>
#include <sstream>
#include <thread>

#include "tests/reliability/racer.hpp"

namespace gantry::reliability {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int hosts = 4;
constexpr std::size_t reporters = 2;         // so that a report may be overtaken by a later one of the same host
constexpr std::uint64_t steps_a_round = 40;  // of each thread

// What the slots of a round are counted in; of the other two there is plenty.
struct Resource {
  const char* capacity;
  const char* used;
  const char* claimed;
  std::int64_t Slot::*amount;
};
constexpr Resource resources[] = {{"vcpus", "vcpus_used", "claims.vcpu", &Slot::vcpus},
                                  {"memory_mb", "memory_mb_used", "claims.memory_mb", &Slot::memory_mb},
                                  {"local_gb", "local_gb_used", "claims.disk_gb", &Slot::disk_gb}};

std::string host_name(int at) {
  return "race-" + std::to_string(at);
}

class Race {
 public:
  Race(const RaceSettings& settings, const Connect& connect);
  RaceResult run();

 private:
  void round();
  void begin_round();
  void race();
  void report(const Ask& ask, const std::string& host, std::chrono::microseconds delay, std::mt19937_64& random);
  void report_all();
  void report_on(const Ask& ask, std::mt19937_64& random, const std::atomic<bool>& over);
  void look();
  void look_on(const std::atomic<bool>& over);
  void look_at_rest();
  void fill();
  void clear();
  void deliver_casts();
  json::array listed(const std::string& method);
  Reply must(const std::string& method, const json::object& args);
  std::string table(const RaceResult& result, std::chrono::duration<double> took) const;

  const RaceSettings settings_;
  const Ask ask_;                 // of the thread that runs the rounds
  std::vector<Ask> report_asks_;  // of the agents
  const Ask look_ask_;            // of the checker
  std::mt19937_64 random_;
  std::vector<std::mt19937_64> report_randoms_;
  Truth truth_;
  RaceCounts counts_;
  std::vector<std::unique_ptr<Racer>> racers_;
  Slot slot_;
  bool keeps_listed_ = false;  // in this round, no holder that a report lists gives up
  std::map<std::string, json::object> capacities_;
  std::uint64_t rounds_ = 0;
};

Race::Race(const RaceSettings& settings, const Connect& connect)
    : settings_(settings), ask_(connect()), look_ask_(connect()), random_(settings.seed) {
  for (std::size_t reporter = 0; reporter < reporters; ++reporter) {
    report_asks_.push_back(connect());
    report_randoms_.emplace_back(random_());
  }
  for (std::size_t thread = 0; thread < settings.threads; ++thread)
    racers_.push_back(std::make_unique<Racer>(connect(), truth_, counts_, random_()));
  for (int host = 0; host < hosts; ++host) must("service_register", {{"topic", "compute"}, {"host", host_name(host)}});
}

Reply Race::must(const std::string& method, const json::object& args) {
  auto reply = ask_(method, args, {});
  if (!reply.ok) counts_.note(counts_.wrong, method + ": " + reply.message);
  return reply;
}

json::array Race::listed(const std::string& method) {
  const auto reply = must(method, {{"limit", 10'000}});
  return reply.ok ? reply.result.as_array() : json::array();
}

void Race::begin_round() {
  ++rounds_;
  const auto below = [this](std::uint64_t bound) { return static_cast<std::int64_t>(random_() % bound); };
  slot_ = {1 + below(4), 256 * (1 + below(4)), 1 + below(5)};
  const auto& scarce = resources[below(3)];
  std::map<std::string, std::size_t> slots;
  for (int host = 0; host < hosts; ++host) {
    const auto count = below(4) + (host == 0 ? 1 : 0);
    slots[host_name(host)] = static_cast<std::size_t>(count);
    auto& capacity = capacities_[host_name(host)];
    for (const auto& resource : resources) {
      const auto amount = slot_.*resource.amount;
      // A part of a slot is none.
      capacity[resource.capacity] =
          &resource == &scarce ? count * amount + below(static_cast<std::uint64_t>(amount)) : amount * 100;
    }
  }
  truth_.begin(std::move(slots));
  keeps_listed_ = below(2) == 0;
  for (auto& racer : racers_) racer->begin(slot_, keeps_listed_);
  report_all();
  must("report_state", {{"topic", "compute"}, {"host", host_name(static_cast<int>(rounds_ % hosts))}});
}

// It says what was so when it was sampled, and arrives after the delay.
void Race::report(const Ask& ask, const std::string& host, std::chrono::microseconds delay, std::mt19937_64& random) {
  const auto sample = truth_.sample(host, random);
  const auto count = static_cast<std::int64_t>(sample.uuids.size());
  auto stats = capacities_.at(host);
  for (const auto* ratio : {"cpu_allocation_ratio", "ram_allocation_ratio", "disk_allocation_ratio"}) stats[ratio] = 1;
  for (const auto& resource : resources) stats[resource.used] = count * slot_.*resource.amount;
  stats["instances"] = json::array(sample.uuids.begin(), sample.uuids.end());
  std::this_thread::sleep_for(delay);
  ++counts_.reports;
  const auto reply =
      ask("update_resource_stats", {{"name", host}, {"stats", stats}, {"sampled_at", sample.sampled_at}}, {});
  if (!reply.ok) counts_.note(counts_.wrong, "update_resource_stats: " + reply.message);
}

void Race::report_all() {
  for (int host = 0; host < hosts; ++host) report(ask_, host_name(host), {}, random_);
}

void Race::report_on(const Ask& ask, std::mt19937_64& random, const std::atomic<bool>& over) {
  while (!over)
    report(ask, host_name(static_cast<int>(random() % hosts)), std::chrono::microseconds(random() % 1500), random);
}

// A report may list one that has given up since, beside the claim of who came after: only where none does that, use and
// claims together bear looking at while they change.
void Race::look() {
  const auto reply = look_ask_("list_hosts", {}, {});
  if (!reply.ok) return counts_.note(counts_.wrong, "list_hosts: " + reply.message);
  ++counts_.looks;
  for (const auto& value : reply.result.as_array()) {
    const auto& row = value.as_object();
    for (const auto& resource : resources) {
      const auto capacity = json::find_number(row, resource.capacity);
      const auto used = json::find_number(row, keeps_listed_ ? resource.used : resource.claimed);
      if (capacity && used.value_or(0) <= *capacity) continue;
      counts_.note(counts_.over_limits, std::string(resource.used) + " of " + json::write(row));
    }
  }
}

void Race::look_on(const std::atomic<bool>& over) {
  while (!over) {
    look();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

void Race::race() {
  std::atomic<bool> over{false};
  std::vector<std::thread> agents;
  for (std::size_t reporter = 0; reporter < reporters; ++reporter) {
    agents.emplace_back([this, &over, &ask = report_asks_.at(reporter), &random = report_randoms_.at(reporter)] {
      report_on(ask, random, over);
    });
  }
  std::thread checker([&] { look_on(over); });
  std::vector<std::thread> threads;
  threads.reserve(racers_.size());
  for (auto& racer : racers_) {
    threads.emplace_back([&racer] {
      for (std::uint64_t step = 0; step < steps_a_round; ++step) racer->step();
    });
  }
  for (auto& thread : threads) thread.join();
  over = true;
  for (auto& agent : agents) agent.join();
  checker.join();
}

// After the hosts have said what they run: what each holds is what its holders take, no more and no less.
void Race::look_at_rest() {
  look();
  for (const auto& value : listed("list_hosts")) {
    const auto& row = value.as_object();
    const std::string host(json::find_string(row, "host").value_or(""));
    const auto holders = static_cast<double>(truth_.holders_of(host));
    for (const auto& resource : resources) {
      const auto used = json::find_number(row, resource.used).value_or(-1);
      const auto wanted = holders * static_cast<double>(slot_.*resource.amount);
      if (used == wanted) continue;
      const auto what = host + " shows " + std::to_string(used) + " " + resource.used + ", its " +
                        std::to_string(truth_.holders_of(host)) + " holders take " + std::to_string(wanted);
      counts_.note(used > wanted ? counts_.unusable : counts_.wrong, what);
    }
  }
}

// Whoever asks now gets a slot until there is none.
void Race::fill() {
  while (racers_.front()->place_one()) {
  }
  if (truth_.holders() < truth_.slots())
    counts_.note(counts_.unusable, std::to_string(truth_.slots() - truth_.holders()) + " of " +
                                       std::to_string(truth_.slots()) + " slots in round " + std::to_string(rounds_));
}

void Race::clear() {
  const auto holders = truth_.all();
  std::vector<std::thread> threads;
  for (std::size_t first = 0; first < racers_.size(); ++first) {
    threads.emplace_back([&, first] {
      for (auto at = first; at < holders.size(); at += racers_.size()) racers_[first]->give_up(holders[at]);
    });
  }
  for (auto& thread : threads) thread.join();
  report_all();
  for (const auto& claim : listed("list_claims"))
    counts_.note(counts_.unusable, "a claim of nobody: " + json::write(claim));
  if (const auto left = listed("list_instances"); !left.empty())
    counts_.note(counts_.wrong, "an instance that is deleted is there: " + json::write(left.front()));
}

// Nobody runs what was launched here; the casts must not pile up.
void Race::deliver_casts() {
  for (const auto& cast : listed("list_casts")) must("acknowledge_cast", {{"id", cast.at("id")}});
}

void Race::round() {
  begin_round();
  race();
  report_all();
  look_at_rest();
  fill();
  look_at_rest();
  clear();
  deliver_casts();
}

RaceResult Race::run() {
  const auto begun = Clock::now();
  while (counts_.decisions < settings_.decisions) round();
  RaceResult result;
  result.decisions = counts_.decisions;
  result.placed = counts_.placed;
  result.refused = counts_.refused;
  const auto status = must("status", {});
  if (status.ok) {
    for (const auto& counter : status.result.at("counters").as_array()) {
      if (counter.at("name").as_string() == "claims_lost")
        result.lost_races += counter.at("value").to_number<std::uint64_t>();
    }
  }
  result.over_limits = counts_.over_limits;
  for (const auto& what : truth_.over_limits()) result.over_limits.push_back(what);
  result.unusable = counts_.unusable;
  result.wrong = counts_.wrong;
  result.table = table(result, Clock::now() - begun);
  return result;
}

std::string Race::table(const RaceResult& result, std::chrono::duration<double> took) const {
  std::ostringstream out;
  const auto row = [&out](const std::string& name, std::uint64_t value) {
    out << std::left << std::setw(46) << name << std::right << std::setw(10) << value << "\n";
  };
  row("decisions", result.decisions);
  row("instances placed", result.placed);
  row("refused for want of room", result.refused);
  row("lost races, decided again", result.lost_races);
  row("releases and deletions", counts_.releases);
  row("reports meanwhile", counts_.reports);
  row("looks at all hosts meanwhile", counts_.looks);
  row("rounds, each to the last slot", rounds_);
  row("over limits", result.over_limits.size());
  row("slots lost", result.unusable.size());
  row("other complaints", result.wrong.size());
  row("seconds", static_cast<std::uint64_t>(std::lround(took.count())));
  return out.str();
}

}  // namespace

RaceResult run_race(const RaceSettings& settings, const Connect& connect) {
  return Race(settings, connect).run();
}

}  // namespace gantry::reliability
