// SPDX-License-Identifier: Apache-2.0
//
// The whole check with a real RabbitMQ, MariaDB and placement.
#include <gmock/gmock.h>

#include <memory>
#include <optional>
#include <sstream>

#include "core/config/nova/urls/transport_url.hpp"
#include "core/encoding/json.hpp"
#include "core/nova/check/check_program.hpp"
#include "core/nova/placement/placement_service.hpp"
#include "tests/nova/facts/server/deployment.hpp"
#include "tests/nova/http/scripted_server.hpp"
#include "tests/nova/http/waiting_client.hpp"
#include "tests/nova/placement/placement_process.hpp"
#include "tests/support/scratch_directory.hpp"
#include "tests/transport/amqp/broker_client.hpp"
#include "tests/transport/amqp/running_broker.hpp"

namespace gantry::nova {
namespace {

using gantry::testing::RunningBroker;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* node_uuid = "00000000-0000-4000-8000-000000000001";

class NovaCheck : public Deployment {
 protected:
  static void TearDownTestSuite() {
    broker().reset();
    placement().reset();
  }
  static std::unique_ptr<RunningBroker>& broker() {
    static std::unique_ptr<RunningBroker> shared;
    return shared;
  }
  static std::unique_ptr<testing::PlacementProcess>& placement() {
    static std::unique_ptr<testing::PlacementProcess> shared;
    return shared;
  }

  void SetUp() override {
    Deployment::SetUp();
    if (IsSkipped()) return;
    if (const auto reason = RunningBroker::reason_to_skip(); !reason.empty()) GTEST_SKIP() << reason;
    static const support::ScratchDirectory directory;
    if (!placement()) {
      auto started = std::make_unique<testing::PlacementProcess>(directory.path("placement.db"));
      if (!started->start()) GTEST_SKIP() << "python3-placement is not installed: packaging/install-packages --nova";
      placement() = std::move(started);
      add_provider(node_uuid);
    }
    if (!broker()) broker() = std::make_unique<RunningBroker>();
    add_host("h1", node_uuid);
    in_api(
        "INSERT INTO cell_mappings SET uuid = '00000000-0000-0000-0000-000000000000', name = 'cell0', disabled = 0, "
        "database_connection = 'none:///'");
    add_cell("cell1", MariaDb::server().url("nova_cell1"));
    in_api("INSERT INTO host_mappings SET host = 'h1', cell_id = 2");
    settings.config_files = {"nova.conf"};
    settings.release = "zed";
    settings.host = "ctl1";
    settings.transport_url = broker()->url();
    settings.api_database_connection = MariaDb::server().url("nova_api");
    settings.database_connection = MariaDb::server().url("nova_cell1");
    settings.placement.auth_type = "noauth";
    settings.placement.endpoint_override = placement()->url();
  }

  static void add_cell(const std::string& name, const std::string& url) {
    in_api("INSERT INTO cell_mappings SET uuid = UUID(), name = '" + name + "', disabled = 0, database_connection = '" +
           url + "'");
  }
  static void add_host(const std::string& host, const std::string& uuid) {
    add_service(host);
    add_node(host);
    in_cell("UPDATE compute_nodes SET uuid = '" + uuid + "' WHERE host = '" + host + "'");
  }
  static void add_provider(const std::string& uuid) {
    testing::StrandThread thread;
    StaticLogin login({placement()->url(), "admin"});
    std::optional<PlacementService> service;
    thread.run([&] { service.emplace(thread.strand(), login, HttpClientOptions()); });
    const auto call = [&](const std::string& verb, const std::string& target, const std::string& body) {
      const auto answer = thread.wait<HttpOutcome>([&](auto done) {
        service->call({verb, target, "1.36", body, "", Clock::now() + std::chrono::seconds(30)}, done);
      });
      EXPECT_EQ(answer.status, 200U) << answer.body;
    };
    call("POST", "/resource_providers", R"({"name":"h1","uuid":")" + uuid + R"("})");
    call("PUT", "/resource_providers/" + uuid + "/inventories",
         R"({"resource_provider_generation":0,"inventories":{"VCPU":{"total":8}}})");
    thread.run([&] { service.reset(); });
  }
  // A user of the databases with these privileges, and the URL for it.
  static std::string user_with(const std::string& database, const std::vector<std::string>& grants) {
    std::string sql = "CREATE OR REPLACE USER gantry@localhost IDENTIFIED BY 'sesame'";
    for (const auto& grant : grants) sql += ";\nGRANT " + grant + " TO gantry@localhost";
    run_in("mysql", sql);
    return MariaDb::server().url(database, "gantry", "sesame");
  }

  // Gives a user the grants that are printed for the settings, and no others. Returns the text.
  std::string use_printed_grants() {
    config::Loaded loaded;
    loaded.settings.nova = settings;
    std::ostringstream out;
    std::ostringstream err;
    EXPECT_EQ(nova_grants_main(loaded, "gantry", "localhost", PrintFormat::value, out, err), 0) << err.str();
    user_with("mysql", {});
    run_in("mysql", out.str());
    settings.api_database_connection = MariaDb::server().url("nova_api", "gantry", "sesame");
    settings.database_connection = MariaDb::server().url("nova_cell1", "gantry", "sesame");
    in_api("UPDATE cell_mappings SET database_connection = '" + settings.database_connection +
           "' WHERE name = 'cell1'");
    return out.str();
  }

  struct Checked {
    int status = 0;
    std::string text;
  };
  Checked check(PrintFormat format = PrintFormat::lines) const {
    config::Loaded loaded;
    loaded.settings.nova = settings;
    std::ostringstream out;
    const auto printed = nova_check_main(loaded, format, out);
    EXPECT_TRUE(printed.has_ended);
    for (const auto* secret : {"sesame", "p@ss", "p%40ss"}) EXPECT_THAT(out.str(), Not(HasSubstr(secret)));
    return {printed.status, out.str()};
  }

  config::NovaSettings settings;
};

TEST_F(NovaCheck, FindsAllWell) {
  const auto checked = check();
  EXPECT_EQ(checked.status, 0) << checked.text;
  EXPECT_THAT(checked.text, AllOf(HasSubstr("RabbitMQ "), HasSubstr("vhost /, without TLS"),
                                  HasSubstr("queue scheduler.ctl1: is absent; the start declares it"),
                                  HasSubstr("API database: nova_api at "), HasSubstr("the clocks agree"),
                                  HasSubstr("service nova-scheduler on ctl1: is not registered"),
                                  HasSubstr("has the microversions 1.28 and 1.36")));
  EXPECT_THAT(checked.text,
              AllOf(HasSubstr("answers a question for at most 1000 candidates"),
                    HasSubstr("cell cell1: holds 1 nova-compute service, 1 compute node and 0 instances"),
                    HasSubstr("1 host mapping, 0 instances, 1 resource provider"),
                    HasSubstr("ok       latency: expect about "), HasSubstr("all is well: "), Not(HasSubstr("cell0"))));
}

TEST_F(NovaCheck, ChangesNothing) {
  check();
  const auto again = check();
  EXPECT_THAT(again.text, AllOf(HasSubstr("exchange nova: is absent"), HasSubstr("queue scheduler: is absent"),
                                HasSubstr("is not registered")));
}

TEST_F(NovaCheck, PrintsOneDocumentOfJson) {
  settings.database_connection = user_with("nova_cell1", {"SELECT ON nova_cell1.*"});
  const auto checked = check(PrintFormat::json);
  const auto document = json::parse_object(checked.text);
  ASSERT_TRUE(document) << checked.text;
  EXPECT_EQ(checked.status, 2);
  EXPECT_EQ(json::find_string(*document, "worst"), "failed");
  EXPECT_EQ(json::find_array(*document, "grants")->size(), 2U);
  EXPECT_GT(json::find_array(*document, "findings")->size(), 10U);
}

TEST_F(NovaCheck, PrintsTheGrantsThatLack) {
  settings.discover_hosts_in_cells_interval = 300;
  settings.api_database_connection =
      user_with("nova_api", {"SELECT ON nova_api.*", "SELECT ON nova_cell1.services", "INSERT ON nova_cell1.services",
                             "SELECT ON nova_cell1.compute_nodes"});
  settings.database_connection = MariaDb::server().url("nova_cell1", "gantry", "sesame");
  in_api("UPDATE cell_mappings SET database_connection = '" + settings.database_connection + "' WHERE name = 'cell1'");
  const auto checked = check();
  EXPECT_EQ(checked.status, 2);
  EXPECT_THAT(checked.text,
              HasSubstr("lacking privileges:\n"
                        "  GRANT INSERT ON `nova_api`.`host_mappings` TO 'gantry'@'localhost';\n"
                        "  GRANT UPDATE ON `nova_cell1`.`services` TO 'gantry'@'localhost';\n"
                        "  GRANT UPDATE (`mapped`) ON `nova_cell1`.`compute_nodes` TO 'gantry'@'localhost';\n"
                        "  GRANT SELECT ON `nova_cell1`.`instances` TO 'gantry'@'localhost';\n"));
}

TEST_F(NovaCheck, CountsThePrivilegesOfARole) {
  run_in("mysql",
         "CREATE OR REPLACE ROLE scheduler;\nGRANT SELECT, INSERT, UPDATE ON nova_cell1.services TO scheduler");
  settings.database_connection = user_with("nova_cell1", {"scheduler"});
  run_in("mysql", "SET DEFAULT ROLE scheduler FOR gantry@localhost");
  const auto checked = check();
  EXPECT_EQ(checked.status, 0) << checked.text;
}

TEST_F(NovaCheck, TheGrantsThatItPrintsAreEnough) {
  settings.discover_hosts_in_cells_interval = 300;
  use_printed_grants();
  const auto checked = check();
  EXPECT_EQ(checked.status, 0) << checked.text;
}

TEST_F(NovaCheck, NeedsNoRightToWriteForTheShadow) {
  settings.discover_hosts_in_cells_interval = 300;
  settings.mode = "shadow";
  const auto printed = use_printed_grants();
  EXPECT_THAT(printed, HasSubstr("GRANT SELECT ON `nova_api`.`instance_mappings`"));
  EXPECT_THAT(printed, AllOf(Not(HasSubstr("INSERT")), Not(HasSubstr("UPDATE"))));
  const auto checked = check();
  EXPECT_EQ(checked.status, 0) << checked.text;
}

TEST_F(NovaCheck, NamesADatabaseThatRefusesAndTriesTheOthers) {
  settings.api_database_connection = MariaDb::server().url("nova_api", "root", "sesame-wrong");
  settings.database_connection = "postgresql://nova:sesame@db1/nova";
  const auto checked = check();
  EXPECT_EQ(checked.status, 2);
  EXPECT_THAT(checked.text, AllOf(HasSubstr("failed   API database: database nova_api at "), HasSubstr("Access denied"),
                                  HasSubstr("failed   own database: [database] connection: "), HasSubstr("PostgreSQL"),
                                  HasSubstr("no cell was tried"),
                                  HasSubstr("answers a question for at most 1000 candidates"), HasSubstr("RabbitMQ ")));
}

TEST_F(NovaCheck, NamesAMissingColumnAndACellThatIsAway) {
  in_cell("ALTER TABLE compute_nodes DROP COLUMN pci_stats");
  add_cell("cell2", "mysql+pymysql://nova:sesame@127.0.0.1:1/nova_cell2");
  const auto checked = check();
  EXPECT_EQ(checked.status, 2);
  EXPECT_THAT(checked.text,
              AllOf(HasSubstr("failed   cell cell1: database nova_cell1 at "), HasSubstr("has no column pci_stats"),
                    HasSubstr("failed   cell cell2: database nova_cell2 at 127.0.0.1:1"),
                    HasSubstr("a cell that could not be read is not counted")));
}

TEST_F(NovaCheck, WarnsOfAHostWithoutMappingAndProvider) {
  add_host("h2", "00000000-0000-4000-8000-000000000002");
  const auto checked = check();
  EXPECT_EQ(checked.status, 1);
  EXPECT_THAT(checked.text, AllOf(HasSubstr("warning  hosts: 1 host without a host mapping"),
                                  HasSubstr("warning  hosts: 1 host without a resource provider"), HasSubstr(": h2")));
}

TEST_F(NovaCheck, NamesABrokerThatIsDownAndOneThatRefuses) {
  settings.transport_url =
      "rabbit://gantry:sesame@127.0.0.1:" + std::to_string(broker()->port()) + ",gantry:sesame@127.0.0.1:1/";
  const auto checked = check();
  EXPECT_EQ(checked.status, 2);
  EXPECT_THAT(checked.text,
              AllOf(HasSubstr("failed   broker 127.0.0.1:" + std::to_string(broker()->port())),
                    HasSubstr("ACCESS_REFUSED"), HasSubstr("failed   broker 127.0.0.1:1: expected a"),
                    HasSubstr("answers a question for at most 1000 candidates"), Not(HasSubstr("queue scheduler"))));
  settings.transport_url = broker()->url();
  settings.transport_url.pop_back();
  settings.transport_url += ",gantry:sesame@127.0.0.1:1/";
  EXPECT_EQ(check().status, 1);
}

TEST_F(NovaCheck, SaysHowAQueueDiffersFromTheConfiguration) {
  const auto url = *config::nova::parse_transport_url(broker()->url());
  amqp::ConnectionSettings made;
  made.host = url.brokers[0].host;
  made.port = url.brokers[0].port;
  made.login = {false, url.brokers[0].user, url.brokers[0].password, url.vhost, "test"};
  amqp::BrokerClient client(made);
  const auto channel = client.channel();
  amqp::Queue queue;
  queue.name = "scheduler";
  queue.is_durable = true;
  EXPECT_TRUE(client.queue([&](amqp::QueueDone done) { channel->declare(queue, done); }));
  client.publish(*channel, "", "scheduler", "{}");
  const auto checked = check();
  EXPECT_EQ(checked.status, 1);
  EXPECT_THAT(checked.text, AllOf(HasSubstr("warning  queue scheduler: exists, with 0 consumers and 1 message waiting"),
                                  HasSubstr("inequivalent arg 'durable'"), HasSubstr("Gantry uses it as it is")));
  settings.rabbit.amqp_durable_queues = true;
  EXPECT_THAT(check().text, HasSubstr("0 consumers and 1 message waiting; its arguments are those of nova.conf"));
  EXPECT_TRUE(client.done([&](amqp::Done done) { channel->delete_queue("scheduler", done); }));
}

TEST_F(NovaCheck, NamesAPlacementThatIsTooOldAndOneThatIsAway) {
  testing::ScriptedServer old([](const std::string&) {
    return testing::ScriptedServer::Reply{testing::ScriptedServer::answer(
        200, R"({"versions":[{"id":"v1.0","min_version":"1.0","max_version":"1.30"}]})")};
  });
  settings.placement.endpoint_override = old.url();
  EXPECT_THAT(check().text, HasSubstr("expected that placement has microversion 1.36, found 1.0 to 1.30"));
  settings.placement.endpoint_override = "http://127.0.0.1:1";
  const auto checked = check();
  EXPECT_EQ(checked.status, 2);
  EXPECT_THAT(checked.text,
              AllOf(HasSubstr("failed   placement http://127.0.0.1:1: "), HasSubstr("cell cell1: holds")));
}

TEST_F(NovaCheck, NamesWhatKeystoneRefuses) {
  testing::ScriptedServer keystone(
      [](const std::string&) { return testing::ScriptedServer::Reply{testing::ScriptedServer::answer(401, "{}")}; });
  settings.placement = {};
  settings.placement.auth_type = "password";
  settings.placement.auth_url = keystone.url("/v3");
  settings.placement.username = "placement";
  settings.placement.password = "sesame";
  settings.neutron.auth_type = "v2password";
  const auto checked = check();
  EXPECT_EQ(checked.status, 2);
  EXPECT_THAT(checked.text,
              AllOf(HasSubstr("failed   keystone for [placement]: no token from Keystone at 127.0.0.1"),
                    HasSubstr("expected status 201, found 401"),
                    HasSubstr("failed   keystone for [neutron]: [neutron] auth_type: expected password, v3password, "
                              "none, noauth or admin_token, found v2password")));
}

TEST_F(NovaCheck, TakesTokensAndEndpointsFromKeystone) {
  testing::ScriptedServer neutron([](const std::string&) {
    return testing::ScriptedServer::Reply{testing::ScriptedServer::answer(200, R"({"ports":[]})")};
  });
  const auto entry = [](const std::string& type, const std::string& url) {
    return R"({"type":")" + type + R"(","endpoints":[{"interface":"internal","url":")" + url + R"("}]})";
  };
  // placement without Keystone takes the token "admin".
  const auto token = testing::ScriptedServer::answer(
      201,
      R"({"token":{"issued_at":"2026-11-23T10:00:00Z","expires_at":"2026-11-23T11:00:00Z","catalog":[)" +
          entry("placement", placement()->url()) + "," + entry("network", neutron.url()) + "]}}",
      "X-Subject-Token: admin\r\n");
  testing::ScriptedServer keystone([token](const std::string&) { return testing::ScriptedServer::Reply{token}; });
  config::NovaServiceSettings login;
  login.auth_type = "password";
  login.auth_url = keystone.url();
  login.username = "nova";
  login.password = "sesame";
  settings.placement = settings.neutron = login;
  const auto checked = check();
  EXPECT_EQ(checked.status, 0) << checked.text;
  EXPECT_THAT(checked.text, AllOf(HasSubstr("the endpoint of placement is " + placement()->url()),
                                  HasSubstr("the endpoint of network is " + neutron.url()),
                                  HasSubstr("ok       neutron " + neutron.url() + ": answers a question for a port")));
}

TEST_F(NovaCheck, EndsAPartThatHangs) {
  testing::ScriptedServer silent([](const std::string&) {
    testing::ScriptedServer::Reply reply;
    reply.hangs = true;
    return reply;
  });
  settings.placement.endpoint_override = silent.url();
  const auto checked = check();
  EXPECT_EQ(checked.status, 2);
  EXPECT_THAT(checked.text, AllOf(HasSubstr("failed   placement " + silent.url()), HasSubstr("until the deadline"),
                                  HasSubstr("ok       cell cell1: holds")));
}

TEST_F(NovaCheck, ConnectsToABrokerOverTls) {
  settings.transport_url = broker()->url();
  const auto plain = ":" + std::to_string(broker()->port());
  settings.transport_url.replace(settings.transport_url.find(plain), plain.size(),
                                 ":" + std::to_string(broker()->tls_port()));
  settings.rabbit.ssl = true;
  EXPECT_THAT(check().text,
              AllOf(HasSubstr("TLS without a check of the certificate, connected"), HasSubstr("all is well")));
  settings.rabbit.ssl_ca_file = broker()->certificate();
  EXPECT_THAT(check().text, AllOf(HasSubstr("TLS checked by " + broker()->certificate()), HasSubstr("all is well")));
  settings.rabbit.ssl_ca_file = MariaDb::server().authority();
  EXPECT_EQ(check().status, 2);
}

TEST_F(NovaCheck, ChecksTheNameInTheBrokersCertificateIfToldSo) {
  settings.transport_url = "rabbit://" + broker()->url().substr(broker()->url().find("//") + 2);
  const auto plain = "127.0.0.1:" + std::to_string(broker()->port());
  settings.transport_url.replace(settings.transport_url.find(plain), plain.size(),
                                 "127.0.0.2:" + std::to_string(broker()->tls_port()));
  settings.rabbit.ssl = true;
  settings.rabbit.ssl_ca_file = broker()->certificate();
  EXPECT_THAT(check().text, HasSubstr("all is well"));
  settings.rabbit.ssl_enforce_hostname_verification = true;
  const auto checked = check();
  EXPECT_EQ(checked.status, 2);
  EXPECT_THAT(checked.text, HasSubstr("failed   broker 127.0.0.2:"));
}

TEST_F(NovaCheck, SaysWhatTheServersVariablesMean) {
  run_in("mysql", "SET GLOBAL innodb_snapshot_isolation = ON");
  const auto checked = check();
  run_in("mysql", "SET GLOBAL innodb_snapshot_isolation = OFF");
  EXPECT_EQ(checked.status, 1);
  EXPECT_THAT(checked.text, AllOf(HasSubstr("warning  API database: "), HasSubstr("innodb_snapshot_isolation is ON")));
}

TEST_F(NovaCheck, SaysThatNoDeploymentIsConfigured) {
  settings = {};
  const auto checked = check();
  EXPECT_EQ(checked.status, 2);
  EXPECT_THAT(checked.text,
              HasSubstr("failed   configuration: expected the files of a deployment in nova.config_files"));
}

}  // namespace
}  // namespace gantry::nova
