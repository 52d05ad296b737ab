// SPDX-License-Identifier: Apache-2.0
//
// Drivers that are built with the headers of a later minor, on the host of today, in the service's process and in a
// process of the driver's own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "core/drivers/abi/abi_text.hpp"
#include "core/fleet/cells/cell_memory.hpp"
#include "core/fleet/fleet.hpp"
#include "tests/drivers/loaded_zoo.hpp"
#include "tests/drivers/mock_sink.hpp"

namespace gantry::drivers {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::NiceMock;

constexpr fleet::Nanoseconds seen_at = 1'800'000'000'000'000'000;

std::vector<std::string> names_of(const gantry_claim_item* items, std::uint32_t count, std::uint32_t stride) {
  std::vector<std::string> names;
  for (std::uint32_t index = 0; index < count; ++index) {
    const auto* const item =
        reinterpret_cast<const gantry_claim_item*>(reinterpret_cast<const char*>(items) + std::size_t{index} * stride);
    names.push_back(std::string(from_abi(item->resource)) + " " + std::to_string(static_cast<int>(item->amount)));
  }
  return names;
}

class LaterDriver : public ::testing::TestWithParam<config::Isolation> {
 protected:
  LaterDriver()
      : is_shared_(static_cast<bool>(fleet::share_cells())), fleet_(fleet::FleetSettings{}), zoo_("later", GetParam()) {
    EXPECT_TRUE(is_shared_);
    for (const std::string host : {"h1", "h2"}) {
      fleet::Service service;
      service.topic = "compute";
      service.host = host;
      service.last_seen_up = seen_at;
      fleet_.put_service(service);
    }
    context_.struct_size = sizeof(context_);
    context_.request_id = to_abi("req-1");
    ON_CALL(sink_, pick).WillByDefault([this](const gantry_pick& pick) {
      claimed_ = names_of(pick.items, pick.item_count, pick.item_stride);
      return GANTRY_OK;
    });
    ON_CALL(sink_, claim).WillByDefault([this](const gantry_claim& claim) {
      claimed_ = names_of(claim.items, claim.item_count, claim.item_stride);
      return GANTRY_OK;
    });
  }
  void SetUp() override { ASSERT_NE(zoo_.driver(), nullptr) << zoo_.error(); }

  // Runs operation(call, view) and returns its failure, "" for none.
  template <class Operation>
  std::string run(const Operation& operation) {
    const auto moment = fleet_.pin(seen_at);
    DriverCallSettings settings;
    settings.moment = moment;
    settings.context = &context_;
    settings.view = moment.view("compute");
    settings.sink = &sink_;
    settings.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    DriverCall call(settings);
    const Result<void> done = operation(call, *settings.view);
    return done ? "" : done.error().message;
  }

  // `asks` is the struct in which the driver asks for something later.
  std::string select(std::string_view asks) {
    gantry_request request{};
    request.struct_size = sizeof(request);
    request.instances = 1;
    request.hint_stride = sizeof(gantry_hint);
    request.flavor = to_abi(asks);
    return run([&](DriverCall& call, const gantry_view& view) {
      request.view = &view;
      return zoo_.driver()->select_destinations(call, request);
    });
  }
  std::string call_method(std::string_view asks) {
    gantry_method_call method{};
    method.struct_size = sizeof(method);
    method.topic = to_abi("compute");
    method.method = to_abi(asks);
    method.args = to_abi("{}");
    return run([&](DriverCall& call, const gantry_view& view) {
      method.view = &view;
      return zoo_.driver()->call_method(call, method);
    });
  }

  const bool is_shared_;
  fleet::Fleet fleet_;
  gantry_context context_{};
  NiceMock<MockSink> sink_;
  LoadedZoo zoo_;
  std::vector<std::string> claimed_;
};

TEST_P(LaterDriver, DecidesWithLongerStructsAndElements) {
  EXPECT_EQ(select("nothing"), "");
  EXPECT_THAT(claimed_, ElementsAre("gpus 1", "nics 2"));
}

TEST_P(LaterDriver, ClaimsAndCastsWithLongerStructsAndElements) {
  EXPECT_EQ(call_method("whole"), "");
  EXPECT_THAT(claimed_, ElementsAre("gpus 1", "nics 2"));
}

TEST_P(LaterDriver, IsRefusedAWishThatTheHostDoesNotKnow) {
  const auto refused = HasSubstr("no field of a later ABI than " GANTRY_ABI_TEXT);
  EXPECT_THAT(select("pick"), AllOf(HasSubstr("pick"), refused));
  EXPECT_THAT(select("item"), refused);
  EXPECT_THAT(select("alternate"), AllOf(HasSubstr("alternate"), refused));
  EXPECT_THAT(call_method("claim"), AllOf(HasSubstr("claim"), refused));
  EXPECT_THAT(call_method("claim_item"), refused);
  EXPECT_THAT(call_method("cast"), AllOf(HasSubstr("cast"), refused));
}

TEST_P(LaterDriver, IsRefusedABitThatTheHostDoesNotKnow) {
  EXPECT_THAT(select("bit"), AllOf(HasSubstr("pick"), HasSubstr("present")));
}

TEST_P(LaterDriver, ThatCannotDoWithoutTheLaterMinorIsToldToUpdateTheHost) {
  const LoadedZoo needed("later_needed", GetParam());
  EXPECT_EQ(needed.driver(), nullptr);
  EXPECT_THAT(needed.error(), HasSubstr("update gantry"));
}

INSTANTIATE_TEST_SUITE_P(Isolation, LaterDriver, ::testing::Values(config::Isolation::none, config::Isolation::process),
                         [](const auto& where) {
                           return where.param == config::Isolation::none ? "InTheService" : "InAProcess";
                         });

}  // namespace
}  // namespace gantry::drivers
