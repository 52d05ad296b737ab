// SPDX-License-Identifier: Apache-2.0
#include "tests/nova/facts/server/kept_facts.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "core/telemetry/log_line.hpp"

namespace gantry::nova {

void KeptLog::write(telemetry::Level level, std::string_view message, std::span<const telemetry::Field> fields) {
  const std::lock_guard lock(mutex_);
  lines_.push_back(telemetry::log_line({}, std::chrono::system_clock::now(), level, message, fields));
}

std::vector<std::string> KeptLog::lines(std::string_view text) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> found;
  for (const auto& line : lines_) {
    if (line.find(text) != std::string::npos) found.push_back(line);
  }
  return found;
}

std::string KeptFacts::uuid_of_cell(int number) {
  return std::to_string(number) + "1111111-0000-4000-8000-000000000000";
}

void KeptFacts::SetUp() {
  Deployment::SetUp();
  if (IsSkipped()) return;
  run_in("mysql", "DROP DATABASE IF EXISTS nova_cell2;\nCREATE DATABASE nova_cell2");
  std::ifstream schema(std::string(GANTRY_NOVA_SCHEMA) + "/nova_cell1.sql");
  run_in("nova_cell2", {std::istreambuf_iterator<char>(schema), {}});
  in_api(
      "INSERT INTO cell_mappings (uuid, name, database_connection, disabled) VALUES "
      "('00000000-0000-0000-0000-000000000000', 'cell0', 'mysql://nowhere/nova_cell0', 0)");
  for (const int cell : {1, 2}) {
    mend(cell);
    in_api("INSERT INTO cell_mappings (uuid, name, database_connection, disabled) VALUES ('" + uuid_of_cell(cell) +
           "', 'cell" + std::to_string(cell) + "', '{scheme}://{username}:{password}@{hostname}/nova_cell" +
           std::to_string(cell) + "?unix_socket=" + link(cell) + "', 0)");
  }
  add_host("nova_cell1", "h1");
  add_host("nova_cell2", "h2");
  settings_.api_database_connection = MariaDb::server().url("nova_api");
  settings_.database_connection = MariaDb::server().url("nova_cell1");
  settings_.release = nova_release("zed");
  settings_.host = "controller";
  settings_.first_report = settings_.report_interval = std::chrono::hours(1);
  settings_.whole_interval = std::chrono::hours(1);
}

void KeptFacts::start() {
  ASSERT_EQ(failure_of_start(), "");
}

std::string KeptFacts::failure_of_start() {
  auto started = FactKeeper::start(settings_, fleet_, log_, counters_);
  if (!started) return started.error().message;
  keeper_ = *std::move(started);
  return {};
}

std::string KeptFacts::refresh(std::chrono::milliseconds patience) {
  const auto done = keeper_->refresh(Clock::now() + patience);
  return done ? std::string() : done.error().message;
}

std::future<std::string> KeptFacts::refresh_later(std::chrono::milliseconds patience) {
  return std::async(std::launch::async, [this, patience] { return refresh(patience); });
}

bool KeptFacts::comes_true(const std::function<bool()>& is_so) {
  const auto give_up = Clock::now() + std::chrono::minutes(3);
  while (!is_so()) {
    if (Clock::now() > give_up) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

json::object KeptFacts::row(const std::string& host, const std::string& node, std::chrono::seconds later) {
  const auto now = std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch() + later).count();
  const auto rows = fleet::testing::snapshot(fleet_.pin(now));
  const auto found = rows.find({host, node});
  return found == rows.end() ? json::object() : found->second;
}

std::vector<std::string> KeptFacts::instances_on(const std::string& host) {
  std::vector<std::string> uuids;
  const auto shown = row(host);
  if (const auto* list = json::find_array(shown, "instances")) {
    for (const auto& uuid : *list) uuids.emplace_back(uuid.get_string());
  }
  return uuids;
}

void KeptFacts::add_host(const std::string& database, const std::string& host) {
  run_in(database,
         "INSERT INTO services SET created_at = UTC_TIMESTAMP() - INTERVAL 1 DAY, updated_at = UTC_TIMESTAMP(), "
         "deleted = 0, host = '" +
             host +
             "', `binary` = 'nova-compute', topic = 'compute', report_count = 1, disabled = 0, forced_down = 0, "
             "version = 64, last_seen_up = UTC_TIMESTAMP();\n"
             "INSERT INTO compute_nodes SET created_at = UTC_TIMESTAMP() - INTERVAL 1 DAY, updated_at = "
             "UTC_TIMESTAMP() - INTERVAL 1 DAY, deleted = 0, host = '" +
             host + "', hypervisor_hostname = '" + host +
             "', uuid = UUID(), vcpus = 8, memory_mb = 8192, local_gb = 100, vcpus_used = 2, memory_mb_used = 512, "
             "local_gb_used = 0, hypervisor_type = 'QEMU', hypervisor_version = 7002000, free_ram_mb = 7680, "
             "free_disk_gb = 100, current_workload = 0, running_vms = 0, cpu_info = '{}', supported_instances = '[]', "
             "stats = '{\"failed_builds\": \"3\"}', cpu_allocation_ratio = 1.1, mapped = 1");
}

void KeptFacts::close_all_connections() {
  auto connection = open("mysql");
  std::vector<std::string> others;
  const auto listed =
      connection.query("SELECT id FROM information_schema.processlist WHERE id <> CONNECTION_ID()", [&](Row row) {
        if (const auto* id = std::get_if<std::int64_t>(&row[0])) others.push_back(std::to_string(*id));
      });
  EXPECT_TRUE(listed);
  for (const auto& id : others) static_cast<void>(connection.query("KILL CONNECTION " + id));
}

void KeptFacts::cut(int cell) {
  std::filesystem::remove(link(cell));
  close_all_connections();
}

void KeptFacts::mend(int cell) const {
  const auto url = parse_database_url(MariaDb::server().url("mysql"));
  std::filesystem::create_symlink(url->unix_socket, link(cell));
}

}  // namespace gantry::nova
