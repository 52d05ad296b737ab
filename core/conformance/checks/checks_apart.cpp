// SPDX-License-Identifier: Apache-2.0
//
// The rule that a driver decides in a process of its own, with isolation = "process", as in the service's process. Both
// are the real ones: the host's loader, its runner, its fleet.
#include <sys/resource.h>

#include <cstdio>
#include <filesystem>

#include "core/conformance/bench.hpp"
#include "core/conformance/checks/checks.hpp"
#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/driver_loader.hpp"
#include "core/encoding/json.hpp"
#include "core/files/installation.hpp"
#include "core/fleet/cells/cell_memory.hpp"
#include "core/fleet/fleet.hpp"

namespace gantry::conformance {
namespace {

using drivers::from_abi;
using testing::host_row;

constexpr fleet::Nanoseconds apart_now = 1'800'000'000'000'000'000;

// Notes all that a driver hands over. Each third pick is lost.
class Handed : public drivers::Sink {
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
    text += "refuse " + std::to_string(instance) + " " + std::string(reason) + "; ";
    return GANTRY_OK;
  }
  void explain(const gantry_step& step) override {
    text += "step " + std::string(from_abi(step.name)) + " " + std::to_string(step.hosts_in) + " " +
            std::to_string(step.hosts_out) + " " + std::string(from_abi(step.reason)) + "; ";
  }
  gantry_code explain_host(const gantry_host_explanation& host) override {
    text += "host " + std::to_string(host.row);
    add(host.weight);
    for (std::uint32_t at = 0; at < host.verdict_count; ++at)
      text += " " + std::string(from_abi(host.verdicts[at].name)) + " " + std::to_string(host.verdicts[at].passed) +
              " " + std::string(from_abi(host.verdicts[at].reason));
    text += "; ";
    return GANTRY_OK;
  }
  gantry_code claim(const gantry_claim& claim) override {
    text += "claim " + std::string(from_abi(claim.consumer)) + " " + std::to_string(claim.row);
    add_items(claim.items, claim.item_count);
    return GANTRY_OK;
  }
  gantry_code reply(std::string_view json) override {
    text += "reply " + std::string(json) + "; ";
    return GANTRY_OK;
  }
  gantry_code cast(const gantry_cast& cast) override {
    text += "cast " + std::to_string(cast.row) + " " + std::string(from_abi(cast.method)) + " " +
            std::string(from_abi(cast.args)) + "; ";
    return GANTRY_OK;
  }

  std::string text;

 private:
  void add(double number) {
    std::array<char, 64> digits{};
    std::snprintf(digits.data(), digits.size(), " %.17g", number);
    text += digits.data();
  }
  void add_items(const gantry_claim_item* items, std::uint32_t count) {
    for (std::uint32_t at = 0; at < count; ++at) {
      text += " " + std::string(from_abi(items[at].resource));
      add(items[at].amount);
    }
    text += "; ";
  }
  void note(const char* what, const gantry_pick& choice) {
    text += std::string(what) + " " + std::to_string(choice.instance) + " " + std::to_string(choice.row);
    for (const double number : {choice.weight, choice.limits.vcpu, choice.limits.memory_mb, choice.limits.disk_gb})
      add(number);
    text += " " + std::string(from_abi(choice.limits.other));
    add_items(choice.items, choice.item_count);
  }

  int picks_ = 0;
};

// The values of a host's report that the bench's row has.
json::object report_of(const host_row& row) {
  json::object stats;
  const auto set = [&stats](const char* name, const auto& value) {
    if (value) stats[name] = *value;
  };
  set("vcpus", row.vcpus);
  set("memory_mb", row.memory_mb);
  set("local_gb", row.local_gb);
  set("vcpus_used", row.vcpus_used);
  set("memory_mb_used", row.memory_mb_used);
  set("local_gb_used", row.local_gb_used);
  for (const auto& [name, value] : row.columns) {
    const std::string_view key = name.starts_with("stats.") ? std::string_view(name).substr(6) : name;
    if (const auto* const text = std::get_if<testing::json_text>(&value)) {
      if (auto parsed = json::parse(text->text)) stats[key] = *std::move(parsed);
    } else {
      std::visit(
          [&](const auto& plain) {
            if constexpr (!std::is_same_v<std::decay_t<decltype(plain)>, testing::json_text>) stats[key] = plain;
          },
          value);
    }
  }
  return stats;
}

void put_row(fleet::Fleet& fleet, const std::string& topic, const host_row& row) {
  fleet::Service service;
  service.topic = topic;
  service.host = row.host;
  service.disabled = row.disabled;
  service.forced_down = row.forced_down;
  service.last_seen_up = row.up ? apart_now : 1;
  fleet.put_service(service);
  fleet::ComputeNode node;
  node.topic = topic;
  node.host = row.host;
  node.node = topic == "compute" ? row.node : "";
  node.sampled_at = node.updated_at = apart_now;
  node.stats = report_of(row);
  fleet::ComputeNode merged;
  fleet::ClaimChanges changes;
  fleet.put_compute_node(node, merged, changes);
  changes.commit();
}

// As a start of the service would declare them.
Result<void> declare(fleet::Fleet& fleet, const drivers::Manifest& manifest) {
  for (const std::string& topic : manifest.topics) fleet.declare_topic(topic);
  for (const auto* list : {&manifest.needs, &manifest.uses})
    for (const drivers::ColumnUse& use : *list) {
      if (use.name.starts_with("claims.")) fleet.declare_claims_resource(use.name.substr(7));
      if (use.type == 0) continue;
      if (auto declared = fleet.declare_column({use.name, use.type, manifest.id}); !declared) return declared;
    }
  return {};
}

std::unique_ptr<fleet::Fleet> fleet_of(const Subject& subject, const std::vector<host_row>& rows) {
  auto made = std::make_unique<fleet::Fleet>(fleet::FleetSettings{});
  if (auto declared = declare(*made, subject.manifest()); !declared) throw std::runtime_error(declared.error().message);
  fleet::Aggregate west{.id = 1, .uuid = {}, .name = "west", .metadata = {{"availability_zone", "west"}}, .hosts = {}};
  for (const host_row& row : rows) {
    put_row(*made, subject.topic(), row);
    if (row.availability_zone == "west") west.hosts.push_back(row.host);
  }
  made->put_aggregate(west);
  return made;
}

Result<drivers::DriverSet> load_with(const Subject& subject, config::Isolation isolation) {
  config::Settings settings;
  const std::string& id = subject.manifest().id;
  settings.scheduler_driver = {id};
  settings.scheduling.call_timeout = std::chrono::seconds(20);
  auto& section = settings.drivers[id];
  section.path = std::filesystem::absolute(subject.file().path).string();
  section.isolation = isolation;
  section.options = subject.options();
  drivers::FileRules read_only;
  read_only.check_owner_and_mode = false;
  drivers::CheckedDrivers checked;
  checked.drivers.push_back({id, section.path, drivers::open_driver_file(section.path, read_only)});
  return drivers::load_drivers(settings, std::move(checked), telemetry::Logger::none(),
                               std::make_shared<telemetry::Counters>());
}

// One way to run the driver.
class Way {
 public:
  Way(const Subject& subject, drivers::DriverSet set)
      : subject_(subject), set_(std::move(set)), driver_(*set_.for_topic(subject.topic())) {}

  // Returns what the driver hands over for the scene, by each operation that it has.
  std::vector<std::string> play(const fleet::Moment& moment, testing::fake_request request, std::uint64_t seed) {
    request.spec = whole_spec(request);
    if (seed % 2 == 0) request.explain_hosts = GANTRY_EXPLAIN_ALL_FILTERS;
    std::vector<std::string> all;
    if (!subject_.is_methods_alone()) {
      all.push_back(decide(moment, request, seed, &drivers::Driver::select_destinations));
      all.push_back(decide(moment, request, seed, &drivers::Driver::schedule_run_instance));
    }
    for (const std::string& name : methods_of(subject_)) all.push_back(call(moment, name, seed));
    return all;
  }

 private:
  using Operation = Result<void> (drivers::Driver::*)(drivers::DriverCall&, const gantry_request&);

  drivers::DriverCallSettings settings(const fleet::Moment& moment, Handed& handed, std::uint64_t seed) const {
    drivers::DriverCallSettings settings;
    settings.moment = moment;
    settings.context = &context_;
    settings.view = moment.view(subject_.topic());
    settings.sink = &handed;
    settings.deadline = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    settings.now = apart_now;
    settings.seed = seed;
    return settings;
  }

  std::string decide(const fleet::Moment& moment, const testing::fake_request& request, std::uint64_t seed,
                     Operation operation) {
    Handed handed;
    drivers::DriverCall call(settings(moment, handed, seed));
    const gantry_view& view = *call.settings().view;
    testing::arena memory(seed);
    const gantry_request raw = request.raw(memory, view, driver_.complete_rows(call, view));
    const Result<void> decided = (driver_.*operation)(call, raw);
    return handed.text + (decided ? "decided" : decided.error().message);
  }

  std::string call(const fleet::Moment& moment, const std::string& name, std::uint64_t seed) {
    Handed handed;
    drivers::DriverCall call(settings(moment, handed, seed));
    const std::string args = usual_args();
    gantry_method_call method{};
    method.struct_size = sizeof method;
    method.topic = drivers::to_abi(topic_);
    method.method = drivers::to_abi(name);
    method.args = drivers::to_abi(args);
    method.view = call.settings().view;
    method.complete = driver_.complete_rows(call, *method.view);
    const Result<void> done = driver_.call_method(call, method);
    return handed.text + (done ? "done" : done.error().message);
  }

  const Subject& subject_;
  const std::string topic_ = subject_.topic();
  gantry_context context_{sizeof(gantry_context), 0, {}, {}, {}, {}, {}, {}};
  drivers::DriverSet set_;
  drivers::Driver& driver_;
};

// The cells that a runner reads take 64 GiB of address space, and its lanes more.
void widen_address_space() {
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = limit.rlim_max;
  ::setrlimit(RLIMIT_AS, &limit);
}

Verdict compare_ways(Subject& subject, Way& here, Way& apart) {
  const Unit& unit = subject.units().front();
  for (std::uint64_t seed = subject.seed(); seed < subject.seed() + 3; ++seed)
    for (const Scene& scene : scenes(unit, seed)) {
      const auto fleet = fleet_of(subject, scene.rows);
      const fleet::Moment moment = fleet->pin(apart_now);
      const auto expected = here.play(moment, scene.request, seed);
      const auto found = apart.play(moment, scene.request, seed);
      for (std::size_t at = 0; at < expected.size(); ++at) {
        if (expected[at] == found[at]) continue;
        std::size_t from = 0;
        while (from < expected[at].size() && expected[at][from] == found[at][from]) ++from;
        from = from < 40 ? 0 : from - 40;
        return failed("in a process of its own (" + scene.name + "): " + expected[at].substr(from, 160),
                      found[at].substr(std::min(from, found[at].size()), 160));
      }
    }
  return {};
}

Verdict same_when_isolated(Subject& subject) {
  if (subject.is_library()) return not_applicable("the file is a library");
  if (subject.manifest().decides_from == drivers::DecidesFrom::history)
    return not_applicable("the manifest says decides_from = 'history'");
  if (!std::filesystem::exists(files::companion_program("gantry-runner")))
    return not_applicable("gantry-runner is not installed");
  subject.units();
  widen_address_space();
  if (auto shared = fleet::share_cells(); !shared) return not_applicable(shared.error().message);
  auto here = load_with(subject, config::Isolation::none);
  if (!here) return failed("a driver that loads", here.error().message);
  auto apart = load_with(subject, config::Isolation::process);
  if (!apart) return failed("a driver that loads in a process of its own", apart.error().message);
  Way in_process(subject, *std::move(here));
  Way isolated(subject, *std::move(apart));
  return compare_ways(subject, in_process, isolated);
}

}  // namespace

std::vector<Rule> apart_rules() {
  return {{"same-when-isolated", Grade::silver, "The driver decides in a process of its own as in the service's",
           "Operators set isolation = \"process\" for a driver that they do not know yet.",
           "a file that is opened at create, from a directory that the runner does not see", "loading.md",
           same_when_isolated}};
}

}  // namespace gantry::conformance
