// SPDX-License-Identifier: Apache-2.0
//
// `gantry whatif --compatibility`: two releases of Nova decide on one fleet, with the real filter driver.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;

std::string host(const std::string& name, int hypervisor = 7000000, int memory_mb = 16384) {
  return R"({"host":")" + name + R"(","service":{},"compute_node":{"vcpus":8,"vcpus_used":0,"memory_mb":)" +
         std::to_string(memory_mb) + R"(,"memory_mb_used":0,"local_gb":100,"local_gb_used":0,"hypervisor_version":)" +
         std::to_string(hypervisor) + "}}";
}

std::string request(const std::string& project = "p", const std::string& extra_specs = "") {
  return R"({"request_spec":{"num_instances":1,"instance_properties":{"project_id":")" + project +
         R"("},"flavor":{"name":"m","vcpus":1,"memory_mb":512,"root_gb":1,"ephemeral_gb":0,"swap":0,"extra_specs":{)" +
         extra_specs + R"(}}},"filter_properties":{}})";
}

class WhatIfComparison : public ::testing::Test {
 protected:
  Ran compare(const std::string& before, const std::string& after, const std::vector<std::string>& more) const {
    std::vector<std::string> words{"--config", gantry.config_file(), "whatif", "--driver", "filter", "--beside",
                                   before,     "--compatibility",    after};
    words.insert(words.end(), more.begin(), more.end());
    return gantry.gantry(words);
  }
  json::value found(const std::string& before, const std::string& after, std::vector<std::string> more) const {
    more.insert(more.end(), {"-o", "json"});
    const auto ran = compare(before, after, more);
    EXPECT_EQ(ran.err, "");
    return ran.json();
  }
  std::string file(const std::string& name, const std::string& text) const {
    const auto path = gantry.directory() / name;
    std::ofstream(path) << text;
    return path.string();
  }
  std::string fleet(const std::string& hosts, const std::string& aggregates = "") const {
    return file("fleet.json",
                R"({"format":"gantry-fleet/1","hosts":[)" + hosts + R"(],"aggregates":[)" + aggregates + "]}");
  }
  void SetUp() override { gantry.configure(R"(["simple"])"); }

  // From Dalmatian on each key that begins with filter_tenant_id keeps a host for projects.
  const std::string tenants = R"({"id":1,"name":"t","metadata":{"filter_tenant_id2":"other"},"hosts":["b"]})";
  const std::string only_tenancy =
      R"(driver.filter.enabled_filters=["ComputeFilter","AggregateMultiTenancyIsolation"])";
  RunningGantry gantry;
};

TEST_F(WhatIfComparison, NamesTheFilterThatRefusesAHostByOneReleaseAlone) {
  const std::vector<std::string> words{
      "--fleet",   fleet(host("a") + "," + host("b", 8000000), tenants),
      "--request", file("one.json", request()),
      "--request", file("more.json", R"({"messages":{"mine":)" + request() + R"(,"others":)" + request("other") + "}}"),
      "--set",     only_tenancy};
  const auto answer = found("bobcat", "dalmatian", words);
  EXPECT_EQ(answer.at("requests").as_int64(), 3);
  EXPECT_EQ(answer.at("hosts").as_int64(), 2);
  EXPECT_EQ(answer.at("same").as_int64(), 1) << "the host is kept for that project";
  EXPECT_EQ(answer.at("differ").as_int64(), 2);
  EXPECT_EQ(answer.at("rules").at(0).at("rule").as_string(), "AggregateMultiTenancyIsolation");
  const auto& difference = answer.at("differences").at(0);
  EXPECT_EQ(difference.at("before").at("host").as_string(), "b");
  EXPECT_EQ(difference.at("after").at("host").as_string(), "a");
  const auto& cause = difference.at("causes").at(0);
  EXPECT_EQ(cause.at("kind").as_string(), "filter");
  EXPECT_EQ(cause.at("host").as_string(), "b");
  EXPECT_EQ(cause.at("before").as_string(), "passed");
  EXPECT_EQ(cause.at("after").as_string(), "refused: a host for project 'p' wanted, filter_tenant_id2 'other' there");
  EXPECT_THAT(std::string(answer.at("differences").at(1).at("request").as_string()), HasSubstr("more.json: mine"));

  const auto table = compare("bobcat", "dalmatian", words);
  EXPECT_EQ(table.exit_status, 4);
  EXPECT_THAT(table.out, HasSubstr("3 requests on 2 hosts by bobcat and by dalmatian: 1 the same, 2 differ, 0 not"));
  EXPECT_THAT(table.out, ContainsRegex("one.json +1 +b +a +AggregateMultiTenancyIsolation +b +passed +refused: "));
}

TEST_F(WhatIfComparison, AHostThatOneReleaseAloneFindsIsADifference) {
  const auto answer =
      found("bobcat", "dalmatian",
            {"--fleet", fleet(host("b"), tenants), "--request", file("one.json", request()), "--set", only_tenancy});
  const auto& difference = answer.at("differences").at(0);
  EXPECT_TRUE(difference.at("after").at("host").is_null());
  EXPECT_THAT(std::string(difference.at("after").at("reason").as_string()),
              HasSubstr("AggregateMultiTenancyIsolation"));
  EXPECT_EQ(difference.at("causes").at(0).at("rule").as_string(), "AggregateMultiTenancyIsolation");
}

TEST_F(WhatIfComparison, NamesTheWeigherThatOneReleaseAloneHasByDefault) {
  const auto answer =
      found("zed", "bobcat",
            {"--fleet", fleet(host("a") + "," + host("b", 8000000)), "--request", file("one.json", request())});
  const auto& cause = answer.at("differences").at(0).at("causes").at(0);
  EXPECT_EQ(cause.at("kind").as_string(), "weigher");
  EXPECT_EQ(cause.at("rule").as_string(), "HypervisorVersionWeigher");
  EXPECT_EQ(cause.at("only_in").as_string(), "bobcat");
  EXPECT_EQ(cause.at("after").as_string(), "a 0 (7000000), b 1 (8000000)");
}

TEST_F(WhatIfComparison, NamesTheWeigherThatWeighsOtherwise) {
  // From Zed on an aggregate may set a multiplier.
  const auto aggregate = R"({"id":1,"name":"t","metadata":{"ram_weight_multiplier":"-1.0"},"hosts":["a","b"]})";
  const auto answer = found("ocata", "zed",
                            {"--fleet", fleet(host("a", 1, 32768) + "," + host("b"), aggregate), "--request",
                             file("one.json", request()), "--set", R"(driver.filter.weight_classes=["RAMWeigher"])"});
  const auto& difference = answer.at("differences").at(0);
  EXPECT_EQ(difference.at("before").at("host").as_string(), "a");
  EXPECT_EQ(difference.at("after").at("host").as_string(), "b");
  const auto& cause = difference.at("causes").at(0);
  EXPECT_EQ(cause.at("rule").as_string(), "RAMWeigher");
  EXPECT_TRUE(cause.at("only_in").is_null());
  EXPECT_EQ(cause.at("before").as_string(), "a 1 (32768), b 0.5 (16384)");
  EXPECT_EQ(cause.at("after").as_string(), "a -1 (32768), b -0.5 (16384)");
}

TEST_F(WhatIfComparison, TheConfiguredReleaseIsTheOtherSideAndNothingThatDiffersExitsWithZero) {
  const auto ran = gantry.gantry({"--config", gantry.config_file(), "whatif", "--driver", "filter", "--fleet",
                                  fleet(host("a") + "," + host("b")), "--compatibility", "antelope", "--flavor",
                                  "m1.tiny", "--set", "driver.filter.compatibility=zed"});
  EXPECT_EQ(ran.exit_status, 0) << ran.err;
  EXPECT_EQ(ran.out, "1 request on 2 hosts by zed and by antelope: 1 the same, 0 differ, 0 not judged\n");
}

TEST_F(WhatIfComparison, ChanceIsNoDifference) {
  std::string hosts = host("a");
  for (const auto* name : {"b", "c", "d", "e", "f"}) hosts += "," + host(name);
  const auto one = file("one.json", request());
  std::set<std::string> chosen;
  int equal = 0;
  for (int seed = 1; seed <= 16; ++seed) {
    const auto shuffled = [&](const std::string& aggregates, const std::string& option) {
      return found("bobcat", "dalmatian",
                   {"--fleet", fleet(hosts, aggregates), "--request", one, "--set", only_tenancy, "--set", option,
                    "--seed", std::to_string(seed)});
    };
    EXPECT_EQ(shuffled("", "driver.filter.host_subset_size=3").at("same").as_int64(), 1);
    // Here chance draws among six hosts by one release and among five by the other.
    const auto answer = shuffled(tenants, "driver.filter.shuffle_best_same_weighed_hosts=true");
    equal += static_cast<int>(answer.at("equal_weight").as_int64());
    for (const auto& difference : answer.at("differences").as_array()) {
      chosen.emplace(difference.at("before").at("host").as_string());
      EXPECT_EQ(difference.at("causes").at(0).at("rule").as_string(), "AggregateMultiTenancyIsolation");
    }
  }
  EXPECT_GT(equal, 0) << "no seed draws two hosts of equal weight";
  EXPECT_EQ(chosen, std::set<std::string>{"b"}) << "only the host that one release refuses makes a difference";
}

TEST_F(WhatIfComparison, ARequestThatPlacementAloneCanJudgeIsNotCountedAsTheSame) {
  const std::vector<std::string> words{"--fleet", fleet(host("a")), "--request",
                                       file("one.json", request("p", R"("trait:CUSTOM_FAST":"required")"))};
  const auto answer = found("zed", "bobcat", words);
  EXPECT_EQ(answer.at("same").as_int64(), 0);
  EXPECT_EQ(answer.at("not_judged").as_int64(), 1);
  EXPECT_THAT(std::string(answer.at("unjudged").at(0).at("reason").as_string()), HasSubstr("CUSTOM_FAST"));
  EXPECT_EQ(compare("zed", "bobcat", words).exit_status, 4);
}

TEST_F(WhatIfComparison, AnInvalidComparisonSaysWhy) {
  const auto hosts = fleet(host("a"));
  const auto one = file("one.json", request());
  const auto wrong = [&](const std::string& after, const std::vector<std::string>& more) {
    auto words = more;
    words.insert(words.end(), {"--request", one});
    const auto ran = compare("zed", after, words);
    EXPECT_EQ(ran.exit_status, 2) << ran.err;
    return ran.err;
  };
  EXPECT_THAT(wrong("epoxy", {"--fleet", hosts, "--all-filters"}), HasSubstr("--all-filters: does not"));
  EXPECT_THAT(wrong("epoxi", {"--fleet", hosts}), HasSubstr("found 'epoxi'; did you mean 'epoxy'?"));
  EXPECT_THAT(wrong("zed", {"--fleet", hosts}), HasSubstr("expected two releases, found 'zed' twice"));
  const auto simple = gantry.gantry(
      {"--config", gantry.config_file(), "whatif", "--fleet", hosts, "--compatibility", "epoxy", "--request", one});
  EXPECT_EQ(simple.exit_status, 2);
  EXPECT_THAT(simple.err, HasSubstr("driver 'simple' has no option compatibility"));
  EXPECT_THAT(wrong("epoxy", {"--fleet", file("empty.json", R"({"format":"gantry-fleet/1","hosts":[]})")}),
              HasSubstr("empty.json: expected hosts of topic compute, found none"));
  EXPECT_THAT(wrong("epoxy", {"--fleet", hosts, "--request", file("broken.json", "{")}), HasSubstr("broken.json: "));
  EXPECT_THAT(wrong("epoxy", {"--fleet", hosts, "--flavor", "m1.tiny"}), HasSubstr("--flavor and --request: "));
  EXPECT_THAT(wrong("epoxy", {"--fleet", "-", "--request", "-"}), HasSubstr("can be standard input, once"));
  const auto no_file = compare("zed", "epoxy", {"--fleet", hosts, "--request", "/nowhere/request.json"});
  EXPECT_EQ(no_file.exit_status, 1);
  EXPECT_THAT(no_file.err, HasSubstr("/nowhere/request.json: cannot be opened"));
  const auto alone = gantry.gantry({"--config", gantry.config_file(), "whatif", "--driver", "filter", "--fleet", hosts,
                                    "--beside", "zed", "--request", one});
  EXPECT_EQ(alone.exit_status, 2);
  EXPECT_THAT(alone.err, HasSubstr("--beside: goes with --compatibility"));
  const auto several = gantry.gantry({"--config", gantry.config_file(), "whatif", "--driver", "filter", "--fleet",
                                      hosts, "--request", one, "--request", one});
  EXPECT_EQ(several.exit_status, 2);
  EXPECT_THAT(several.err, HasSubstr("--request: expected one file, found 2"));
}

}  // namespace
}  // namespace gantry::test
