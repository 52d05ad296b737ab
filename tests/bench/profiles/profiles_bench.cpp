// SPDX-License-Identifier: Apache-2.0
//
// Measures what it costs to choose the driver of a request by profiles, against a decision of the driver chance in the manager, in the
// same run. The request matches the last rule, so that each rule is asked. Prints one line for each number of rules.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

#include "core/drivers/driver_loader.hpp"
#include "core/scheduling/profiles/profiles.hpp"
#include "tests/drivers/trusted_directory.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

constexpr int hosts = 1000;
constexpr auto args =
    R"({"request_spec":{"flavor":{"name":"g9.large","vcpus":1,"memory_mb":64,"root_gb":1,"extra_specs":{}},
    "project_id":"3f6a0c1e","availability_zone":"az1"},"filter_properties":{"scheduler_hints":{"arch":["arm64"]}}})";

// The best of a few rounds, in nanoseconds a call.
template <class Work>
double best_of(int calls, const Work& work) {
  double best = 1e18;
  for (int round = 0; round < 5; ++round) {
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < calls; ++i) work();
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - began;
    best = std::min(best, took.count() / calls);
  }
  return best;
}

// Each rule has two patterns and a text of flavors, a project and a hint. The last one takes the request.
std::vector<config::Profile> rules(int count) {
  std::vector<config::Profile> rules(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    auto& rule = rules[static_cast<std::size_t>(i)];
    rule.name = "rule" + std::to_string(i);
    rule.driver = "chance";
    rule.flavor = {"m" + std::to_string(i) + ".*", "*.huge", i == count - 1 ? "g9.large" : "c1.small"};
    rule.project = {"3f6a*"};
    rule.hint = {{"arch", {"arm*"}}};
  }
  return rules;
}

void run() {
  RunningManager manager("chance");
  for (int i = 0; i < hosts; ++i) manager.add_host("host" + std::to_string(i), 16);
  const auto decision = best_of(2000, [&] { manager.result("select_destinations", args); });

  const drivers::TrustedDirectory directory;
  directory.add(std::string(GANTRY_DRIVERS) + "/chance.so", "chance.so");
  config::Settings settings;
  settings.scheduler_driver = {"chance"};
  settings.driver_directories = {directory.path().string()};
  const auto set =
      drivers::load_drivers(settings, telemetry::Logger::none(), std::make_shared<telemetry::Counters>(), {});
  const auto asked = json::parse_object(args);
  if (!set || !asked) return;
  std::printf("A decision of chance over %d hosts: %.2f us. Choosing its driver, read from the arguments included:\n",
              hosts, decision / 1000);
  std::printf("%8s %10s %10s\n", "rules", "us", "ratio");
  for (const int count : {0, 1, 10, 50}) {
    const Profiles profiles(rules(count), false, *set);
    const auto choice = best_of(100'000, [&] {
      const auto chosen = profiles.choose(facts_of(*asked, {}), *set);
      if (!chosen || chosen->profile.empty() != (count == 0)) std::printf("expected the last rule, found another\n");
    });
    std::printf("%8d %10.3f %10.4f\n", count, choice / 1000, choice / decision);
  }
}

}  // namespace
}  // namespace gantry::scheduling

int main() {
  gantry::scheduling::run();
}
