// SPDX-License-Identifier: Apache-2.0
#include "tests/nova/serve/served_nova.hpp"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <iterator>

#include "core/encoding/uuid.hpp"
#include "core/nova/placement/placement_service.hpp"
#include "core/nova/rpc/journal_entry.hpp"
#include "tests/nova/http/waiting_client.hpp"

namespace gantry::nova {

namespace {

constexpr const char* cell_uuid = "c1111111-0000-4000-8000-000000000000";
constexpr std::chrono::seconds patience{60};

std::string content(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

json::object captured_request() {
  static const auto messages = *json::parse_object(content(GANTRY_CAPTURED_MESSAGES));
  return messages.at("messages").at("select_destinations").at("message").as_object();
}

json::object object_of(const HttpOutcome& outcome) {
  auto body = json::parse_object(outcome.body);
  EXPECT_TRUE(body) << outcome.status << outcome.body;
  return body ? *std::move(body) : json::object();
}

}  // namespace

std::string RealParts::placement_database() {
  if (!MariaDb::is_installed()) return {};
  const auto server = parse_database_url(MariaDb::server().url("mysql"));
  auto connection = Connection::open(*server, {}, Access::writes);
  if (!connection || !connection->query("CREATE DATABASE placement CHARACTER SET utf8"))
    throw std::runtime_error("the database of placement cannot be made");
  return MariaDb::server().url("placement");
}

RealParts& RealParts::all() {
  static RealParts parts;
  return parts;
}

RealParts::RealParts() {
  reason_to_skip = gantry::testing::RunningBroker::reason_to_skip();
  if (reason_to_skip.empty() && !MariaDb::is_installed())
    reason_to_skip = "mariadb-server is not installed: packaging/install-packages --nova";
  if (!reason_to_skip.empty()) return;
  if (!placement.start()) {
    reason_to_skip = "python3-placement is not installed: packaging/install-packages --nova";
    return;
  }
  broker = std::make_unique<gantry::testing::RunningBroker>();
  conductor = std::make_unique<Conductor>(std::vector<std::string>{GANTRY_CONDUCTOR, broker->url()});
  if (!conductor->is_installed())
    reason_to_skip = "python3-oslo.messaging is not installed: packaging/install-packages --nova";
}

void ServedNova::SetUp() {
  if (const auto& reason = RealParts::all().reason_to_skip; !reason.empty()) GTEST_SKIP() << reason;
  Deployment::SetUp();
  empty_placement();
  run_in("mysql", "CREATE OR REPLACE USER nova IDENTIFIED BY 'hushed-database'");
  run_in("mysql", "GRANT ALL ON *.* TO nova");
  in_api(
      "INSERT INTO cell_mappings (uuid, name, database_connection, disabled) VALUES "
      "('00000000-0000-0000-0000-000000000000', 'cell0', 'mysql://nowhere/nova_cell0', 0)");
  in_api("INSERT INTO cell_mappings (uuid, name, database_connection, disabled) VALUES ('" + std::string(cell_uuid) +
         "', 'cell1', '" + MariaDb::server().url("nova_cell1", "nova", "hushed-database") + "', 0)");
  add_host("h1", 9000);
  add_host("h2", 8000);
  add_host("h3", 7000);
}

void ServedNova::TearDown() {
  gantry.kill();
  EXPECT_THAT(gantry.log(), ::testing::Not(::testing::HasSubstr("Sanitizer"))) << "a sanitizer's finding";
}

void ServedNova::empty_placement() {
  const auto listed = object_of(ask_placement("GET", "/resource_providers"));
  auto providers = listed.at("resource_providers").as_array();
  // A provider goes before the one above it.
  std::stable_partition(providers.begin(), providers.end(),
                        [](const auto& each) { return !each.at("parent_provider_uuid").is_null(); });
  for (const auto& provider : providers) {
    const auto path = "/resource_providers/" + std::string(provider.at("uuid").as_string());
    const auto held = object_of(ask_placement("GET", path + "/allocations"));
    for (const auto& consumer : held.at("allocations").as_object())
      ask_placement("DELETE", "/allocations/" + std::string(consumer.key()));
    EXPECT_EQ(ask_placement("DELETE", path).status, 204U);
  }
}

std::string ServedNova::uuid_of_host(const std::string& host) {
  return "00000000-0000-4000-8000-00000000000" + host.substr(1);
}

std::string ServedNova::next_uuid() {
  return to_text(random_uuid());
}

void ServedNova::add_host(const std::string& host, int free_ram_mb) const {
  const auto uuid = uuid_of_host(host);
  const std::string dates =
      "created_at = UTC_TIMESTAMP() - INTERVAL 1 DAY, updated_at = UTC_TIMESTAMP(), deleted = 0, ";
  in_cell("INSERT INTO services SET " + dates + "host = '" + host +
          "', `binary` = 'nova-compute', topic = 'compute', report_count = 1, disabled = 0, forced_down = 0, version = "
          "64, last_seen_up = UTC_TIMESTAMP();\n"
          "INSERT INTO compute_nodes SET " +
          dates + "host = '" + host + "', hypervisor_hostname = '" + host + "', uuid = '" + uuid +
          "', vcpus = 8, memory_mb = 10000, local_gb = 100, vcpus_used = 0, memory_mb_used = 0, local_gb_used = 0, "
          "hypervisor_type = 'QEMU', hypervisor_version = 7002000, free_disk_gb = 100, current_workload = 0, "
          "running_vms = 0, cpu_info = '{}', supported_instances = '[[\"x86_64\", \"qemu\", \"hvm\"]]', stats = '{}', "
          "cpu_allocation_ratio = 1.0, ram_allocation_ratio = 1.0, disk_allocation_ratio = 1.0, mapped = 1, "
          "free_ram_mb = " +
          std::to_string(free_ram_mb));
  in_api("INSERT INTO host_mappings (cell_id, host) VALUES (2, '" + host + "')");
  EXPECT_EQ(
      ask_placement("POST", "/resource_providers", R"({"name":")" + host + R"(","uuid":")" + uuid + R"("})").status,
      200U);
  EXPECT_EQ(ask_placement("PUT", "/resource_providers/" + uuid + "/inventories",
                          R"({"resource_provider_generation":0,"inventories":{"VCPU":{"total":8},)"
                          R"("MEMORY_MB":{"total":10000},"DISK_GB":{"total":100}}})")
                .status,
            200U);
}

void ServedNova::configure(test::RunningGantry& one, const std::string& more, const std::string& driver) const {
  const auto file = one.directory() / "nova.conf";
  const auto url = [](const std::string& database) {
    return MariaDb::server().url(database, "nova", "hushed-database");
  };
  std::ofstream(file) << "[DEFAULT]\nhost = controller\nservice_down_time = 600\nreport_interval = 1\ntransport_url = "
                      << RealParts::all().broker->url() << "\n[api_database]\nconnection = " << url("nova_api")
                      << "\n[database]\nconnection = " << url("nova_cell1")
                      << "\n[placement]\nauth_type = none\nendpoint_override = " << RealParts::all().placement.url()
                      << "\npassword = hushed-placement\n";
  if (mirrors_)
    std::ofstream(file, std::ios::app) << "[placement_database]\nconnection = "
                                       << MariaDb::server().url("placement", "nova", "hushed-database") << "\n";
  std::filesystem::permissions(file, std::filesystem::perms(0640));
  // The conductor of these tests is Zed's, and so are the services.
  const bool names_a_release = more.find("[driver.filter]") != std::string::npos;
  one.configure("\"" + driver + "\"", settings_ + "[nova]\nconfig_files = [\"" + file.string() + "\"]\n" + more +
                                          (names_a_release ? "" : "[driver.filter]\ncompatibility = \"zed\"\n"));
}

void ServedNova::serve(const std::string& more, const std::string& driver) {
  configure(more, driver);
  serve_again();
}

void ServedNova::serve_again() {
  gantry.start();
  await_consumer();
}

void ServedNova::await_consumer() {
  ASSERT_TRUE(test::eventually(
      [this] {
        const auto status = ask("status");
        if (!status) return false;
        const auto read = *json::parse_object(status.json());
        const auto& nova = read.at("nova").as_object();
        return nova.contains("rpc") && nova.at("rpc").at("connected").as_bool();
      },
      patience));
}

json::object ServedNova::flavor(int vcpus) {
  auto flavor = captured_request().at("args").at("spec_obj").at("nova_object.data").at("flavor").as_object();
  flavor.at("nova_object.data").as_object()["vcpus"] = vcpus;
  return flavor;
}

json::object ServedNova::request_for(const std::vector<std::string>& uuids, const json::object& changes) {
  auto message = captured_request();
  auto args = message.at("args").as_object();
  auto& spec = args.at("spec_obj").at("nova_object.data").as_object();
  spec["num_instances"] = uuids.size();
  spec["instance_uuid"] = uuids.front();
  for (const auto& [name, value] : changes) spec[name] = value;
  args["instance_uuids"] = json::array(uuids.begin(), uuids.end());
  return {{"method", "select_destinations"},
          {"version", "4.5"},
          {"args", std::move(args)},
          {"context",
           {{"request_id", "req-" + next_uuid()},
            {"auth_token", "hushed-token"},
            {"project_id", "p1"},
            {"user_id", "u1"},
            {"is_admin", true}}},
          {"timeout", 1800},
          {"monitor", 60}};
}

Heard ServedNova::call(json::object request) {
  auto heard = begin(std::move(request));
  if (heard.wait_for(2 * patience) != std::future_status::ready) {
    ADD_FAILURE() << "the conductor heard nothing";
    return {};
  }
  return heard.get();
}

std::vector<std::string> ServedNova::hosts_of(const Heard& heard) {
  if (const auto* failure = json::find_object(heard, "failure"))
    return {std::string(failure->at("class").as_string()) + ": " + std::string(failure->at("message").as_string())};
  std::vector<std::string> hosts;
  for (const auto& choices : heard.at("result").as_array())
    hosts.emplace_back(choices.at(0).at("nova_object.data").at("service_host").as_string());
  return hosts;
}

HttpOutcome ServedNova::ask_placement(const std::string& verb, const std::string& target, const std::string& body) {
  testing::StrandThread thread;
  StaticLogin login({RealParts::all().placement.url(), "admin"});
  std::optional<PlacementService> service;
  thread.run([&] { service.emplace(thread.strand(), login, HttpClientOptions{}); });
  auto outcome = thread.wait<HttpOutcome>([&](auto done) {
    service->call({verb, target, "1.36", body, "", Clock::now() + patience}, done);
  });
  thread.run([&] { service.reset(); });
  return outcome;
}

std::map<std::string, json::object> ServedNova::held(const std::string& consumer) const {
  std::map<std::string, json::object> resources;
  const auto body = object_of(ask_placement("GET", "/allocations/" + consumer));
  for (const auto& each : body.at("allocations").as_object())
    resources["h" + std::string(each.key()).substr(35)] = each.value().at("resources").as_object();
  return resources;
}

void ServedNova::occupy(const std::string& host, int vcpus, const std::string& consumer) const {
  const auto body = R"({"allocations":{")" + uuid_of_host(host) + R"(":{"resources":{"VCPU":)" + std::to_string(vcpus) +
                    R"(}}},"project_id":"p","user_id":"u","consumer_generation":null})";
  const auto outcome = ask_placement("PUT", "/allocations/" + consumer, body);
  EXPECT_EQ(outcome.status, 204U) << outcome.body;
}

std::string ServedNova::journal() const {
  return content((gantry.directory() / "requests.journal").string());
}

void ServedNova::await_journal(const std::string& text) {
  const auto has_text = [&] {
    const auto contents = read_journal(journal());
    return contents && std::ranges::any_of(contents->open, [&](const auto& request) {
             return request.second.lines.find(text) != std::string::npos;
           });
  };
  ASSERT_TRUE(test::eventually(has_text, patience)) << journal();
}

client::reply ServedNova::ask(const std::string& method, const std::string& args) {
  return client::client(gantry.url()).call(method, args);
}

json::object ServedNova::answer(const std::string& method, const std::string& args) {
  const auto reply = ask(method, args);
  EXPECT_TRUE(reply) << (reply ? "" : reply.failure().message);
  return reply ? *json::parse_object(reply.json()) : json::object();
}

}  // namespace gantry::nova
