// SPDX-License-Identifier: Apache-2.0
#include "service.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <future>
#include <optional>

#include "core/drivers/driver_loader.hpp"
#include "core/drivers/driver_set.hpp"
#include "tests/drivers/trusted_directory.hpp"

namespace gantry::fault {

namespace {

constexpr std::chrono::seconds longest_call{60};

// Loaded once: only the store changes from one start to the next.
const drivers::DriverSet& loaded_drivers() {
  static const drivers::TrustedDirectory directory;
  static const auto set = [] {
    directory.add(std::string(GANTRY_DRIVERS "/simple.so"), "simple.so");
    config::Settings settings;
    settings.scheduler_driver = {"simple"};
    settings.driver_directories = {directory.path().string()};
    auto made = drivers::load_drivers(settings, telemetry::Logger::none(), std::make_shared<telemetry::Counters>(), {});
    EXPECT_TRUE(made) << (made ? "" : made.error().message);
    return *std::move(made);
  }();
  return set;
}

}  // namespace

Service::Service() {
  settings.path = directory_.path("gantry.db");
  settings.log_pages = 12;  // so that the log is copied into the file now and then
}

Service::~Service() {
  stop();
}

Result<void> Service::start() {
  auto opened = store::open_sqlite(settings);
  if (!opened) return std::move(opened).error();
  store_ = std::make_unique<RecordingStore>(*std::move(opened));
  fleet_ = std::make_unique<fleet::Fleet>(fleet::FleetSettings{});
  auto made = scheduling::make_manager({*fleet_, *store_, loaded_drivers(), telemetry::Logger::none(),
                                        std::make_shared<telemetry::Counters>(), manager_settings});
  if (!made) {
    store_.reset();
    return std::move(made).error();
  }
  manager_ = *std::move(made);
  loaded_ = store_->loaded();
  submitted_.clear();
  return {};
}

void Service::stop() {
  if (manager_ == nullptr) return;
  manager_.reset();
  submitted_ = store_->submitted();
  store_.reset();
}

void Service::send(const std::string& method, const std::string& args, std::function<void(Reply)> done) {
  scheduling::MethodCall made;
  made.method = method;
  made.args = *json::parse_object(args);
  made.request_id = "req-" + uuid_of(0);
  made.deadline = std::chrono::steady_clock::now() + longest_call;
  manager_->handle(std::move(made), std::move(done));
}

Reply Service::call(const std::string& method, const std::string& args, const std::string& key) {
  scheduling::MethodCall made;
  made.method = method;
  made.args = *json::parse_object(args);
  made.request_id = "req-" + uuid_of(0);
  made.idempotency_key = key;
  made.deadline = std::chrono::steady_clock::now() + longest_call;
  const auto reply = std::make_shared<std::promise<Reply>>();
  auto answered = reply->get_future();
  manager_->handle(std::move(made), [reply](Reply given) { reply->set_value(std::move(given)); });
  if (answered.wait_for(longest_call) != std::future_status::ready) {
    ADD_FAILURE() << method << " was never answered";
    std::abort();
  }
  return answered.get();
}

json::array Service::list(const std::string& method) {
  auto reply = call(method, "{}");
  EXPECT_TRUE(reply) << method << ": " << (reply ? "" : reply.error().message);
  return reply ? reply->as_array() : json::array();
}

std::string Service::shown(bool with_claims_of_memory) {
  std::string text;
  for (const auto* method : {"list_services", "list_hosts", "list_aggregates", "list_groups", "list_instances",
                             "list_claims", "list_casts"}) {
    // A host's row shows the claims upon it.
    if (!with_claims_of_memory && method == std::string_view("list_hosts")) continue;
    text.append(method).append("\n");
    for (auto& item : list(method)) {
      auto& object = item.as_object();
      if (!with_claims_of_memory && object.contains("durable") && !object["durable"].as_bool()) continue;
      // A heartbeat may be in memory alone for a while. An age grows meanwhile.
      for (const auto* key : {"age", "attempts", "last_seen_up", "report_count"}) object.erase(key);
      if (method == std::string_view("list_hosts")) object.erase("updated_at");
      text.append("  ").append(json::write_canonical(object)).append("\n");
    }
  }
  return text;
}

std::string uuid_of(int number) {
  auto digits = std::to_string(number);
  return "0d0d0d0d-0000-4000-8000-" + std::string(12 - digits.size(), '0') + digits;
}

std::string launch(const std::vector<int>& numbers, const std::string& group) {
  std::string uuids;
  for (const int number : numbers) uuids.append(uuids.empty() ? "\"" : ",\"").append(uuid_of(number)).append("\"");
  const auto hints = group.empty() ? std::string("{}") : R"({"group":")" + group + R"("})";
  return R"({"request_spec":{"instance_uuids":[)" + uuids +
         R"(],"instance_type":{"vcpus":1,"memory_mb":512,"root_gb":1}},"filter_properties":{"scheduler_hints":)" +
         hints + "}}";
}

std::string report(const std::string& host, const std::string& more) {
  return R"({"name":")" + host +
         R"(","stats":{"vcpus":64,"memory_mb":65536,"local_gb":1000,"vcpus_used":0,"memory_mb_used":0,"local_gb_used":0,)" +
         R"("cpu_allocation_ratio":1)" + (more.empty() ? "" : "," + more) + "}}";
}

}  // namespace gantry::fault
