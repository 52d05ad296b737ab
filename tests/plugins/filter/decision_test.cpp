// SPDX-License-Identifier: Apache-2.0
//
// Whole decisions of the filter driver on the SDK's fake host, where Nova's order of events shows: later instances,
// alternates, moves, groups, readings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <gantry/driver/failure.hpp>
#include <string>
#include <vector>

#include "plugins/filter/decision/decision.hpp"
#include "tests/parity/recorded_call.hpp"

namespace filter_driver {
namespace {

using gantry::testing::fake_request;
using gantry::testing::host_row;
using gantry::testing::json_text;
using gantry::testing::picked;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* first_uuid = "6f70656e-7374-4163-8b00-00000000000a";
constexpr const char* second_uuid = "6f70656e-7374-4163-8b00-00000000000b";

settings asking(std::vector<std::string> filters, std::vector<std::string> weighers) {
  settings options;
  options.enabled_filters = std::move(filters);
  options.weight_classes = std::move(weighers);
  return options;
}

host_row row(const std::string& name, double free_ram_mb = 1024, const std::string& cell = "one") {
  host_row made{name};
  made.columns["free_ram_mb"] = free_ram_mb;
  made.columns["stats.cell_uuid"] = cell;
  made.claims["instances"] = 0;
  return made;
}

fake_request asking_for(std::uint32_t instances, const std::string& more = "") {
  fake_request request;
  request.instances = instances;
  request.spec = R"({"flavor": {"vcpus": 1, "memory_mb": 0, "root_gb": 0, "ephemeral_gb": 0})" + more + "}";
  return request;
}

// Decides and names the hosts picked, then those of alternates after a slash; or what refused the request.
class deciding {
 public:
  deciding(std::vector<host_row> rows, settings options) : call_(std::move(rows)), rules_(std::move(options)) {}

  gantry::testing::fake_host& host() { return call_.host(); }

  std::string on(const fake_request& description) {
    try {
      const auto request = call_.request(description);
      decision whole(call_.call(), request, rules_, documents_);
      if (gantry::place_all(call_.call(), request, whole) != gantry::code::ok) return whole.reason();
      if (whole.offer_alternates() != gantry::code::ok) return "no alternates";
      std::string names;
      for (const auto& pick : call_.result().picks) names += pick.host + " ";
      names += "/";
      for (const auto& other : call_.result().alternates) names += " " + other.host;
      return names;
    } catch (const gantry::failure& refused) {
      return refused.what();
    }
  }

  const std::vector<picked>& picks() const { return call_.result().picks; }
  const gantry::testing::explained* step(const std::string& name) const { return call_.result().step(name); }

 private:
  parity::recorded_call call_;
  policy rules_;
  document_cache documents_;
};

TEST(Alternates, StaysInTheCellOfThePickedHost) {
  deciding cells({row("a", 4096, "one"), row("b", 3072, "two"), row("c", 2048, "one"), row("d", 1024, "one")},
                 asking({}, {"RAMWeigher"}));
  auto request = asking_for(1);
  request.alternates = 1;
  EXPECT_EQ(cells.on(request), "a / c");
}

TEST(TheHintOfARebuild, SkipsFiltersOnlyForOneForcedHostAndNode) {
  auto disabled = row("a", 4096);
  disabled.disabled = true;
  disabled.node = "a";
  const auto options = asking({"ComputeFilter"}, {"RAMWeigher"});
  const std::string hint = R"(, "scheduler_hints": {"_nova_check_type": ["rebuild"]})";
  const std::string forced = R"(, "force_hosts": ["a"], "force_nodes": ["a"])";
  const auto on = [&](const std::string& more, bool strict = false) {
    auto chosen = options;
    chosen.strict_parity = strict;
    deciding hosts({disabled, row("b")}, chosen);
    const auto names = hosts.on(asking_for(1, more));
    const auto passed_over = hosts.host().counters["rebuild_hints_passed_over"];
    return names + (passed_over == 0 ? "" : " passed over");
  };
  EXPECT_EQ(on(""), "b /");
  EXPECT_EQ(on(hint), "b / passed over");
  EXPECT_EQ(on(hint, true), "a /") << "as Nova decides";
  EXPECT_EQ(on(hint + R"(, "ignore_hosts": ["c"])"), "b / passed over");
  EXPECT_EQ(on(hint + forced), "a /");
}

TEST(LaterInstances, FindsTheOrderOfTheRoundBeforeWhicheverClaimSucceeded) {
  deciding equals({row("a"), row("b"), row("c")}, asking({}, {"RAMWeigher"}));
  bool refuses = true;
  equals.host().admits = [&](const picked& pick) { return pick.host != "a" || !std::exchange(refuses, false); };
  EXPECT_EQ(equals.on(asking_for(2)), "b a /");
}

TEST(Refusals, SayWhetherTheRequestIgnoresItsHostsOrNamesUnknownOnes) {
  const auto on = [](const std::string& more) {
    auto with_node = row("a");
    with_node.node = "a";
    return deciding({with_node, row("b")}, asking({}, {})).on(asking_for(1, more));
  };
  EXPECT_EQ(on(R"(, "ignore_hosts": ["a", "b"])"), "the request ignores all 2 hosts that are known");
  EXPECT_EQ(on(R"(, "ignore_hosts": ["a", "b"], "force_hosts": ["a", "b"])"),
            "the request ignores each host that it names: force_hosts 'a' and 'b'");
  EXPECT_EQ(on(R"(, "requested_destination": {"host": "c", "node": "c"})"),
            "no known host matches what the request names: requested_destination.host 'c', "
            "requested_destination.node 'c'");
  EXPECT_EQ(on(R"(, "ignore_hosts": ["a"], "requested_destination": {"host": "a", "node": "a"})"),
            "the request ignores the only host that it names: requested_destination.host 'a', "
            "requested_destination.node 'a'");
  EXPECT_EQ(on(R"(, "requested_destination": {"cell": {"uuid": "two"}})"),
            "no known host matches what the request names: requested_destination.cell 'two'");
}

// A run gives its reason after the hosts were judged, so that what the run was asked must still be there.
TEST(Refusals, SayWhatTheFilterWantedThatRejectedTheLastHosts) {
  auto isolating = asking({"IsolatedHostsFilter"}, {});
  isolating.isolated_images = {"i1"};
  isolating.isolated_hosts = {"other"};
  deciding isolated({row("a"), row("b")}, isolating);
  EXPECT_EQ(isolated.on(asking_for(1, R"(, "image": {"id": "i1"})")),
            "IsolatedHostsFilter: isolated_images names image 'i1', which only isolated_hosts take");
}

TEST(LostClaims, AreCountedInHosts) {
  deciding one({row("a")}, asking({}, {}));
  one.host().admits = [](const picked&) { return false; };
  EXPECT_EQ(one.on(asking_for(1)), "other requests were faster on 1 host");
  deciding two({row("a"), row("b")}, asking({}, {}));
  two.host().admits = [](const picked&) { return false; };
  EXPECT_EQ(two.on(asking_for(1)), "other requests were faster on each of 2 hosts");
}

TEST(LaterInstances, AddsNoMembersToAGroupThatCameWithoutMembers) {
  deciding hosts({row("a"), row("b")}, asking({"ServerGroupAntiAffinityFilter"}, {}));
  const std::string group =
      R"(, "instance_group": {"policy": "anti-affinity", "policies": ["anti-affinity"], "hosts": [], "members": )";
  auto request = asking_for(2, group + "[]}");
  request.instance_uuids = {first_uuid, second_uuid};
  EXPECT_EQ(hosts.on(request), "a a /");
  request.spec = asking_for(2, group + "[\"" + first_uuid + "\", \"" + second_uuid + "\"]}").spec;
  deciding others({row("a"), row("b")}, asking({"ServerGroupAntiAffinityFilter"}, {}));
  EXPECT_EQ(others.on(request), "a b /");
}

TEST(AGroupOfTheCore, AllowsSeveralMembersOnAHostIfItsRuleIsAText) {
  auto full = row("a");
  full.instances = {*gantry::parse_uuid(first_uuid)};
  auto request = asking_for(1);
  gantry::testing::fake_group group;
  group.policy = "anti-affinity";
  group.members = {first_uuid};
  group.member_rows = {0};
  request.group = group;
  const auto with = [&](const std::string& most) {
    request.group->rules = R"({"max_server_per_host": )" + most + "}";
    deciding hosts({full}, asking({"ServerGroupAntiAffinityFilter"}, {}));
    hosts.host().instances[first_uuid].host = "a";
    return hosts.on(request);
  };
  EXPECT_EQ(with(R"("2")"), "a /");
  EXPECT_THAT(with(R"("1")"), HasSubstr("ServerGroupAntiAffinityFilter"));
  EXPECT_THAT(with(R"("two")"), HasSubstr("max_server_per_host: "));
}

// The request's own group has "hosts": null, and the core found the group's hosts.
TEST(AGroupOfTheCore, KeepsInstancesApartThoughTheRequestsGroupHasNoHosts) {
  auto full = row("a");
  full.instances = {*gantry::parse_uuid(first_uuid)};
  auto request = asking_for(1, std::string(R"(, "instance_group": {"policy": "affinity", "policies": ["affinity"],)") +
                                   R"( "hosts": null, "members": [")" + first_uuid + "\"]}");
  gantry::testing::fake_group group;
  group.policy = "affinity";
  group.members = {first_uuid};
  group.member_rows = {1};
  request.group = group;
  deciding hosts({row("b"), full}, asking({"ServerGroupAffinityFilter"}, {}));
  EXPECT_EQ(hosts.on(request), "a /");
}

TEST(AMoveWithinACell, PassesOverTheHostsOfOtherCells) {
  const auto to = [](const std::string& more) {
    return deciding({row("a", 4096, "one"), row("b", 1024, "two")}, asking({}, {"RAMWeigher"}))
        .on(asking_for(1, R"(, "requested_destination": {"cell": {"uuid": "two"})" + more + "}"));
  };
  EXPECT_EQ(to(R"(, "allow_cross_cell_move": false)"), "b /");
  EXPECT_EQ(to(""), "b /");
  EXPECT_EQ(to(R"(, "allow_cross_cell_move": true)"), "a /");
}

TEST(GroupsBeforeZed, ReadsGroupsFromTheOldDictionaries) {
  auto options = asking({"ServerGroupAntiAffinityFilter"}, {"RAMWeigher"});
  options.compatibility = release::icehouse;
  deciding hosts({row("a", 4096), row("b", 1024)}, options);
  const std::string group = R"(, "instance_group": {"policy": "anti-affinity", "hosts": ["a"], "members": []})";
  EXPECT_EQ(hosts.on(asking_for(1, group)), "b /");
}

TEST(ANeedThatOnlyPlacementCouldJudge, RefusesTheRequestByName) {
  const auto decided = [](const fake_request& request) { return deciding({row("a")}, asking({}, {})).on(request); };
  const auto on = [&](const std::string& more) { return decided(asking_for(1, more)); };
  EXPECT_THAT(on(R"(, "requested_resources": [{"resources": {"NET_BW_EGR_KILOBIT_PER_SEC": 1}}])"),
              HasSubstr("requested_resources can be judged by a placement service alone"));
  EXPECT_THAT(on(R"(, "request_level_params": {"root_required": ["CUSTOM_R"]})"),
              HasSubstr("request_level_params.root_required"));
  EXPECT_THAT(on(R"(, "requested_destination": {"aggregates": ["one"]})"),
              HasSubstr("requested_destination.aggregates"));
  EXPECT_EQ(on(R"(, "requested_resources": [], "request_level_params": {"root_required": []})"), "a /");
  const auto with = [&](const std::string& spec) {
    auto request = asking_for(1);
    request.spec = R"({"flavor": {"vcpus": 2, "memory_mb": 64, "root_gb": 1, "ephemeral_gb": 1, "swap": 1,)"
                   R"( "extra_specs": {)" +
                   spec + "}}}";
    return decided(request);
  };
  EXPECT_THAT(with(R"("resources:VCPU": "8")"), HasSubstr("flavor extra spec resources:VCPU=8"));
  EXPECT_THAT(with(R"("resources1:VCPU": "2")"), HasSubstr("flavor extra spec resources1:VCPU=2"));
  EXPECT_EQ(with(R"("resources:VCPU": "2", "resources:MEMORY_MB": "64", "resources:DISK_GB": "3")"), "a /");
  for (const std::string spec : {R"("hw:pmem": "6GB")", R"("hw:mem_encryption": "True")", R"("hw:tpm_version": "2.0")",
                                 R"("os:secure_boot": "required")", R"("accel:device_profile": "gpu")"})
    EXPECT_THAT(with(spec), HasSubstr("flavor extra spec ")) << spec;
  EXPECT_EQ(with(R"("hw:mem_encryption": "false", "os:secure_boot": "optional")"), "a /");
  EXPECT_THAT(on(R"(, "image": {"properties": {"hw_mem_encryption": true}})"),
              HasSubstr("image property hw_mem_encryption"));
}

TEST(ANeedThatOnlyPlacementCouldJudge, IsPassedOverWherePlacementHasChosenTheHosts) {
  const auto on = [](const std::string& more, std::set<std::uint32_t> eligible) {
    auto request = asking_for(1, more);
    request.eligible = std::move(eligible);
    return deciding({row("a"), row("b")}, asking({}, {})).on(request);
  };
  for (const std::string more : {R"(, "requested_resources": [{"resources": {"NET_BW_EGR_KILOBIT_PER_SEC": 1}}])",
                                 R"(, "request_level_params": {"root_required": ["CUSTOM_R"]})",
                                 R"(, "requested_destination": {"aggregates": ["one"]})",
                                 R"(, "image": {"properties": {"trait:CUSTOM_T": "required"}})"})
    EXPECT_EQ(on(more, {1}), "b /") << more;
  auto request = asking_for(1);
  request.spec = R"({"flavor": {"vcpus": 1, "memory_mb": 0, "root_gb": 0, "ephemeral_gb": 0,)"
                 R"( "extra_specs": {"resources:CUSTOM_C": "1"}}})";
  EXPECT_THAT(deciding({row("a")}, asking({}, {})).on(request), HasSubstr("resources:CUSTOM_C"));
  request.eligible = {0};
  EXPECT_EQ(deciding({row("a")}, asking({}, {})).on(request), "a /");
}

TEST(EligibleHosts, AreTheOnlyOnesThatFiltersJudgeAndWeighersWeigh) {
  deciding hosts({row("huge", 9000), row("a", 1000), row("b", 2000), row("c", 4000)}, asking({}, {"RAMWeigher"}));
  auto request = asking_for(1);
  request.eligible = {1, 2, 3};
  EXPECT_EQ(hosts.on(request), "c /");
  EXPECT_EQ(hosts.picks().at(0).weight, 1) << "the greatest of the eligible hosts";
  deciding others({row("huge", 9000), row("a", 1000), row("b", 2000)}, asking({}, {"RAMWeigher"}));
  request.eligible = std::set<std::uint32_t>{};
  EXPECT_EQ(others.on(request), "no host is among placement's candidates");
  request.eligible = {1, 2};
  request.spec = asking_for(1, R"(, "ignore_hosts": ["b"])").spec;
  EXPECT_EQ(others.on(request), "a /");
  ASSERT_NE(others.step("requested"), nullptr);
  EXPECT_EQ(others.step("requested")->hosts_in, 2U);
  EXPECT_EQ(others.step("requested")->hosts_out, 1U);
}

TEST(EligibleHosts, CanBeWeighedButNotPicked) {
  deciding hosts({row("a", 5000), row("b", 3000), row("c", 1000)}, asking({}, {"RAMWeigher"}));
  auto request = asking_for(1);
  request.alternates = 2;
  request.eligible = {0, 1, 2};
  request.unclaimable = {0};
  EXPECT_EQ(hosts.on(request), "b / c");
  EXPECT_EQ(hosts.picks().at(0).weight, 0.6) << "of what the host has that cannot be claimed";
}

TEST(LostClaims, LeadToTheNextAlternate) {
  deciding hosts({row("a", 5000), row("b", 4000), row("c", 3000), row("d", 2000), row("e", 1000)},
                 asking({}, {"RAMWeigher"}));
  auto request = asking_for(1);
  request.alternates = 2;
  request.eligible = {0, 1, 2, 3, 4};
  request.unclaimable = {1, 3};
  EXPECT_EQ(hosts.on(request), "a / c e");
}

TEST(LostClaims, LeaveTheHostToTheNextInstance) {
  deciding hosts({row("a", 5000), row("b", 3000), row("c", 1000)}, asking({}, {"RAMWeigher"}));
  auto request = asking_for(2);
  request.eligible = {0, 1, 2};
  request.lost = {{0, 0}};
  EXPECT_EQ(hosts.on(request), "b a /");
  request.lost = {{0, 0}, {1, 0}, {1, 1}, {1, 2}};
  deciding none({row("a", 5000), row("b", 3000), row("c", 1000)}, asking({}, {"RAMWeigher"}));
  EXPECT_EQ(none.on(request), "claims were refused on each of 3 hosts");
}

TEST(APciPool, MatchesNumbersExactly) {
  const auto on = [](const std::string& wanted) {
    auto host = row("a");
    host.columns["pci_stats"] = json_text{R"([{"vendor_id": "8086", "product_id": "1520", "numa_node": 0, "count": 1,
        "tags": {"serial": 9007199254740993}}])"};
    return deciding({host}, asking({"PciPassthroughFilter"}, {}))
        .on(asking_for(1, R"(, "pci_requests": {"requests": [{"count": 1, "spec": [{"serial": )" + wanted + "}]}]}"));
  };
  EXPECT_EQ(on("9007199254740993"), "a /");
  EXPECT_THAT(on("9007199254740992"), HasSubstr("PciPassthroughFilter"));
  EXPECT_THAT(on("9007199254740992.0"), HasSubstr("PciPassthroughFilter"));
}

TEST(AnAmountOfDisk, ComparesAmountsOfAnySize) {
  deciding hosts({row("a")}, asking({"DiskFilter"}, {}));
  auto request = asking_for(1);
  request.spec = R"({"flavor": {"vcpus": 1, "memory_mb": 0, "root_gb": 9007199254740992, "ephemeral_gb": 0}})";
  EXPECT_THAT(hosts.on(request), HasSubstr("DiskFilter"));
}

// Hosts of 100 GiB by the rules of a release, asked for an instance.
std::string on_a_disk(host_row host, release compatibility, const std::string& flavor, const std::string& more = "") {
  host.local_gb = 100;
  auto options = asking({"DiskFilter"}, {});
  options.compatibility = compatibility;
  auto request = asking_for(1);
  request.spec = R"({"flavor": {"vcpus": 1, "memory_mb": 0, )" + flavor + "}" + more + "}";
  return deciding({std::move(host)}, options).on(request);
}

host_row disk_row(double used, double free, std::int64_t least) {
  auto made = row("a");
  made.local_gb_used = used;
  made.columns["free_disk_gb"] = free;
  made.columns["disk_available_least"] = least;
  return made;
}

TEST(ZedsDisk, CountsByTotalAndUseWhateverDiskAvailableLeastSays) {
  const std::string flavor = R"("root_gb": 60, "ephemeral_gb": 0)";
  EXPECT_EQ(on_a_disk(disk_row(40, 60, 0), release::zed, flavor), "a /");
  EXPECT_EQ(on_a_disk(disk_row(40, 60, -5), release::zed, flavor), "a /");
  EXPECT_EQ(on_a_disk(disk_row(41, 59, 100), release::zed, flavor),
            "DiskFilter: 61440 MiB wanted, at most 60416 on a host that came so far");
  EXPECT_THAT(on_a_disk(disk_row(40, 60, 0), release::ocata, flavor), HasSubstr("at most 0 on a host"));
  EXPECT_THAT(on_a_disk(disk_row(40, 60, 0), release::icehouse, flavor), HasSubstr("at most 0 on a host"));
}

TEST(ZedsDisk, IsTheFreeDiskWhereNoUseIsReported) {
  auto host = row("a");
  host.local_gb_used = std::nullopt;
  host.columns["free_disk_gb"] = 10.0;
  EXPECT_EQ(on_a_disk(host, release::zed, R"("root_gb": 10, "ephemeral_gb": 0)"), "a /");
  EXPECT_THAT(on_a_disk(host, release::zed, R"("root_gb": 11, "ephemeral_gb": 0)"), HasSubstr("at most 10240 on"));
}

TEST(ZedsDisk, IsWhatNovaClaimsAtPlacement) {
  const std::string flavor = R"("root_gb": 60, "ephemeral_gb": 9, "swap": 1025)";
  EXPECT_THAT(on_a_disk(disk_row(30, 70, 70), release::zed, flavor), HasSubstr("72704 MiB wanted"));
  EXPECT_EQ(on_a_disk(disk_row(89, 11, 11), release::zed, flavor, R"(, "is_bfv": true)"), "a /");
  EXPECT_THAT(on_a_disk(disk_row(90, 10, 10), release::zed, flavor, R"(, "is_bfv": true)"),
              HasSubstr("11264 MiB wanted"));
  EXPECT_THAT(on_a_disk(disk_row(30, 70, 70), release::ocata, flavor, R"(, "is_bfv": true)"),
              HasSubstr("71681 MiB wanted"));
}

TEST(ZedsPlacement, AsksNoRoomOfAHostForAnAmountOfZero) {
  const std::string no_disk = R"("root_gb": 0, "ephemeral_gb": 0)";
  EXPECT_EQ(on_a_disk(disk_row(200, -100, 0), release::zed, no_disk), "a /");
  EXPECT_THAT(on_a_disk(disk_row(200, -100, 0), release::ocata, no_disk), HasSubstr("DiskFilter"));
}

TEST(ZedsPlacement, FindsNoRoomOnAHostWithoutVcpus) {
  const auto on = [](release compatibility) {
    auto host = row("a");
    host.vcpus = 0;
    auto options = asking({"CoreFilter"}, {});
    options.compatibility = compatibility;
    return deciding({host}, options).on(asking_for(1));
  };
  EXPECT_THAT(on(release::zed), HasSubstr("CoreFilter: 1 vcpu wanted, at most 0 on a host"));
  EXPECT_EQ(on(release::ocata), "a /");
}

TEST(AQueryForHosts, FindsThemByTheNameInTheirServicesRecord) {
  deciding hosts({row("a"), row("b")}, asking({"JsonFilter"}, {}));
  EXPECT_EQ(hosts.on(asking_for(1, R"(, "scheduler_hints": {"query": ["[\"=\", \"$service.host\", \"b\"]"]})")), "b /");
}

TEST(AGroupWithoutHosts, RefusesTheRequestOnceOneIsToBeAdded) {
  const std::string group = R"(, "instance_group": {"policy": "soft-affinity", "members": []})";
  deciding hosts({row("a")}, asking({}, {}));
  EXPECT_THAT(hosts.on(asking_for(1, group)), HasSubstr("no list of hosts, which a is to be added to"));
  deciding nobody({}, asking({}, {}));
  EXPECT_THAT(nobody.on(asking_for(1, group)), HasSubstr("no host is known"));
}

TEST(AnInstanceThatMoves, CountsOnItsOldHostAsWell) {
  auto old = row("old", 8192);
  old.instances = {*gantry::parse_uuid(first_uuid)};
  deciding hosts({old, row("new", 4096), row("third", 1024)},
                 asking({"ServerGroupAntiAffinityFilter"}, {"RAMWeigher"}));
  hosts.host().instances[first_uuid].host = "old";
  hosts.host().admits = [](const picked& pick) { return pick.instance != 0 || pick.host != "old"; };
  auto request =
      asking_for(2, std::string(R"(, "instance_group": {"policy": "anti-affinity", "hosts": [], "members": [")") +
                        first_uuid + "\"]}");
  request.instance_uuids = {first_uuid, second_uuid};
  EXPECT_EQ(hosts.on(request), "new third /");
}

TEST(Metrics, ReadsWholeNumbersAndTakesFractionsOfCpuTimeAsHundredths) {
  auto percent = row("a");
  percent.columns["metrics"] =
      json_text{R"([{"name": "cpu.percent", "value": 0.29}, {"name": "cpu.frequency", "value": 2.7},
                                             {"name": "numa.membw.current", "numa_membw_values": {"0": 1}}])"};
  parity::recorded_call call({percent, row("b")});
  document_cache documents;
  const std::vector<placed_here> nobody;
  const view_hosts hosts(call.call(), call.view(), documents, nobody);
  EXPECT_EQ(boost::json::serialize(hosts.table().metrics->at(0)),
            R"({"cpu.percent":28,"cpu.frequency":2,"numa.membw.current":null})");
  EXPECT_EQ(boost::json::serialize(hosts.table().metrics->at(1)), "{}") << "a host without any";
}

}  // namespace
}  // namespace filter_driver
