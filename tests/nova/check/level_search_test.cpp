// SPDX-License-Identifier: Apache-2.0
//
// The release of a deployment, found in a real MariaDB.
#include "core/nova/check/level_search.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>

#include "core/encoding/json.hpp"
#include "core/nova/check/check_program.hpp"
#include "tests/nova/facts/server/deployment.hpp"
#include "tests/support/scratch_directory.hpp"

namespace gantry::nova {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::UnorderedElementsAre;
using Levels = std::vector<std::string>;

class LevelSearch : public Deployment {
 protected:
  void SetUp() override {
    Deployment::SetUp();
    if (IsSkipped()) return;
    for (const std::string database : {"nova_cell0", "nova_cell2"}) {
      run_in("mysql", "DROP DATABASE IF EXISTS " + database);
      run_in("mysql", "CREATE DATABASE " + database);
      std::ifstream in(std::string(GANTRY_NOVA_SCHEMA) + "/nova_cell1.sql");
      run_in(database, {std::istreambuf_iterator<char>(in), {}});
    }
    settings.host = "ctl1";
    settings.api_database_connection = MariaDb::server().url("nova_api");
    settings.database_connection = MariaDb::server().url("nova_cell0");
    add_cell("cell0", "00000000-0000-0000-0000-000000000000", "nova_cell0");
    add_cell("cell1", "10000000-0000-0000-0000-000000000000", "nova_cell1");
    for (const auto* database : {"nova_cell0", "nova_cell1", "nova_cell2"}) set_revision(database, "2903cd72dc14");
  }

  static void add_cell(const std::string& name, const std::string& uuid, const std::string& database) {
    in_api("INSERT INTO cell_mappings SET uuid = '" + uuid + "', name = '" + name +
           "', disabled = 0, database_connection = '" + MariaDb::server().url(database) + "'");
  }
  static void set_revision(const std::string& database, const std::string& revision) {
    run_in(database,
           "CREATE TABLE IF NOT EXISTS alembic_version (version_num varchar(32) NOT NULL);\n"
           "DELETE FROM alembic_version;\nINSERT INTO alembic_version VALUES ('" +
               revision + "')");
  }
  static void add_service_of(const std::string& database, const std::string& binary, const std::string& host,
                             int version, const std::string& more = "") {
    run_in(database, "INSERT INTO services SET created_at = UTC_TIMESTAMP(), deleted = 0, host = '" + host +
                         "', `binary` = '" + binary + "', topic = '" + binary +
                         "', report_count = 1, disabled = 0, forced_down = 0, "
                         "version = " +
                         std::to_string(version) + more);
  }
  static void add_deployment(int controllers, int computes) {
    for (const auto* binary : {"nova-conductor", "nova-osapi_compute", "nova-scheduler"})
      add_service_of("nova_cell0", binary, "ctl9", controllers);
    add_service_of("nova_cell1", "nova-compute", "c1", computes);
  }
  static void store_request(int minor) {
    in_api(
        "CREATE TABLE IF NOT EXISTS request_specs (id INT AUTO_INCREMENT PRIMARY KEY, spec MEDIUMTEXT NOT NULL);\n"
        "INSERT INTO request_specs SET spec = '{\"nova_object.name\": \"RequestSpec\", \"nova_object.data\": "
        "{\"image\": "
        "{\"nova_object.data\": {\"properties\": {\"nova_object.version\": \"1." +
        std::to_string(minor) + "\"}}}}}'");
  }

  FoundLevel found() {
    const auto searched = search_level(settings);
    EXPECT_TRUE(searched) << searched.error().message;
    if (!searched) return {};
    warnings = searched->warnings;
    return searched->found;
  }
  Levels could_be() {
    Levels levels;
    for (const auto* release : found().could_be) levels.emplace_back(release->level);
    return levels;
  }
  std::string failure() {
    const auto searched = search_level(settings);
    EXPECT_FALSE(searched);
    return searched ? "" : searched.error().message;
  }

  config::NovaSettings settings;
  std::vector<std::string> warnings;
};

TEST_F(LevelSearch, ReadsTheServicesOfControllersAndCells) {
  add_deployment(68, 68);
  const auto level = found();
  ASSERT_NE(level.level, nullptr);
  EXPECT_EQ(level.level->level, "epoxy");
  EXPECT_EQ(level.signs.front(),
            "service versions: nova-compute 68 (1 service), nova-conductor 68 (1 service), nova-osapi_compute 68 (1 "
            "service), nova-scheduler 68 (1 service)");
  EXPECT_THAT(warnings, IsEmpty());
}

TEST_F(LevelSearch, TakesTheOldestServiceOfAnyCell) {
  add_deployment(68, 68);
  add_cell("cell2", "20000000-0000-0000-0000-000000000000", "nova_cell2");
  add_service_of("nova_cell2", "nova-compute", "c2", 67);
  store_request(38);
  EXPECT_THAT(could_be(), ElementsAre("dalmatian"));
  EXPECT_THAT(found().signs, Contains(HasSubstr("mixed, as during an upgrade: its oldest services decide, which are "
                                                "those of version 67 on c2")));
}

TEST_F(LevelSearch, CountsNoServiceThatIsGoneForcedDownOrGantrysOwn) {
  add_deployment(70, 70);
  add_service_of("nova_cell1", "nova-compute", "gone", 61, ", deleted_at = UTC_TIMESTAMP()");
  run_in("nova_cell1", "UPDATE services SET deleted = id WHERE host = 'gone'");
  add_service_of("nova_cell1", "nova-compute", "down", 61);
  run_in("nova_cell1", "UPDATE services SET forced_down = 1 WHERE host = 'down'");
  add_service_of("nova_cell0", "nova-scheduler", "ctl1", 61);
  add_service_of("nova_cell0", "nova-consoleauth", "old", 61);
  EXPECT_THAT(could_be(), ElementsAre("flamingo"));
}

TEST_F(LevelSearch, TellsAntelopeFromBobcatByTheSchemaOfTheCells) {
  add_deployment(66, 66);
  for (const auto* database : {"nova_cell0", "nova_cell1"}) set_revision(database, "960aac0e09ea");
  EXPECT_THAT(could_be(), ElementsAre("antelope"));
  for (const std::string database : {"nova_cell0", "nova_cell1"}) {
    run_in(database, "ALTER TABLE instances ADD COLUMN compute_id BIGINT");
    set_revision(database, "1acf2c98e646");
  }
  EXPECT_THAT(could_be(), ElementsAre("bobcat"));
  for (const std::string database : {"nova_cell0", "nova_cell1"}) run_in(database, "DROP TABLE alembic_version");
  EXPECT_THAT(could_be(), ElementsAre("bobcat"));
}

TEST_F(LevelSearch, DoesWithoutTheTablesThatTheUserMayNotRead) {
  add_deployment(67, 67);
  store_request(37);
  run_in("mysql",
         "CREATE OR REPLACE USER gantry@localhost IDENTIFIED BY 'sesame';\nGRANT SELECT ON nova_cell0.services TO "
         "gantry@localhost;\nGRANT SELECT ON nova_cell0.instances TO gantry@localhost");
  for (const auto* table : {"cell_mappings", "host_mappings", "aggregates", "aggregate_hosts", "aggregate_metadata"})
    run_in("mysql", std::string("GRANT SELECT ON nova_api.") + table + " TO gantry@localhost");
  settings.database_connection = MariaDb::server().url("nova_cell0", "gantry", "sesame");
  settings.api_database_connection = MariaDb::server().url("nova_api", "gantry", "sesame");
  EXPECT_THAT(could_be(), ElementsAre("caracal", "dalmatian"));
}

TEST_F(LevelSearch, WarnsOfACellThatIsAway) {
  add_deployment(72, 72);
  add_cell("cell9", "90000000-0000-0000-0000-000000000000", "nova_cell9");
  EXPECT_THAT(could_be(), ElementsAre("gazpacho"));
  EXPECT_THAT(warnings, ElementsAre(HasSubstr("cell cell9 is not counted, for it cannot be read: ")));
}

TEST_F(LevelSearch, FailsInWordsWithoutADatabase) {
  settings.database_connection = "mysql+pymysql://nova:sesame@127.0.0.1:1/nova";
  EXPECT_THAT(failure(),
              AllOf(HasSubstr("[database] connection: "), HasSubstr("127.0.0.1:1"), Not(HasSubstr("sesame"))));
  settings.database_connection = "sqlite:////var/lib/nova/nova.sqlite";
  EXPECT_THAT(failure(), HasSubstr("[database] connection: "));
  settings.database_connection = MariaDb::server().url("nova_cell0");
  settings.api_database_connection = MariaDb::server().url("no_such_database");
  EXPECT_THAT(failure(), HasSubstr("[api_database] connection: "));
  settings.database_connection = settings.api_database_connection = "";
  EXPECT_THAT(failure(), HasSubstr("found neither"));
}

TEST_F(LevelSearch, IsPrintedForTheFilesOfADeployment) {
  add_deployment(67, 67);
  const support::ScratchDirectory files;
  const auto level_of = [&](const std::string& text) {
    std::ostringstream out;
    EXPECT_EQ(nova_level_main({files.write("nova.conf", text)}, out), 0);
    const auto answer = json::parse_object(out.str());
    EXPECT_TRUE(answer) << out.str();
    return answer ? *answer : json::object();
  };
  const auto found = level_of("[database]\nconnection = " + settings.database_connection +
                              "\n[api_database]\nconnection = " + settings.api_database_connection + "\n");
  EXPECT_EQ(found.at("level"), "caracal");
  EXPECT_EQ(json::write(found.at("could_be")), R"(["caracal","dalmatian"])");
  const auto none = level_of("[database]\nconnection = mysql+pymysql://nova:sesame@127.0.0.1:1/nova\n");
  EXPECT_TRUE(none.at("level").is_null());
  EXPECT_THAT(std::string(none.at("why").as_string()), AllOf(HasSubstr("127.0.0.1:1"), Not(HasSubstr("sesame"))));
  EXPECT_THAT(std::string(level_of("[database\n").at("why").as_string()), HasSubstr("nova.conf:1: expected a section"));
}

TEST_F(LevelSearch, IsWhatImportNovaWrites) {
  add_deployment(70, 68);
  const support::ScratchDirectory files;
  const auto conf = files.write("nova.conf",
                                "[DEFAULT]\ntransport_url = rabbit://n:sesame@h/\n[placement]\nauth_type = "
                                "none\nendpoint_override = http://h/\n[filter_scheduler]\nhost_subset_size = 3\n"
                                "[database]\nconnection = " +
                                    settings.database_connection +
                                    "\n[api_database]\nconnection = " + settings.api_database_connection + "\n");
  const auto printed = [&conf](const std::string& options) {
    const std::string line = std::string(GANTRY_PROGRAM) + " config import-nova " + options + " " + conf + " 2>&1";
    std::unique_ptr<FILE, int (*)(FILE*)> pipe(::popen(line.c_str(), "r"), ::pclose);
    std::string text;
    for (int letter = 0; (letter = std::fgetc(pipe.get())) != EOF;) text += static_cast<char>(letter);
    return text;
  };
  for (const auto* options : {"", "--serve"})
    EXPECT_THAT(
        printed(options),
        AllOf(HasSubstr("\ncompatibility = \"epoxy\"\n"), HasSubstr("# compatibility: epoxy, by the databases\n"),
              HasSubstr("#   the deployment is mixed, as during an upgrade"),
              HasSubstr("#   [filter_scheduler] host_subset_size: 1 by default, the files say 3 (" + conf + ":7)\n"),
              HasSubstr("#   [filter_scheduler] hypervisor_version_weight_multiplier: 1.0 by default since bobcat, "
                        "no such option in zed; the files say nothing\n")));
  EXPECT_THAT(printed("--serve"), Not(HasSubstr("sesame")));
  EXPECT_THAT(printed("--compatibility zed"), HasSubstr("\ncompatibility = \"zed\"\n"));
  EXPECT_THAT(printed("-o json -q"), AllOf(HasSubstr("\"compatibility\": \"epoxy\""), HasSubstr("\"how\": \"found\""),
                                           HasSubstr("\"from\": \"" + conf + ":7\"")));
}

}  // namespace
}  // namespace gantry::nova
