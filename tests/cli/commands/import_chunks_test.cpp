// SPDX-License-Identifier: Apache-2.0
#include "core/cli/commands/import_chunks.hpp"

#include <gmock/gmock.h>

#include "tests/cli/fake_daemon.hpp"

namespace gantry::cli::test {
namespace {

using testing::HasSubstr;

json::object tables_of(int hosts) {
  json::object tables = *json::parse_object(
      R"({"aggregates":[{"id":1,"name":"a"},{"id":2,"name":"b"}],"aggregate_hosts":[{"aggregate_id":2,"host":"h1"}],)"
      R"("unheard_of":[{"x":1}],"services":[],"compute_nodes":[]})");
  for (int host = 0; host < hosts; ++host) {
    const std::string name = "h" + std::to_string(host);
    tables["services"].get_array().push_back(json::object{{"topic", "compute"}, {"host", name}});
    tables["compute_nodes"].get_array().push_back(json::object{{"host", name}, {"vcpus", 8}});
  }
  return tables;
}

TEST(ImportChunks, AreOneIfAllRowsFit) {
  const auto chunks = import_chunks(tables_of(3), 100'000);
  ASSERT_EQ(chunks.size(), 1U);
  EXPECT_EQ(chunks[0].tables, tables_of(3));
}

TEST(ImportChunks, AreSmallAndHoldEachRowOnce) {
  const auto chunks = import_chunks(tables_of(100), 1000);
  std::size_t services = 0;
  std::size_t nodes = 0;
  for (const auto& chunk : chunks) {
    EXPECT_LT(json::write(chunk.tables).size(), 1200U);
    EXPECT_TRUE(chunk.tables.contains("services")) << "the daemon wants one of the tables of a fleet";
    services += json::find_array(chunk.tables, "services")->size();
    if (const auto* rows = json::find_array(chunk.tables, "compute_nodes")) nodes += rows->size();
    if (const auto* aggregates = json::find_array(chunk.tables, "aggregates"); aggregates && !aggregates->empty()) {
      const bool second = aggregates->at(0).at("id") == 2;
      EXPECT_EQ(json::find_array(chunk.tables, "aggregate_hosts")->size(), second ? 1U : 0U);
    }
  }
  EXPECT_EQ(services, 100U);
  EXPECT_EQ(nodes, 100U);
}

TEST(ImportChunks, HoldRowsOfNoAggregateAsTheyStandInTheFile) {
  json::object tables = tables_of(100);
  for (const int id : {7, 8, 1, 9})
    tables["aggregate_hosts"].get_array().push_back(json::object{{"aggregate_id", id}, {"host", "h1"}});
  std::vector<std::string> found;
  for (const auto& chunk : import_chunks(tables, 1000)) {
    const auto* rows = json::find_array(chunk.tables, "aggregate_hosts");
    if (rows == nullptr || rows->empty() || json::find_array(chunk.tables, "aggregates") != nullptr) continue;
    found.push_back(with_offset("aggregate_hosts[" + std::to_string(rows->size() - 1) + "]: x", chunk.offsets));
  }
  EXPECT_THAT(found, testing::ElementsAre("aggregate_hosts[2]: x", "aggregate_hosts[4]: x"));
}

TEST(ImportChunks, HoldAnInstanceTogetherWithItsRequestSpec) {
  json::object tables = tables_of(0);
  for (const auto* const name : {"instances", "request_specs"}) tables[name] = json::array();
  for (int number = 0; number < 50; ++number) {
    const std::string uuid = "uuid-" + std::to_string(number);
    tables["instances"].get_array().push_back(json::object{{"uuid", uuid}});
    tables["request_specs"].get_array().push_back(json::object{{"instance_uuid", uuid}, {"spec", "{}"}});
  }
  std::size_t instances = 0;
  for (const auto& chunk : import_chunks(tables, 500)) {
    EXPECT_LT(json::write(chunk.tables).size(), 700U);
    const auto* rows = json::find_array(chunk.tables, "instances");
    if (rows == nullptr || rows->empty()) continue;
    instances += rows->size();
    const auto* specs = json::find_array(chunk.tables, "request_specs");
    ASSERT_NE(specs, nullptr);
    ASSERT_EQ(specs->size(), rows->size());
    EXPECT_EQ(specs->at(0).at("instance_uuid"), rows->at(0).at("uuid"));
  }
  EXPECT_EQ(instances, 50U);
}

TEST(ImportChunks, NameSkippedRowsAsTheyStandInTheFile) {
  EXPECT_EQ(with_offset("services[3]: has no host", {{"services", 40}}), "services[43]: has no host");
  EXPECT_EQ(with_offset("table 'x': not one", {{"services", 40}}), "table 'x': not one");
}

TEST(ImportCommand, SaysWhatWasImportedIfItFailsInTheMiddle) {
  FakeDaemon daemon;
  int turn = 0;
  daemon.on("import", [&turn](const json::object& args) -> Result<json::value> {
    if (++turn == 4) return Error{ErrorCode::resource_exhausted, "no space left", ""};
    const auto count = json::find_array(args.at("tables").as_object(), "services")->size();
    return json::value(json::object{{"services", static_cast<std::int64_t>(count)}});
  });
  json::object tables = tables_of(20'000);
  for (auto& row : tables["services"].get_array()) row.get_object()["filler"] = std::string(100, 'x');
  const Ran ran = run(daemon, {"host", "import", "-"}, json::write(tables));
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, testing::AllOf(HasSubstr("of 40003 rows (services "), HasSubstr("run the same import again"),
                                      HasSubstr("no space left")));
  turn = 10;
  const Ran whole = run(daemon, {"-o", "value", "host", "import", "-"}, json::write(tables));
  EXPECT_EQ(whole.code, 0) << whole.err;
  EXPECT_THAT(whole.out, HasSubstr("services\t20000\n"));
}

}  // namespace
}  // namespace gantry::cli::test
