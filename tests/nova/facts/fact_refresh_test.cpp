// SPDX-License-Identifier: Apache-2.0
//
// Which refresh a request waits for, casts beside a refresh that runs, and databases that go away and come back.
#include <filesystem>
#include <thread>

#include "core/nova/facts/fact_keeper.hpp"
#include "tests/nova/facts/server/kept_facts.hpp"

namespace gantry::nova {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class BesideRefreshes : public KeptFacts {
 protected:
  // Holds refreshes of cell 1 up in their last table, after they have seen the others. The destructor lets them go.
  class Hold {
   public:
    Hold() : connection_(open("nova_cell1")) {
      EXPECT_TRUE(connection_.query("SET SESSION TRANSACTION READ WRITE"));
      EXPECT_TRUE(connection_.query("LOCK TABLES instances WRITE, services READ, compute_nodes READ"));
    }
    ~Hold() { EXPECT_TRUE(connection_.query("UNLOCK TABLES")); }
    void run(const std::string& sql) { EXPECT_TRUE(connection_.query(sql)); }

   private:
    Connection connection_;
  };
  // Waits until a query of the server waits for the table that is held.
  bool a_refresh_is_held_up() {
    return comes_true([] {
      auto connection = open("mysql");
      bool is_waiting = false;
      EXPECT_TRUE(connection.query(
          "SELECT COUNT(*) FROM information_schema.processlist WHERE state LIKE '%metadata lock%'", [&](Row row) {
            const auto* count = std::get_if<std::int64_t>(&row[0]);
            is_waiting = count != nullptr && *count > 0;
          }));
      return is_waiting;
    });
  }
  std::uint64_t refreshes_of(const std::string& label) const {
    for (const auto& entry : counters_.list()) {
      if (entry.name == "nova_refreshes" && entry.label == label) return entry.value;
    }
    return 0;
  }
  Result<void> cast(std::string_view method, std::string_view args) {
    return keeper_->apply(method, json::parse_object(args).operator*());
  }
  static void update_services(const std::string& database, const std::string& what) {
    run_in(database, "UPDATE services SET " + what);
  }
  static std::string update_of(const std::string& host, int number) {
    return R"({"host_name":")" + host +
           R"(","instance_info":{"nova_object.name":"InstanceList","nova_object.namespace":)"
           R"("nova","nova_object.version":"2.6","nova_object.data":{"objects":[{"nova_object.name":"Instance",)"
           R"("nova_object.namespace":"nova","nova_object.version":"2.7","nova_object.data":{"uuid":")" +
           uuid_of(number) + R"("}}]}}})";
  }
  static std::string delete_of(const std::string& host, int number) {
    return R"({"host_name":")" + host + R"(","instance_uuid":")" + uuid_of(number) + R"("})";
  }
};

class RefreshOfFacts : public BesideRefreshes {
 protected:
  void SetUp() override {
    KeptFacts::SetUp();
    if (!IsSkipped()) start();
  }
};

TEST_F(RefreshOfFacts, BeginsAfterTheCallAndIsSharedByThoseThatWait) {
  const auto before = refreshes_of("cell 'cell1'");
  std::vector<std::future<std::string>> waiting;
  {
    const Hold hold;
    auto first = refresh_later();
    ASSERT_TRUE(a_refresh_is_held_up());
    for (int i = 0; i < 8; ++i) waiting.push_back(refresh_later());
    // Calls that came while a refresh ran wait for the next one.
    ASSERT_TRUE(comes_true([this] { return keeper_->status().at("databases").at(1).at("waiting") == 9; }));
    waiting.push_back(std::move(first));
  }
  for (auto& each : waiting) EXPECT_EQ(each.get(), "");
  EXPECT_EQ(refreshes_of("cell 'cell1'") - before, 2U);
}

TEST_F(RefreshOfFacts, FailsAtTheDeadlineAndNamesTheDatabase) {
  const Hold hold;
  EXPECT_THAT(refresh(2s), AllOf(HasSubstr("cell 'cell1'"), HasSubstr("nova_cell1"), HasSubstr("has not answered")));
}

TEST_F(RefreshOfFacts, LeavesACastStandingThatIsNewerThanTheRefresh) {
  add_instance(uuid_of(1), "h1");
  in_cell("UPDATE instances SET updated_at = UTC_TIMESTAMP()");
  std::future<std::string> older;
  {
    Hold hold;
    older = refresh_later();
    ASSERT_TRUE(a_refresh_is_held_up());
    ASSERT_TRUE(cast("delete_instance_info", delete_of("h1", 1)));
    ASSERT_TRUE(cast("update_instance_info", update_of("h1", 2)));
    EXPECT_THAT(instances_on("h1"), ElementsAre(uuid_of(2)));
  }
  ASSERT_EQ(older.get(), "");
  EXPECT_THAT(instances_on("h1"), ElementsAre(uuid_of(2)));
  // The database wins at the next refresh.
  ASSERT_EQ(refresh(), "");
  EXPECT_THAT(instances_on("h1"), ElementsAre(uuid_of(1)));
}

TEST_F(RefreshOfFacts, FindsADeletionThatACastTellsOf) {
  add_instance(uuid_of(1), "h1");
  in_cell("UPDATE instances SET updated_at = UTC_TIMESTAMP()");
  ASSERT_EQ(refresh(), "");
  // As if the row had been written long ago: nothing shows that it is deleted.
  in_cell("UPDATE instances SET deleted = id, updated_at = UTC_TIMESTAMP() - INTERVAL 1 DAY");
  ASSERT_EQ(refresh(), "");
  EXPECT_THAT(instances_on("h1"), ElementsAre(uuid_of(1)));
  ASSERT_TRUE(cast("delete_instance_info", delete_of("h1", 1)));
  EXPECT_THAT(instances_on("h1"), IsEmpty());
  ASSERT_EQ(refresh(), "");
  EXPECT_THAT(instances_on("h1"), IsEmpty());
}

TEST_F(RefreshOfFacts, ReadsTheHostsThatASyncNamesAndAllAfterLostCasts) {
  add_instance(uuid_of(1), "h1");
  in_cell("UPDATE instances SET updated_at = UTC_TIMESTAMP()");
  ASSERT_EQ(refresh(), "");
  const std::string long_ago = ", updated_at = UTC_TIMESTAMP() - INTERVAL 1 DAY";
  in_cell("UPDATE instances SET deleted = id" + long_ago);
  ASSERT_TRUE(cast("sync_instance_info", R"({"host_name":"h1","instance_uuids":[]})"));
  ASSERT_EQ(refresh(), "");
  EXPECT_THAT(instances_on("h1"), IsEmpty());
  in_cell("UPDATE instances SET deleted = 0" + long_ago);
  ASSERT_EQ(refresh(), "");
  EXPECT_THAT(instances_on("h1"), IsEmpty());
  keeper_->reload_instances();
  ASSERT_EQ(refresh(), "");
  EXPECT_THAT(instances_on("h1"), ElementsAre(uuid_of(1)));
  // A host that is not known is read.
  ASSERT_TRUE(cast("update_instance_info", update_of("h9", 3)));
  EXPECT_EQ(refresh(), "");
  EXPECT_EQ(fleet_.instance(uuid_of(3)), std::nullopt);
}

TEST_F(RefreshOfFacts, TakesCastsOfAggregates) {
  ASSERT_TRUE(cast("update_aggregates",
                   R"({"aggregates":[{"nova_object.name":"Aggregate","nova_object.namespace":"nova",)"
                   R"("nova_object.version":"1.3","nova_object.data":{"id":1,"uuid":"a1","name":"fast","hosts":["h1"],)"
                   R"("metadata":{"availability_zone":"z1"}}}]})"));
  EXPECT_EQ(row("h1").at("availability_zone"), "z1");
  ASSERT_TRUE(cast("delete_aggregate", R"({"aggregate":{"id":1,"name":"fast"}})"));
  EXPECT_EQ(row("h1").at("availability_zone"), "nova");
  ASSERT_TRUE(cast("update_aggregates", R"({"aggregates":{"id":1,"name":"fast","hosts":["h1"],)"
                                        R"("metadata":{"availability_zone":"z2"}}})"));
  EXPECT_EQ(row("h1").at("availability_zone"), "z2");
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(row("h1").at("availability_zone"), "nova") << "the database has no such aggregate";
}

TEST_F(RefreshOfFacts, RefusesCastsThatCannotBeRead) {
  for (const auto& [method, args, name] : std::vector<std::tuple<std::string, std::string, std::string>>{
           {"update_aggregates", "{}", "aggregates"},
           {"update_aggregates", R"({"aggregates":[7]})", "aggregates"},
           {"delete_aggregate", R"({"aggregate":{"name":"a"}})", "aggregate"},
           {"update_instance_info", R"({"instance_info":[]})", "host_name"},
           {"update_instance_info", R"({"host_name":"h1","instance_info":[{"uuid":"x"}]})", "instance_info"},
           {"delete_instance_info", R"({"host_name":"h1","instance_uuid":null})", "instance_uuid"},
           {"sync_instance_info", R"({"host_name":"h1","instance_uuids":[null]})", "instance_uuids"}}) {
    const auto refused = cast(method, args);
    ASSERT_FALSE(refused) << args;
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
    EXPECT_THAT(refused.error().message, HasSubstr("argument '" + name + "'"));
  }
  EXPECT_EQ(cast("select_destinations", "{}").error().code, ErrorCode::unsupported);
}

TEST_F(RefreshOfFacts, GoesOnWithoutACellThatIsAwayAndTakesItUpAgain) {
  cut(2);
  update_services("nova_cell1", "disabled = 1");
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(row("h1").at("disabled"), true);
  ASSERT_TRUE(comes_true([this] { return !keeper_->warnings().empty(); }));
  EXPECT_THAT(keeper_->warnings(), ElementsAre(AllOf(HasSubstr("cell 'cell2'"), HasSubstr("nova_cell2"))));
  EXPECT_EQ(row("h2").at("up"), true);
  EXPECT_EQ(row("h2", "h2", 2min).at("up"), false) << "nobody hears of the hosts of a cell that is away";
  update_services("nova_cell2", "disabled = 1");
  mend(2);
  keeper_->reload();
  EXPECT_TRUE(comes_true([this] { return row("h2").at("disabled") == true; }));
  EXPECT_TRUE(comes_true([this] { return keeper_->warnings().empty(); }));
  EXPECT_THAT(log_->lines("is away"), SizeIs(1));
  EXPECT_THAT(log_->lines("is back"), SizeIs(1));
}

using SilentDatabase = BesideRefreshes;

TEST_F(SilentDatabase, IsAwayOnceItHasNotAnsweredInTime) {
  settings_.timeouts.read = 1s;
  start();
  const Hold hold;
  update_services("nova_cell2", "disabled = 1");
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(row("h2").at("disabled"), true);
  EXPECT_THAT(keeper_->warnings(), ElementsAre(AllOf(HasSubstr("cell 'cell1'"), HasSubstr("no answer within 1 s"))));
}

TEST_F(RefreshOfFacts, SurvivesConnectionsThatTheServerClosed) {
  close_all_connections();
  update_services("nova_cell1", "disabled = 1");
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(row("h1").at("disabled"), true);
  EXPECT_THAT(log_->lines("is away"), IsEmpty());
}

TEST_F(RefreshOfFacts, WaitsWhileTheServerIsRestarted) {
  MariaDb::server().stop();
  EXPECT_THAT(refresh(300ms), AllOf(HasSubstr("API database"), HasSubstr("away since"), HasSubstr("nova_api at ")));
  EXPECT_TRUE(comes_true([this] { return keeper_->unready_reasons().size() == 3; })) << "the API's and two cells'";
  auto waiting = refresh_later();
  ASSERT_TRUE(comes_true([this] { return keeper_->status().at("databases").at(0).at("waiting") == 1; }));
  const auto databases = keeper_->status();
  EXPECT_EQ(databases.at("databases").at(0).at("connected"), false);
  EXPECT_TRUE(databases.at("databases").at(0).as_object().contains("away_since"));
  MariaDb::server().start();
  EXPECT_EQ(waiting.get(), "");
  keeper_->reload();
  EXPECT_TRUE(comes_true([this] { return keeper_->unready_reasons().empty() && keeper_->warnings().empty(); }));
  update_services("nova_cell1", "disabled = 1");
  ASSERT_EQ(refresh(), "");
  EXPECT_EQ(row("h1").at("disabled"), true);
}

TEST_F(RefreshOfFacts, EndsWhenTheKeeperStops) {
  MariaDb::server().stop();
  auto waiting = refresh_later();
  ASSERT_TRUE(comes_true([this] { return keeper_->status().at("databases").at(0).at("waiting") == 1; }));
  keeper_->stop();
  EXPECT_THAT(waiting.get(), HasSubstr("no longer read"));
  MariaDb::server().start();
}

}  // namespace
}  // namespace gantry::nova
