// SPDX-License-Identifier: Apache-2.0
//
// Whole decisions of the filter driver about devices that placement gives: which candidate of a host is claimed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <gantry/driver/failure.hpp>
#include <string>
#include <vector>

#include "plugins/filter/decision/decision.hpp"
#include "tests/parity/recorded_call.hpp"

namespace filter_driver {
namespace {

using gantry::testing::fake_candidates;
using gantry::testing::fake_request;
using gantry::testing::host_row;
using gantry::testing::json_text;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr const char* request_id = "11111111-0000-4000-8000-000000000000";

std::string provider(int number) {
  return "de71ce00-0000-4000-a000-00000000000" + std::to_string(number);
}

std::string group(int number) {
  return request_id + ("-" + std::to_string(number));
}

// A pool of the provider's devices, in a NUMA cell.
std::string pool(int number, int devices, int cell = 0, const std::string& product = "1520") {
  return R"({"vendor_id":"8086","product_id":")" + product + R"(","numa_node":)" + std::to_string(cell) +
         R"(,"dev_type":"type-PCI","rp_uuid":")" + provider(number) + R"(","address":"0000:8)" +
         std::to_string(number) + R"(:00.0","count":)" + std::to_string(devices) + "}";
}

host_row host(const std::string& name, const std::vector<std::string>& pools) {
  host_row made{name};
  made.claims["instances"] = 0;
  std::string list;
  for (const auto& each : pools) list += (list.empty() ? "" : ",") + each;
  made.columns["pci_stats"] = json_text{"[" + list + "]"};
  return made;
}

// Asks for devices by an alias, in as many groups.
fake_request devices(int count, const std::string& more = "", std::uint32_t instances = 1) {
  std::string groups;
  for (int at = 0; at < count; ++at)
    groups += (groups.empty() ? "" : ",") + (R"({"requester_id":")" + group(at) + R"("})");
  fake_request request;
  request.instances = instances;
  request.spec = R"({"flavor":{"vcpus":1,"memory_mb":0,"root_gb":0,"ephemeral_gb":0,"extra_specs":{}},"image":{},)"
                 R"("requested_resources":[)" +
                 groups + R"(],"pci_requests":{"requests":[{"alias_name":"gpu","request_id":")" + request_id +
                 R"(","count":)" + std::to_string(count) + R"(,"spec":[{"vendor_id":"8086"}]}]})" + more + "}";
  return request;
}

// One candidate after the other, each the numbers of the providers of its groups.
fake_candidates listed(const std::vector<std::vector<std::vector<int>>>& by_row) {
  fake_candidates made;
  for (std::uint32_t row = 0; row < by_row.size(); ++row) {
    for (const auto& candidate : by_row[row]) {
      made.groups.clear();
      auto& set = made.rows[row].emplace_back();
      for (std::size_t at = 0; at < candidate.size(); ++at) {
        made.groups.push_back(group(static_cast<int>(at)));
        set.push_back({provider(candidate[at])});
      }
    }
  }
  return made;
}

// A candidate for each way to give the groups of the row providers 1 to `providers`, each to `room` of them at most.
fake_candidates any_of(int groups, int providers, std::uint32_t room, std::uint32_t rows = 1) {
  fake_candidates made;
  std::vector<std::string> all;
  for (int number = 1; number <= providers; ++number) {
    all.push_back(provider(number));
    made.rooms[provider(number)] = room;
  }
  fake_candidates::set set;
  for (int at = 0; at < groups; ++at) {
    made.groups.push_back(group(at));
    set.push_back(all);
  }
  for (std::uint32_t row = 0; row < rows; ++row) made.rows[row] = {set};
  return made;
}

class candidate_decision {
 public:
  explicit candidate_decision(std::vector<host_row> rows, release rules = release::hibiscus,
                              std::vector<std::string> filters = {"NUMATopologyFilter", "PciPassthroughFilter"})
      : call_(std::move(rows)), rules_(options(rules, std::move(filters))) {}

  // The hosts that are picked, each with the numbers of its devices' providers, and alternates after a slash.
  std::string on(fake_request& description) {
    if (!description.eligible && description.candidates) {
      description.eligible.emplace();
      for (const auto& each : description.candidates->rows) description.eligible->insert(each.first);
    }
    try {
      const auto request = call_.request(description);
      decision whole(call_.call(), request, policy_, documents_);
      if (gantry::place_all(call_.call(), request, whole) != gantry::code::ok) return whole.reason();
      if (whole.offer_alternates() != gantry::code::ok) return "no alternates";
      std::string names;
      for (const auto& pick : call_.result().picks) names += told(pick) + " ";
      names += "/";
      for (const auto& other : call_.result().alternates) names += " " + told(other);
      EXPECT_THAT(call_.result().misuse, IsEmpty());
      return names;
    } catch (const gantry::failure& refused) {
      return refused.what();
    }
  }

 private:
  static settings options(release rules, std::vector<std::string> filters) {
    settings made;
    made.compatibility = rules;
    made.enabled_filters = std::move(filters);
    made.weight_classes = {};
    return made;
  }
  static std::string told(const gantry::testing::picked& pick) {
    std::string text = pick.host;
    for (const auto& each : pick.providers) text += std::string(":") + each.back();
    return text;
  }

  parity::recorded_call call_;
  settings rules_;
  policy policy_{rules_};
  document_cache documents_;
};

TEST(Candidates, TheFirstThatTheDevicesServeIsClaimed) {
  candidate_decision hosts({host("a", {pool(1, 1), pool(2, 1)})});
  auto request = devices(1);
  request.candidates = listed({{{3}, {2}, {1}}});
  EXPECT_EQ(hosts.on(request), "a:2 /");
}

TEST(Candidates, BeforeAntelopeTheChoiceIsPlacements) {
  candidate_decision hosts({host("a", {pool(1, 1), pool(2, 1)})}, release::zed);
  auto request = devices(1);
  request.candidates = listed({{{3}, {2}, {1}}});
  EXPECT_EQ(hosts.on(request), "a /");
}

TEST(Candidates, AHostIsRejectedWithoutOneThatFits) {
  candidate_decision hosts({host("a", {pool(1, 1)}), host("b", {pool(2, 1)})});
  auto request = devices(1);
  request.candidates = listed({{{2}, {3}}, {{2}}});
  EXPECT_EQ(hosts.on(request), "b:2 /");
}

TEST(Candidates, ADifferentOneGoesToEachInstanceOfARequest) {
  candidate_decision hosts({host("a", {pool(1, 1), pool(2, 1)})});
  auto request = devices(1, "", 2);
  request.candidates = listed({{{1}, {2}}});
  EXPECT_EQ(hosts.on(request), "a:1 a:2 /");
  auto third = devices(1, "", 3);
  third.candidates = request.candidates;
  EXPECT_THAT(candidate_decision({host("a", {pool(1, 1), pool(2, 1)})}).on(third),
              ::testing::HasSubstr("PciPassthroughFilter"));
}

TEST(Candidates, AlternatesNameTheirs) {
  candidate_decision hosts({host("a", {pool(1, 1)}), host("b", {pool(1, 1), pool(2, 1)}), host("c", {pool(1, 1)})});
  auto request = devices(1);
  request.alternates = 2;
  request.candidates = listed({{{1}}, {{3}, {2}, {1}}, {}});
  request.eligible = {0, 1, 2};
  request.unclaimable = {2};
  EXPECT_EQ(hosts.on(request), "a:1 / b:2");
}

TEST(Candidates, AForcedHostTakesItsFirst) {
  candidate_decision hosts({host("a", {pool(1, 1)})});
  auto request = devices(1, R"(,"force_hosts":["a"])");
  request.candidates = listed({{{2}, {1}}});
  EXPECT_EQ(hosts.on(request), "a:2 /") << "no filter judges it";
}

TEST(Candidates, ADeviceIsNearTheCellsOfTheInstance) {
  auto with_cells = host("a", {pool(1, 1, 0), pool(2, 1, 1)});
  const std::string cell = R"("cpuset":[0,1],"pcpuset":[2,3],"memory":1024,"cpu_usage":0,"memory_usage":0,)"
                           R"("pinned_cpus":[],"siblings":[[0],[1],[2],[3]],"mempages":[],"socket":0})";
  with_cells.columns["numa_topology"] = json_text{R"({"cells":[{"id":0,)" + cell + R"(,{"id":1,)" + cell + "]}"};
  with_cells.cpu_allocation_ratio = 16;
  with_cells.ram_allocation_ratio = 1;
  auto request = devices(1, R"(,"numa_topology":{"cells":[{"id":0,"cpuset":[0],"pcpuset":[],"memory":512,)"
                            R"("cpu_policy":"shared"},{"id":1,"cpuset":[1],"pcpuset":[],"memory":512,)"
                            R"("cpu_policy":"shared"}]})");
  request.candidates = listed({{{3}, {2}}});
  EXPECT_EQ(candidate_decision({with_cells}).on(request), "a:2 /");
}

TEST(Candidates, AHostWithoutAnyIsRejectedWhereDevicesAreAskedFor) {
  candidate_decision hosts({host("a", {pool(1, 2)}), host("b", {pool(1, 2)})});
  auto request = devices(1);
  request.eligible = {0, 1};
  request.unclaimable = {0};
  EXPECT_EQ(hosts.on(request), "b /");
  request.unclaimable = {0, 1};
  EXPECT_THAT(candidate_decision({host("a", {pool(1, 2)}), host("b", {pool(1, 2)})}).on(request),
              ::testing::HasSubstr("PciPassthroughFilter"));
}

TEST(SetsOfCandidates, TheFirstThatFitsIsTheFirstInTheOrderOfTheProviders) {
  candidate_decision hosts({host("a", {pool(1, 2, 0, "other"), pool(2, 1), pool(3, 1)})});
  auto request = devices(2);
  request.spec.replace(request.spec.find(R"({"vendor_id":"8086"})"), 20, R"({"product_id":"1520"})");
  request.candidates = any_of(2, 3, UINT32_MAX);
  EXPECT_EQ(hosts.on(request), "a:2:3 /");
}

TEST(SetsOfCandidates, KeepToTheRoomOfAProvider) {
  candidate_decision hosts({host("a", {pool(1, 8), pool(2, 8)})});
  auto request = devices(3);
  request.candidates = any_of(3, 2, 2);
  EXPECT_EQ(hosts.on(request), "a:1:1:2 /");
  auto more = devices(5);
  more.candidates = any_of(5, 2, 2);
  EXPECT_THAT(candidate_decision({host("a", {pool(1, 8), pool(2, 8)})}).on(more),
              ::testing::HasSubstr("PciPassthroughFilter"));
}

TEST(SetsOfCandidates, EightOfEightEqualDevicesServeOneInstanceAndNoSecond) {
  std::vector<std::string> pools;
  for (int number = 1; number <= 8; ++number) pools.push_back(pool(number, 1));
  candidate_decision hosts({host("a", pools)});
  auto request = devices(8, "", 2);
  request.candidates = any_of(8, 8, 1);
  EXPECT_THAT(hosts.on(request), ::testing::HasSubstr("PciPassthroughFilter"));
  auto one = devices(8);
  one.candidates = request.candidates;
  EXPECT_EQ(candidate_decision({host("a", pools)}).on(one), "a:1:2:3:4:5:6:7:8 /");
}

// Providers 1 to `count` with a device each, in a cell each, so that no two are alike, and devices that no provider has.
std::vector<std::string> unlike_devices(int count, const std::string& product) {
  std::vector<std::string> pools{R"({"vendor_id":"8086","product_id":"1520","dev_type":"type-PCI","count":99})"};
  for (int number = 1; number <= count; ++number) pools.push_back(pool(number, 1, number, product));
  return pools;
}

fake_request wanting_1520(fake_request request) {
  request.spec.replace(request.spec.find(R"({"vendor_id":"8086"})"), 20, R"({"product_id":"1520"})");
  return request;
}

TEST(SetsOfCandidates, AHostIsRejectedAfterAThousandThatDoNotFit) {
  candidate_decision hosts({host("a", unlike_devices(28, "other"))});
  auto request = wanting_1520(devices(14));
  request.candidates = any_of(14, 28, 1);
  EXPECT_THAT(hosts.on(request), ::testing::HasSubstr("PciPassthroughFilter")) << "placement would list 10^19";
}

TEST(SetsOfCandidates, VirtualFunctionsAreAlikeWhateverTheirPhysicalFunctionIs) {
  std::vector<std::string> pools{R"({"vendor_id":"8086","product_id":"1520","dev_type":"type-VF","count":99})"};
  for (int number = 1; number <= 20; ++number) {
    auto of_function = pool(number, 1, 0, number <= 12 ? "other" : "1520");
    of_function.insert(1, R"("parent_ifname":"ens)" + std::to_string(number) + R"(",)");
    pools.push_back(of_function);
  }
  auto request = wanting_1520(devices(8));
  request.candidates = any_of(8, 20, 1);
  EXPECT_EQ(candidate_decision({host("a", pools)}).on(request), "a:3:4:5:6:7:8:9:0 /") << "providers 13 to 20";
}

TEST(Candidates, ARequestWithoutAnIdHasNoGroups) {
  auto request = devices(1, R"(,"more":0)");
  const std::string first = R"({"alias_name":"gpu","request_id")";
  request.spec.replace(request.spec.find(first), 0,
                       R"({"alias_name":"nic","count":1,"spec":[{"product_id":"other"}]},)");
  request.candidates = listed({{{1}}});
  EXPECT_EQ(candidate_decision({host("a", {pool(1, 1), pool(2, 1, 0, "other")})}).on(request), "a:1 /");
}

// A filter whose word a test sets. It keeps a host for devices of any providers.
class fixed_judge final : public left_candidates::judge {
 public:
  explicit fixed_judge(bool word) : word_(word) {}
  outcome<bool> accepts(std::uint32_t /*row*/, const request_providers& providers) override {
    return word_ || providers.at(0).empty();
  }
  const pci_pools* pools_of(std::uint32_t /*row*/) override { return nullptr; }

 private:
  bool word_;
};

pci_requests for_devices(int count) {
  return *read_pci_requests(boost::json::parse(R"([{"alias_name":"gpu","spec":[],"request_id":")" +
                                               std::string(request_id) + R"(","count":)" + std::to_string(count) +
                                               "}]"));
}

TEST(SetsOfCandidates, AFilterIsAskedForItsOwnWordWhereAnotherRejectsTheHost) {
  const auto requests = for_devices(2);
  gantry::testing::arena memory;
  const std::uint64_t claimable = 1;
  left_candidates left({&claimable, 1}, any_of(2, 3, 1).raw(memory, 1), requests);
  fixed_judge rejects(false);
  fixed_judge keeps(true);
  left.begin();
  EXPECT_FALSE(*left.keep(0, rejects));
  EXPECT_TRUE(*left.keep(0, keeps));
  EXPECT_FALSE(*left.keep(0, rejects));
  EXPECT_TRUE(*left.keep(0, keeps));
}

TEST(SetsOfCandidates, TheSearchKeepsToTheDeadline) {
  parity::recorded_call late({host("a", {})});
  late.host().stop = true;
  const auto requests = for_devices(14);
  gantry::testing::arena memory;
  const std::uint64_t claimable = 3;
  left_candidates left({&claimable, 2}, any_of(14, 28, 1, 2).raw(memory, 2), requests, &late.call());
  fixed_judge rejects(false);
  left.begin();
  EXPECT_FALSE(*left.keep(0, rejects)) << "there is a look at the clock now and then";
  EXPECT_THROW((void)left.keep(1, rejects), gantry::failure);
}

// Candidates one by one, as placement would list them, lead to the same answer.
class candidate_draw {
 public:
  // A host, a request for it, and the candidates one by one.
  struct scene {
    std::vector<std::string> pools;
    fake_request request;
    std::vector<std::vector<int>> all;
  };

  explicit candidate_draw(unsigned seed) : chance_(seed) {}

  // `size`: how many providers and groups there may be.
  scene draw(unsigned size) {
    scene made;
    const int providers = 2 + static_cast<int>(below(size));
    for (int number = 1; number <= providers; ++number) {
      if (below(6) == 0) continue;
      made.pools.push_back(
          pool(number, 1 + static_cast<int>(below(2)), static_cast<int>(below(2)), below(3) == 0 ? "other" : "1520"));
    }
    const int groups = 1 + static_cast<int>(below(size));
    const auto room = 1 + below(3);
    made.request = devices(groups);
    if (below(2) == 0) made.request = wanting_1520(std::move(made.request));
    made.request.candidates = any_of(groups, providers, room);
    made.all = enumerated(groups, providers, static_cast<int>(room));
    return made;
  }

 private:
  unsigned below(unsigned bound) { return (chance_ = chance_ * 1664525U + 1013904223U) / 65536U % bound; }

  static std::vector<std::vector<int>> enumerated(int groups, int providers, int room) {
    std::vector<std::vector<int>> all(1);
    for (int at = 0; at < groups; ++at) {
      std::vector<std::vector<int>> longer;
      for (const auto& begun : all) {
        for (int number = 1; number <= providers; ++number) {
          if (std::count(begun.begin(), begun.end(), number) >= room) continue;
          longer.push_back(begun);
          longer.back().push_back(number);
        }
      }
      all = longer;
    }
    return all;
  }

  unsigned chance_;
};

TEST(SetsOfCandidates, LeadToTheFirstThatAListWouldLeadTo) {
  candidate_draw chance(1);
  int found = 0;
  int beyond_a_list = 0;
  for (int round = 0; round < 400; ++round) {
    auto [pools, request, all] = chance.draw(round % 2 == 0 ? 3 : 5);
    if (all.empty()) continue;
    auto same = request;
    same.candidates = listed({all});
    beyond_a_list += all.size() > 64 ? 1 : 0;
    const auto answer = candidate_decision({host("a", pools)}).on(same);
    found += answer.starts_with("a") ? 1 : 0;
    EXPECT_EQ(candidate_decision({host("a", pools)}).on(request), answer) << "round " << round;
  }
  EXPECT_GT(found, 100);
  EXPECT_GT(beyond_a_list, 40);
}

}  // namespace
}  // namespace filter_driver
