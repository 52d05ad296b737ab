// SPDX-License-Identifier: Apache-2.0
//
// The fake host itself: that it admits, refuses and remembers as the real one does.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <gantry/driver.hpp>
#include <gantry/testing/fake_host.hpp>
#include <set>

namespace gantry {
namespace {

using testing::fake_host;
using testing::fake_request;

class Scripted final : public driver {
 public:
  static std::function<code(call&)>& script() {
    static std::function<code(call&)> script;
    return script;
  }
  code select_destinations(call& call, const request&) override { return script()(call); }
  code schedule_run_instance(call& call, const request&) override { return script()(call); }
  code call_method(call& call, const method_call&) override { return script()(call); }
};

const gantry_driver_info info = {
    GANTRY_MAGIC, sizeof(gantry_driver_info),      GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR, raw("scripted"),
    raw("1"),     &detail::operations_of<Scripted>};

class FakeHost : public ::testing::Test {
 protected:
  FakeHost() : host_({{"a"}, {"b"}}), driver_(host_.create(info)) {}
  testing::outcome run(std::function<code(call&)> script, const fake_request& request = {}) {
    Scripted::script() = std::move(script);
    return driver_->select_destinations(request);
  }
  fake_host host_;
  std::unique_ptr<testing::fake_driver> driver_;
};

TEST_F(FakeHost, AdmitsPicksUpToTheirLimit) {
  fake_request request;
  request.instances = 3;
  request.instance_uuids = {"a", "b", "c"};
  request.vcpus = 4;
  const auto outcome = run(
      [](call& call) {
        EXPECT_EQ(call.pick(0, 0, {8, unbounded, unbounded}), code::ok);
        EXPECT_EQ(call.pick(1, 0, {8, unbounded, unbounded}), code::ok);
        EXPECT_EQ(call.pick(2, 0, {8, unbounded, unbounded}), code::claim_lost);
        return call.pick(2, 1, {8, unbounded, unbounded});
      },
      request);
  EXPECT_EQ(outcome.picks.size(), 3u);
  EXPECT_EQ(outcome.lost.size(), 1u);
  EXPECT_EQ(host_.rows()[0].claims["vcpu"], 8);
}

TEST_F(FakeHost, ReleasesClaimsWhenTheRequestFails) {
  fake_request request;
  request.vcpus = 4;
  const auto outcome = run(
      [](call& call) {
        EXPECT_EQ(call.pick(0, 0), code::ok);
        return call.fail(code::no_valid_host, "after all");
      },
      request);
  EXPECT_TRUE(outcome.picks.empty());
  EXPECT_EQ(outcome.sentence, "after all");
  EXPECT_EQ(host_.rows()[0].claims["vcpu"], 0);
}

TEST_F(FakeHost, ShowsClaimsToTheNextCall) {
  fake_request request;
  request.instance_uuids = {"a"};
  request.vcpus = 4;
  run([](call& call) { return call.pick(0, 1); }, request);
  run([](call& call) {
    EXPECT_EQ(call.view_of_topic("compute")->reals("vcpus_used")[1], 4);
    EXPECT_EQ(call.view_of_topic("compute")->reals("claims.vcpu")[1], 4);
    return call.pick(0, 0);
  });
}

TEST_F(FakeHost, NotesMisuses) {
  const auto outcome = run([](call& call) {
    EXPECT_EQ(call.pick(0, 2), code::invalid_argument);
    EXPECT_EQ(call.pick(1, 0), code::invalid_argument);
    EXPECT_EQ(call.refuse(1, "no"), code::invalid_argument);
    EXPECT_EQ(call.cast(9, "m", "{}"), code::invalid_argument);
    EXPECT_EQ(call.reply("1"), code::invalid_argument);
    return code::ok;
  });
  EXPECT_THAT(outcome.misuse, ::testing::ElementsAre("pick: expected a row below 2, found 2",
                                                     "pick: expected an instance below 1, found 1",
                                                     "refuse: expected an instance below 1, found 1",
                                                     "cast: expected another operation to call it",
                                                     "reply: expected another operation to call it",
                                                     "instance 0: expected one pick, found 0 and 0 refusals"));
  EXPECT_EQ(outcome.code, GANTRY_INTERNAL);
  EXPECT_EQ(outcome.sentence, "pick: expected a row below 2, found 2");
}

TEST_F(FakeHost, TakesBackAllThatAFailedMethodDid) {
  Scripted::script() = [](call& call) {
    EXPECT_EQ(call.claim(0, "me", {{"gpu", 1}}), code::ok);
    EXPECT_EQ(call.cast(0, "go", "{}", "me"), code::ok);
    EXPECT_EQ(call.reply("{}"), code::ok);
    return call.fail(code::internal, "it broke");
  };
  const auto outcome = driver_->call_method("any", "{}");
  EXPECT_TRUE(outcome.claims.empty() && outcome.casts.empty() && outcome.replies.empty());
  EXPECT_EQ(host_.rows()[0].claims["gpu"], 0);
}

TEST_F(FakeHost, TakesBackTheClaimsOfADecisionThatFailed) {
  // A decision may not claim by name; one that does so and fails leaves nothing either.
  const auto outcome = run([](call& call) {
    EXPECT_EQ(call.claim(0, "me", {{"gpu", 1}}), code::invalid_argument);
    return call.pick(0, 0);
  });
  EXPECT_EQ(outcome.code, GANTRY_INTERNAL);
  EXPECT_TRUE(outcome.claims.empty() && outcome.picks.empty());
  EXPECT_EQ(host_.rows()[0].claims["gpu"], 0);
}

TEST_F(FakeHost, ReadsJsonAsStrictlyAsTheRealHost) {
  const auto is_taken = [this](const std::string& json) {
    Scripted::script() = [&json](call& call) { return call.reply(json); };
    return driver_->call_method("any", "{}").code == GANTRY_OK;
  };
  for (const auto* good :
       {"{}", "[]", " [1, -0.5e3,\"\\u00e9\\n\"] ", "null", "0", "{\"a\":{\"a\":1}}", "\"\\ud83d\\ude00\""})
    EXPECT_TRUE(is_taken(good)) << good;
  for (const auto* bad : {"",
                          "{",
                          "[1,]",
                          "{\"a\":1,}",
                          "{\"a\" 1}",
                          "01",
                          "1.",
                          "+1",
                          "1e999",
                          "nul",
                          "[1] 2",
                          "\"\t\"",
                          "\"\\x\"",
                          "\"\\ud83d\"",
                          "{\"a\":1,\"a\":2}",
                          "{\"a\":1,\"\\u0061\":2}",
                          "'a'",
                          "\xff",
                          "\"\xc0\x80\"",
                          "[1 2]",
                          "NaN"})
    EXPECT_FALSE(is_taken(bad)) << bad;
}

TEST_F(FakeHost, RemembersLinesCountersStepsAndCasts) {
  host_.log_level = GANTRY_LOG_INFO;
  Scripted::script() = [](call& call) {
    EXPECT_FALSE(call.logs(level::debug));
    EXPECT_TRUE(call.logs(level::info));
    call.log(level::info, "hello");
    call.host().count("decisions", 2);
    call.explain({"step", 2, 1, "why"});
    EXPECT_EQ(call.claim(1, "me", {{"gpu", 1, 2}}), code::ok);
    EXPECT_EQ(call.claim(1, "me", {{"gpu", 3, 2}}), code::claim_lost);
    EXPECT_EQ(call.cast(1, "go", "{}"), code::ok);
    return call.reply("{}");
  };
  const auto outcome = driver_->call_method("any", "{}");
  EXPECT_EQ(outcome.logs.at(0).message, "hello");
  EXPECT_EQ(host_.counters["decisions"], 2u);
  EXPECT_EQ(outcome.step("step")->reason, "why");
  EXPECT_EQ(outcome.casts.at(0).host, "b");
  EXPECT_EQ(outcome.replies.at(0), "{}");
  EXPECT_EQ(host_.rows()[1].claims["gpu"], 1);
  EXPECT_THAT(outcome.misuse, ::testing::IsEmpty());
}

TEST_F(FakeHost, RemembersHostExplanationsIfTheRequestAsksForThem) {
  const auto tell = [](call& call) {
    const std::array<verdict, 2> verdicts{{{"up", true}, {"room", false, "full"}}};
    const std::array<term, 1> terms{{{"load", 3, 0.5, -1}}};
    EXPECT_EQ(call.explain_host({0, 1, {}, {terms.data(), terms.size()}, -0.5, 0}), code::ok);
    EXPECT_EQ(call.explain_host({0, 0, {verdicts.data(), verdicts.size()}}), code::ok);
    return call.pick(0, 1);
  };
  EXPECT_THAT(run(tell).host_explanations, ::testing::IsEmpty());
  fake_request request;
  request.explain_hosts = GANTRY_EXPLAIN_HOSTS;
  const auto outcome = run(tell, request);
  EXPECT_THAT(outcome.misuse, ::testing::IsEmpty());
  ASSERT_NE(outcome.host_explanation("a"), nullptr);
  EXPECT_EQ(outcome.host_explanation("a")->verdicts.at(1).reason, "full");
  EXPECT_FALSE(outcome.host_explanation("a")->verdicts.at(1).passed);
  EXPECT_FALSE(outcome.host_explanation("a")->rank);
  EXPECT_EQ(outcome.host_explanation("b")->terms.at(0).multiplier, -1);
  EXPECT_EQ(outcome.host_explanation("b")->weight, -0.5);
  EXPECT_EQ(outcome.host_explanation("b")->rank, 0u);
}

TEST_F(FakeHost, NotesAMalformedExplanation) {
  fake_request request;
  request.explain_hosts = GANTRY_EXPLAIN_ALL_FILTERS;
  const auto outcome = run(
      [](call& call) {
        const verdict nameless("", true);
        EXPECT_EQ(call.explain_host({1, 0}), code::invalid_argument);
        EXPECT_EQ(call.explain_host({0, 2}), code::invalid_argument);
        EXPECT_EQ(call.explain_host({0, 0, {&nameless, 1}}), code::invalid_argument);
        EXPECT_EQ(call.explain_host({0, 0}), code::ok);
        EXPECT_EQ(call.explain_host({0, 0}), code::invalid_argument);
        return call.pick(0, 0);
      },
      request);
  EXPECT_EQ(outcome.host_explanations.size(), 1u);
  EXPECT_EQ(outcome.misuse.size(), 4u);
}

TEST_F(FakeHost, CountsItsSeedUpAndRepeatsItWhenToldTo) {
  std::vector<std::uint64_t> drawn;
  const auto draw = [&](call& call) {
    drawn.push_back(call.random());
    return call.pick(0, 0);
  };
  run(draw);
  run(draw);
  EXPECT_NE(drawn[0], drawn[1]);
  host_.seed -= 1;
  run(draw);
  EXPECT_EQ(drawn[2], drawn[1]);
}

TEST_F(FakeHost, LocatesTheInstancesOfTheTest) {
  host_.instances["here"] = {"a", "east"};
  run([](call& call) {
    EXPECT_EQ(text(call.locate("here")->availability_zone), "east");
    EXPECT_FALSE(call.locate("gone"));
    return call.pick(0, 0);
  });
}

TEST_F(FakeHost, ClaimsAPickAndItsItemsTogether) {
  fake_request request;
  request.instances = 2;
  request.instance_uuids = {"a", "b"};
  const auto outcome = run(
      [](call& call) {
        const std::array<claim_item, 2> gpus{{{"gpu", 1, 1}, {"pci.pool", 2}}};
        const claim_items items(gpus.data(), gpus.size());
        EXPECT_EQ(call.pick(0, 0, {}, {}, items), code::ok);
        EXPECT_EQ(call.pick(1, 0, {}, {}, items), code::claim_lost);
        return call.pick(1, 1, {}, 0.5, items);
      },
      request);
  ASSERT_EQ(outcome.picks.size(), 2u);
  EXPECT_EQ(outcome.picks[1].items.at(0).resource, "gpu");
  EXPECT_EQ(outcome.picks[1].weight, 0.5);
  EXPECT_TRUE(std::isnan(outcome.picks[0].weight));
  EXPECT_EQ(host_.rows()[0].claims["gpu"], 1);
  EXPECT_EQ(host_.rows()[0].claims["pci.pool"], 2);
}

TEST_F(FakeHost, NotesAnItemThatThePickItselfClaims) {
  const auto outcome = run([](call& call) {
    const claim_item again("vcpu", 1);
    EXPECT_EQ(call.pick(0, 0, {}, {}, {&again, 1}), code::invalid_argument);
    return call.pick(0, 0);
  });
  EXPECT_THAT(outcome.misuse,
              ::testing::ElementsAre("pick: expected items beside what the pick itself claims, found vcpu"));
}

TEST_F(FakeHost, NotesACastForAConsumerThatClaimedNothing) {
  Scripted::script() = [](call& call) {
    EXPECT_EQ(call.claim(0, "a", {{"gpu", 1}}), code::ok);
    EXPECT_EQ(call.cast(0, "go", "{}", "a"), code::ok);
    EXPECT_EQ(call.cast(0, "go", "{}", "b"), code::invalid_argument);
    return call.reply("{}");
  };
  const auto outcome = driver_->call_method("any", "{}");
  EXPECT_TRUE(outcome.casts.empty()) << "the call failed";
  EXPECT_THAT(outcome.misuse, ::testing::ElementsAre("cast: this call claimed nothing for 'b'"));
}

TEST_F(FakeHost, GivesEmptyTextsAndListsWithBothFormsOfPointer) {
  std::set<bool> texts;
  std::set<bool> lists;
  for (int call = 0; call < 4; ++call) {
    run([&](gantry::call& call) {
      texts.insert(call.context().remote_address.data == nullptr);
      lists.insert(call.context().roles.items == nullptr);
      EXPECT_EQ(call.context().remote_address.size + call.context().roles.count, 0u);
      return call.pick(0, 0);
    });
  }
  EXPECT_EQ(texts.size(), 2u);
  EXPECT_EQ(lists.size(), 2u);
}

TEST_F(FakeHost, GivesScratchMemoryByTheRulesOfTheRealHost) {
  run([](call& call) {
    const gantry_host& raw = call.host().raw();
    EXPECT_EQ(raw.scratch(call.raw(), 8, 3), nullptr);
    EXPECT_EQ(raw.scratch(call.raw(), 8, 128), nullptr);
    EXPECT_EQ(raw.scratch(call.raw(), std::uint64_t{1} << 40, 8), nullptr);
    EXPECT_EQ(call.scratch<std::uint8_t>(3)[2], 0xA5);
    return call.pick(0, 0);
  });
}

TEST_F(FakeHost, ShowsZerosForUnclaimedResources) {
  run([](call& call) {
    const auto found = call.view_of_topic("compute")->find<column<double>>("claims.gpu");
    EXPECT_TRUE(found);
    EXPECT_EQ((*found)[1], 0);
    EXPECT_TRUE(found->has(1));
    return call.pick(0, 0);
  });
}

TEST_F(FakeHost, ReturnsTheFactsOfALocatedInstance) {
  host_.instances["here"] = {"b", "east", "m1.tiny", "p", "active", "", 2, 512, 3.5};
  run([](call& call) {
    const auto found = call.locate("here");
    EXPECT_EQ(found->row, 1u);
    EXPECT_EQ(found->vcpus, 2);
    EXPECT_EQ(found->memory_mb, 512);
    EXPECT_EQ(found->disk_gb, 3.5);
    EXPECT_EQ(text(found->flavor), "m1.tiny");
    EXPECT_EQ(text(found->project_id), "p");
    EXPECT_EQ(text(found->vm_state), "active");
    return call.pick(0, 0);
  });
}

}  // namespace
}  // namespace gantry
