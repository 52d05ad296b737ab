// SPDX-License-Identifier: Apache-2.0
//
// Requests that Nova's scheduler ends with an exception: the filter driver refuses them as late as Nova raises, with a
// sentence that names the host and what is wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <gantry/driver/failure.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "plugins/filter/decision/host_selection.hpp"
#include "plugins/filter/policy/registry.hpp"
#include "plugins/filter/request/request_reader.hpp"
#include "plugins/filter/rules/filtering.hpp"
#include "plugins/filter/rules/weighing.hpp"
#include "tests/parity/recorded_hosts.hpp"

namespace filter_driver {
namespace {

namespace json = boost::json;
using ::testing::HasSubstr;

// Two hosts, a.node and b.node; `mine` is an instance on a.
class two_hosts {
 public:
  two_hosts()
      : a_(json::parse(R"({"host": "a", "nodename": "node", "instances": [{"uuid": "mine"}]})").as_object()),
        b_(json::parse(R"({"host": "b", "nodename": "node", "instances": [{"uuid": "other"}, {"uuid": "third"}]})")
               .as_object()),
        recorded_({&a_, &b_}, {}) {}

  // Names of the hosts that get through the selection and the filter, or what refused the request.
  std::string passing(std::string_view filter_name, std::string_view spec, std::string_view only = "ab",
                      release compatibility = release::zed) const {
    const auto request = read_request(spec).value();
    settings options;
    options.compatibility = compatibility;
    const question asked{recorded_.table(), request, options};
    try {
      auto selected = select_hosts(recorded_.table(), request, options.compatibility);
      const auto* const rule = find_filter(filter_name);
      const auto made = rule->make(options);
      filtering filters({{rule, made.get()}}, asked, true);
      std::vector<double> rooms(block::room_count * block_rows);
      for (std::size_t row = 0; row < 2; ++row) {
        if (only.find("ab"[row]) == std::string_view::npos) selected.rows[0] &= ~(std::uint64_t{1} << row);
      }
      if (!selected.skips_filters) filters.keep({0, 2, selected.rows.data(), rooms.data()});
      return std::string((selected.rows[0] & 1) != 0 ? "a" : "") + ((selected.rows[0] & 2) != 0 ? "b" : "");
    } catch (const gantry::failure& failed) {
      return failed.what();
    }
  }

  // The numbers of both hosts, or what refused the request.
  std::string weighing(std::string_view weigher_name, std::string_view spec) const {
    const auto request = read_request(spec).value();
    const settings options;
    const auto* const rule = find_weigher(weigher_name);
    const auto made = rule->make(options);
    const question asked{recorded_.table(), request, options};
    try {
      weighing_step step(*rule, *made, asked);
      std::uint64_t rows = 3;
      std::vector<double> rooms(block::room_count * block_rows);
      std::vector<double> raw(block_rows);
      step.observe({0, 2, &rows, rooms.data()});
      step.raw({0, 2, &rows, rooms.data()}, raw.data());
      return std::to_string(static_cast<int>(raw[0])) + " " + std::to_string(static_cast<int>(raw[1]));
    } catch (const gantry::failure& failed) {
      return failed.what();
    }
  }

 private:
  json::object a_;
  json::object b_;
  parity::recorded_hosts recorded_;
};

constexpr std::string_view anti_affinity = "ServerGroupAntiAffinityFilter";

TEST(ServerGroupAntiAffinity, RefusesAGroupWithoutMembersButForTheInstancesOwnHost) {
  const two_hosts hosts;
  const std::string_view spec = R"({"instance_uuid": "mine", "instance_group": {"policy": "anti-affinity"}})";
  EXPECT_EQ(hosts.passing(anti_affinity, spec),
            "ServerGroupAntiAffinityFilter: host b.node: ObjectActionError: the request's server group comes without "
            "its members");
  EXPECT_EQ(hosts.passing(anti_affinity, spec, "a"), "a");
  EXPECT_THAT(hosts.passing(anti_affinity, R"({"instance_group": {"policy": "anti-affinity", "members": null}})"),
              HasSubstr("without its members"));
}

TEST(ServerGroupAntiAffinity, RefusesAGroupWhosePolicyIsNotSetAndPassesOneWithNone) {
  const two_hosts hosts;
  EXPECT_EQ(hosts.passing(anti_affinity, R"({"instance_group": {"members": []}})"),
            "ServerGroupAntiAffinityFilter: host a.node: ObjectActionError: the request's server group comes without "
            "its policy");
  EXPECT_EQ(hosts.passing(anti_affinity, R"({"instance_group": {"policy": null}})"), "ab");
}

TEST(ServerGroupAntiAffinity, ReadsTheMostServersOnAHostAsPythonReadsAWholeNumber) {
  const two_hosts hosts;
  const auto with = [&](std::string_view most) {
    return hosts.passing(anti_affinity, R"({"instance_group": {"policy": "anti-affinity", "members": ["other", "third"],
                                            "_rules": {"max_server_per_host": )" +
                                            std::string(most) + "}}}");
  };
  EXPECT_EQ(with(R"(" 2 ")"), "a");
  EXPECT_EQ(with(R"("٣")"), "ab");
  EXPECT_EQ(with("3"), "ab");
  EXPECT_EQ(with(R"("99999999999999999999")"), "ab");
  EXPECT_EQ(with(R"("-1")"), "");
  EXPECT_EQ(with(R"("two")"),
            "ServerGroupAntiAffinityFilter: host a.node: ValueError: max_server_per_host: invalid literal for int() "
            "with base 10: 'two'");
  EXPECT_THAT(with("null"), HasSubstr("TypeError: max_server_per_host: found null"));
}

TEST(ServerGroupAffinity, RefusesAGroupWithoutPoliciesOrHostsOnceAHostGetsThere) {
  const two_hosts hosts;
  const std::string_view name = "ServerGroupAffinityFilter";
  EXPECT_THAT(
      hosts.passing(name, R"({"instance_group": {"policy": "affinity"}})"),
      HasSubstr("host a.node: ObjectActionError: the request's server group comes without its list of policies"));
  EXPECT_THAT(hosts.passing(name, R"({"instance_group": {"policies": null}})"), HasSubstr("list of policies"));
  EXPECT_THAT(hosts.passing(name, R"({"instance_group": {"policies": ["affinity"]}})"), HasSubstr("without its hosts"));
  EXPECT_EQ(hosts.passing(name, R"({"instance_group": {"policies": ["affinity"]}})", ""), "");
  EXPECT_EQ(hosts.passing(name, R"({"instance_group": {"policies": ["affinity"], "hosts": null}})"), "ab");
}

TEST(SoftAffinity, RefusesAGroupWithoutPolicyOrMembers) {
  const two_hosts hosts;
  const std::string_view name = "ServerGroupSoftAffinityWeigher";
  EXPECT_EQ(hosts.weighing(name, R"({"instance_group": {"members": []}})"),
            "ServerGroupSoftAffinityWeigher: host a.node: ObjectActionError: the request's server group comes without "
            "its policy");
  EXPECT_THAT(hosts.weighing(name, R"({"instance_group": {"policy": "soft-affinity"}})"), HasSubstr("its members"));
  EXPECT_EQ(hosts.weighing(name, R"({"instance_group": {"policy": null}})"), "0 0");
  EXPECT_EQ(hosts.weighing(name, R"({"instance_group": {"policy": "soft-affinity", "members": ["third"]}})"), "0 1");
}

TEST(CpuWeigher, RefusesAHostWithoutAnAllocationRatio) {
  EXPECT_EQ(two_hosts().weighing("CPUWeigher", "{}"), "CPUWeigher: host a.node has no number to weigh it by");
}

TEST(NumaTopologyFilter, RefusesARequestWithoutImageOrExtraSpecsOnceAHostGetsThere) {
  const two_hosts hosts;
  const std::string_view name = "NUMATopologyFilter";
  EXPECT_EQ(
      hosts.passing(name, R"({"flavor": {"extra_specs": {}}})"),
      "NUMATopologyFilter: host a.node: AttributeError: the request has no image, whose properties are asked for");
  EXPECT_EQ(hosts.passing(name, R"({"flavor": {"extra_specs": {}}})", ""), "");
  EXPECT_THAT(hosts.passing(name, R"({"flavor": {}, "image": {}})"), HasSubstr("flavor comes without extra_specs"));
  EXPECT_EQ(hosts.passing(name, R"({"flavor": {"extra_specs": {}}, "image": {}})"), "ab");
}

TEST(SchedulerHints, RefusesNullHintsWhereTheyTellWhetherItIsARebuild) {
  const two_hosts hosts;
  EXPECT_EQ(
      hosts.passing("ComputeFilter", R"({"scheduler_hints": null})"),
      "ComputeFilter: host a.node: AttributeError: scheduler_hints is null, and is asked whether this is a rebuild");
  EXPECT_EQ(hosts.passing("IsolatedHostsFilter", R"({"scheduler_hints": null})"), "ab") << "it runs on a rebuild, too";
  EXPECT_EQ(hosts.passing("ComputeFilter", "{}"), "ab");
  EXPECT_THAT(hosts.passing("IsolatedHostsFilter", R"({"scheduler_hints": null, "force_hosts": ["a"]})"),
              HasSubstr("scheduler_hints is null and hosts are forced or ignored"));
  EXPECT_EQ(hosts.passing("IsolatedHostsFilter", R"({"scheduler_hints": null, "ignore_hosts": ["A", "B"]})"), "");
}

TEST(RequestedDestination, RequiresTheNodeBesideAHostEvenIfItIsNull) {
  const two_hosts hosts;
  const auto at = [&](std::string_view destination) {
    return hosts.passing("AllHostsFilter", R"({"requested_destination": )" + std::string(destination) + "}");
  };
  EXPECT_THAT(at(R"({"host": "b"})"), HasSubstr("names the host b and its node is not set"));
  EXPECT_EQ(at(R"({"host": "b", "node": null})"), "b");
  EXPECT_EQ(at(R"({"host": null, "node": null})"), "");
  EXPECT_EQ(at(R"({"node": "node"})"), "ab");
}

TEST(RequestedDestination, BindsInOcataTooAndThereItsNodeAsWell) {
  const two_hosts hosts;
  const auto at = [&](std::string_view destination, release compatibility) {
    return hosts.passing("AllHostsFilter", R"({"requested_destination": )" + std::string(destination) + "}", "ab",
                         compatibility);
  };
  const std::string_view b = R"({"host": "b", "node": "node"})";
  EXPECT_EQ(at(b, release::ocata), "b");
  EXPECT_EQ(at(b, release::zed), "b");
  EXPECT_EQ(at(b, release::icehouse), "ab") << "Icehouse has no requested destination";
  const std::string_view other_case = R"({"host": "B", "node": "node"})";
  EXPECT_EQ(at(other_case, release::ocata), "");
  for (const std::string_view any_node : {R"({"host": "b", "node": null})", R"({"host": "b", "node": ""})"}) {
    EXPECT_EQ(at(any_node, release::zed), "b");
    EXPECT_EQ(at(any_node, release::ocata), "");
  }
  EXPECT_THAT(at(R"({"host": "b"})", release::ocata), HasSubstr("names the host b and its node is not set"));
  EXPECT_EQ(at(R"({"cell": {"uuid": "one"}})", release::ocata), "ab") << "these hosts report no cell";
}

TEST(ForcedAndIgnoredHosts, AreComparedWithoutCaseFromOcataOn) {
  const two_hosts hosts;
  const auto with = [&](std::string_view spec, release compatibility) {
    return hosts.passing("AllHostsFilter", spec, "ab", compatibility);
  };
  for (const auto compatibility : {release::ocata, release::zed}) {
    EXPECT_EQ(with(R"({"force_hosts": ["B"]})", compatibility), "b");
    EXPECT_EQ(with(R"({"ignore_hosts": ["B"]})", compatibility), "a");
    EXPECT_EQ(with(R"({"force_nodes": ["NODE"]})", compatibility), "");
  }
  EXPECT_EQ(with(R"({"force_hosts": ["B"]})", release::icehouse), "");
  EXPECT_EQ(with(R"({"ignore_hosts": ["B"]})", release::icehouse), "ab");
}

TEST(ARebuild, AsksOcatasFiltersAsOcataDoes) {
  const two_hosts hosts;
  const auto with = [&](std::string_view filter, std::string_view more, release compatibility) {
    return hosts.passing(filter, R"({"scheduler_hints": {"_nova_check_type": ["rebuild"]})" + std::string(more) + "}",
                         "ab", compatibility);
  };
  // No host has a NUMA topology, nor is one among the instance's own.
  const std::string_view numa = R"(, "image": {"properties": {}}, "numa_topology": {"cells": [{"id": 0, "cpuset": [0],
      "pcpuset": [], "memory": 1}]}, "flavor": {"vcpus": 1, "extra_specs": {}})";
  EXPECT_EQ(with("NUMATopologyFilter", numa, release::zed), "ab");
  EXPECT_EQ(with("NUMATopologyFilter", numa, release::ocata), "");
  const std::string_view retry = R"(, "retry": {"hosts": [["a", "node"]]})";
  EXPECT_EQ(with("RetryFilter", retry, release::ocata), "ab");
  EXPECT_EQ(with("RetryFilter", retry, release::icehouse), "b");
  const std::string_view forced = R"(, "force_hosts": ["a"], "flavor": {"vcpus": 1, "memory_mb": 1})";
  EXPECT_EQ(with("AllHostsFilter", forced, release::ocata), "a");
  EXPECT_THAT(hosts.passing("RetryFilter", R"({"scheduler_hints": null})", "ab", release::ocata),
              HasSubstr("scheduler_hints is null"));
}

TEST(ComputeFilter, PassesNoHostWhoseServiceIsNotKnownToBeUp) {
  host_table hosts;
  hosts.rows = 3;
  const request_facts request;
  const settings options;
  const auto made = find_filter("ComputeFilter")->make(options);
  const auto passing = [&] {
    std::uint64_t rows = 0b111;
    made->begin({hosts, request, options})->keep({0, 3, &rows, nullptr});
    return rows;
  };
  EXPECT_EQ(passing(), 0U);
  const std::uint64_t up = 0b011;
  hosts.service_up = &up;
  EXPECT_EQ(passing(), 0b011U);
  const std::uint64_t disabled = 0b001;
  hosts.service_disabled = &disabled;
  EXPECT_EQ(passing(), 0b010U);
}

}  // namespace
}  // namespace filter_driver
