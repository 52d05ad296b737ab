// SPDX-License-Identifier: Apache-2.0
//
// Which allocation candidate of a host is claimed: from the authority's candidates over the driver's pick to the claim.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/scheduling/candidate_table.hpp"
#include "tests/scheduling/fake_authority.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

const std::string first_asker = "0d0d0d0d-0000-4000-8000-000000000001";
const std::string second_asker = "0d0d0d0d-0000-4000-8000-000000000002";
const std::string request_id = "11111111-0000-4000-8000-000000000000";
const std::string group = request_id + "-0";

std::string row(int number) {
  return "c0c0c0c0-0000-4000-8000-00000000000" + std::to_string(number);
}

// A host with PCI devices, each a provider's own: (provider, product).
void add_host(RunningManager& manager, int number,
              const std::vector<std::pair<std::string, std::string>>& devices = {}) {
  const auto name = "h" + std::to_string(number);
  json::array pools;
  for (const auto& [provider, product] : devices) {
    pools.push_back({{"vendor_id", "8086"},
                     {"product_id", product},
                     {"numa_node", 0},
                     {"dev_type", "type-PCI"},
                     {"rp_uuid", provider},
                     {"count", 1}});
  }
  manager.result("service_register", R"({"topic":"compute","host":")" + name + R"("})");
  const json::object stats{{"uuid", row(number)},
                           {"vcpus", 16},
                           {"local_gb", 1000},
                           {"vcpus_used", 0},
                           {"memory_mb_used", 0},
                           {"local_gb_used", 0},
                           {"memory_mb", 90'000 - (number * 10'000)},
                           {"pci_stats", std::move(pools)}};
  manager.result("update_resource_stats", json::write(json::object{{"name", name}, {"stats", stats}}));
}

config::DriverSettings rules(config::Isolation isolation) {
  config::DriverSettings settings;
  settings.isolation = isolation;
  settings.options["enabled_filters"] = {std::vector<std::string>{"PciPassthroughFilter"}, "test"};
  settings.options["weight_classes"] = {std::vector<std::string>{"RAMWeigher"}, "test"};
  settings.options["compatibility"] = {std::string("hibiscus"), "test"};
  return settings;
}

// Asks for one device of product 1520 for each instance.
std::string asking(const std::vector<std::string>& uuids, const std::string& more = "") {
  const json::object spec{
      {"flavor", {{"name", "gpu"}, {"vcpus", 1}, {"memory_mb", 512}, {"root_gb", 1}}},
      {"requested_resources", json::array{json::object{{"requester_id", group}}}},
      {"pci_requests",
       {{"requests", json::array{json::object{{"alias_name", "gpu"},
                                              {"request_id", request_id},
                                              {"count", 1},
                                              {"spec", json::array{json::object{{"product_id", "1520"}}}}}}}}}};
  return R"({"request_spec":)" + json::write(spec) + R"(,"instance_uuids":)" +
         json::write(json::value(json::array(uuids.begin(), uuids.end()))) + more + "}";
}

// In the service's process, and in one of the driver's own.
class ChosenCandidates : public ::testing::TestWithParam<config::Isolation> {
 protected:
  // h1 is preferred. Its first candidate is a device that the request does not want.
  void SetUp() override {
    add_host(manager_, 1, {{"p-wrong", "other"}, {"p-one", "1520"}, {"p-two", "1520"}});
    add_host(manager_, 2, {{"p-three", "1520"}});
    authority_.eligible = {row(1), row(2)};
    authority_.claimable = authority_.eligible;
    authority_.groups = {group};
    authority_.candidates[row(1)] = {{{"p-wrong"}}, {{"p-two"}}, {{"p-one"}}};
    authority_.candidates[row(2)] = {{{"p-three"}}};
    manager_.set_authority(&authority_);
    manager_.restart();
  }
  Reply select(const std::vector<std::string>& uuids, const std::string& more = "") {
    return manager_.call("select_destinations", asking(uuids, more));
  }
  static GroupProviders by(const std::string& provider) { return {{group, provider}}; }

  FakeAuthority authority_;
  RunningManager manager_{"filter", {}, {}, {}, telemetry::Logger::none(), rules(GetParam())};
};

INSTANTIATE_TEST_SUITE_P(Driver, ChosenCandidates,
                         ::testing::Values(config::Isolation::none, config::Isolation::process), [](const auto& where) {
                           return where.param == config::Isolation::none ? "inTheService" : "inAProcessOfItsOwn";
                         });

TEST_P(ChosenCandidates, TheClaimTakesTheFirstThatTheDriverHasLeft) {
  ASSERT_TRUE(select({first_asker}));
  EXPECT_THAT(authority_.claims, ElementsAre(Pair(first_asker, row(1))));
  EXPECT_THAT(authority_.providers, ElementsAre(by("p-two")));
}

TEST_P(ChosenCandidates, ARefusedClaimGoesOnToTheNextHostsCandidate) {
  authority_.refused = {{first_asker, row(1)}};
  ASSERT_TRUE(select({first_asker}));
  EXPECT_THAT(authority_.claims, ElementsAre(Pair(first_asker, row(1)), Pair(first_asker, row(2))));
  EXPECT_THAT(authority_.providers, ElementsAre(by("p-two"), by("p-three")));
  EXPECT_THAT(authority_.held, ElementsAre(Pair(first_asker, row(2))));
}

TEST_P(ChosenCandidates, TheNextInstanceTakesWhatTheOneBeforeHasLeft) {
  ASSERT_TRUE(select({first_asker, second_asker}));
  EXPECT_THAT(authority_.claims, ElementsAre(Pair(first_asker, row(1)), Pair(second_asker, row(1))));
  EXPECT_THAT(authority_.providers, ElementsAre(by("p-two"), by("p-one")));
}

TEST_P(ChosenCandidates, AHostWithoutOneThatFitsIsNotClaimed) {
  authority_.candidates[row(1)] = {{{"p-wrong"}}, {{"p-unknown"}}};
  ASSERT_TRUE(select({first_asker}));
  EXPECT_THAT(authority_.providers, ElementsAre(by("p-three")));
  authority_.candidates.clear();
  const auto none = select({second_asker});
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("PciPassthroughFilter"));
}

TEST_P(ChosenCandidates, DestinationAndAlternateCarryTheirClaim) {
  const auto reply = select({first_asker}, R"(,"return_objects":true,"return_alternates":true)");
  ASSERT_TRUE(reply) << reply.error().message;
  const auto& selections = reply->as_array().at(0).as_array();
  ASSERT_THAT(selections, SizeIs(2));
  const auto claim_of = [](const json::value& selection) {
    return selection.at("nova_object.data").at("allocation_request").as_string();
  };
  EXPECT_EQ(claim_of(selections[0]), "claim of " + row(1) + ", " + group + " by p-two");
  EXPECT_EQ(claim_of(selections[1]), "claim of " + row(2) + ", " + group + " by p-three");
}

TEST_P(ChosenCandidates, AKeptDecisionIsMadeAgainWithItsCandidates) {
  manager_.keep_decisions();
  ASSERT_TRUE(select({first_asker}));
  const auto why = manager_.result("why_not", R"({"host":"h2","instance_uuid":")" + first_asker + R"("})");
  EXPECT_EQ(why.at("outcome"), "passed");
  authority_.candidates[row(2)] = {{{"p-unknown"}}};
  ASSERT_TRUE(select({second_asker}));
  const auto rejected = manager_.result("why_not", R"({"host":"h2","instance_uuid":")" + second_asker + R"("})");
  EXPECT_EQ(rejected.at("outcome"), "rejected");
}

TEST_P(ChosenCandidates, ADecisionWithTooManyToKeepIsNotMadeAgain) {
  manager_.keep_decisions();
  auto& choice = authority_.candidates[row(2)].emplace_back().emplace_back();
  for (int number = 0; number < 4'100; ++number) choice.push_back("p-" + std::to_string(number));
  ASSERT_TRUE(select({first_asker}));
  const auto why = manager_.call("why_not", R"({"host":"h2","instance_uuid":")" + first_asker + R"("})");
  ASSERT_FALSE(why);
  EXPECT_EQ(why.error().code, ErrorCode::failed_precondition);
  EXPECT_THAT(why.error().message, HasSubstr("the allocation candidates of its hosts were too many to keep"));
}

// ---- a driver that names what is not there

class StrangeProviders : public ::testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(StrangeProviders, AreRefusedInWords) {
  FakeAuthority authority;
  RunningManager manager("puppet", {}, {}, GANTRY_ZOO_DIRECTORY);
  add_host(manager, 1);
  add_host(manager, 2);
  authority.eligible = authority.claimable = {row(1), row(2)};
  authority.groups = {group};
  authority.candidates[row(1)] = {{{"p-one"}}};
  authority.candidates[row(2)] = {{{"p-two"}}};
  manager.set_authority(&authority);
  manager.restart();
  const auto ask = [&](const std::string& flavor) {
    auto args = asking({first_asker}, R"(,"return_alternates":true)");
    args.replace(args.find(R"("name":"gpu")"), 12, R"("name":")" + flavor + "\"");
    return manager.call("select_destinations", args);
  };
  const auto& [flavor, words] = GetParam();
  const auto reply = ask(flavor);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().code, ErrorCode::internal);
  EXPECT_THAT(reply.error().message, HasSubstr(words));
  EXPECT_THAT(authority.held, IsEmpty());
  const auto next = ask("pick");
  ASSERT_TRUE(next) << next.error().message;
  EXPECT_THAT(authority.providers, ElementsAre(GroupProviders())) << "the choice is left to the authority";
}

INSTANTIATE_TEST_SUITE_P(
    Providers, StrangeProviders,
    ::testing::Values(std::pair("provider_out_of_range", "picked providers that are no candidate of row 0"),
                      std::pair("provider_of_another_row", "picked providers that are no candidate of row 0"),
                      std::pair("too_many_providers", "choose: expected a provider for each of 1 groups, found 2"),
                      std::pair("alternate_out_of_range", "named providers that are no candidate of row 0"),
                      std::pair("no_providers", "choose: expected providers, found NULL")),
    [](const auto& named) { return named.param.first; });

// ---- the table

TEST(CandidateTables, ReadWhatTheyWroteAndRefuseWhatLiesOutside) {
  CandidateTable table;
  table.groups = {"a", "b"};
  table.rows.resize(2);
  RowOfCandidates one_row(table, 1);
  const std::vector<RowOfCandidates::Provider> providers{{"p", 1}, {"q", 1}};
  const std::vector<gantry_slice> both{{0, 2}, {0, 2}};
  one_row.add(providers, both);
  one_row.add(providers, std::vector<gantry_slice>{{0, 2}});
  EXPECT_EQ(table.set_count(), 1U) << "a set without the second group is passed over";
  EXPECT_TRUE(table.is_sound());
  EXPECT_TRUE(table.contains(1, std::vector<std::uint32_t>{0, 1}));
  EXPECT_FALSE(table.contains(1, std::vector<std::uint32_t>{1, 1})) << "q has room for one group";
  EXPECT_FALSE(table.contains(0, std::vector<std::uint32_t>{0, 1}));
  const auto broken = [&table](auto change) {
    auto other = table;
    change(other);
    return !other.is_sound();
  };
  EXPECT_TRUE(broken([](auto& other) { other.rows[1].begin = UINT32_MAX; }));
  EXPECT_TRUE(broken([](auto& other) { other.rows[0].count = 2; }));
  EXPECT_TRUE(broken([](auto& other) { other.sets[1].count = 3; }));
  EXPECT_TRUE(broken([](auto& other) { other.sets.pop_back(); }));
  EXPECT_TRUE(broken([](auto& other) { other.choices[0] = 2; }));
  EXPECT_TRUE(broken([](auto& other) { other.rooms.pop_back(); }));
}

}  // namespace
}  // namespace gantry::scheduling
