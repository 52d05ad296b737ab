// SPDX-License-Identifier: Apache-2.0
//
// compare_drivers <first_fit in C++> <in Rust> <probe in C++> <in Rust> <rules in C++> <in Rust>: runs each pair on the
// same requests and seeds. 0: they did the same.
#include <dlfcn.h>

#include <cmath>
#include <cstdio>
#include <gantry/testing/fake_host.hpp>
#include <gantry/testing/fake_offer.hpp>
#include <sstream>

namespace {

using namespace gantry::testing;

int failures = 0;

void expect_equal(const std::string& what, const std::string& first, const std::string& second) {
  if (first == second) return;
  std::printf("%s\n  expected %s\n  found    %s\n", what.c_str(), first.c_str(), second.c_str());
  ++failures;
}

template <class Entry>
auto load(const char* file, const char* symbol, Entry*) {
  void* library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  void* entry = library == nullptr ? nullptr : dlsym(library, symbol);
  if (entry == nullptr) {
    std::printf("%s: %s\n", file, dlerror());
    std::exit(1);
  }
  auto* const function = reinterpret_cast<Entry*>(entry);
  if (function(GANTRY_ABI_MAJOR + 1, 0) != nullptr) expect_equal(file, "refuses another major", "takes it");
  return function(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR);
}

const gantry_driver_info& driver_of(const char* file) {
  return *load(file, "gantry_driver_entry", static_cast<decltype(gantry_driver_entry)*>(nullptr));
}

void tell(std::ostream& out, const char* what, const std::vector<picked>& picks) {
  for (const picked& pick : picks) {
    out << ' ' << what << ' ' << pick.instance << '@' << pick.host << '/' << pick.limit_memory_mb << '/' << pick.weight;
  }
}

std::string told(const outcome& outcome) {
  std::ostringstream out;
  out << outcome.code << " '" << outcome.sentence << "'";
  tell(out, "picked", outcome.picks);
  tell(out, "lost", outcome.lost);
  tell(out, "alternate", outcome.alternates);
  for (const refused& each : outcome.refusals) out << " refused " << each.instance << " '" << each.reason << "'";
  for (const explained& each : outcome.steps)
    out << " step " << each.name << ' ' << each.hosts_in << ">" << each.hosts_out << " '" << each.reason << "'";
  for (const explained_host& each : outcome.host_explanations) {
    out << " host " << each.host;
    for (const judged& verdict : each.verdicts) out << ' ' << verdict.name << '=' << verdict.reason;
  }
  for (const claimed& each : outcome.claims) out << " claim " << each.host << ' ' << each.resource << each.amount;
  for (const casted& each : outcome.casts) out << " cast " << each.host << ' ' << each.consumer << each.args;
  for (const logged& each : outcome.logs) out << " log " << each.level << ' ' << each.message;
  for (const std::string& each : outcome.replies) out << " reply " << each;
  for (const std::string& each : outcome.rows) out << " row " << each;
  for (const std::uint64_t each : outcome.counts) out << ' ' << each;
  for (const std::string& each : outcome.misuse) out << " misuse " << each;
  return out.str();
}

// Hosts of many kinds, some with nothing reported, more than a word of a bitmap has bits.
std::vector<host_row> hosts() {
  std::vector<host_row> rows(70);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    host_row& host = rows[row];
    host.host = "host-" + std::to_string(row);
    host.node = "node-" + std::to_string(row);
    host.up = row % 7 != 3;
    host.disabled = row % 11 == 4;
    host.memory_mb_used = static_cast<double>(row * 900);
    host.vcpus_used = static_cast<double>(row % 16) + 0.25;
    if (row % 13 == 5) host.memory_mb_used = host.vcpus_used = std::nullopt;
    if (row % 3 != 0) host.columns["stats.rack"] = "rack-" + std::to_string(row % 5);
    if (row % 4 == 0) host.columns["numa_topology"] = json_text{R"({"cells": [)" + std::string(row, ' ') + "]}"};
    if (row % 5 == 0) host.aggregates = {{7, "fast", {{"zone", "east"}}}, {9, "plain", {}}};
    for (std::uint8_t at = 0; at < row % 3; ++at)
      host.instances.push_back({{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, at}});
    host.columns["stats.power_left_w"] = static_cast<std::int64_t>(row * 10);
  }
  rows[6].columns.erase("stats.power_left_w");
  return rows;
}

std::vector<fake_request> requests() {
  std::vector<fake_request> all(11);
  all[1].instances = 5;
  all[1].alternates = 3;
  all[2].memory_mb = 30000;
  all[2].instances = 3;
  all[3].memory_mb = 1 << 20;
  all[4].ignore_hosts = {"host-0", "host-1", "host-2", "host-5", "host-6", "host-7", "host-8", "host-9", "host-10"};
  all[4].explain_hosts = GANTRY_EXPLAIN_HOSTS;
  all[5].force_hosts = {"host-0", "host-12"};
  all[5].force_nodes = {"node-12", "none"};
  all[5].requested_host = "host-12";
  all[6].requested_node = std::string(63, 'x') + "\xc3\xa4\xc3\xa4";
  all[6].explain_hosts = 7;
  all[7].eligible = {1, 2, 8, 66};
  all[7].unclaimable = {2};
  all[7].explain_hosts = GANTRY_EXPLAIN_ALL_FILTERS;
  all[7].alternates = 9;
  all[8].hints["rack"] = {"rack-2"};
  all[8].explain_hosts = GANTRY_EXPLAIN_HOSTS;
  all[9].hints["rack"] = {"nowhere"};
  all[9].explain_hosts = GANTRY_EXPLAIN_ALL_FILTERS;
  all[10].eligible = std::set<std::uint32_t>();
  all[10].vcpus = 2;
  return all;
}

// A host and one of the two drivers. Each pick of host-1 is lost.
struct side {
  explicit side(const gantry_driver_info& info, std::vector<std::string> needs, const std::vector<host_row>& rows)
      : host(rows) {
    host.needs = std::move(needs);
    host.admits = [](const picked& pick) { return pick.host != "host-1"; };
    host.instances["11111111-1111-4111-8111-111111111111"] = {"host-2", "east", "small", "p", "active",
                                                              "node-2", 2,      512,     1.5};
    host.options.integer("reserve_mb", 100).real("factor", 1.5).boolean("on", true).string("greeting", "good day");
    host.options.strings("names", {"a", "b"}).table("table", {{"k", "v"}, {"l", ""}});
    driver = host.create(info);
  }

  fake_host host;
  std::unique_ptr<fake_driver> driver;
};

void compare_decisions(const std::string& name, side& first, side& second) {
  const std::vector<fake_request> all = requests();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    for (std::size_t at = 0; at < all.size(); ++at) {
      first.host.seed = second.host.seed = seed * 7919;
      const std::string what = name + ", request " + std::to_string(at) + ", seed " + std::to_string(seed);
      expect_equal(what, told(first.driver->select_destinations(all[at])),
                   told(second.driver->select_destinations(all[at])));
      expect_equal(what + ", run", told(first.driver->schedule_run_instance(all[at])),
                   told(second.driver->schedule_run_instance(all[at])));
      const auto counts = first.driver->count_capacity(all[at]);
      const auto others = second.driver->count_capacity(all[at]);
      expect_equal(what + ", capacity", counts ? told(*counts) : "none", others ? told(*others) : "none");
    }
  }
  first.host.stop = second.host.stop = true;
  expect_equal(name + ", late", told(first.driver->select_destinations({})),
               told(second.driver->select_destinations({})));
  first.host.stop = second.host.stop = false;
}

void compare_operations(side& first, side& second) {
  for (const char* method : {"numbers", "numbers", "claim", "claim", "claim", "read", "derive", "other"}) {
    const std::string args = R"({"text":"a \"quoted\" one"})";
    expect_equal(method, told(first.driver->call_method(method, args)), told(second.driver->call_method(method, args)));
    expect_equal(method, std::to_string(first.host.counters[method]), std::to_string(second.host.counters[method]));
  }
  expect_equal("hosts_up", told(*first.driver->hosts_up()), told(*second.driver->hosts_up()));
  fake_group group;
  group.member_rows = {3, 68, 3};
  expect_equal("group_hosts", told(*first.driver->group_hosts(group)), told(*second.driver->group_hosts(group)));
  const auto update = [](side& side) {
    return told(*side.driver->update_service_capabilities("s", "h", R"({"a": 1})"));
  };
  expect_equal("update_service_capabilities", update(first), update(second));
}

// A panic ends its call alone.
void expect_caught_panic(side& rust) {
  const auto outcome = rust.driver->call_method("panic", "{}");
  const bool is_told = outcome.code == GANTRY_INTERNAL && outcome.sentence.find("the driver panicked at ") == 0 &&
                       outcome.sentence.find(".rs:") != std::string::npos &&
                       outcome.sentence.find("the len is 70 but the index is 70") != std::string::npos;
  expect_equal("panic", "a failure with message and place",
               is_told ? "a failure with message and place" : told(outcome));
  expect_equal("after a panic", "0", std::to_string(rust.driver->call_method("read", "{}").code));
}

std::string told(const offer_outcome& outcome) {
  std::ostringstream out;
  out << outcome.code << " '" << outcome.sentence << "' " << outcome.reason;
  for (const std::string& host : outcome.hosts) out << ' ' << host;
  for (const auto& [host, score] : outcome.scores) out << ' ' << host << '=' << score;
  return out.str();
}

void compare_rules(const char* cpp, const char* rust) {
  const auto entry = [](const char* file) -> const gantry_offers_info& {
    return *load(file, "gantry_offers_entry", static_cast<decltype(gantry_offers_entry)*>(nullptr));
  };
  fake_host host(hosts());
  for (const char* name : {"PowerFilter", "RackFilter", "PowerWeigher"}) {
    fake_options options;
    options.integer("reserve_w", 20).real("power_weight_multiplier", 1);
    fake_options same;
    same.integer("reserve_w", 20).real("power_weight_multiplier", 1);
    fake_offer first(host, entry(cpp), name, std::move(options)), second(host, entry(rust), name, std::move(same));
    if (std::string(name) != "RackFilter") first.needs = second.needs = {"stats.power_left_w"};
    for (const char* watts : {"0", "300", "9999", "much"}) {
      fake_request request;
      request.extra_specs["site:power_w"] = watts;
      if (*watts != '0') request.hints["rack"] = {"rack-2"};
      const bool is_filter = std::string(name) != "PowerWeigher";
      const auto run = [&](fake_offer& offer) { return is_filter ? offer.keep(request) : offer.weigh(request); };
      expect_equal(std::string(name) + " " + watts, told(run(first)), told(run(second)));
    }
  }
  fake_request request;
  fake_options options;
  fake_offer power(host, entry(rust), "PowerFilter", std::move(options.integer("reserve_w", 0)));
  power.needs = {"stats.power_left_w"};
  expect_equal("limits", "90", std::to_string(static_cast<int>(power.keep(request).limits.at("host-9").vcpu)));
  const std::string not_finite = "7 'expected a finite score, found NaN for host 'host-0''";
  const std::string found = told(fake_offer(host, entry(rust), "BadWeigher").weigh(request));
  expect_equal("a score that is no number", not_finite, found.substr(0, not_finite.size()));
}

}  // namespace

int main(int, char** files) {
  for (const std::size_t rows : {std::size_t{70}, std::size_t{64}, std::size_t{1}, std::size_t{0}}) {
    std::vector<host_row> some = hosts();
    some.resize(rows);
    const std::vector<std::string> needs = {"up", "disabled", "host", "memory_mb", "memory_mb_used"};
    side first(driver_of(files[1]), needs, some), second(driver_of(files[2]), needs, some);
    compare_decisions("first_fit with " + std::to_string(rows) + " hosts", first, second);
  }
  const std::vector<std::string> needs = {"up", "disabled", "host", "vcpus", "vcpus_used", "instances", "aggregates"};
  side first(driver_of(files[3]), needs, hosts()), second(driver_of(files[4]), needs, hosts());
  compare_decisions("probe", first, second);
  compare_operations(first, second);
  expect_caught_panic(second);
  compare_rules(files[5], files[6]);
  return failures == 0 ? 0 : 1;
}
