// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/cell_reader.hpp"

#include "tests/nova/facts/server/deployment.hpp"

namespace gantry::nova {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class CellDatabase : public Deployment {
 protected:
  void SetUp() override {
    Deployment::SetUp();
    if (IsSkipped()) return;
    for (const auto* host : {"h1", "h2"}) {
      add_service(host);
      add_node(host);
    }
    add_instance(uuid_of(1), "h1");
    add_instance(uuid_of(2), "h2");
    EXPECT_EQ(load_cell().compute_nodes.size(), 2U);
  }

  static void update_service(const std::string& host, const std::string& what) {
    in_cell("UPDATE services SET " + what + " WHERE host = '" + host + "'");
  }
  static void update_node(const std::string& host, const std::string& what) {
    in_cell("UPDATE compute_nodes SET " + what + " WHERE host = '" + host + "'");
  }
  static void update_instance(int number, const std::string& what) {
    in_cell("UPDATE instances SET " + what + " WHERE uuid = '" + uuid_of(number) + "'");
  }
};

TEST_F(CellDatabase, IsLoadedWholeEachTime) {
  const auto facts = load_cell();
  EXPECT_THAT(facts.services, SizeIs(2));
  EXPECT_EQ(facts.services[0].service.host, "h1");
  EXPECT_EQ(facts.services[0].service.topic, "compute");
  EXPECT_EQ(facts.services[0].version, 64);
  EXPECT_THAT(facts.compute_nodes, SizeIs(2));
  EXPECT_THAT(facts.instances, SizeIs(2));
  EXPECT_THAT(facts.complaints, IsEmpty());
}

TEST_F(CellDatabase, ShowsNothingWhereNothingChanged) {
  EXPECT_TRUE(is_empty(refresh_cell()));
  EXPECT_TRUE(is_empty(refresh_cell(Depth::whole)));
}

TEST_F(CellDatabase, ShowsServicesThatAreDisabledAndEnabled) {
  update_service("h1", "disabled = 1, disabled_reason = 'disk'");
  auto facts = refresh_cell();
  ASSERT_THAT(facts.services, SizeIs(1));
  EXPECT_EQ(facts.services[0].service.host, "h1");
  EXPECT_TRUE(facts.services[0].service.disabled);
  EXPECT_EQ(facts.services[0].service.disabled_reason, "disk");
  EXPECT_TRUE(is_empty(refresh_cell()));
  update_service("h1", "disabled_reason = 'memory'");
  EXPECT_EQ(refresh_cell().services.at(0).service.disabled_reason, "memory");
  update_service("h1", "disabled = 0, disabled_reason = NULL");
  facts = refresh_cell();
  ASSERT_THAT(facts.services, SizeIs(1));
  EXPECT_FALSE(facts.services[0].service.disabled);
  EXPECT_EQ(facts.services[0].service.disabled_reason, "");
}

TEST_F(CellDatabase, ShowsServicesOverASecondConnectionAndWithoutIt) {
  auto first = open("nova_cell1");
  auto second = open("nova_cell1");
  update_service("h1", "disabled = 1");
  auto facts = cell_.refresh(first, Depth::changes, {}, &second);
  ASSERT_TRUE(facts && !facts->services.empty());
  EXPECT_TRUE(facts->services[0].service.disabled);
  std::string number;
  ASSERT_TRUE(second.query("SELECT CAST(CONNECTION_ID() AS CHAR)",
                           [&number](Row row) { number = std::get<std::string_view>(row[0]); }));
  in_cell("KILL " + number);
  update_service("h1", "disabled = 0");
  for (const auto depth : {Depth::changes, Depth::whole}) {
    facts = cell_.refresh(first, depth, {}, &second);
    ASSERT_TRUE(facts);
    EXPECT_THAT(facts->services, SizeIs(depth == Depth::changes ? 1 : 0));
    EXPECT_FALSE(second.is_open());
  }
}

TEST_F(CellDatabase, ShowsServicesThatAreForcedDown) {
  update_service("h2", "forced_down = 1");
  EXPECT_TRUE(refresh_cell().services.at(0).service.forced_down);
  update_service("h2", "forced_down = 0");
  EXPECT_FALSE(refresh_cell().services.at(0).service.forced_down);
}

TEST_F(CellDatabase, ShowsHeartbeatsInAWholeRefresh) {
  update_service("h2", "last_seen_up = '2026-11-21 02:59:14', report_count = 165");
  EXPECT_TRUE(is_empty(refresh_cell()));
  const auto facts = refresh_cell(Depth::whole);
  EXPECT_THAT(facts.services, IsEmpty());
  ASSERT_THAT(facts.heartbeats, SizeIs(1));
  EXPECT_EQ(facts.heartbeats[0].host, "h2");
  EXPECT_EQ(facts.heartbeats[0].report_count, 165U);
  EXPECT_EQ(facts.heartbeats[0].last_seen_up, 1795229954000000000);
}

TEST_F(CellDatabase, ShowsANewHost) {
  add_service("h3");
  add_node("h3");
  in_cell(
      "UPDATE services SET created_at = UTC_TIMESTAMP() WHERE host = 'h3';\n"
      "UPDATE compute_nodes SET created_at = UTC_TIMESTAMP(), updated_at = NULL WHERE host = 'h3'");
  const auto facts = refresh_cell();
  ASSERT_THAT(facts.services, SizeIs(1));
  EXPECT_EQ(facts.services[0].service.host, "h3");
  ASSERT_THAT(facts.compute_nodes, SizeIs(1));
  EXPECT_EQ(facts.compute_nodes[0].node.host, "h3");
  EXPECT_GT(facts.compute_nodes[0].node.updated_at, 0);
}

TEST_F(CellDatabase, ShowsAHostThatWasSoftDeletedThoughUpdatedAtStays) {
  update_service("h1", "deleted = id, deleted_at = UTC_TIMESTAMP()");
  update_node("h1", "deleted = id, deleted_at = UTC_TIMESTAMP()");
  const auto facts = refresh_cell();
  EXPECT_THAT(facts.services_gone, ElementsAre("h1"));
  ASSERT_THAT(facts.compute_nodes_gone, SizeIs(1));
  EXPECT_EQ(facts.compute_nodes_gone[0].host, "h1");
  EXPECT_TRUE(is_empty(refresh_cell()));
}

TEST_F(CellDatabase, ShowsAHostThatWasDeletedAndMadeAgainAsPresent) {
  update_service("h1", "deleted = id, deleted_at = UTC_TIMESTAMP(), disabled = 1");
  update_node("h1", "deleted = id, deleted_at = UTC_TIMESTAMP()");
  add_service("h1");
  add_node("h1");
  const auto facts = refresh_cell(Depth::whole);
  EXPECT_THAT(facts.services_gone, IsEmpty());
  EXPECT_THAT(facts.compute_nodes_gone, IsEmpty());
  ASSERT_THAT(facts.services, SizeIs(1));
  EXPECT_FALSE(facts.services[0].service.disabled);
  EXPECT_THAT(facts.compute_nodes, SizeIs(1));
}

TEST_F(CellDatabase, ShowsRowsThatWereRemovedByHandInAWholeRefresh) {
  in_cell("DELETE FROM services WHERE host = 'h2';\nDELETE FROM compute_nodes WHERE host = 'h2'");
  EXPECT_TRUE(is_empty(refresh_cell()));
  const auto facts = refresh_cell(Depth::whole);
  EXPECT_THAT(facts.services_gone, ElementsAre("h2"));
  EXPECT_EQ(facts.compute_nodes_gone.at(0).host, "h2");
}

TEST_F(CellDatabase, ShowsAFlaggedServiceThatWasRemovedByHand) {
  update_service("h2", "disabled = 1");
  refresh_cell();
  in_cell("DELETE FROM services WHERE host = 'h2'");
  EXPECT_THAT(refresh_cell().services_gone, ElementsAre("h2"));
}

TEST_F(CellDatabase, ShowsAComputeNodeThatChangesTwiceWithinASecond) {
  const std::string now = "updated_at = FROM_UNIXTIME(UNIX_TIMESTAMP() DIV 10 * 10)";
  for (const int used : {1, 2, 3}) {
    update_node("h1", now + ", vcpus_used = " + std::to_string(used));
    const auto facts = refresh_cell();
    ASSERT_THAT(facts.compute_nodes, SizeIs(1));
    EXPECT_EQ(facts.compute_nodes[0].node.stats.at("vcpus_used"), used);
  }
  EXPECT_TRUE(is_empty(refresh_cell()));
}

TEST_F(CellDatabase, ShowsAComputeNodeOfAClockThatIsSlowInAWholeRefresh) {
  update_node("h1", "updated_at = UTC_TIMESTAMP() - INTERVAL 1 HOUR, vcpus_used = 5");
  EXPECT_TRUE(is_empty(refresh_cell()));
  EXPECT_EQ(refresh_cell(Depth::whole).compute_nodes.at(0).node.stats.at("vcpus_used"), 5);
}

TEST_F(CellDatabase, ShowsInstancesThatArePlacedAndMoved) {
  in_cell("INSERT INTO instances SET created_at = UTC_TIMESTAMP(), deleted = 0, uuid = '" + uuid_of(3) + "'");
  EXPECT_TRUE(is_empty(refresh_cell()));
  update_instance(3, "host = 'h1', updated_at = UTC_TIMESTAMP()");
  update_instance(1, "host = 'h2', updated_at = UTC_TIMESTAMP()");
  const auto facts = refresh_cell();
  ASSERT_THAT(facts.instances, SizeIs(2));
  for (const auto& instance : facts.instances)
    EXPECT_EQ(instance.host, instance.uuid == uuid_of(3) ? "h1" : "h2") << instance.uuid;
  EXPECT_TRUE(is_empty(refresh_cell(Depth::whole)));
}

TEST_F(CellDatabase, ShowsInstancesThatWereMadeByHand) {
  in_cell("INSERT INTO instances SET created_at = UTC_TIMESTAMP(), deleted = 0, host = 'h1', uuid = '" + uuid_of(4) +
          "'");
  EXPECT_EQ(refresh_cell().instances.at(0).uuid, uuid_of(4));
}

TEST_F(CellDatabase, ShowsInstancesThatAreDeletedOrLoseTheirHost) {
  update_instance(1, "vm_state = 'deleted', updated_at = UTC_TIMESTAMP(), deleted = id, deleted_at = UTC_TIMESTAMP()");
  update_instance(2, "host = NULL, updated_at = UTC_TIMESTAMP()");
  EXPECT_THAT(refresh_cell().instances_gone, testing::UnorderedElementsAre(uuid_of(1), uuid_of(2)));
  EXPECT_TRUE(is_empty(refresh_cell(Depth::whole)));
}

TEST_F(CellDatabase, FindsADeletionThatLeftNoTraceWhenTheHostHasItsTurn) {
  update_instance(2, "deleted = id, deleted_at = UTC_TIMESTAMP()");
  EXPECT_TRUE(is_empty(refresh_cell()));
  std::vector<std::string> gone;
  for (int turn = 0; turn < 2; ++turn) {
    for (const auto& uuid : refresh_cell(Depth::whole).instances_gone) gone.push_back(uuid);
  }
  EXPECT_THAT(gone, ElementsAre(uuid_of(2)));
}

TEST_F(CellDatabase, LosesNoChangeWhenARefreshFailsHalfWay) {
  update_service("h1", "disabled = 1");
  in_cell("RENAME TABLE instances TO away");
  auto connection = open("nova_cell1");
  const auto failed = cell_.refresh(connection, Depth::changes);
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::not_found);
  EXPECT_TRUE(connection.is_open());
  in_cell("RENAME TABLE away TO instances");
  EXPECT_THAT(refresh_cell().services, SizeIs(1));
}

TEST_F(CellDatabase, GoesOnAfterTheServerWasRestarted) {
  auto connection = open("nova_cell1");
  MariaDb::server().stop();
  const auto lost = cell_.refresh(connection, Depth::whole);
  ASSERT_FALSE(lost);
  EXPECT_EQ(lost.error().code, ErrorCode::unavailable);
  MariaDb::server().start();
  update_service("h1", "disabled = 1");
  const auto facts = refresh_cell();
  EXPECT_THAT(facts.services, SizeIs(1));
  EXPECT_THAT(facts.compute_nodes, IsEmpty());
}

TEST_F(CellDatabase, IsNotRefreshedBeforeItIsLoaded) {
  CellReader reader;
  auto connection = open("nova_cell1");
  const auto refused = reader.refresh(connection, Depth::changes);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::failed_precondition);
}

TEST_F(CellDatabase, LoadsTenThousandHosts) {
  in_cell(
      "INSERT INTO services (created_at, deleted, host, `binary`, topic, report_count, disabled, forced_down, version) "
      "SELECT UTC_TIMESTAMP() - INTERVAL 1 DAY, 0, CONCAT('n', seq), 'nova-compute', 'compute', 0, 0, 0, 64 "
      "FROM seq_1_to_9998;\n"
      "INSERT INTO compute_nodes (created_at, updated_at, deleted, host, hypervisor_hostname, uuid, vcpus, memory_mb, "
      "local_gb, vcpus_used, memory_mb_used, local_gb_used, hypervisor_type, hypervisor_version, free_disk_gb, "
      "cpu_info, stats) SELECT n.created_at, n.updated_at, 0, CONCAT('n', seq), CONCAT('n', seq), UUID(), n.vcpus, "
      "n.memory_mb, n.local_gb, 0, 0, 0, 'QEMU', 1, 1, CONCAT('{\"features\": [\"', REPEAT('vmx\", \"', 400), '\"]}'), "
      "'{}' FROM seq_1_to_9998, compute_nodes n WHERE n.host = 'h1';\n"
      "INSERT INTO instances (created_at, updated_at, deleted, uuid, host) SELECT n.created_at, n.updated_at, 0, "
      "CONCAT('00000000-0000-4000-9000-', LPAD(seq, 12, '0')), CONCAT('n', seq DIV 10) "
      "FROM seq_10_to_99989, compute_nodes n WHERE n.host = 'h1'");
  const auto facts = load_cell();
  EXPECT_EQ(facts.services.size(), 10000U);
  EXPECT_EQ(facts.compute_nodes.size(), 10000U);
  EXPECT_EQ(facts.instances.size(), 99982U);
  EXPECT_THAT(facts.complaints, IsEmpty());
  EXPECT_TRUE(is_empty(refresh_cell()));
  EXPECT_TRUE(is_empty(refresh_cell(Depth::whole)));
  update_node("n77", "vcpus_used = 1, updated_at = UTC_TIMESTAMP()");
  EXPECT_EQ(refresh_cell().compute_nodes.at(0).node.host, "n77");
}

}  // namespace
}  // namespace gantry::nova
