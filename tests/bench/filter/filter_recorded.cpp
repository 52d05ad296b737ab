// SPDX-License-Identifier: Apache-2.0
#include "filter_recorded.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <optional>

#include "core/drivers/driver_loader.hpp"
#include "core/scheduling/service/service_manager.hpp"
#include "core/scheduling/service/settings.hpp"
#include "core/store/no_store.hpp"
#include "filter_fleet.hpp"
#include "filter_request.hpp"
#include "filter_subject.hpp"
#include "tests/bench/service/service_child.hpp"

namespace gantry::bench {

namespace {

using Clock = std::chrono::steady_clock;

double microseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

double processor_microseconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto of = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_usec);
  };
  return of(used.ru_utime) + of(used.ru_stime);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// No heartbeat grows old while the bench runs.
fleet::FleetSettings long_lived() {
  fleet::FleetSettings settings;
  settings.service_down_time = 86'400'000'000'000;
  return settings;
}

// The service judges heartbeats by the system clock.
fleet::Nanoseconds now() {
  const auto time = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}

// The scheduling service in this process.
class Service {
 public:
  Service(const std::string& drivers, const std::string& directory, std::size_t hosts, bool keeps_decisions) {
    config::Settings settings;
    settings.scheduler_driver = {"filter"};
    settings.driver_directories = {drivers};
    settings.seal_drivers = false;
    settings.store.path = directory + "/gantry.db";
    settings.drivers["filter"].options["request_cache_mib"] = {std::int64_t{0}, "bench_filter"};
    const auto logger = telemetry::Logger::none();
    const auto declare = [&](const drivers::Manifest& manifest) {
      return scheduling::declare(fleet_, manifest, settings);
    };
    auto set = drivers::load_drivers(settings, logger, counters_, declare);
    if (!set) give_up(set.error().message);
    drivers_.emplace(*std::move(set));
    load_filter_fleet(fleet_, {hosts, false, now()});
    scheduling::Parts parts{fleet_, store_, *drivers_, logger, counters_, scheduling::manager_settings(settings)};
    parts.settings.housekeeping = std::chrono::hours(24);
    if (keeps_decisions) parts.decisions = scheduling::decision_log_settings(settings, logger);
    auto made = scheduling::make_manager(std::move(parts));
    if (!made) give_up(made.error().message);
    manager_ = *std::move(made);
  }

  // Returns the time until the answer, in microseconds.
  double call(const std::string& method, json::object args, json::value* result = nullptr) {
    scheduling::MethodCall made;
    made.method = method;
    made.args = std::move(args);
    made.request_id = "req-6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01";
    made.deadline = Clock::now() + std::chrono::minutes(1);
    const auto begin = Clock::now();
    double took = 0;
    manager_->handle(std::move(made), [&](scheduling::Answer answer) {
      took = microseconds_since(begin);
      if (!answer) give_up(method + ": " + answer.error().message);
      if (result == nullptr) return;
      std::string text;
      answer.append_to(text);
      *result = *json::parse(text, json::stored_depth);
    });
    return took;
  }

 private:
  fleet::Fleet fleet_{long_lived()};
  store::NoStore store_;
  std::shared_ptr<telemetry::Counters> counters_ = std::make_shared<telemetry::Counters>();
  std::optional<drivers::DriverSet> drivers_;
  std::unique_ptr<scheduling::Manager> manager_;
};

json::object asked() {
  auto spec = json::parse(request_spec({}));
  return {{"request_spec", *spec}};
}

std::uintmax_t bytes_of(const std::string& directory, const char* prefix) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(directory + "/decisions")) {
    if (entry.path().filename().string().starts_with(prefix)) bytes += entry.file_size();
  }
  return bytes;
}

struct Cost {
  std::vector<double> answers;  // microseconds until the answer
  double processor = 0;         // microseconds of all threads
};

void ask(Service& service, Cost& cost, int times) {
  const auto begin = processor_microseconds();
  for (int i = 0; i < times; ++i) cost.answers.push_back(service.call("select_destinations", asked()));
  cost.processor += processor_microseconds() - begin;
}

// The times of the first question about a decision, whose facts are read from the archive, and of those after it.
struct Questions {
  double first = 0;
  std::vector<double> others;
};

Questions why_not_times(Service& service) {
  json::value all;
  service.call("list_hosts", {{"topic", "compute"}, {"limit", 1000}}, &all);
  json::value listed;
  service.call("list_decisions", {{"limit", 100}}, &listed);
  Questions times;
  for (std::size_t i = 0; i < listed.as_array().size(); i += 5) {
    const auto& id = listed.as_array()[i].as_object().at("id");
    const auto& host = all.as_array()[i * 97 % all.as_array().size()].as_object().at("host");
    const auto took = service.call("why_not", {{"id", id}, {"host", host}});
    if (i == 0)
      times.first = took;
    else
      times.others.push_back(took);
  }
  return times;
}

}  // namespace

void print_recorded(const RunDirectory& run, const std::vector<std::size_t>& sizes) {
  std::printf("%8s %12s %12s %8s %12s %12s %10s %9s %9s %9s\n", "hosts", "without us", "kept us", "ratio",
              "cpu without", "cpu kept", "bytes each", "first ms", "p50 ms", "max ms");
  constexpr int turns = 40;
  constexpr int in_a_turn = 100;
  for (const auto hosts : sizes) {
    const auto directory = (run.path() / ("recorded" + std::to_string(hosts))).string();
    std::filesystem::create_directory(directory);
    Service plain(run.path().string(), directory, hosts, false);
    Service keeping(run.path().string(), directory, hosts, true);
    Cost warm_up;
    ask(plain, warm_up, in_a_turn);
    ask(keeping, warm_up, in_a_turn);
    Cost without;
    Cost kept;
    for (int turn = 0; turn < turns; ++turn) {
      ask(plain, without, in_a_turn);
      ask(keeping, kept, in_a_turn);
    }
    const auto times = why_not_times(keeping);
    const auto decisions = static_cast<double>((turns + 1) * in_a_turn);
    const auto requests = static_cast<double>(turns * in_a_turn);
    std::printf("%8zu %12.1f %12.1f %8.3f %12.1f %12.1f %10.0f %9.1f %9.1f %9.1f\n", hosts, median(without.answers),
                median(kept.answers), median(kept.answers) / median(without.answers), without.processor / requests,
                kept.processor / requests, static_cast<double>(bytes_of(directory, "decisions-")) / decisions,
                times.first / 1000, median(times.others) / 1000,
                *std::max_element(times.others.begin(), times.others.end()) / 1000);
  }
}

}  // namespace gantry::bench
