// SPDX-License-Identifier: Apache-2.0
#include "tests/nova/facts/server/deployment.hpp"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace gantry::nova {

namespace {

std::string schema_of(const std::string& database) {
  std::ifstream in(std::string(GANTRY_NOVA_SCHEMA) + "/" + database + ".sql");
  return {std::istreambuf_iterator<char>(in), {}};
}

template <class Facts>
Facts taken(Result<Facts> facts) {
  if (!facts) throw std::runtime_error(facts.error().message);
  return *std::move(facts);
}

constexpr const char* yesterday = "UTC_TIMESTAMP() - INTERVAL 1 DAY";

}  // namespace

void Deployment::SetUp() {
  if (!MariaDb::is_installed()) GTEST_SKIP() << "mariadb-server is not installed: packaging/install-packages --nova";
  for (const std::string database : {"nova_api", "nova_cell1"}) {
    run_in("mysql", "DROP DATABASE IF EXISTS " + database);
    run_in("mysql", "CREATE DATABASE " + database);
    run_in(database, schema_of(database));
  }
}

Connection Deployment::open_url(const std::string& url, Timeouts timeouts) {
  const auto parsed = parse_database_url(url);
  if (!parsed) throw std::runtime_error(parsed.error().message);
  return taken(Connection::open(*parsed, timeouts));
}

void Deployment::run_in(const std::string& database, const std::string& sql) {
  auto connection = open(database);
  std::string rest = "SET SESSION TRANSACTION READ WRITE;\n" + sql;
  while (rest.find_first_not_of(" \n") != std::string::npos) {
    const auto end = std::min(rest.find(";\n"), rest.size());
    const auto done = connection.query(rest.substr(0, end));
    if (!done) throw std::runtime_error(done.error().message);
    rest.erase(0, end + 2);
  }
}

void Deployment::add_service(const std::string& host) {
  in_cell("INSERT INTO services SET created_at = " + std::string(yesterday) +
          ", updated_at = UTC_TIMESTAMP(), deleted = 0, "
          "host = '" +
          host +
          "', `binary` = 'nova-compute', topic = 'compute', report_count = 1, disabled = 0, "
          "forced_down = 0, version = 64, last_seen_up = " +
          yesterday);
}

void Deployment::add_node(const std::string& host) {
  in_cell("INSERT INTO compute_nodes SET created_at = " + std::string(yesterday) + ", updated_at = " + yesterday +
          ", deleted = 0, host = '" + host + "', hypervisor_hostname = '" + host +
          "', uuid = UUID(), vcpus = 8, "
          "memory_mb = 8192, local_gb = 100, vcpus_used = 0, memory_mb_used = 512, local_gb_used = 0, "
          "hypervisor_type = 'QEMU', hypervisor_version = 7002000, free_ram_mb = 7680, free_disk_gb = 100, "
          "current_workload = 0, running_vms = 0, cpu_info = '{}', supported_instances = '[]', stats = '{}', "
          "cpu_allocation_ratio = 1.1");
}

void Deployment::add_instance(const std::string& uuid, const std::string& host) {
  in_cell("INSERT INTO instances SET created_at = " + std::string(yesterday) + ", updated_at = " + yesterday +
          ", deleted = 0, uuid = '" + uuid + "', host = '" + host + "'");
}

CellFacts Deployment::load_cell() {
  auto connection = open("nova_cell1");
  return taken(cell_.load(connection));
}

CellFacts Deployment::refresh_cell(Depth depth) {
  auto connection = open("nova_cell1");
  return taken(cell_.refresh(connection, depth));
}

ApiFacts Deployment::load_api() {
  auto connection = open("nova_api");
  return taken(api_.load(connection));
}

ApiFacts Deployment::refresh_api(Depth depth) {
  auto connection = open("nova_api");
  return taken(api_.refresh(connection, depth));
}

bool is_empty(const CellFacts& facts) {
  return facts.services.empty() && facts.services_gone.empty() && facts.heartbeats.empty() &&
         facts.compute_nodes.empty() && facts.compute_nodes_gone.empty() && facts.instances.empty() &&
         facts.instances_gone.empty() && facts.complaints.empty();
}

bool is_empty(const ApiFacts& facts) {
  return !facts.has_cells && facts.host_mappings.empty() && facts.host_mappings_gone.empty() &&
         facts.aggregates.empty() && facts.aggregates_gone.empty() && facts.complaints.empty();
}

std::string uuid_of(int number) {
  char text[40];
  std::snprintf(text, sizeof(text), "00000000-0000-4000-8000-%012d", number);
  return text;
}

}  // namespace gantry::nova
