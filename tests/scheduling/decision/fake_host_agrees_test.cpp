// SPDX-License-Identifier: Apache-2.0
//
// The fake host of the SDK does what the service does: one driver runs the same cases under both.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <gantry/testing/fake_host.hpp>
#include <map>

#include "core/scheduling/decision/instance_decision.hpp"
#include "tests/scheduling/running_manager.hpp"

namespace gantry::scheduling {
namespace {

constexpr auto uuid = "0d0d0d0d-0000-4000-8000-000000000001";
constexpr auto second_uuid = "0d0d0d0d-0000-4000-8000-000000000002";
constexpr auto member = "0d0d0d0d-0000-4000-8000-000000000003";

// The claims in words, for comparison.
std::string claims_text(std::map<std::string, double> claims) {
  std::string text;
  for (const auto& [resource, amount] : claims) {
    if (amount != 0)
      text += (text.empty() ? "" : " ") + resource.substr(0, 12) + "=" + json::write(json::value(amount));
  }
  return text;
}

std::string outcome_text(gantry_code code) {
  switch (code) {
    case GANTRY_OK: return "ok";
    case GANTRY_NO_VALID_HOST:
    case GANTRY_CLAIM_LOST: return "no valid host";
    case GANTRY_INVALID_ARGUMENT: return "the caller's fault";
    case GANTRY_DEADLINE_EXCEEDED: return "too late";
    default: return "the driver's fault";
  }
}

struct Host {
  virtual ~Host() = default;
  // Each answers with the outcome and, after "; ", the hosts that were picked.
  virtual std::string select(const std::string& flavor, const std::vector<std::string>& uuids, std::size_t count) = 0;
  virtual std::string schedule(const std::string& flavor, const std::vector<std::string>& uuids) = 0;
  // The outcome, the reply and the number of casts.
  virtual std::string run(const std::string& method_case) = 0;
  virtual std::string capabilities(const std::string& the_case) = 0;
  virtual std::string hosts_up() = 0;
  // The claims on host a.
  virtual std::string claims() = 0;
};

class Fake final : public Host {
 public:
  Fake() : library_(dlopen(GANTRY_ZOO_DIRECTORY "/puppet.so", RTLD_NOW | RTLD_LOCAL)), host_({{"a"}, {"b"}}) {
    host_.rows()[1].up = false;
    host_.rows()[0].instances = {};
    const auto entry = reinterpret_cast<const gantry_driver_info* (*)(std::uint32_t, std::uint32_t)>(
        dlsym(library_, "gantry_driver_entry"));
    driver_ = host_.create(*entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR));
  }
  ~Fake() override {
    driver_.reset();
    dlclose(library_);
  }
  std::string select(const std::string& flavor, const std::vector<std::string>& uuids, std::size_t count) override {
    return told(driver_->select_destinations(request(flavor, uuids, count)), count);
  }
  std::string schedule(const std::string& flavor, const std::vector<std::string>& uuids) override {
    auto outcome = driver_->schedule_run_instance(request(flavor, uuids, uuids.size()));
    if (outcome.code == GANTRY_NO_VALID_HOST) outcome.code = GANTRY_OK;
    return told(outcome, uuids.size());
  }
  std::string run(const std::string& method_case) override {
    const auto outcome = driver_->call_method("run", R"({"case":")" + method_case + R"("})");
    auto text = outcome_text(outcome.code) + "; " + std::to_string(outcome.casts.size()) + " casts";
    if (!outcome.replies.empty()) text += "; " + json::write_canonical(*json::parse(outcome.replies[0]));
    return text;
  }
  std::string capabilities(const std::string& the_case) override {
    return outcome_text(
        driver_->update_service_capabilities("compute", "a", R"({"case":")" + the_case + R"("})")->code);
  }
  std::string hosts_up() override { return outcome_text(driver_->hosts_up()->code); }
  std::string claims() override { return claims_text(host_.row(0).claims); }

 private:
  static testing::fake_request request(const std::string& flavor, std::vector<std::string> uuids, std::size_t count) {
    testing::fake_request made;
    made.flavor = flavor;
    made.instances = static_cast<std::uint32_t>(count);
    made.instance_uuids = std::move(uuids);
    made.vcpus = 1;
    made.memory_mb = 600;
    if (flavor == "apart") {
      made.group.emplace();
      made.group->members = {member};
      made.group->member_rows = {0};
    }
    return made;
  }
  static std::string told(const testing::outcome& outcome, std::size_t count) {
    auto text = outcome_text(outcome.code);
    if (outcome.code != GANTRY_OK) return text;
    std::vector<std::string> hosts(count, "-");
    for (const auto& pick : outcome.picks) hosts[pick.instance] = pick.host;
    text += ";";
    for (const auto& host : hosts) text += " " + host;
    return text;
  }

  void* library_;
  testing::fake_host host_;
  std::unique_ptr<testing::fake_driver> driver_;
};

class Real final : public Host {
 public:
  Real() : manager_("puppet", {}, {}, GANTRY_ZOO_DIRECTORY) {
    for (const auto* host : {"a", "b"}) manager_.add_host(host, 16);
    manager_.result("force_down_service", R"({"topic":"compute","host":"b"})");
    manager_.result("create_group", R"({"name":"spread","policy":"anti-affinity"})");
  }
  std::string select(const std::string& flavor, const std::vector<std::string>& uuids, std::size_t count) override {
    if (flavor == "apart") {
      // The other member of the group has its claim first.
      manager_.result("schedule_run_instance", spec("pick", {member}, 1, true));
    }
    const auto reply = manager_.call("select_destinations", spec(flavor, uuids, count, flavor == "apart"));
    if (!reply) return told(reply.error());
    std::string text = "ok;";
    const json::value answer = *reply;
    for (const auto& chosen : answer.as_array()) text += " " + std::string(chosen.as_object().at("host").as_string());
    return text;
  }
  std::string schedule(const std::string& flavor, const std::vector<std::string>& uuids) override {
    const auto reply = manager_.call("schedule_run_instance", spec(flavor, uuids, uuids.size()));
    if (!reply) return told(reply.error());
    std::string text = "ok;";
    const json::value answer = *reply;
    for (const auto& instance : answer.as_object().at("instances").as_array()) {
      const auto host = std::string(instance.as_object().at("host").as_string());
      text += " " + (host.empty() ? "-" : host);
    }
    return text;
  }
  std::string run(const std::string& method_case) override {
    const auto casts = [&] { return manager_.result("list_casts", R"({"limit":10000})").as_array().size(); };
    const auto before = casts();
    const auto reply = manager_.call(
        "schedule", R"({"topic":"compute","schedule_method":"run","kwargs":{"case":")" + method_case + R"("}})");
    auto text = reply ? "ok" : told(reply.error());
    text += "; " + std::to_string(casts() - before) + " casts";
    if (reply && !json::value(*reply).is_null()) text += "; " + json::write_canonical(json::value(*reply));
    return text;
  }
  std::string capabilities(const std::string& the_case) override {
    const auto reply =
        manager_.call("update_service_capabilities",
                      R"({"service_name":"compute","host":"a","capabilities":{"case":")" + the_case + R"("}})");
    return reply ? "ok" : told(reply.error());
  }
  std::string hosts_up() override {
    const auto reply = manager_.call("hosts_up", R"({"topic":"compute"})");
    return reply ? "ok" : told(reply.error());
  }
  std::string claims() override {
    std::map<std::string, double> amounts;
    for (const auto& claim : manager_.fleet().claims()) {
      for (const auto& item : claim.items) amounts[item.resource] += item.amount;
    }
    return claims_text(amounts);
  }

 private:
  static std::string spec(const std::string& flavor, const std::vector<std::string>& uuids, std::size_t count,
                          bool in_group = false) {
    json::object made{{"num_instances", count},
                      {"flavor", {{"name", flavor}, {"vcpus", 1}, {"memory_mb", 600}, {"root_gb", 0}}}};
    if (!uuids.empty()) made["instance_uuids"] = json::array(uuids.begin(), uuids.end());
    if (in_group) made["scheduler_hints"] = {{"group", "spread"}};
    return json::write(json::object{{"request_spec", std::move(made)}});
  }
  static std::string told(const Error& error) {
    switch (error.code) {
      case ErrorCode::no_valid_host: return "no valid host";
      case ErrorCode::invalid_argument: return "the caller's fault";
      case ErrorCode::deadline_exceeded: return "too late";
      case ErrorCode::internal: return "the driver's fault";
      default: return error.message;
    }
  }

  RunningManager manager_;
};

struct Case {
  std::string name;
  std::string expected;
  std::string claimed{};  // on host a, afterwards
};

std::string name_of(const ::testing::TestParamInfo<Case>& info) {
  return info.param.name;
}

const std::vector<std::string> one{uuid};
const std::vector<std::string> two{uuid, second_uuid};
constexpr auto placed = "instances=1.0 memory_mb=600.0 vcpu=1.0";

class BothHostsSelect : public ::testing::TestWithParam<Case> {};

TEST_P(BothHostsSelect, AnswerAndClaimAlike) {
  Fake fake;
  Real real;
  for (Host* host : {static_cast<Host*>(&fake), static_cast<Host*>(&real)}) {
    EXPECT_EQ(host->select(GetParam().name, one, 1), GetParam().expected) << (host == &fake ? "fake" : "real");
    if (GetParam().claimed == "any") continue;
    EXPECT_EQ(host->claims(), GetParam().claimed) << (host == &fake ? "fake" : "real");
  }
}

const std::vector<Case> misuses{{"row_out_of_range", "the driver's fault"},
                                {"instance_out_of_range", "the driver's fault"},
                                {"bad_row_then_ok", "the driver's fault"},
                                {"nan_limit", "the driver's fault"},
                                {"negative_limit", "the driver's fault"},
                                {"unknown_bit", "the driver's fault"},
                                {"no_group_limit", "the driver's fault"},
                                {"limits_are_a_list", "the driver's fault"},
                                {"limits_are_no_json", "the driver's fault"},
                                {"limits_too_long", "the driver's fault"},
                                {"resource_too_long", "the driver's fault"},
                                {"own_resource", "the driver's fault"},
                                {"negative_amount", "the driver's fault"},
                                {"pick_twice", "the driver's fault"},
                                {"refuse_twice", "the driver's fault"},
                                {"refuse_then_pick", "the driver's fault"},
                                {"pick_then_refuse", "the driver's fault"},
                                {"claims_in_a_decision", "the driver's fault"},
                                {"replies_in_a_decision", "the driver's fault"},
                                {"nothing", "the driver's fault"},
                                {"pick_and_42", "the driver's fault"},
                                {"pick_and_internal", "the driver's fault"},
                                {"pick_and_deadline", "too late"},
                                {"callers_fault", "the caller's fault"}};

INSTANTIATE_TEST_SUITE_P(Misuse, BothHostsSelect, ::testing::ValuesIn(misuses), name_of);
INSTANTIATE_TEST_SUITE_P(Result, BothHostsSelect,
                         ::testing::Values(Case{"pick", "ok; a", placed}, Case{"down_host", "ok; b", "any"},
                                           Case{"limits", "ok; a", placed}, Case{"apart", "no valid host", "any"},
                                           Case{"one_gpu", "ok; a", std::string("gpu=1.0 ") + placed},
                                           Case{"pick_and_no_host", "no valid host"}),
                         name_of);

class BothHostsSchedule : public ::testing::TestWithParam<Case> {};

TEST_P(BothHostsSchedule, AnswerAndClaimAlike) {
  Fake fake;
  Real real;
  for (Host* host : {static_cast<Host*>(&fake), static_cast<Host*>(&real)}) {
    EXPECT_EQ(host->schedule(GetParam().name, one), GetParam().expected) << (host == &fake ? "fake" : "real");
    EXPECT_EQ(host->claims(), GetParam().claimed) << (host == &fake ? "fake" : "real");
  }
}

INSTANTIATE_TEST_SUITE_P(Misuse, BothHostsSchedule, ::testing::ValuesIn(misuses), name_of);
INSTANTIATE_TEST_SUITE_P(Result, BothHostsSchedule,
                         ::testing::Values(Case{"pick", "ok; a", placed}, Case{"pick_and_no_host", "ok; a", placed}),
                         name_of);

class BothHostsRun : public ::testing::TestWithParam<Case> {};

TEST_P(BothHostsRun, AnswerAndClaimAlike) {
  Fake fake;
  Real real;
  for (Host* host : {static_cast<Host*>(&fake), static_cast<Host*>(&real)}) {
    EXPECT_EQ(host->run(GetParam().name), GetParam().expected) << (host == &fake ? "fake" : "real");
    EXPECT_EQ(host->claims(), GetParam().claimed) << (host == &fake ? "fake" : "real");
  }
}

constexpr auto fault = "the driver's fault; 0 casts";

INSTANTIATE_TEST_SUITE_P(Misuse, BothHostsRun,
                         ::testing::Values(Case{"reply_twice", fault}, Case{"bad_reply", fault},
                                           Case{"reply_of_a_word", fault}, Case{"too_deep_a_reply", fault},
                                           Case{"too_long_a_reply", fault}, Case{"cast_of_a_list", fault},
                                           Case{"cast_without_method", fault}, Case{"cast_to_no_row", fault},
                                           Case{"cast_for_a_stranger", fault}, Case{"too_many_casts", fault},
                                           Case{"too_long_casts", fault}, Case{"too_many_claims", fault},
                                           Case{"too_many_items", fault}, Case{"claim_of_nothing", fault},
                                           Case{"claim_without_consumer", fault}, Case{"claim_of_nan", fault},
                                           Case{"consumer_too_long", fault}, Case{"resource_too_long", fault},
                                           Case{"consumer_not_utf8", fault}, Case{"method_too_long", fault},
                                           Case{"picks_in_a_method", fault}, Case{"refuses_in_a_method", fault}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(
    Result, BothHostsRun,
    ::testing::Values(
        Case{"claim", "ok; 0 casts", "gpu=1.0"}, Case{"claim_both", "ok; 0 casts", "fpga=1.0 gpu=1.0"},
        Case{"claim_twice", "ok; 0 casts", "gpu=3.0"}, Case{"claim_beyond", "no valid host; 0 casts"},
        Case{"claim_and_fail", "the driver's fault; 0 casts"}, Case{"claim_and_cast", "ok; 1 casts", "gpu=1.0"},
        Case{"claim_memory", "ok; 0 casts", "memory_mb=100.0"}, Case{"cast_and_no_host", "no valid host; 0 casts"},
        Case{"reply", R"(ok; 0 casts; {"a":[1,null,"é"]})"}, Case{"longest_names", "ok; 0 casts", "xxxxxxxxxxxx=1.0"},
        Case{"many_claims", "ok; 0 casts", "gpu=8192.0"}, Case{"most_casts", "ok; 1024 casts"}),
    name_of);

class BothHosts : public ::testing::Test {
 protected:
  template <class Check>
  void each(const Check& check) {
    Fake fake;
    Real real;
    check(fake, "fake");
    check(real, "real");
  }
};

TEST_F(BothHosts, RefuseAPickInHostsUp) {
  each([](Host& host, const char* which) { EXPECT_EQ(host.hosts_up(), "the driver's fault") << which; });
}

TEST_F(BothHosts, TakeOneObjectAsCapabilities) {
  each([](Host& host, const char* which) {
    EXPECT_EQ(host.capabilities("none"), "ok") << which;
    EXPECT_EQ(host.capabilities("reply"), "ok") << which;
    EXPECT_EQ(host.capabilities("list"), "the driver's fault") << which;
    EXPECT_EQ(host.capabilities("twice"), "the driver's fault") << which;
    EXPECT_EQ(host.capabilities("claim"), "the driver's fault") << which;
  });
}

TEST_F(BothHosts, RefuseOneInstanceWithoutTouchingTheNext) {
  each([](Host& host, const char* which) {
    EXPECT_EQ(host.schedule("second_only", two), "ok; - a") << which;
    EXPECT_EQ(host.claims(), placed) << which;
  });
}

TEST_F(BothHosts, ClaimWithinOneRequestAndAcrossRequests) {
  each([](Host& host, const char* which) {
    EXPECT_EQ(host.schedule("within_1000", two), "ok; a -") << which;
    EXPECT_EQ(host.schedule("within_1000", {second_uuid}), "ok; -") << which;
    EXPECT_EQ(host.claims(), placed) << which;
  });
}

TEST_F(BothHosts, AddADriversClaimToWhatAPickHolds) {
  each([](Host& host, const char* which) {
    EXPECT_EQ(host.schedule("pick", one), "ok; a") << which;
    EXPECT_EQ(host.run("claim_for_instance"), "ok; 0 casts") << which;
    EXPECT_EQ(host.run("claim_for_instance"), "ok; 0 casts") << which;
    EXPECT_EQ(host.claims(), std::string(placed) + " widgets=4.0") << which;
  });
}

TEST_F(BothHosts, ReplaceTheEarlierPickOfAnInstanceOnAHostAndNothingElse) {
  each([](Host& host, const char* which) {
    EXPECT_EQ(host.run("claim_for_instance"), "ok; 0 casts") << which;
    EXPECT_EQ(host.select("within_1000", one, 1), "ok; a") << which;
    EXPECT_EQ(host.select("within_1000", one, 1), "ok; a") << which;
    EXPECT_EQ(host.claims(), std::string(placed) + " widgets=2.0") << which;
  });
}

TEST_F(BothHosts, ClaimNothingForARequestWithoutUuids) {
  each([](Host& host, const char* which) {
    EXPECT_EQ(host.select("pick", {}, 1), "ok; a") << which;
    EXPECT_EQ(host.claims(), "") << which;
  });
}

// ---- the rows that placement leaves to a request

struct BoundedCase {
  std::string name;  // the flavor
  std::optional<std::set<std::uint32_t>> eligible;
  std::set<std::uint32_t> unclaimable;
  std::set<std::pair<std::uint32_t, std::uint32_t>> lost;
  std::string expected;  // the rows of each instance, the pick first
};

constexpr std::uint32_t bounded_rows = 5;

std::string bounded_by_the_fake_host(const BoundedCase& of) {
  void* library = dlopen(GANTRY_ZOO_DIRECTORY "/puppet.so", RTLD_NOW | RTLD_LOCAL);
  const auto entry = reinterpret_cast<const gantry_driver_info* (*)(std::uint32_t, std::uint32_t)>(
      dlsym(library, "gantry_driver_entry"));
  testing::fake_host host({{"a"}, {"b"}, {"c"}, {"d"}, {"e"}});
  testing::fake_request request;
  request.flavor = of.name;
  request.instances = 2;
  request.eligible = of.eligible;
  request.unclaimable = of.unclaimable;
  request.lost = of.lost;
  const auto outcome = host.create(*entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR))->schedule_run_instance(request);
  if (outcome.code != GANTRY_OK) return outcome_text(outcome.code);
  std::vector<std::string> rows(2);
  for (const auto& pick : outcome.picks) rows[pick.instance] = std::to_string(pick.row);
  for (const auto& other : outcome.alternates) rows[other.instance] += " " + std::to_string(other.row);
  dlclose(library);
  return rows[0] + ", " + rows[1];
}

std::string bounded_by_the_service(const BoundedCase& of) {
  RunningManager manager("puppet", {}, {}, GANTRY_ZOO_DIRECTORY);
  for (const auto* host : {"a", "b", "c", "d", "e"}) manager.add_host(host, 16);
  const auto state = manager.state();
  InstanceRequest request;
  request.operation = Operation::schedule_run_instance;
  request.spec.num_instances = 2;
  request.spec.flavor = of.name;
  request.at = Instant::now(*state);
  if (of.eligible) {
    request.bounds = RowBounds{{0}, {0}, "they are no candidates"};
    for (const auto row : *of.eligible) request.bounds->eligible[0] |= std::uint64_t{1} << row;
    for (std::uint32_t row = 0; row < bounded_rows; ++row)
      request.bounds->claimable[0] |= std::uint64_t{of.unclaimable.contains(row) ? 0U : 1U} << row;
    request.lost = of.lost;
  }
  MethodCall call;
  call.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  const auto decided = decide(*state, call, request);
  if (!decided) return decided.error().code == ErrorCode::internal ? "the driver's fault" : decided.error().message;
  const auto& sink = *(*decided)->sink;
  if (sink.placed() == 0) return "no valid host";
  std::string rows;
  for (const auto& placement : sink.placements()) {
    if (!rows.empty()) rows += ", ";
    if (placement.pick) rows += std::to_string(placement.pick->row);
    for (const auto& other : placement.alternates) rows += " " + std::to_string(other.row);
  }
  return rows;
}

class BothHostsBound : public ::testing::TestWithParam<BoundedCase> {};

TEST_P(BothHostsBound, TakeTheSamePicksAndAlternates) {
  EXPECT_EQ(bounded_by_the_fake_host(GetParam()), GetParam().expected) << "fake";
  EXPECT_EQ(bounded_by_the_service(GetParam()), GetParam().expected) << "real";
}

INSTANTIATE_TEST_SUITE_P(
    Result, BothHostsBound,
    ::testing::Values(BoundedCase{"all_in_turn", {}, {}, {}, "0 1 2 3 4, 0 1 2 3 4"},
                      BoundedCase{"all_in_turn", {{1, 3, 4}}, {}, {}, "1 3 4, 1 3 4"},
                      BoundedCase{"eligible_in_turn", {{1, 3, 4}}, {}, {}, "1 3 4, 1 3 4"},
                      BoundedCase{"eligible_in_turn", {{0, 1, 3, 4}}, {0, 3}, {}, "1 4, 1 4"},
                      BoundedCase{"eligible_in_turn", {{1, 3, 4}}, {}, {{0, 1}, {1, 4}}, "3 4, 1 3"},
                      BoundedCase{"eligible_in_turn", {{1, 3}}, {3}, {{0, 1}, {1, 1}}, "no valid host"},
                      BoundedCase{"eligible_in_turn", std::set<std::uint32_t>{}, {}, {}, "no valid host"},
                      BoundedCase{"row_of_count", {{0, 2, 3}}, {}, {}, "3, 3"}));

}  // namespace
}  // namespace gantry::scheduling
