// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/fact_keeper.hpp"

#include <filesystem>

#include "tests/nova/facts/server/kept_facts.hpp"

namespace gantry::nova {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class FactsInTheFleet : public KeptFacts {
 protected:
  void SetUp() override {
    KeptFacts::SetUp();
    if (!IsSkipped()) start();
  }
  static void update_node(const std::string& what, const std::string& database = "nova_cell1") {
    run_in(database, "UPDATE compute_nodes SET " + what);
  }
};

TEST_F(FactsInTheFleet, AreColumnsOfTheView) {
  const auto h1 = row("h1");
  EXPECT_EQ(h1.at("host"), "h1");
  EXPECT_EQ(h1.at("up"), true);
  EXPECT_EQ(h1.at("disabled"), false);
  EXPECT_EQ(h1.at("vcpus"), 8);
  EXPECT_EQ(h1.at("vcpus_used"), 2.0);
  EXPECT_EQ(h1.at("cpu_allocation_ratio"), 1.1);
  EXPECT_EQ(h1.at("availability_zone"), "nova");
  EXPECT_EQ(std::string(h1.at("uuid").get_string()).size(), 36U);
  EXPECT_TRUE(has_row("h2"));
  EXPECT_THAT(keeper_->warnings(), IsEmpty());
  EXPECT_THAT(keeper_->unready_reasons(), IsEmpty());
}

TEST_F(FactsInTheFleet, NameTheCellOfEachHost) {
  ASSERT_TRUE(fleet_.declare_column({"stats.cell_uuid", GANTRY_TYPE_STRING, "test"}));
  EXPECT_EQ(row("h1").at("stats.cell_uuid"), json::value(uuid_of_cell(1)));
  EXPECT_EQ(row("h2").at("stats.cell_uuid"), json::value(uuid_of_cell(2)));
}

TEST_F(FactsInTheFleet, AreAsNewAsTheRequest) {
  run_in("nova_cell2", "UPDATE services SET disabled = 1, disabled_reason = 'disk'");
  update_node("vcpus_used = 7, updated_at = UTC_TIMESTAMP()");
  in_api(
      "INSERT INTO aggregates (uuid, name) VALUES ('a1', 'fast');\n"
      "INSERT INTO aggregate_hosts (host, aggregate_id) VALUES ('h1', 1);\n"
      "INSERT INTO aggregate_metadata (`key`, value, aggregate_id) VALUES ('availability_zone', 'z1', 1)");
  add_instance(uuid_of(1), "h1");
  in_cell("UPDATE instances SET updated_at = UTC_TIMESTAMP()");
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(row("h2").at("disabled"), true);
  EXPECT_EQ(row("h2").at("disabled_reason"), "disk");
  EXPECT_EQ(row("h1").at("vcpus_used"), 7.0);
  EXPECT_EQ(row("h1").at("availability_zone"), "z1");
  EXPECT_THAT(instances_on("h1"), ElementsAre(uuid_of(1)));
  in_api("DELETE FROM aggregate_hosts;\nDELETE FROM aggregate_metadata;\nDELETE FROM aggregates");
  in_cell("UPDATE instances SET deleted = id, updated_at = UTC_TIMESTAMP()");
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(row("h1").at("availability_zone"), "nova");
  EXPECT_THAT(instances_on("h1"), IsEmpty());
}

TEST_F(FactsInTheFleet, LoseWhatARowLost) {
  ASSERT_TRUE(fleet_.declare_column({"stats.failed_builds", GANTRY_TYPE_I64, "test"}));
  ASSERT_EQ(row("h1").at("stats.failed_builds"), 3);
  update_node("stats = '{}', cpu_info = '', cpu_allocation_ratio = NULL, updated_at = UTC_TIMESTAMP()");
  ASSERT_EQ(refresh(), "");
  const auto h1 = row("h1");
  EXPECT_TRUE(!h1.contains("stats.failed_builds") || h1.at("stats.failed_builds").is_null());
  EXPECT_TRUE(!h1.contains("cpu_info") || h1.at("cpu_info").is_null());
  EXPECT_EQ(h1.at("cpu_allocation_ratio"), 16.0) << "the configured ratio";
  update_node("cpu_allocation_ratio = 0.0, vcpus = 9, updated_at = UTC_TIMESTAMP()");
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(row("h1").at("cpu_allocation_ratio"), 16.0);
}

TEST_F(FactsInTheFleet, LackHostsThatAreDeletedOrWithoutAService) {
  add_node("h3");
  in_cell("UPDATE compute_nodes SET updated_at = UTC_TIMESTAMP() WHERE host = 'h3'");
  ASSERT_EQ(refresh(), "");
  EXPECT_FALSE(has_row("h3"));
  EXPECT_THAT(keeper_->warnings(), ElementsAre(AllOf(HasSubstr("without a service"), HasSubstr("h3"))));
  in_cell(
      "INSERT INTO services SET created_at = UTC_TIMESTAMP(), deleted = 0, host = 'h3', `binary` = 'nova-compute', "
      "topic = 'compute', report_count = 0, disabled = 0, forced_down = 0, version = 64");
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(row("h3").at("up"), true) << "a service that has not reported counts as heard when its row was made";
  EXPECT_THAT(keeper_->warnings(), IsEmpty());
  in_cell("UPDATE services SET deleted = id, deleted_at = UTC_TIMESTAMP() WHERE host = 'h3'");
  ASSERT_EQ(refresh(), "");
  EXPECT_FALSE(has_row("h3"));
  EXPECT_THAT(log_->lines("has no service"), SizeIs(2));
  update_node("deleted = id, deleted_at = UTC_TIMESTAMP()");
  ASSERT_EQ(refresh(), "");
  EXPECT_TRUE(row("h1").empty());
}

TEST_F(FactsInTheFleet, PassOverDamagedRowsAndNameThemOnce) {
  update_node("numa_topology = '{\"cells\": [', updated_at = UTC_TIMESTAMP()");
  ASSERT_EQ(refresh(), "");
  EXPECT_FALSE(has_row("h1"));
  EXPECT_TRUE(has_row("h2"));
  ASSERT_EQ(refresh(), "");
  EXPECT_THAT(log_->lines("compute_nodes id 1"), ElementsAre(AllOf(HasSubstr("numa_topology"), HasSubstr("h1"))));
  update_node("numa_topology = NULL, free_disk_gb = NULL, updated_at = UTC_TIMESTAMP()");
  ASSERT_EQ(refresh(), "");
  EXPECT_FALSE(has_row("h1"));
  EXPECT_THAT(log_->lines("free_disk_gb"), SizeIs(1));
  update_node("free_disk_gb = 5, updated_at = UTC_TIMESTAMP()");
  ASSERT_EQ(refresh(), "");
  EXPECT_TRUE(has_row("h1"));
}

TEST_F(FactsInTheFleet, TakeTheLaterCellOfAHostThatIsInTwo) {
  run_in("nova_cell2",
         "UPDATE services SET host = 'h1', disabled = 1, disabled_reason = 'later', created_at = "
         "UTC_TIMESTAMP();\n"
         "UPDATE compute_nodes SET host = 'h1', hypervisor_hostname = 'h1', vcpus = 4, updated_at = "
         "UTC_TIMESTAMP()");
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(row("h1").at("disabled_reason"), "later");
  EXPECT_EQ(row("h1").at("vcpus"), 4);
  EXPECT_THAT(keeper_->warnings(), ElementsAre(HasSubstr("two cells")));
  EXPECT_THAT(log_->lines("is in two cells"), SizeIs(1));
  run_in("nova_cell2",
         "UPDATE services SET deleted = id, deleted_at = UTC_TIMESTAMP();\n"
         "UPDATE compute_nodes SET deleted = id, deleted_at = UTC_TIMESTAMP()");
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(row("h1").at("disabled"), false);
  EXPECT_EQ(row("h1").at("vcpus"), 8);
  EXPECT_THAT(keeper_->warnings(), IsEmpty());
}

TEST_F(FactsInTheFleet, KeepAnInstanceThatMovesFromCellToCell) {
  const auto put = [](const std::string& database, const std::string& host) {
    run_in(database,
           "INSERT INTO instances SET created_at = UTC_TIMESTAMP(), updated_at = UTC_TIMESTAMP(), deleted = 0, "
           "uuid = '" +
               uuid_of(1) + "', host = '" + host + "'");
  };
  const std::string gone = "UPDATE instances SET deleted = id, updated_at = UTC_TIMESTAMP()";
  put("nova_cell1", "h1");
  ASSERT_EQ(refresh(), "");
  put("nova_cell2", "h2");
  ASSERT_EQ(refresh(), "");
  EXPECT_THAT(instances_on("h2"), ElementsAre(uuid_of(1)));
  run_in("nova_cell2", gone);
  ASSERT_EQ(refresh(), "");
  EXPECT_THAT(instances_on("h1"), ElementsAre(uuid_of(1))) << "the move was reverted";
  in_cell(gone);
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(fleet_.instance(uuid_of(1)), std::nullopt);
}

TEST_F(FactsInTheFleet, EndAClaimOnceTheHostShowsTheInstance) {
  const auto claimed_at = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
  const auto claimed = fleet::testing::claim_of(uuid_of(1), 4, 100, claimed_at);
  ASSERT_EQ(fleet::testing::claim(fleet_, "h1", "h1", claimed, claimed_at), fleet::ClaimOutcome::held);
  EXPECT_EQ(row("h1").at("vcpus_used"), 6.0);
  // Another instance's use is written.
  update_node("vcpus_used = 3, updated_at = UTC_TIMESTAMP() + INTERVAL 2 SECOND");
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(row("h1").at("vcpus_used"), 7.0);
  add_instance(uuid_of(1), "h1");
  in_cell("UPDATE instances SET updated_at = UTC_TIMESTAMP()");
  update_node("vcpus_used = 7, updated_at = UTC_TIMESTAMP() + INTERVAL 3 SECOND");
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(row("h1").at("vcpus_used"), 7.0);
  EXPECT_THAT(fleet_.claims(), IsEmpty());
}

TEST_F(FactsInTheFleet, EndTheClaimsOfAnInstanceThatIsGone) {
  add_instance(uuid_of(1), "h1");
  in_cell("UPDATE instances SET updated_at = UTC_TIMESTAMP()");
  ASSERT_EQ(refresh(), "");
  const auto now = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
  ASSERT_EQ(fleet::testing::claim(fleet_, "h1", "h1", fleet::testing::claim_of(uuid_of(1), 4, 100, now), now),
            fleet::ClaimOutcome::held);
  in_cell("UPDATE instances SET host = NULL, updated_at = UTC_TIMESTAMP()");
  ASSERT_EQ(refresh(), "");
  EXPECT_THAT(fleet_.claims(), IsEmpty());
}

TEST_F(FactsInTheFleet, AreLookedUpInASnapshot) {
  in_api(
      "INSERT INTO host_mappings (cell_id, host) VALUES (2, 'h1');\n"
      "INSERT INTO aggregates (uuid, name) VALUES ('a1', 'fast');\n"
      "INSERT INTO aggregate_metadata (`key`, value, aggregate_id) VALUES ('ssd', 'true', 1)");
  keeper_->reload();
  ASSERT_TRUE(comes_true([this] { return keeper_->status().at("databases").at(0).at("hosts") == 1; }));
  const auto snapshot = keeper_->snapshot();
  ASSERT_THAT(snapshot->aggregates(), SizeIs(1));
  EXPECT_EQ(snapshot->aggregates()[0].uuid, "a1");
  EXPECT_EQ(snapshot->aggregates()[0].metadata.at("ssd"), "true");
  const auto nodes = snapshot->compute_nodes("H1", {}, {});
  ASSERT_TRUE(nodes);
  ASSERT_THAT(*nodes, SizeIs(1)) << "the column's collation ignores case";
  EXPECT_EQ(nodes->front().uuid, std::string(row("h1").at("uuid").get_string()));
  EXPECT_THAT(*snapshot->compute_nodes({}, "h2", {}), SizeIs(1));
  EXPECT_THAT(*snapshot->compute_nodes("h1", "h2", {}), IsEmpty());
  EXPECT_THAT(*snapshot->compute_nodes("h1", {}, uuid_of_cell(2)), IsEmpty());
  ASSERT_NE(snapshot->nodes()->by_uuid(nodes->front().uuid), nullptr);
  EXPECT_EQ(snapshot->nodes()->by_uuid(nodes->front().uuid)->cell_uuid, uuid_of_cell(1));
  EXPECT_TRUE(snapshot->are_equal_in_database("Zone ", "zone"));
  EXPECT_FALSE(snapshot->are_equal_in_database("zone1", "zone"));
}

TEST_F(FactsInTheFleet, FollowTheCells) {
  add_instance(uuid_of(1), "h1");
  in_cell("UPDATE instances SET updated_at = UTC_TIMESTAMP()");
  ASSERT_EQ(refresh(), "");
  in_api(
      "CREATE TABLE kept AS SELECT * FROM cell_mappings WHERE name = 'cell1';\n"
      "DELETE FROM cell_mappings WHERE name = 'cell1'");
  keeper_->reload();
  EXPECT_TRUE(comes_true([this] { return !has_row("h1"); }));
  EXPECT_TRUE(comes_true([this] { return !fleet_.instance(uuid_of(1)); }));
  EXPECT_TRUE(comes_true([this] { return !fleet_.service("compute", "h1"); }));
  in_api("INSERT INTO cell_mappings SELECT * FROM kept;\nDROP TABLE kept");
  keeper_->reload();
  EXPECT_TRUE(comes_true([this] { return has_row("h1"); }));
  EXPECT_TRUE(comes_true([this] { return instances_on("h1") == std::vector{uuid_of(1)}; }));
}

TEST_F(FactsInTheFleet, TellTheHostsOfADisabledCellApart) {
  const auto is_in_disabled_cell = [this](const std::string& host) {
    const auto snapshot = keeper_->snapshot();
    const auto* const node = snapshot->nodes()->by_uuid(row(host).at("uuid").as_string());
    return node != nullptr && node->is_in_disabled_cell;
  };
  in_api("UPDATE cell_mappings SET disabled = 1 WHERE name = 'cell2'");
  keeper_->reload();
  ASSERT_TRUE(comes_true([&] { return has_row("h2") && is_in_disabled_cell("h2"); }));
  EXPECT_FALSE(is_in_disabled_cell("h1"));
  EXPECT_THAT(*keeper_->snapshot()->compute_nodes("h2", {}, {}), IsEmpty());
  in_api("INSERT INTO host_mappings (cell_id, host) SELECT id, 'h2' FROM cell_mappings WHERE name = 'cell2'");
  keeper_->reload();
  EXPECT_TRUE(comes_true([&] { return keeper_->snapshot()->compute_nodes("h2", {}, {})->size() == 1; }))
      << "Nova looks a host up in the cell that the host is mapped to";
  run_in("nova_cell2",
         "UPDATE services SET host = 'h1', created_at = UTC_TIMESTAMP();\n"
         "UPDATE compute_nodes SET host = 'h1', hypervisor_hostname = 'h1', vcpus = 4, updated_at = UTC_TIMESTAMP()");
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(row("h1").at("vcpus"), 8) << "the enabled cell's row";
  EXPECT_THAT(keeper_->warnings(), IsEmpty());
  in_api("UPDATE cell_mappings SET disabled = 0 WHERE name = 'cell2'");
  keeper_->reload();
  EXPECT_TRUE(comes_true([this] { return has_row("h1") && row("h1").at("vcpus") == 4; }));
}

TEST_F(FactsInTheFleet, AreNotRefreshedOnceTheKeeperHasStopped) {
  keeper_->stop();
  EXPECT_THAT(refresh(), HasSubstr("no longer read"));
  EXPECT_TRUE(has_row("h1"));
}

using HeartbeatsInTheFleet = KeptFacts;

TEST_F(HeartbeatsInTheFleet, AreReadBetweenRequests) {
  settings_.whole_interval = 50ms;
  in_cell("UPDATE services SET last_seen_up = UTC_TIMESTAMP() - INTERVAL 1 HOUR");
  start();
  EXPECT_EQ(row("h1").at("up"), false);
  in_cell("UPDATE services SET last_seen_up = UTC_TIMESTAMP(), report_count = 2");
  EXPECT_TRUE(comes_true([this] { return row("h1").at("up") == true; }));
}

using VersionsOfComputes = KeptFacts;

TEST_F(VersionsOfComputes, AreKnownByTheLowestThatIsNotForcedDown) {
  settings_.whole_interval = 50ms;
  start();
  run_in("nova_cell1", "UPDATE services SET version = 72");
  run_in("nova_cell2", "UPDATE services SET version = 73");
  const auto comes_to = [this](std::int64_t version) {
    return comes_true([&] { return keeper_->snapshot()->lowest_compute_version() == version; });
  };
  EXPECT_TRUE(comes_to(72));
  run_in("nova_cell1", "UPDATE services SET forced_down = 1");
  EXPECT_TRUE(comes_to(73));
  // A cell with a compute that says nothing of its version does not count.
  run_in("nova_cell1", "UPDATE services SET forced_down = 0, version = 0");
  run_in("nova_cell2", "UPDATE services SET version = 75");
  EXPECT_TRUE(comes_to(75));
}

}  // namespace
}  // namespace gantry::nova
