// SPDX-License-Identifier: Apache-2.0
#include "scenario.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <atomic>

namespace gantry::fault {

namespace {

using testing::AnyOf;
using testing::HasSubstr;

std::string topic_and_host(const std::string& host) {
  return R"({"topic":"compute","host":")" + host + R"("})";
}
std::string instance(int number) {
  return R"({"instance":")" + uuid_of(number) + R"("})";
}

// The store as answered, and as it may also be found: with what failed when it had reached the disk already.
std::vector<Documents> possible(const Documents& before, const std::vector<RecordingStore::Submitted>& submitted,
                                bool lasts) {
  Documents documents = before;
  auto next = submitted.begin();
  for (; next != submitted.end() && next->answer == RecordingStore::Answer::kept; ++next) apply(next->batch, documents);
  const auto first_failed = next;
  for (; next != submitted.end(); ++next) {
    if (next->answer == RecordingStore::Answer::kept) apply(next->batch, documents);
  }
  std::vector<Documents> all{documents};
  if (!lasts) return all;
  for (next = first_failed; next != submitted.end(); ++next) {
    apply(next->batch, documents);
    all.push_back(documents);
  }
  return all;
}

}  // namespace

void Scenario::check_refusal(const std::string& method, const Error& error) const {
  // Later steps of a life that went wrong may miss what was not made.
  if (failed_ && lasts_ && error.message.find(service_.settings.path) == std::string::npos) return;
  EXPECT_THAT(error.message, HasSubstr(service_.settings.path)) << method;
  EXPECT_THAT(error.code, AnyOf(ErrorCode::unavailable, ErrorCode::resource_exhausted))
      << method << ": " << error.message;
}

bool Scenario::change(const std::string& method, const std::string& args, const std::string& key) {
  const auto before = service_.shown();
  auto reply = service_.call(method, args, key);
  if (!reply) {
    check_refusal(method, reply.error());
    EXPECT_EQ(service_.shown(), before) << method << " changed something though it answered " << reply.error().message;
    failed_ = true;
    if (lasts_) return false;
    reply = service_.call(method, args, key);
    EXPECT_TRUE(reply) << method << " failed again: " << reply.error().message;
  }
  return static_cast<bool>(reply);
}

bool Scenario::start() {
  auto started = service_.start();
  if (!started) {
    check_refusal("start", started.error());
    failed_ = true;
    if (lasts_) return false;
    started = service_.start();
    EXPECT_TRUE(started) << "a second start failed: " << started.error().message;
  }
  return static_cast<bool>(started);
}

void Scenario::first_day() {
  for (const auto* host : {"a", "b"}) {
    change("service_register", topic_and_host(host));
    change("update_resource_stats", report(host, R"("padding":")" + std::string(6000, 'p') + '"'));
  }
  change("create_group", R"({"name":"spread","policy":"soft-anti-affinity"})");
  change("create_aggregate", R"({"name":"rack","availability_zone":"z"})", "rack");
  change("add_aggregate_host", R"({"aggregate":"rack","host":"a"})");
  if (change("schedule_run_instance", launch({1, 2}, "spread"), "launch")) {
    EXPECT_EQ(service_.list("list_instances").size(), 2U);
    const auto shown = service_.shown();
    // A repeat gets the first answer and changes nothing.
    change("schedule_run_instance", launch({1, 2}, "spread"), "launch");
    EXPECT_EQ(service_.shown(), shown);
  }
  for (const auto& cast : service_.list("list_casts")) {
    change("acknowledge_cast", R"({"id":")" + std::string(cast.at("id").as_string()) + R"("})");
    break;
  }
  burst();
}

void Scenario::second_day() {
  change("update_instance", R"({"uuid":")" + uuid_of(1) + R"(","vm_state":"active"})");
  change("update_resource_stats", report("a", R"("instances":[")" + uuid_of(1) + R"("])"));
  change("select_destinations", launch({3}));
  change("release_claims", R"({"instance_uuid":")" + uuid_of(3) + R"("})");
  // An instance that failed to start may be placed again: its earlier placement is given back.
  change("update_instance", R"({"uuid":")" + uuid_of(2) + R"(","vm_state":"error"})");
  change("schedule_run_instance", launch({2}));
  if (change("delete_instance", instance(2), "delete")) {
    change("delete_instance", instance(2), "delete");
  }
  change("disable_service", topic_and_host("b"));
  change("delete_group", R"({"group":"spread"})");
  burst();
}

// Calls that follow each other without waiting: those that fail may have seen others that failed.
void Scenario::burst() {
  std::atomic<int> failures{0};
  const auto note = [&](const Reply& reply) { failures += reply ? 0 : 1; };
  const auto all = [&] {
    failures = 0;
    for (const auto* key : {"x", "y", "z"}) {
      service_.send("update_resource_stats", report("b", '"' + std::string(key) + R"(":1)"), note);
      service_.send("update_aggregate", R"({"aggregate":"rack","metadata":{")" + std::string(key) + R"(":"1"}})", note);
    }
    service_.send("report_state", topic_and_host("a"), note);
    service_.flush();
  };
  all();
  if (failures > 0 && !lasts_) {
    all();
    EXPECT_EQ(failures, 0) << "again";
  }
  failed_ = failed_ || failures > 0;
}

void Scenario::stop_and_check(const std::function<void()>& end) {
  const auto shown = service_.shown(!lasts_);
  service_.stop();
  if (lasts_) end();
  const auto expected = possible(kept_, service_.submitted(), lasts_);
  if (!start()) {
    ADD_FAILURE() << "does not start again";
    return;
  }
  auto found = service_.loaded();
  EXPECT_NE(std::find(expected.begin(), expected.end(), found), expected.end())
      << "the store is in none of the " << expected.size() << " states that it may be in";
  if (found == expected.front()) {
    EXPECT_EQ(service_.shown(!lasts_), shown) << "memory and store were not the same";
  }
  kept_ = std::move(found);
}

void Scenario::run(const std::function<void()>& end) {
  if (!start()) {
    end();
    EXPECT_TRUE(service_.start());
    return;
  }
  first_day();
  if (lasts_ && failed_) {
    stop_and_check(end);
    change("create_group", R"({"name":"after","policy":"affinity"})");
    return;
  }
  // A stop and a start with the fault still to come.
  const auto shown = service_.shown();
  service_.stop();
  kept_ = possible({}, service_.submitted(), false).front();
  if (!start()) {
    end();
    const auto started = service_.start();
    ASSERT_TRUE(started) << started.error().message;
    EXPECT_EQ(service_.loaded(), kept_);
    return;
  }
  EXPECT_EQ(service_.loaded(), kept_);
  EXPECT_EQ(service_.shown(), shown);
  second_day();
  stop_and_check(end);
  end();
  failed_ = false;
  change("create_group", R"({"name":"after","policy":"affinity"})");
  EXPECT_FALSE(failed_) << "nothing fails any more";
}

}  // namespace gantry::fault
