// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <gantry/client.hpp>
#include <set>
#include <sstream>
#include <thread>

#include "tests/end_to_end/running_gantry.hpp"

namespace gantry::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

std::string all_bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream content;
  content << file.rdbuf();
  return content.str();
}

// Hosts that this test reports for, so that they do what it says alone.
class Backup : public ::testing::Test {
 protected:
  void SetUp() override {
    gantry.configure("\"simple\"");
    gantry.start();
    for (const char* const host : {"h1", "h2"}) {
      report(host, {});
      ASSERT_TRUE(call("service_register", {{"topic", "compute"}, {"host", host}}));
    }
  }

  std::string file() const { return (gantry.directory() / "store.backup").string(); }
  Ran with_config(std::vector<std::string> words) const {
    words.insert(words.end(), {"--config", gantry.config_file()});
    return gantry.gantry(words);
  }
  void back_up() const {
    const auto ran = with_config({"backup", file(), "--force"});
    ASSERT_EQ(ran.exit_status, 0) << ran.err;
  }
  json::value restored(std::vector<std::string> more = {}) {
    if (gantry.is_running()) {
      EXPECT_EQ(gantry.stop(), 0);
    }
    std::vector<std::string> words{"-o", "json", "restore", file()};
    words.insert(words.end(), more.begin(), more.end());
    const auto ran = with_config(words);
    EXPECT_EQ(ran.exit_status, 0) << ran.err;
    gantry.start();
    return ran.exit_status == 0 ? ran.json() : json::value(nullptr);
  }

  client::reply call(const std::string& method, const json::object& args) const {
    return client::client(gantry.url()).call(method, json::write(args));
  }
  void report(const std::string& host, const json::array& instances) const {
    ASSERT_TRUE(call("update_resource_stats", {{"name", host},
                                               {"stats", json::object{{"vcpus", 8},
                                                                      {"vcpus_used", instances.size()},
                                                                      {"memory_mb", 16384},
                                                                      {"memory_mb_used", 0},
                                                                      {"local_gb", 100},
                                                                      {"local_gb_used", 0},
                                                                      {"instances", instances}}}}));
  }
  std::size_t hosts_up() const { return gantry.list({"hosts-up", "compute"}).size(); }
  // Creates a server and returns its uuid. Its launch waits for its host.
  std::string create(const std::string& name) const {
    const auto created = gantry.gantry({"-o", "json", "server", "create", "--flavor", "m1.tiny", "--no-wait", name});
    EXPECT_EQ(created.exit_status, 0) << created.err;
    return std::string(gantry.ask({"server", "show", name}).at("uuid").as_string());
  }
  std::string cast_id() const {
    const auto casts = gantry.list({"cast", "list"});
    return casts.empty() ? std::string() : std::string(casts[0].at("id").as_string());
  }
  void expect_sound() const {
    const auto ran = gantry.gantry({"doctor"});
    EXPECT_EQ(ran.exit_status, 0) << ran.out;
  }

  RunningGantry gantry;
};

TEST_F(Backup, UnderLoadHoldsEachAnsweredChangeAndBringsBackTheSameFleet) {
  std::atomic<bool> is_over = false;
  std::atomic<int> answered = 0;
  std::thread writer([&] {
    client::client own(gantry.url());
    for (int number = 1; !is_over; ++number) {
      const json::object args{{"name", "a" + std::to_string(number)}};
      if (own.call("create_aggregate", json::write(args))) answered = number;
    }
  });
  EXPECT_TRUE(eventually([&] { return answered > 20; }));
  const int before = answered;
  const auto ran = with_config({"-o", "json", "backup", file()});
  is_over = true;
  writer.join();
  ASSERT_EQ(ran.exit_status, 0) << ran.err;
  EXPECT_GE(ran.json().at("documents").at("aggregates").as_int64(), before);

  ASSERT_TRUE(call("create_group", {{"name", "spread"}, {"policy", "anti-affinity"}}));
  create("web");
  back_up();
  const auto facts = [this] {
    auto fleet = gantry.ask({"fleet", "export"}).as_object();
    fleet.erase("now");
    for (auto& host : fleet["hosts"].as_array()) {
      host.as_object().erase("service");  // has when it was heard
      if (auto* claims = host.as_object().if_contains("claims"))
        for (auto& claim : claims->as_array()) claim.as_object().erase("created_at");  // counts from the restore on
    }
    return json::write_canonical(fleet);
  };
  const auto then = facts();
  create("since");
  ASSERT_TRUE(call("delete_group", {{"group", "spread"}}));
  EXPECT_NE(facts(), then);
  restored();
  EXPECT_EQ(facts(), then);
  expect_sound();
  struct stat status {};
  ASSERT_EQ(stat(file().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
}

TEST_F(Backup, NoHostIsUpAfterARestoreBeforeItHasReportedAgain) {
  ASSERT_EQ(hosts_up(), 2U);
  back_up();
  restored();
  EXPECT_EQ(hosts_up(), 0U);
  EXPECT_THAT(gantry.log(), HasSubstr("the store was restored from a backup"));
  ASSERT_TRUE(call("report_state", {{"topic", "compute"}, {"host", "h1"}}));
  EXPECT_EQ(hosts_up(), 0U);
  report("h1", {});
  EXPECT_EQ(hosts_up(), 1U);
  report("h2", {});
  EXPECT_EQ(hosts_up(), 1U);
  ASSERT_TRUE(call("report_state", {{"topic", "compute"}, {"host", "h2"}}));
  EXPECT_EQ(hosts_up(), 2U);
  // As always from then on.
  ASSERT_EQ(gantry.stop(), 0);
  gantry.start();
  EXPECT_EQ(hosts_up(), 2U);
}

TEST_F(Backup, ACastThatWasDeliveredSinceIsNotSentAgainUnlessAskedFor) {
  const auto uuid = create("web");
  const auto id = cast_id();
  ASSERT_NE(id, "");
  back_up();
  ASSERT_TRUE(call("acknowledge_cast", {{"id", id}}));
  const auto answer = restored();
  EXPECT_EQ(cast_id(), "");
  EXPECT_EQ(answer.at("casts_left_out").at(0).at("id").as_string(), id);
  EXPECT_EQ(answer.at("unlaunched").at(0).as_string(), uuid);
  EXPECT_EQ(gantry.list({"claim", "list"}).size(), 1U);
  expect_sound();
  restored({"--casts", "all"});
  EXPECT_EQ(cast_id(), id);
  expect_sound();
}

TEST_F(Backup, ACastThatWaitsStillIsSentAndItsClaimWaitsForIt) {
  create("web");
  const auto id = cast_id();
  back_up();
  EXPECT_EQ(restored().at("casts_sent").at(0).at("id").as_string(), id);
  EXPECT_EQ(cast_id(), id);
  expect_sound();
  restored({"--casts", "none"});
  EXPECT_EQ(cast_id(), "");
  expect_sound();
}

TEST_F(Backup, ATokenThatWasRevokedSinceStaysRevokedAndANewOneHolds) {
  const auto create_token = [this](const std::string& name) {
    return std::string(gantry.ask({"token", "create", "--role", "reader", name}).at("id").as_string());
  };
  const auto old = create_token("old");
  back_up();
  ASSERT_EQ(gantry.gantry({"token", "revoke", old}).exit_status, 0);
  const auto later = create_token("later");
  const auto ids = [this] {
    std::set<std::string> found;
    for (const auto& token : gantry.list({"token", "list"})) found.insert(std::string(token.at("id").as_string()));
    return found;
  };
  restored();
  EXPECT_EQ(ids(), std::set{later});
  restored({"--tokens", "backup"});
  EXPECT_EQ(ids(), std::set{old});
}

TEST_F(Backup, WhereTheStoreInPlaceCannotBeReadNoCastIsSentAndTokensAreListed) {
  create("web");
  const auto id = cast_id();
  const auto token = gantry.ask({"token", "create", "--role", "reader", "page"});
  back_up();
  ASSERT_EQ(gantry.stop(), 0);
  std::ofstream(gantry.store_path()) << "damaged";
  gantry.launch();
  EXPECT_NE(gantry.end(), 0);
  const auto answer = restored();
  EXPECT_FALSE(answer.at("compared").as_bool());
  EXPECT_EQ(answer.at("casts_left_out").at(0).at("id").as_string(), id);
  EXPECT_EQ(answer.at("tokens").at(0).as_string(), std::string(token.at("id").as_string()) + " (page)");
  EXPECT_EQ(cast_id(), "");
  EXPECT_EQ(gantry.list({"token", "list"}).size(), 1U);
  expect_sound();
}

TEST_F(Backup, WhatHostsRunIsComparedWithWhatIsOnRecord) {
  const auto uuid = create("web");
  const auto host = std::string(gantry.ask({"server", "show", "web"}).at("host").as_string());
  ASSERT_TRUE(call("update_instance", {{"uuid", uuid}, {"vm_state", "active"}}));
  report(host, {json::value(uuid)});
  const auto same = gantry.gantry({"fleet", "compare"});
  EXPECT_EQ(same.exit_status, 0) << same.out;
  report(host, {json::value("6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01")});
  const auto differs = gantry.gantry({"fleet", "compare"});
  EXPECT_EQ(differs.exit_status, 4);
  EXPECT_THAT(differs.out, AllOf(HasSubstr("runs, and is not on record"), HasSubstr("its host does not report it")));
}

TEST_F(Backup, ARestoreIsRefusedWhileGantrydRuns) {
  back_up();
  const auto refused = with_config({"restore", file()});
  EXPECT_EQ(refused.exit_status, 1);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("gantryd must not run"), HasSubstr(std::to_string(gantry.pid()))));
  const auto judged = with_config({"restore", "--check", file()});
  EXPECT_EQ(judged.exit_status, 0);
  EXPECT_THAT(judged.out, AllOf(HasSubstr("is sound"), HasSubstr("nothing was changed")));
}

TEST_F(Backup, AFileThatIsNoneChangesNothing) {
  ASSERT_EQ(gantry.stop(), 0);
  const auto untouched = all_bytes_of(gantry.store_path());
  std::ofstream(file()) << "surely not a store, but long enough for one\n";
  for (const auto& wrong : {file(), gantry.store_path(), gantry.config_file(), std::string("/no/such/file")}) {
    const auto refused = with_config({"restore", wrong});
    EXPECT_NE(refused.exit_status, 0);
    EXPECT_THAT(refused.err, HasSubstr(wrong));
    EXPECT_EQ(all_bytes_of(gantry.store_path()), untouched);
  }
  EXPECT_EQ(with_config({"backup", "/no/such/directory/b"}).exit_status, 2);
  EXPECT_EQ(with_config({"backup", gantry.store_path()}).exit_status, 2);
  const auto there = with_config({"backup", file()});
  EXPECT_EQ(there.exit_status, 1);
  EXPECT_THAT(there.err, HasSubstr("--force"));
  gantry.start();
  EXPECT_EQ(hosts_up(), 2U);
}

}  // namespace
}  // namespace gantry::test
