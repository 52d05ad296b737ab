// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/compute_node_row.hpp"

#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "core/encoding/time.hpp"
#include "tests/nova/facts/server/deployment.hpp"

namespace gantry::nova {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class ComputeNodeRows : public Deployment {
 protected:
  // Loads the cell with one host h1, a value of which is this.
  CellFacts load_with(const std::string& column, const std::string& value) {
    add_service("h1");
    add_node("h1");
    in_cell("UPDATE compute_nodes SET " + column + " = " + value);
    return load_cell();
  }

  void expect_passed_over(const std::string& column, const std::string& value, const std::string& reason) {
    in_cell("DELETE FROM services;\nDELETE FROM compute_nodes");
    const auto facts = load_with(column, value);
    EXPECT_THAT(facts.compute_nodes, IsEmpty()) << column << " = " << value;
    ASSERT_THAT(facts.complaints, SizeIs(1)) << column << " = " << value;
    EXPECT_TRUE(facts.complaints[0].passes_host_over);
    EXPECT_EQ(facts.complaints[0].column, column);
    EXPECT_EQ(facts.complaints[0].host, column == "host" ? "" : "h1");
    EXPECT_THAT(facts.complaints[0].reason, HasSubstr(reason));
  }
};

// A row as a list of the columns that the table has, and their values in SQL.
std::string insert_of(const std::string& table, const json::object& row, const std::set<std::string>& columns,
                      const Connection& connection) {
  std::string sql = "INSERT INTO " + table + " SET ";
  for (const auto& [key, value] : row) {
    if (!columns.contains(std::string(key))) continue;
    const auto text = value.is_string() ? connection.quoted(std::string_view(value.get_string())) : json::write(value);
    sql += "`" + std::string(key) + "` = " + text + ", ";
  }
  // The recorded instances lack the column.
  if (columns.contains("deleted") && !row.contains("deleted")) return sql + "deleted = 0";
  return sql.substr(0, sql.size() - 2);
}

json::object recorded_rows() {
  std::ifstream in(GANTRY_NOVA_ROWS);
  auto rows = json::parse_object(std::string(std::istreambuf_iterator<char>(in), {}), json::stored_depth);
  return rows ? *rows : json::object();
}

void put_recorded(Connection& connection, const std::string& table, const json::object& tables) {
  std::set<std::string> columns;
  auto done = connection.query(
      "SELECT column_name FROM information_schema.columns WHERE table_schema = DATABASE() AND "
      "table_name = '" +
          table + "'",
      [&columns](Row row) { columns.emplace(std::get<std::string_view>(row[0])); });
  for (const auto& row : tables.at(table).as_array()) {
    if (done) done = connection.query(insert_of(table, row.as_object(), columns, connection));
    ASSERT_TRUE(done) << done.error().message;
  }
}

TEST_F(ComputeNodeRows, AreAllTakenFromARealNova) {
  const auto tables = recorded_rows();
  for (const auto& [database, names] : std::map<std::string, std::vector<std::string>>{
           {"nova_cell1", {"services", "compute_nodes", "instances"}},
           {"nova_api", {"aggregates", "aggregate_hosts", "aggregate_metadata"}}}) {
    auto connection = open(database);
    ASSERT_TRUE(connection.query("SET SESSION TRANSACTION READ WRITE"));
    for (const auto& table : names) put_recorded(connection, table, tables);
  }
  const auto facts = load_cell();
  EXPECT_THAT(facts.complaints, IsEmpty());
  std::map<std::string, const ServiceFact*> services;
  for (const auto& fact : facts.services) services[fact.service.host] = &fact;
  std::size_t computes = 0;
  for (const auto& value : tables.at("services").as_array()) {
    const auto& row = value.as_object();
    if (row.at("binary") != "nova-compute") continue;
    ++computes;
    const auto* fact = services.at(std::string(std::string_view(row.at("host").as_string())));
    EXPECT_EQ(fact->id, row.at("id"));
    EXPECT_EQ(fact->service.disabled, row.at("disabled") != 0);
    EXPECT_EQ(fact->service.forced_down, row.at("forced_down") != 0);
    EXPECT_EQ(fact->service.report_count, static_cast<std::uint64_t>(row.at("report_count").as_int64()));
    EXPECT_EQ(fact->service.last_seen_up, parse_time(json::find_string(row, "last_seen_up").value_or("")).value_or(0));
  }
  EXPECT_EQ(facts.services.size(), computes);
  const auto& nodes = tables.at("compute_nodes").as_array();
  ASSERT_EQ(facts.compute_nodes.size(), nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto& row = nodes[i].as_object();
    const auto& node = facts.compute_nodes[i].node;
    EXPECT_EQ(json::value(node.host), row.at("host"));
    EXPECT_EQ(json::value(node.node), row.at("hypervisor_hostname"));
    for (const auto& [key, value] : node.stats) {
      const auto& recorded = row.at(key);
      if (value.is_structured())
        EXPECT_EQ(value, *json::parse(std::string_view(recorded.as_string()))) << key;
      else
        EXPECT_EQ(value, recorded) << key;
    }
    for (const auto& key : {"vcpus", "memory_mb_used", "uuid", "cpu_info", "supported_instances", "stats", "host_ip"})
      EXPECT_TRUE(node.stats.contains(key)) << key;
  }
  EXPECT_EQ(facts.instances.size(), 2U);
  const auto api = load_api();
  EXPECT_THAT(api.complaints, IsEmpty());
  ASSERT_THAT(api.aggregates, SizeIs(1));
  EXPECT_EQ(api.aggregates[0].name, "fast");
  EXPECT_THAT(api.aggregates[0].hosts, ElementsAre("h000001", "h000002", "c0"));
  EXPECT_THAT(api.aggregates[0].metadata, SizeIs(3));
}

TEST_F(ComputeNodeRows, KeepARatioAsItWasWritten) {
  EXPECT_EQ(load_with("cpu_allocation_ratio", "1.1").compute_nodes.at(0).node.stats.at("cpu_allocation_ratio"), 1.1);
}

TEST_F(ComputeNodeRows, AreTakenWithoutWhatMayBeNull) {
  for (const auto* column : {"stats", "supported_instances", "metrics", "pci_stats", "numa_topology", "free_ram_mb",
                             "cpu_allocation_ratio", "current_workload", "host_ip"}) {
    in_cell("DELETE FROM services;\nDELETE FROM compute_nodes");
    const auto facts = load_with(column, "NULL");
    EXPECT_THAT(facts.complaints, IsEmpty()) << column;
    ASSERT_THAT(facts.compute_nodes, SizeIs(1)) << column;
    EXPECT_FALSE(facts.compute_nodes[0].node.stats.contains(column));
  }
}

TEST_F(ComputeNodeRows, AreTakenWithEmptyTextsAndJsonsNull) {
  in_cell("DELETE FROM compute_nodes");
  const auto facts = load_with("stats", "'', metrics = 'null', supported_instances = '', cpu_info = ''");
  EXPECT_THAT(facts.complaints, IsEmpty());
  EXPECT_THAT(facts.compute_nodes, SizeIs(1));
}

TEST_F(ComputeNodeRows, ArePassedOverForJsonThatDoesNotParse) {
  expect_passed_over("stats", "'{\"a\": '", "expected JSON: ");
  expect_passed_over("stats", "'[]'", "expected an object, found array");
  expect_passed_over("supported_instances", "'{}'", "expected a list, found object");
  expect_passed_over("metrics", "'nonsense'", "expected JSON: ");
  expect_passed_over("numa_topology", "CONCAT(REPEAT('[', 5000), REPEAT(']', 5000))", "expected JSON: ");
  expect_passed_over("numa_topology", "'7'", "expected an object, found ");
}

TEST_F(ComputeNodeRows, ArePassedOverForValuesThatCannotBe) {
  expect_passed_over("host", "NULL", "expected the name of a host");
  expect_passed_over("free_disk_gb", "NULL", "has not reported its use");
  expect_passed_over("vcpus", "-1", "expected a number from 0 to 2147483647, found -1");
  expect_passed_over("hypervisor_hostname", "CONCAT('n', CHAR(8))", "expected text without control characters");
}

TEST_F(ComputeNodeRows, ArePassedOverForBytesThatAreNotUtf8) {
  in_cell("ALTER TABLE compute_nodes MODIFY stats MEDIUMBLOB, MODIFY hypervisor_type MEDIUMBLOB");
  expect_passed_over("stats", "x'7bff7d'", "expected text in UTF-8, found other bytes");
  expect_passed_over("hypervisor_type", "x'c0af'", "expected text in UTF-8, found other bytes");
}

TEST_F(ComputeNodeRows, ArePassedOverForATextBeyondTheBound) {
  in_cell("ALTER TABLE compute_nodes MODIFY stats MEDIUMTEXT");
  expect_passed_over("stats", "REPEAT(' ', 16777215)", "expected at most 1048576 bytes, found 16777215");
}

// Nova's host manager does not read cpu_info, and goes on without devices where pci_stats cannot be read.
TEST_F(ComputeNodeRows, AreTakenWithoutValuesThatNovaDoesWithout) {
  const auto facts = load_with("cpu_info", "REPEAT('x', 16777215), pci_stats = '{'");
  ASSERT_THAT(facts.compute_nodes, SizeIs(1));
  EXPECT_FALSE(facts.compute_nodes[0].node.stats.contains("cpu_info"));
  EXPECT_FALSE(facts.compute_nodes[0].node.stats.contains("pci_stats"));
  ASSERT_THAT(facts.complaints, SizeIs(2));
  EXPECT_FALSE(facts.complaints[0].passes_host_over);
  EXPECT_THAT(text_of(facts.complaints[0]), HasSubstr("(host h1, node h1): column cpu_info: expected at most"));
}

TEST_F(ComputeNodeRows, AreNamedOnceAndComeBackWhenTheyAreInOrder) {
  add_node("h2");
  ASSERT_THAT(load_with("stats", "'{}'").compute_nodes, SizeIs(2));
  in_cell("UPDATE compute_nodes SET stats = '{', updated_at = UTC_TIMESTAMP() WHERE host = 'h1'");
  auto facts = refresh_cell();
  ASSERT_THAT(facts.complaints, SizeIs(1));
  EXPECT_TRUE(facts.complaints[0].is_new);
  EXPECT_THAT(text_of(facts.complaints[0]), testing::EndsWith("; the host is passed over"));
  EXPECT_EQ(facts.compute_nodes_gone.at(0).host, "h1");
  EXPECT_TRUE(is_empty(refresh_cell()));
  facts = load_cell();
  EXPECT_FALSE(facts.complaints.at(0).is_new);
  EXPECT_THAT(facts.compute_nodes, SizeIs(1));
  in_cell("UPDATE compute_nodes SET stats = '{}', updated_at = UTC_TIMESTAMP() WHERE host = 'h1'");
  EXPECT_EQ(refresh_cell().compute_nodes.at(0).node.host, "h1");
}

TEST_F(ComputeNodeRows, OfServicesArePassedOverToo) {
  add_service("h1");
  add_service("h2");
  in_cell(
      "ALTER TABLE services MODIFY last_seen_up VARCHAR(40);\n"
      "UPDATE services SET last_seen_up = 'soon' WHERE host = 'h1'");
  const auto facts = load_cell();
  ASSERT_THAT(facts.services, SizeIs(1));
  EXPECT_EQ(facts.services[0].service.host, "h2");
  EXPECT_EQ(text_of(facts.complaints.at(0)),
            "services id 1 (host h1): column last_seen_up: expected a time such as 2026-11-21 09:00:00, found 'soon'; "
            "the host is passed over");
}

TEST_F(ComputeNodeRows, OfInstancesAreLeftOut) {
  add_instance("no-uuid", "h1");
  add_instance(uuid_of(1), "h1");
  const auto facts = load_cell();
  EXPECT_THAT(facts.instances, SizeIs(1));
  EXPECT_EQ(text_of(facts.complaints.at(0)), "instances id 1 (host h1): column uuid: expected a UUID; left out");
}

}  // namespace
}  // namespace gantry::nova
