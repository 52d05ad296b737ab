// SPDX-License-Identifier: Apache-2.0
//
// The reader against the database of a real placement, which real calls change.
#include "core/nova/mirror/database/provider_reader.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <random>

#include "core/encoding/json.hpp"
#include "core/encoding/uuid.hpp"
#include "core/nova/http/service_client.hpp"
#include "core/nova/placement/placement_service.hpp"
#include "tests/nova/facts/server/mariadb.hpp"
#include "tests/nova/http/waiting_client.hpp"
#include "tests/nova/placement/placement_process.hpp"

namespace gantry::nova {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

// One placement for all tests of the program.
struct RealPlacementDatabase {
  static RealPlacementDatabase& all() {
    static RealPlacementDatabase parts;
    return parts;
  }
  std::string reason_to_skip;
  std::unique_ptr<testing::PlacementProcess> placement;

 private:
  RealPlacementDatabase() {
    if (!MariaDb::is_installed()) {
      reason_to_skip = "mariadb-server is not installed: packaging/install-packages --nova";
      return;
    }
    const auto url = parse_database_url(MariaDb::server().url("mysql"));
    auto made = Connection::open(*url, {}, Access::writes)->query("CREATE DATABASE placement CHARACTER SET utf8");
    EXPECT_TRUE(made);
    placement = std::make_unique<testing::PlacementProcess>(MariaDb::server().url("placement"));
    if (!placement->start()) reason_to_skip = "python3-placement is not installed: packaging/install-packages --nova";
  }
};

// A provider's facts in an order that does not depend on the reader.
std::string text_of(ProviderFact fact) {
  std::ranges::sort(fact.inventories, {}, &InventoryFact::resource_class);
  std::ranges::sort(fact.traits);
  std::ranges::sort(fact.aggregates);
  json::array inventories;
  for (const auto& each : fact.inventories)
    inventories.push_back(json::array{each.resource_class, each.total, each.reserved, each.allocation_ratio,
                                      each.stored_ratio, each.min_unit, each.max_unit, each.step_size, each.used});
  return json::write(json::object{{"id", fact.id},
                                  {"uuid", fact.uuid},
                                  {"parent", fact.parent.value_or(0)},
                                  {"root", fact.root},
                                  {"inventories", std::move(inventories)},
                                  {"traits", json::array(fact.traits.begin(), fact.traits.end())},
                                  {"aggregates", json::array(fact.aggregates.begin(), fact.aggregates.end())}});
}

// The sum of a reader's answers.
struct Mirrored {
  void take(const ProviderRead& read) {
    if (read.is_whole) *this = {};
    for (const auto& fact : read.changes.providers) providers[fact.id] = text_of(fact);
    for (const auto id : read.changes.removed) providers.erase(id);
    if (read.changes.traits) traits = {read.changes.traits->begin(), read.changes.traits->end()};
    if (read.changes.aggregates) aggregates = {read.changes.aggregates->begin(), read.changes.aggregates->end()};
  }
  std::map<std::int64_t, std::string> providers, traits, aggregates;
};

class RealProviderReader : public ::testing::Test {
 protected:
  void SetUp() override {
    if (const auto& reason = RealPlacementDatabase::all().reason_to_skip; !reason.empty()) GTEST_SKIP() << reason;
    connection_ = *Connection::open(*parse_database_url(MariaDb::server().url("placement")));
    thread_.run([this] {
      login_.emplace(ServiceAccess{RealPlacementDatabase::all().placement->url(), "admin"});
      service_.emplace(thread_.strand(), *login_, HttpClientOptions());
    });
    read(reader_.load(*connection_));
  }
  void TearDown() override {
    thread_.run([this] {
      service_.reset();
      login_.reset();
    });
  }

  ProviderRead read(Result<ProviderRead> result) {
    EXPECT_TRUE(result) << result.error().message;
    if (!result) return {};
    mirrored_.take(*result);
    return *std::move(result);
  }
  ProviderRead refresh(std::vector<std::string> dirty = {}, Depth depth = Depth::changes) {
    return read(reader_.refresh(*connection_, dirty, depth));
  }
  // The answer of a reader that has just begun.
  Mirrored whole() {
    ProviderReader fresh;
    Mirrored all;
    auto loaded = fresh.load(*connection_);
    EXPECT_TRUE(loaded);
    all.take(*loaded);
    return all;
  }

  unsigned call(const std::string& verb, const std::string& target, const std::string& body = "") {
    return thread_
        .wait<HttpOutcome>([&](auto done) {
          service_->call({verb, target, "1.36", body, "", Clock::now() + std::chrono::seconds(30)}, done);
        })
        .status;
  }
  std::string add_provider(const std::string& parent = "") {
    const auto uuid = to_text(random_uuid());
    const auto of_parent = parent.empty() ? "" : R"(,"parent_provider_uuid":")" + parent + "\"";
    EXPECT_EQ(
        call("POST", "/resource_providers", R"({"name":")" + uuid + R"(","uuid":")" + uuid + "\"" + of_parent + "}"),
        200U);
    return uuid;
  }
  std::int64_t generation_of(const std::string& uuid) {
    std::int64_t generation = -1;
    EXPECT_TRUE(connection_->query("SELECT generation FROM resource_providers WHERE uuid = '" + uuid + "'",
                                   [&](Row row) { generation = std::get<std::int64_t>(row[0]); }));
    return generation;
  }
  unsigned put_inventory(const std::string& uuid, int total, const std::string& ratio = "1.0") {
    return call("PUT", "/resource_providers/" + uuid + "/inventories",
                R"({"resource_provider_generation":)" + std::to_string(generation_of(uuid)) +
                    R"(,"inventories":{"VCPU":{"total":)" + std::to_string(total) + R"(,"allocation_ratio":)" + ratio +
                    "}}}");
  }
  unsigned put_traits(const std::string& uuid, const std::string& traits) {
    return call(
        "PUT", "/resource_providers/" + uuid + "/traits",
        R"({"resource_provider_generation":)" + std::to_string(generation_of(uuid)) + R"(,"traits":[)" + traits + "]}");
  }
  unsigned put_aggregates(const std::string& uuid, const std::string& aggregates) {
    return call("PUT", "/resource_providers/" + uuid + "/aggregates",
                R"({"resource_provider_generation":)" + std::to_string(generation_of(uuid)) + R"(,"aggregates":[)" +
                    aggregates + "]}");
  }
  // The consumer. Empty: placement has refused.
  std::string claim(const std::string& uuid, int vcpus) {
    auto consumer = to_text(random_uuid());
    const auto status = call("PUT", "/allocations/" + consumer,
                             R"({"allocations":{")" + uuid + R"(":{"resources":{"VCPU":)" + std::to_string(vcpus) +
                                 R"(}}},"project_id":"p","user_id":"u","consumer_generation":null})");
    EXPECT_TRUE(status == 204 || status == 409) << status;
    return status == 204 ? consumer : "";
  }

  testing::StrandThread thread_;
  std::optional<StaticLogin> login_;
  std::optional<PlacementService> service_;
  std::optional<Connection> connection_;
  ProviderReader reader_;
  Mirrored mirrored_;
};

TEST_F(RealProviderReader, ReadsTheWholeForest) {
  const auto root = add_provider();
  const auto child = add_provider(root);
  EXPECT_EQ(put_inventory(root, 8, "1.23456789"), 200U);
  EXPECT_EQ(put_traits(root, R"("HW_CPU_X86_AVX2")"), 200U);
  const auto aggregate = to_text(random_uuid());
  EXPECT_EQ(put_aggregates(child, "\"" + aggregate + "\""), 200U);
  EXPECT_NE(claim(root, 3), "");
  ProviderReader fresh;
  const auto loaded = *fresh.load(*connection_);
  EXPECT_TRUE(loaded.is_whole);
  const auto fact_of = [&loaded](const std::string& uuid) {
    return *std::ranges::find(loaded.changes.providers, uuid, &ProviderFact::uuid);
  };
  const auto name_of = [](const NameFacts& names, std::int64_t id) {
    return std::ranges::find(names, id, [](const auto& name) { return name.first; })->second;
  };
  const auto of_root = fact_of(root);
  EXPECT_EQ(of_root.root, of_root.id);
  EXPECT_EQ(of_root.parent, std::nullopt);
  ASSERT_THAT(of_root.inventories, SizeIs(1));
  const auto& inventory = of_root.inventories[0];
  EXPECT_EQ(name_of(*loaded.changes.resource_classes, inventory.resource_class), "VCPU");
  EXPECT_EQ(inventory.total, 8);
  EXPECT_EQ(inventory.used, 3);
  EXPECT_EQ(inventory.allocation_ratio, 1.23457) << "as placement's Python has it";
  EXPECT_EQ(inventory.stored_ratio, static_cast<double>(1.23456789F)) << "as the database has it";
  ASSERT_THAT(of_root.traits, SizeIs(1));
  EXPECT_EQ(name_of(*loaded.changes.traits, of_root.traits[0]), "HW_CPU_X86_AVX2");
  const auto of_child = fact_of(child);
  EXPECT_EQ(of_child.parent, of_root.id);
  EXPECT_EQ(of_child.root, of_root.id);
  ASSERT_THAT(of_child.aggregates, SizeIs(1));
  EXPECT_EQ(name_of(*loaded.changes.aggregates, of_child.aggregates[0]), aggregate);
}

TEST_F(RealProviderReader, AnswersWithWhatHasChanged) {
  const auto first = add_provider();
  const auto second = add_provider();
  EXPECT_THAT(refresh().changes.providers, SizeIs(2));
  EXPECT_THAT(refresh().changes.providers, IsEmpty());
  EXPECT_EQ(put_inventory(first, 4), 200U);
  const auto changed = refresh();
  ASSERT_THAT(changed.changes.providers, SizeIs(1));
  EXPECT_EQ(changed.changes.providers[0].uuid, first);
  EXPECT_NE(claim(first, 1), "");
  EXPECT_EQ(refresh().changes.providers.at(0).inventories.at(0).used, 1);
  EXPECT_EQ(call("DELETE", "/resource_providers/" + second), 204U);
  EXPECT_THAT(refresh().changes.removed, SizeIs(1));
  EXPECT_EQ(mirrored_.providers, whole().providers);
}

TEST_F(RealProviderReader, SeesTheDeletionOfAllocationsOnlyWhereItIsTold) {
  const auto uuid = add_provider();
  EXPECT_EQ(put_inventory(uuid, 4), 200U);
  const auto consumer = claim(uuid, 2);
  refresh();
  EXPECT_EQ(call("DELETE", "/allocations/" + consumer), 204U);
  EXPECT_THAT(refresh().changes.providers, IsEmpty()) << "the provider's generation stays";
  const auto told = refresh({uuid, "nobody"});
  ASSERT_THAT(told.changes.providers, SizeIs(1));
  EXPECT_EQ(told.changes.providers[0].inventories.at(0).used, 0);
}

TEST_F(RealProviderReader, ComesRoundToEveryProvider) {
  const auto uuid = add_provider();
  EXPECT_EQ(put_inventory(uuid, 4), 200U);
  const auto consumer = claim(uuid, 2);
  refresh();
  EXPECT_EQ(call("DELETE", "/allocations/" + consumer), 204U);
  for (int i = 0; i < 12; ++i) refresh({}, Depth::whole);
  EXPECT_EQ(mirrored_.providers, whole().providers);
}

TEST_F(RealProviderReader, ForgetsACustomTraitThatIsDeleted) {
  EXPECT_EQ(call("PUT", "/traits/CUSTOM_SHORT_LIVED"), 201U);
  refresh();
  EXPECT_EQ(mirrored_.traits, whole().traits);
  EXPECT_EQ(call("DELETE", "/traits/CUSTOM_SHORT_LIVED"), 204U);
  EXPECT_EQ(call("PUT", "/traits/CUSTOM_ANOTHER_ONE"), 201U);
  refresh();
  EXPECT_EQ(mirrored_.traits, whole().traits);
}

TEST_F(RealProviderReader, AddsUpToAWholeReadAfterAnyChanges) {
  std::mt19937 dice(20261123);
  const auto roll = [&dice](std::size_t sides) { return static_cast<std::size_t>(dice() % sides); };
  std::vector<std::string> uuids{add_provider(), add_provider()};
  std::vector<std::pair<std::string, std::string>> claims;  // consumer, provider
  std::vector<std::string> dirty;
  const std::vector<std::string> traits{"", R"("HW_CPU_X86_AVX2")", R"("HW_CPU_X86_AVX2","STORAGE_DISK_SSD")"};
  for (int step = 0; step < 120; ++step) {
    const auto uuid = uuids[roll(uuids.size())];
    switch (roll(8)) {
      case 0: uuids.push_back(add_provider(roll(2) == 0 ? uuid : "")); break;
      case 1:
      case 2: put_inventory(uuid, 4 + static_cast<int>(roll(60)), roll(2) == 0 ? "1.1" : "16.0"); break;
      case 3: put_traits(uuid, traits[roll(traits.size())]); break;
      case 4: put_aggregates(uuid, "\"" + to_text(random_uuid()) + "\""); break;
      case 5:
      case 6:
        if (const auto consumer = claim(uuid, 1); !consumer.empty()) claims.emplace_back(consumer, uuid);
        break;
      default:
        if (claims.empty()) break;
        EXPECT_EQ(call("DELETE", "/allocations/" + claims.back().first), 204U);
        dirty.push_back(claims.back().second);
        claims.pop_back();
    }
    if (roll(3) != 0) continue;
    refresh(std::exchange(dirty, {}));
    const auto all = whole();
    ASSERT_EQ(mirrored_.providers, all.providers) << "step " << step;
    ASSERT_EQ(mirrored_.aggregates, all.aggregates) << "step " << step;
  }
}

}  // namespace
}  // namespace gantry::nova
