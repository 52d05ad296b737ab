// SPDX-License-Identifier: Apache-2.0
//
// The bundled drivers give the same results in the service's process and in one of their own. The filter driver is in
// filter/classes_test.cpp.
#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <stdexcept>
#include <string>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/driver_loader.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/fleet/cells/cell_memory.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/decision/driver_request.hpp"
#include "tests/drivers/trusted_directory.hpp"

namespace gantry {
namespace {

using drivers::from_abi;

constexpr fleet::Nanoseconds now = 1'800'000'000'000'000'000;

// A policy for the driver lua: rules of each form.
constexpr const char* policy = R"(
filter "memory" { reason = "too little is free", columns = function(view, request)
  return (view.memory_mb - view.memory_mb_used):at_least(request.memory_mb)
end }
filter "even" { host = function(host) return host.vcpus_used % 2 == 0, host.host .. " is odd" end }
weigh "free" { columns = function(view) return view.memory_mb - view.memory_mb_used end }
weigh "chance" { multiplier = 0.5, host = function(host) return math.random() end }
)";

// Notes all that a driver hands over. Every third pick is lost.
class EveryResult : public drivers::Sink {
 public:
  gantry_code pick(const drivers::Pick& pick) override {
    note("pick", pick);
    return ++picks_ % 3 == 0 ? GANTRY_CLAIM_LOST : GANTRY_OK;
  }
  gantry_code alternate(const drivers::Pick& alternate) override {
    note("alternate", alternate);
    return GANTRY_OK;
  }
  gantry_code refuse(std::uint32_t instance, std::string_view reason) override {
    text.append("refuse ").append(std::to_string(instance)).append(" ").append(reason).append("\n");
    return GANTRY_OK;
  }
  void explain(const gantry_step& step) override {
    text.append("step ").append(from_abi(step.name)).append(" ").append(std::to_string(step.hosts_in));
    text.append(" ").append(std::to_string(step.hosts_out)).append(" ").append(from_abi(step.reason)).append("\n");
  }
  gantry_code explain_host(const gantry_host_explanation& host) override {
    text.append("host ").append(std::to_string(host.row)).append(" ").append(std::to_string(host.weight));
    for (std::uint32_t at = 0; at < host.verdict_count; ++at)
      text.append(" ").append(from_abi(host.verdicts[at].name)).append(from_abi(host.verdicts[at].reason));
    text.append("\n");
    return GANTRY_OK;
  }
  gantry_code claim(const gantry_claim& claim) override {
    text.append("claim ").append(from_abi(claim.consumer)).append(" ").append(std::to_string(claim.row));
    for (std::uint32_t at = 0; at < claim.item_count; ++at)
      text.append(" ").append(from_abi(claim.items[at].resource)).append(std::to_string(claim.items[at].amount));
    text.append("\n");
    return GANTRY_OK;
  }
  gantry_code reply(std::string_view json) override {
    text.append("reply ").append(json).append("\n");
    return GANTRY_OK;
  }
  gantry_code cast(const gantry_cast& cast) override {
    text.append("cast ").append(from_abi(cast.method)).append(" ").append(from_abi(cast.args)).append("\n");
    return GANTRY_OK;
  }

  std::string text;

 private:
  void note(const char* what, const gantry_pick& choice) {
    text.append(what).append(" ").append(std::to_string(choice.instance)).append(" ");
    text.append(std::to_string(choice.row)).append(" ").append(std::to_string(choice.weight));
    for (const double limit : {choice.limits.vcpu, choice.limits.memory_mb, choice.limits.disk_gb})
      text.append(" ").append(std::to_string(limit));
    text.append("\n");
  }

  int picks_ = 0;
};

class BundledDriver : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    const auto shared = fleet::share_cells();
    ASSERT_TRUE(shared) << shared.error().message;
    directory_.add(std::string(GANTRY_DRIVERS "/") + GetParam() + ".so", GetParam() + ".so");
    fleet_ = std::make_unique<fleet::Fleet>(fleet::FleetSettings{});
    here_.emplace(load(config::Isolation::none));
    apart_.emplace(load(config::Isolation::process));
    for (int host = 0; host < 60; ++host) add_host("host-" + std::to_string(host));
  }

  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }

  drivers::DriverCallSettings settings(const fleet::Moment& moment, const std::string& topic, EveryResult& results,
                                       std::uint64_t seed) const {
    drivers::DriverCallSettings settings;
    settings.moment = moment;
    settings.context = &context_;
    settings.view = moment.view(topic);
    settings.sink = &results;
    settings.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    settings.now = now;
    settings.seed = seed;
    return settings;
  }

  std::string decide(const drivers::DriverSet& set, const fleet::Moment& moment, const std::string& spec,
                     std::uint64_t seed) const {
    auto read = scheduling::parse_request_spec(*json::parse(spec), {}, {});
    EveryResult results;
    drivers::DriverCall call(settings(moment, "compute", results, seed));
    auto& driver = *set.for_topic("compute");
    const auto* request =
        scheduling::build_driver_request(call, driver, *read, nullptr, static_cast<std::uint32_t>(seed % 3),
                                         seed % 2 == 0 ? GANTRY_EXPLAIN_ALL_FILTERS : 0);
    const auto decided =
        seed % 5 == 0 ? driver.schedule_run_instance(call, *request) : driver.select_destinations(call, *request);
    return results.text + (decided ? "decided" : decided.error().message);
  }

  std::string create_volume(const drivers::DriverSet& set, const fleet::Moment& moment, const std::string& args,
                            std::uint64_t seed) const {
    EveryResult results;
    drivers::DriverCall call(settings(moment, "volume", results, seed));
    auto& driver = *set.for_topic("volume");
    gantry_method_call method{};
    method.struct_size = sizeof(method);
    method.topic = drivers::to_abi("volume");
    method.method = drivers::to_abi("create_volume");
    method.args = drivers::to_abi(args);
    method.view = moment.view("volume");
    method.complete = driver.complete_rows(call, *method.view);
    const auto done = driver.call_method(call, method);
    return results.text + (done ? "done" : done.error().message);
  }

  std::string any_spec() {
    json::object spec{{"flavor",
                       {{"id", 1},
                        {"name", "m"},
                        {"vcpus", 1 + below(8)},
                        {"memory_mb", 512 << below(6)},
                        {"root_gb", 10},
                        {"ephemeral_gb", 0},
                        {"swap", 0},
                        {"extra_specs", json::object()}}},
                      {"ignore_hosts", below(3) == 0 ? json::value(json::array{"host-1", "host-2"}) : json::value()},
                      {"num_instances", 1 + below(3)}};
    return json::write(spec);
  }

  drivers::TrustedDirectory directory_;
  std::mt19937_64 random_{std::random_device{}()};
  gantry_context context_{sizeof(gantry_context), 0, {}, {}, {}, drivers::to_abi("10.1.0.5"), {}, {}};
  std::unique_ptr<fleet::Fleet> fleet_;
  std::optional<drivers::DriverSet> here_;
  std::optional<drivers::DriverSet> apart_;

 private:
  drivers::DriverSet load(config::Isolation isolation) {
    config::Settings settings;
    settings.scheduler_driver = {GetParam()};
    settings.driver_directories = {directory_.path().string()};
    settings.drivers[GetParam()].isolation = isolation;
    if (GetParam() == "ip")
      settings.drivers["ip"].options["prefixes"] = {std::map<std::string, std::string>{{"10.1", "host-1"}}, "test"};
    if (GetParam() == "lua")
      settings.drivers["lua"].options["policy"] = {directory_.write("policy.lua", policy), "test"};
    auto set = drivers::load_drivers(settings, telemetry::Logger::none(), std::make_shared<telemetry::Counters>(),
                                     [this](const drivers::Manifest& manifest) -> Result<void> {
                                       for (const auto& column : manifest.uses) {
                                         if (column.type == 0) continue;
                                         auto done = fleet_->declare_column({column.name, column.type, manifest.id});
                                         if (!done) return done;
                                       }
                                       return {};
                                     });
    if (!set) throw std::runtime_error(set.error().message);
    return *std::move(set);
  }

  void add_host(const std::string& host) {
    for (const std::string topic : {"compute", "volume"}) {
      fleet::Service service;
      service.topic = topic;
      service.host = host;
      service.disabled = below(9) == 0;
      service.last_seen_up = now;
      fleet_->put_service(service);
      fleet::ComputeNode node;
      node.topic = topic;
      node.host = host;
      node.node = topic == "compute" ? host : "";
      node.sampled_at = node.updated_at = now;
      node.stats = {{"vcpus", 8},
                    {"vcpus_used", below(9)},
                    {"memory_mb", 16384},
                    {"local_gb", 500},
                    {"memory_mb_used", below(16384)},
                    {"local_gb_used", below(500)},
                    {"free_capacity_gb", below(900)}};
      fleet::ComputeNode merged;
      fleet::ClaimChanges changes;
      fleet_->put_compute_node(node, merged, changes);
      changes.commit();
    }
  }
};

TEST_P(BundledDriver, DecidesAlikeInAProcessOfItsOwn) {
  const auto moment = fleet_->pin(now);
  for (int at = 0; at < 100; ++at) {
    const auto seed = random_();
    if (GetParam() == "volume") {
      const std::string args = R"({"size":)" + std::to_string(below(700)) + R"(,"volume_id":"v"})";
      ASSERT_EQ(create_volume(*here_, moment, args, seed), create_volume(*apart_, moment, args, seed)) << args;
      continue;
    }
    const auto spec = any_spec();
    ASSERT_EQ(decide(*here_, moment, spec, seed), decide(*apart_, moment, spec, seed)) << spec << " seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(EachOne, BundledDriver, ::testing::Values("chance", "simple", "ip", "volume", "lua"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace gantry
