// SPDX-License-Identifier: Apache-2.0
//
// The sentences with which the filters reject hosts: each names what was wanted, with its key and value, and what was
// there, of one host and of several, in a bounded length.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "plugins/filter/decision/host_selection.hpp"
#include "plugins/filter/decision/shortfall.hpp"
#include "plugins/filter/policy/registry.hpp"
#include "plugins/filter/request/request_reader.hpp"
#include "plugins/filter/rules/filtering.hpp"
#include "plugins/filter/rules/wording.hpp"
#include "tests/parity/recorded_hosts.hpp"

namespace filter_driver::sentences {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;
using ::testing::Not;

// A request, two hosts that the filter rejects, and what is said of them.
struct rejection {
  std::string filter;
  std::string spec;
  std::string first;   // the members of the first host beside its name
  std::string second;  // the second host's
  std::string of_one;  // the sentence about the first alone
  std::string of_both;
};

const std::string capacity = R"("vcpus_total": 2, "vcpus_used": 0, "total_usable_ram_mb": 512, "free_ram_mb": 256,
    "total_usable_disk_gb": 1, "free_disk_mb": 512, "cpu_allocation_ratio": 1, "ram_allocation_ratio": 1,
    "disk_allocation_ratio": 1)";
const std::string large = R"({"flavor": {"name": "m", "vcpus": 4, "memory_mb": 1024, "root_gb": 2, "ephemeral_gb": 0,
    "swap": 0}})";
const std::string flavor_m = R"("flavor": {"name": "m", "id": 1, "vcpus": 1, "memory_mb": 1, "extra_specs": {)";

std::string in_aggregate(const std::string& metadata) {
  return R"("aggregates": [{"metadata": {)" + metadata + "}}]";
}

std::string cells(int cpus) {
  return R"("cpu_allocation_ratio": 1, "ram_allocation_ratio": 1, "numa_topology": {"cells": [{"id": 0, "cpuset": [)" +
         std::string(cpus == 1 ? "0" : "0, 1") +
         R"(], "pcpuset": [], "memory": 64, "cpu_usage": 0, "memory_usage": 0, "mempages": [], "siblings": [],
             "pinned_cpus": [], "network_metadata": null, "socket": null}]})";
}

const std::string group = R"("instance_group": {"policy": "anti-affinity", "policies": ["anti-affinity", "affinity",
    "legacy"], "members": ["mine"], )";

// Amounts are told of the best host alone.
std::vector<rejection> rejections() {
  const auto supply = [](const std::string& filter, const std::string& wanted, const std::string& best) {
    return rejection{
        filter, large, capacity, capacity, wanted + " wanted, at most " + best, wanted + " wanted, at most " + best};
  };
  std::vector<rejection> all;
  for (const auto* filter : {"CoreFilter", "AggregateCoreFilter", "ExactCoreFilter"})
    all.push_back(supply(filter, "4 vcpus", "2 "));
  for (const auto* filter : {"RamFilter", "AggregateRamFilter", "ExactRamFilter"})
    all.push_back(supply(filter, "1024 MiB", "256 "));
  for (const auto* filter : {"DiskFilter", "AggregateDiskFilter", "ExactDiskFilter"})
    all.push_back(supply(filter, "2048 MiB", "512 "));
  for (const auto* filter : {"IoOpsFilter", "AggregateIoOpsFilter"})
    all.push_back({filter, "{}", R"("num_io_ops": 8)", R"("num_io_ops": 9)",
                   "fewer than 8 I/O operations under way (max_io_ops_per_host) wanted, 8 there",
                   "wanted, 8 and 9 there"});
  for (const auto* filter : {"NumInstancesFilter", "AggregateNumInstancesFilter"})
    all.push_back({filter, "{}", R"("num_instances": 50)", R"("num_instances": 51)",
                   "fewer than 50 instances (max_instances_per_host) wanted, 50 there", "wanted, 50 and 51 there"});
  all.push_back({"AggregateImagePropertiesIsolation", R"({"image": {"properties": {"os_type": "linux"}}})",
                 in_aggregate(R"("os_type": "windows")"), in_aggregate(R"("os_type": "solaris")"),
                 "a host for images with os_type 'linux' wanted, os_type 'windows' there",
                 "os_type 'windows' and os_type 'solaris' there"});
  all.push_back({"AggregateInstanceExtraSpecsFilter", "{" + flavor_m + R"("ssd": "true"}}})",
                 in_aggregate(R"("ssd": "false")"), in_aggregate(""),
                 "an aggregate with ssd 'true' wanted, ssd 'false' there", "ssd 'false' and no ssd there"});
  all.push_back({"AggregateMultiTenancyIsolation", R"({"project_id": "p1"})",
                 in_aggregate(R"("filter_tenant_id": "p2")"), in_aggregate(R"("filter_tenant_id": "p3")"),
                 "a host for project 'p1' wanted, filter_tenant_id 'p2' there",
                 "filter_tenant_id 'p2' and filter_tenant_id 'p3' there"});
  all.push_back({"AggregateTypeAffinityFilter", "{" + flavor_m + "}}}", in_aggregate(R"("instance_type": "l")"),
                 in_aggregate(R"("instance_type": "s")"), "a host for flavor 'm' wanted, instance_type 'l' there",
                 "instance_type 'l' and instance_type 's' there"});
  all.push_back({"AvailabilityZoneFilter", R"({"availability_zone": "a"})", R"("availability_zone": "b")",
                 R"("availability_zone": "c")", "zone 'a' wanted, 'b' there", "zone 'a' wanted, 'b' and 'c' there"});
  all.push_back({"ComputeCapabilitiesFilter", "{" + flavor_m + R"("capabilities:gpu": "a100"}}})",
                 R"("stats": {"gpu": "v100"})", R"("stats": {})", "capabilities:gpu 'a100' wanted, 'v100' there",
                 "capabilities:gpu 'a100' wanted, 'v100' and no stats:gpu there"});
  all.push_back({"ComputeFilter", "{}", R"("service": {"disabled": true})", R"("service": {"disabled": true})",
                 "the service is down or disabled", "the service is down or disabled"});
  all.push_back({"DifferentHostFilter", R"({"scheduler_hints": {"different_host": ["x", "y"]}})",
                 R"("instances": [{"uuid": "x"}])", R"("instances": [{"uuid": "y"}])",
                 "holds an instance of the hint different_host: 'x' and 'y'",
                 "holds an instance of the hint different_host: 'x' and 'y'"});
  all.push_back({"SameHostFilter", R"({"scheduler_hints": {"same_host": ["x"]}})", "", "",
                 "no known host holds an instance of the hint same_host: 'x'",
                 "no known host holds an instance of the hint same_host: 'x'"});
  for (const auto* filter : {"ServerGroupAffinityFilter", "GroupAffinityFilter"})
    all.push_back({filter, "{" + group + R"("hosts": ["elsewhere"]}})", "", "",
                   "holds no member of the server group, whose members are on 'elsewhere'",
                   "holds no member of the server group, whose members are on 'elsewhere'"});
  all.push_back({"GroupAntiAffinityFilter", "{" + group + R"("hosts": ["h1", "h2"]}})", "", "",
                 "holds a member of the server group", "holds a member of the server group"});
  all.push_back({"ServerGroupAntiAffinityFilter", "{" + group + R"("hosts": []}})",
                 R"("instances": [{"uuid": "mine"}])", R"("instances": [{"uuid": "mine"}])",
                 "holds 1 member of the server group, as many as max_server_per_host allows",
                 "holds 1 member of the server group, as many as max_server_per_host allows"});
  all.push_back({"ImagePropertiesFilter", R"({"image": {"properties": {"hw_architecture": "aarch64"}}})",
                 R"("supported_instances": [["x86_64", "kvm", "hvm"]])", "",
                 "an image of 'aarch64' wanted, 'x86_64 kvm hvm' there",
                 "'x86_64 kvm hvm' and no supported_instances there"});
  all.push_back({"IsolatedHostsFilter", R"({"image": {"id": "i1", "properties": {}}})", "", "",
                 "isolated_images names image 'i1', which only isolated_hosts take",
                 "isolated_images names image 'i1', which only isolated_hosts take"});
  all.push_back({"JsonFilter", R"({"scheduler_hints": {"query": ["[\">\", \"$free_ram_mb\", 10]"]}})",
                 R"("free_ram_mb": 5)", R"("free_ram_mb": 6)",
                 R"(the hint query '[">", "$free_ram_mb", 10]' wanted, free_ram_mb 5 there)",
                 "free_ram_mb 5 and free_ram_mb 6 there"});
  all.push_back({"MetricsFilter", "{}", R"("metrics": {"objects": []})", R"("metrics": {"objects": []})",
                 "each metric of weight_setting wanted, no 'load' there", "no 'load' there"});
  all.push_back({"NUMATopologyFilter",
                 "{" + flavor_m + R"(}}, "image": {"properties": {}}, "numa_topology": {"cells": [{"id": 0,
                     "cpuset": [0, 1, 2], "pcpuset": [], "memory": 32, "pagesize": null, "cpu_policy": null,
                     "cpu_thread_policy": null}], "emulator_threads_policy": null}})",
                 cells(2), "", "NUMA cells of 3 CPUs with 32 MiB wanted, 2 CPUs with 64 MiB there",
                 "2 CPUs with 64 MiB and no NUMA topology there"});
  all.push_back({"PciPassthroughFilter",
                 R"({"pci_requests": [{"count": 2, "request_id": "r", "alias_name": "gpu", "numa_policy": null,
                     "spec": [{"vendor_id": "10de", "product_id": "20b0"}]}]})",
                 R"("pci_stats": {"pools": [{"count": 1, "vendor_id": "10de", "product_id": "20b0", "numa_node": 0}]})",
                 "", "PCI devices 2 of {vendor_id 10de, product_id 20b0} wanted, 1 of {", "and none there"});
  all.push_back({"RetryFilter", R"({"retry": {"hosts": [["h1", "n"], ["h2", "n"]]}})", R"("nodename": "n")",
                 R"("nodename": "n")", "tried before for this request, as its retry says: 'h1' and 'h2'",
                 "tried before for this request, as its retry says: 'h1' and 'h2'"});
  all.push_back({"SimpleCIDRAffinityFilter", R"({"scheduler_hints": {"build_near_host_ip": ["10.0.0.1"]}})",
                 R"("host_ip": "10.1.0.1")", R"("host_ip": "10.2.0.1")",
                 "host_ip in '10.0.0.1/24' (hints build_near_host_ip and cidr) wanted, '10.1.0.1' there",
                 "'10.1.0.1' and '10.2.0.1' there"});
  all.push_back({"TypeAffinityFilter", "{" + flavor_m + "}}}", R"("instances": [{"uuid": "x", "instance_type_id": 2}])",
                 R"("instances": [{"uuid": "y", "instance_type_id": 3}])", "only instances of flavor 'm' wanted, ",
                 " there"});
  return all;
}

settings options_of_cases(const std::string& filter = {}) {
  settings options;
  if (filter.find("Disk") != std::string::npos)
    options.compatibility = release::ocata;  // later ones judge as placement
  options.isolated_images = {"i1"};
  options.isolated_hosts = {"other"};
  options.metrics_weight_setting = {{"load", 1.0}};
  return options;
}

// Returns the sentence about the hosts, all of which the filter must reject.
std::string said_of(const rejection& each, const std::vector<std::string>& members) {
  const auto options = options_of_cases(each.filter);
  std::vector<json::object> hosts;
  for (std::size_t at = 0; at < members.size(); ++at) {
    const auto name = R"({"host": "h)" + std::to_string(at + 1) + "\"";
    hosts.push_back(json::parse(name + (members[at].empty() ? "" : ", ") + members[at] + "}").as_object());
  }
  std::vector<const json::object*> pointers;
  for (const auto& host : hosts) pointers.push_back(&host);
  const parity::recorded_hosts recorded(pointers, {});
  const auto request = read_request(each.spec).value();
  const question asked{recorded.table(), request, options};
  const auto* const rule = find_filter(each.filter);
  const auto made = rule->make(options);
  filtering filters({{rule, made.get()}}, asked, true);
  std::vector<double> rooms(block::room_count * block_rows);
  std::uint64_t rows = (std::uint64_t{1} << members.size()) - 1;
  filters.keep({0, static_cast<std::uint32_t>(members.size()), &rows, rooms.data()});
  EXPECT_EQ(rows, 0U) << each.filter << " rejects no host";
  auto& run = *filters.steps()[0].run;
  if (auto own = run.reason(); !own.empty()) return own;
  shortfall all;
  for (std::uint32_t row = 0; row < members.size(); ++row) all.add(run, row);
  const auto text = all.text();
  return text.empty() ? std::string(rule->complaint) : text;
}

TEST(SentencesOfFilters, NameWhatWasWantedAndWhatWasThereOfOneHostAndOfTwo) {
  for (const auto& each : rejections()) {
    EXPECT_THAT(said_of(each, {each.first}), HasSubstr(each.of_one)) << each.filter;
    EXPECT_THAT(said_of(each, {each.first, each.second}), HasSubstr(each.of_both)) << each.filter;
  }
}

TEST(SentencesOfFilters, AreThereForEachFilterThatRejectsHosts) {
  std::set<std::string_view> told{"AllHostsFilter", "TrustedFilter"};  // one rejects none, one ends the request
  const auto all = rejections();
  for (const auto& each : all) told.insert(each.filter);
  for (const auto* const rule : filter_rules()) EXPECT_TRUE(told.contains(rule->name)) << rule->name;
}

TEST(SentencesOfFilters, StayShortWhateverTheRequestAndTheHostsSay) {
  const std::string endless(10000, 'x');
  for (const auto& each : {rejection{"AvailabilityZoneFilter", R"({"availability_zone": ")" + endless + "\"}",
                                     R"("availability_zone": ")" + endless + "y\"", "", "", ""},
                           rejection{"ComputeCapabilitiesFilter",
                                     "{" + flavor_m + "\"capabilities:" + endless + R"(": ")" + endless + "\"}}}",
                                     R"("stats": {})", "", "", ""}})
    EXPECT_LT(said_of(each, {each.first}).size(), 400U) << each.filter;
  std::vector<std::string> zones;
  for (int zone = 0; zone < 60; ++zone) zones.push_back(R"("availability_zone": "z)" + std::to_string(zone) + "\"");
  EXPECT_EQ(said_of({"AvailabilityZoneFilter", R"({"availability_zone": "a"})", "", "", "", ""}, zones),
            "zone 'a' wanted, 'z0', 'z1', 'z2' and 57 more there");
}

TEST(SentencesOfFilters, HaveTheSingularAfterOne) {
  const rejection one{"CoreFilter", R"({"flavor": {"vcpus": 1, "memory_mb": 1}})", "", "", "", ""};
  EXPECT_THAT(said_of(one, {R"("vcpus_total": 1, "vcpus_used": 1, "cpu_allocation_ratio": 1)"}),
              HasSubstr("1 vcpu wanted, at most 0 on a host"));
}

TEST(Wording, CutsNoLetterApart) {
  using Names = std::vector<std::string>;
  std::string umlauts;
  for (int i = 0; i < 40; ++i) umlauts += "ü";
  const auto cut = shortened("x" + umlauts);
  EXPECT_TRUE(cut.ends_with("ü...")) << cut;
  EXPECT_LE(cut.size(), 67U);
  EXPECT_EQ(listed(Names{"a"}), "a");
  EXPECT_EQ(listed(Names{"a", "b"}), "a and b");
  EXPECT_EQ(listed(Names{"a", "b", "c", "d"}), "a, b, c and d");
  EXPECT_EQ(listed(Names{"a", "b", "c", "d", "e"}), "a, b, c and 2 more");
}

// The sentence about a request whose names select no host of `hosts`.
std::string none_selected(const std::string& spec, const std::vector<std::string>& names) {
  std::vector<json::object> hosts;
  for (const auto& name : names) hosts.push_back({{"host", name}, {"nodename", "n"}});
  std::vector<const json::object*> pointers;
  for (const auto& host : hosts) pointers.push_back(&host);
  const parity::recorded_hosts recorded(pointers, {});
  return why_none_selected(recorded.table(), read_request(spec).value(), settings().compatibility, std::nullopt);
}

TEST(SentencesOfTheSelection, SayWhatTheRequestIgnoresAndWhatItNames) {
  EXPECT_EQ(none_selected(R"({"ignore_hosts": ["a"]})", {"a"}), "the request ignores the only host that is known");
  EXPECT_EQ(none_selected(R"({"ignore_hosts": ["a", "b"]})", {"a", "b"}),
            "the request ignores all 2 hosts that are known");
  EXPECT_EQ(none_selected(R"({"force_hosts": ["c", "d"], "force_nodes": ["m"]})", {"a"}),
            "no known host matches what the request names: force_hosts 'c' and 'd', force_nodes 'm'");
  EXPECT_EQ(none_selected(R"({"force_hosts": ["a"], "ignore_hosts": ["a"]})", {"a", "b"}),
            "the request ignores the only host that it names: force_hosts 'a'");
  EXPECT_EQ(none_selected(R"({"requested_destination": {"host": "c", "node": null}})", {"a"}),
            "no known host matches what the request names: requested_destination.host 'c'");
  for (const auto& text :
       {none_selected(R"({"ignore_hosts": ["a"]})", {"a"}), none_selected(R"({"force_hosts": ["c"]})", {"a"})})
    EXPECT_THAT(text, Not(HasSubstr("1 hosts")));
}

}  // namespace
}  // namespace filter_driver::sentences
