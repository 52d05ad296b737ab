// SPDX-License-Identifier: Apache-2.0
//
// What the picks of a request hold of the fleet, and what is left when it fails.
#include "core/scheduling/decision/pick_sink.hpp"

#include <gtest/gtest.h>

#include "core/drivers/abi/abi_text.hpp"

namespace gantry::scheduling {
namespace {

constexpr std::int64_t noon = 1'800'000'000'000'000'000;
const std::string first = "00000000-0000-4000-8000-000000000001";
const std::string second = "00000000-0000-4000-8000-000000000002";

class DecisionTest : public testing::Test {
 protected:
  DecisionTest() {
    fleet::ComputeNode node{"compute", "h1", "n1", *json::parse_object(R"({"vcpus":8,"vcpus_used":2})"), noon, noon};
    fleet::ComputeNode merged;
    fleet::ClaimChanges changes;
    fleet_.put_compute_node(node, merged, changes);
  }

  struct Request {
    RequestSpec spec;
    fleet::Moment moment;
    std::unique_ptr<PickSink> sink;
  };
  std::unique_ptr<Request> request(const std::vector<std::string>& uuids, ClaimMode mode = ClaimMode::in_memory) {
    auto made = std::make_unique<Request>();
    made->spec.num_instances = std::max<std::uint32_t>(1, static_cast<std::uint32_t>(uuids.size()));
    made->spec.instance_uuids = uuids;
    made->spec.vcpus = 1;
    made->moment = fleet_.pin(noon);
    made->sink =
        std::make_unique<PickSink>(fleet_, made->moment, *made->moment.view("compute"), made->spec, mode, noon);
    return made;
  }
  // An earlier request for the first instance, made good.
  void hold(const gantry_pick& pick, ClaimMode mode) {
    const auto made = request({first}, mode);
    ASSERT_EQ(made->sink->pick(pick), GANTRY_OK);
    fleet::ClaimChanges changes;
    ASSERT_EQ(confirm_all(made->sink->tickets(), changes), nullptr);
    changes.commit();
  }
  static gantry_pick with_gpu(const gantry_claim_item& item, std::uint32_t instance = 0) {
    gantry_pick pick{};
    pick.struct_size = sizeof pick;
    pick.instance = instance;
    pick.items = &item;
    pick.item_count = 1;
    pick.item_stride = sizeof item;
    return pick;
  }
  static gantry_pick pick_of(std::uint32_t instance) {
    gantry_pick pick{};
    pick.struct_size = sizeof pick;
    pick.instance = instance;
    return pick;
  }

  fleet::Fleet fleet_{fleet::FleetSettings{}};
  const gantry_claim_item last_gpu_{drivers::to_abi("gpu"), 1, 1, GANTRY_CLAIM_LIMIT, 0};
};

TEST_F(DecisionTest, LetsOneOfTwoRequestsHaveTheLastUnitOfAResource) {
  const auto early = request({first});
  const auto late = request({second});  // both see a host whose unit is free
  EXPECT_EQ(early->sink->pick(with_gpu(last_gpu_)), GANTRY_OK);
  EXPECT_EQ(late->sink->pick(with_gpu(last_gpu_)), GANTRY_CLAIM_LOST);
  ASSERT_EQ(fleet_.claims().size(), 1U);
  EXPECT_EQ(fleet_.claims()[0].consumer, first);
  early->sink.reset();
  EXPECT_EQ(late->sink->pick(with_gpu(last_gpu_)), GANTRY_OK);
}

TEST_F(DecisionTest, LosesTheWholePickWithOneOfItsResources) {
  hold(with_gpu(last_gpu_), ClaimMode::in_memory);
  const auto late = request({second});
  EXPECT_EQ(late->sink->pick(with_gpu(last_gpu_)), GANTRY_CLAIM_LOST);
  const auto moment = fleet_.pin(noon);
  const auto* claimed = moment.column(*moment.view("compute"), "claims.vcpu");
  EXPECT_EQ(static_cast<const double*>(claimed->values)[0], 1.0);
}

TEST_F(DecisionTest, ClaimsNamedResourcesAloneBesideAnAuthority) {
  hold(with_gpu(last_gpu_), ClaimMode::named);
  EXPECT_EQ(request({second}, ClaimMode::named)->sink->pick(with_gpu(last_gpu_)), GANTRY_CLAIM_LOST);
  const auto moment = fleet_.pin(noon);
  const auto* used = moment.column(*moment.view("compute"), "vcpus_used");
  EXPECT_EQ(static_cast<const double*>(used->values)[0], 2.0) << "as the host has reported";
}

TEST_F(DecisionTest, CountsARequestsOwnPicksWithoutIdsAndLeavesNoClaims) {
  const auto tried = request({});
  tried->spec.num_instances = 2;
  PickSink sink(fleet_, tried->moment, *tried->moment.view("compute"), tried->spec, ClaimMode::in_memory, noon);
  EXPECT_EQ(sink.pick(with_gpu(last_gpu_, 0)), GANTRY_OK);
  EXPECT_EQ(sink.pick(with_gpu(last_gpu_, 1)), GANTRY_CLAIM_LOST);
  EXPECT_TRUE(fleet_.claims().empty());
}

TEST_F(DecisionTest, CountsTheClaimsOfOthersWithoutIds) {
  hold(with_gpu(last_gpu_), ClaimMode::in_memory);
  EXPECT_EQ(request({})->sink->pick(with_gpu(last_gpu_)), GANTRY_CLAIM_LOST);
}

TEST_F(DecisionTest, RestoresTheReplacedClaimAfterAFailedRequest) {
  hold(with_gpu(last_gpu_), ClaimMode::durable);
  const auto before = fleet_.claims().at(0);
  ASSERT_TRUE(before.durable && before.cast_waits);
  const auto again = request({second, first});
  ASSERT_EQ(again->sink->pick(pick_of(0)), GANTRY_OK);
  ASSERT_EQ(again->sink->pick(pick_of(1)), GANTRY_OK);
  const auto meanwhile = fleet_.claims();
  ASSERT_EQ(meanwhile.size(), 2U);
  EXPECT_TRUE(meanwhile[0].durable && meanwhile[0].cast_waits) << "what was promised of it holds on";
  again->sink.reset();
  ASSERT_EQ(fleet_.claims().size(), 1U);
  EXPECT_EQ(json::write(to_json(fleet_.claims()[0])), json::write(to_json(before)));
  fleet::ClaimChanges changes;
  fleet_.sweep_claims(noon + 3'600'000'000'000, changes);
  EXPECT_TRUE(changes.empty()) << "a claim whose cast waits does not age";
}

TEST_F(DecisionTest, RestoresAClaimAsAgingIfItsCastWasAcknowledgedMeanwhile) {
  hold(pick_of(0), ClaimMode::durable);
  const auto again = request({first});
  ASSERT_EQ(again->sink->pick(pick_of(0)), GANTRY_OK);
  fleet::ClaimChanges changes;
  fleet_.acknowledge_cast(first, noon + 5, changes);
  changes.commit();
  again->sink.reset();
  ASSERT_EQ(fleet_.claims().size(), 1U);
  EXPECT_FALSE(fleet_.claims()[0].cast_waits);
  EXPECT_EQ(fleet_.claims()[0].created_at, noon + 5);
}

TEST_F(DecisionTest, RestoresNoClaimThatEndedMeanwhile) {
  hold(pick_of(0), ClaimMode::durable);
  const auto again = request({first});
  ASSERT_EQ(again->sink->pick(pick_of(0)), GANTRY_OK);
  fleet::ClaimChanges changes;
  fleet_.release_claims(first, changes);
  changes.commit();
  again->sink.reset();
  EXPECT_TRUE(fleet_.claims().empty());
}

TEST_F(DecisionTest, GivesBackBothClaimsOfAnInstanceThatIsNamedTwice) {
  const auto twice = request({first, first});
  ASSERT_EQ(twice->sink->pick(pick_of(0)), GANTRY_OK);
  ASSERT_EQ(twice->sink->pick(pick_of(1)), GANTRY_OK);
  twice->sink.reset();
  EXPECT_TRUE(fleet_.claims().empty());
}

TEST_F(DecisionTest, ShowsOnlyTheLimitsThatAreSet) {
  gantry_pick pick = pick_of(0);
  pick.present = GANTRY_LIMIT_VCPU;
  pick.limits = {8, 9, 10, drivers::to_abi(R"({"numa":1})")};
  EXPECT_EQ(json::write_canonical(to_json(limits_of(pick))), R"({"numa":1,"vcpu":8.0})");
  pick.limits.other = {nullptr, 5};
  pick.present = 0;
  EXPECT_EQ(json::write(to_json(limits_of(pick))), "{}");
}

}  // namespace
}  // namespace gantry::scheduling
