// SPDX-License-Identifier: Apache-2.0
//
// The operations that a driver may leave out give the same answers in the service's process and in a process of the
// driver's own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "core/drivers/abi/abi_text.hpp"
#include "core/fleet/cells/cell_memory.hpp"
#include "core/fleet/fleet.hpp"
#include "tests/drivers/loaded_zoo.hpp"
#include "tests/drivers/mock_sink.hpp"

namespace gantry::drivers {
namespace {

using ::testing::HasSubstr;
using ::testing::NiceMock;

constexpr fleet::Nanoseconds seen_at = 1'800'000'000'000'000'000;

// Hosts h1 to h4: h2 is disabled, h3 is forced down.
class OptionalOperations : public ::testing::TestWithParam<config::Isolation> {
 protected:
  OptionalOperations()
      : is_shared_(static_cast<bool>(fleet::share_cells())),
        fleet_(fleet::FleetSettings{}),
        zoo_("optional", GetParam()) {
    EXPECT_TRUE(is_shared_);
    for (const std::string host : {"h1", "h2", "h3", "h4"}) {
      fleet::Service service;
      service.topic = "compute";
      service.host = host;
      service.last_seen_up = seen_at;
      service.disabled = host == "h2";
      service.forced_down = host == "h3";
      fleet_.put_service(service);
    }
    context_.struct_size = sizeof(context_);
    context_.request_id = to_abi("req-1");
  }
  void SetUp() override { ASSERT_NE(zoo_.driver(), nullptr) << zoo_.error(); }

  // Runs operation(call, view) and returns its failure, "" for none.
  template <class Operation>
  std::string run(const Operation& operation) {
    const auto moment = fleet_.pin(seen_at);
    NiceMock<MockSink> sink;
    ON_CALL(sink, reply).WillByDefault([this](std::string_view json) {
      replies_.emplace_back(json);
      return GANTRY_OK;
    });
    DriverCallSettings settings;
    settings.moment = moment;
    settings.context = &context_;
    settings.view = moment.view("compute");
    settings.sink = &sink;
    settings.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    DriverCall call(settings);
    const Result<void> done = operation(call, *settings.view);
    return done ? "" : done.error().message;
  }

  // The failure of group_hosts for members on rows 1 and 2 and the listed host h4. Its rows go to rows_.
  std::string group_hosts(std::string_view policy) {
    const std::array<std::uint32_t, 3> members{1, 2, 1};
    const std::array<gantry_string, 2> hosts{to_abi("h4"), to_abi("elsewhere")};
    gantry_group group{};
    group.struct_size = sizeof(group);
    group.policy = to_abi(policy);
    group.member_rows = members.data();
    group.member_row_count = members.size();
    group.hosts = {hosts.data(), hosts.size()};
    return run([&](DriverCall& call, const gantry_view& view) {
      return zoo_.driver()->group_hosts(call, group, view, &rows_);
    });
  }

  std::string update_capabilities(std::string_view capabilities) {
    return run([&](DriverCall& call, const gantry_view&) {
      return zoo_.driver()->update_service_capabilities(call, "compute", "h1", capabilities);
    });
  }

  const bool is_shared_;
  fleet::Fleet fleet_;
  gantry_context context_{};
  LoadedZoo zoo_;
  std::uint64_t rows_ = 0;
  std::vector<std::string> replies_;
};

TEST_P(OptionalOperations, HostsUpReturnsTheDriversRows) {
  EXPECT_EQ(run([&](DriverCall& call, const gantry_view& view) { return zoo_.driver()->hosts_up(call, view, &rows_); }),
            "");
  EXPECT_EQ(rows_, 0b1011U);
}

TEST_P(OptionalOperations, GroupHostsReturnsTheDriversRows) {
  EXPECT_EQ(group_hosts("affinity"), "");
  EXPECT_EQ(rows_, 0b1010U);
}

TEST_P(OptionalOperations, GroupHostsFailsWithTheDriversSentence) {
  EXPECT_EQ(group_hosts("unheard-of"), "driver 'zoo', group_hosts: no rule for the policy 'unheard-of'");
}

TEST_P(OptionalOperations, CapabilitiesAreStoredAsTheDriverRepliesThem) {
  EXPECT_EQ(update_capabilities(R"({"gpus":2})"), "");
  EXPECT_EQ(replies_, std::vector<std::string>{R"({"service":"compute","host":"h1","given":{"gpus":2}})"});
}

TEST_P(OptionalOperations, CapabilitiesWithoutAReplyAreNoFailure) {
  EXPECT_EQ(update_capabilities("{}"), "");
  EXPECT_TRUE(replies_.empty());
}

TEST_P(OptionalOperations, CapabilitiesFailWithTheDriversSentence) {
  EXPECT_EQ(update_capabilities("[1]"), "driver 'zoo', update_service_capabilities: capabilities: expected an object");
  EXPECT_TRUE(replies_.empty());
}

TEST_P(OptionalOperations, ADecisionIsNotOffered) {
  gantry_request request{};
  request.struct_size = sizeof(request);
  request.instances = 1;
  request.hint_stride = sizeof(gantry_hint);
  EXPECT_THAT(run([&](DriverCall& call, const gantry_view& view) {
                request.view = &view;
                return zoo_.driver()->select_destinations(call, request);
              }),
              HasSubstr("this driver makes no decisions"));
}

INSTANTIATE_TEST_SUITE_P(Isolation, OptionalOperations,
                         ::testing::Values(config::Isolation::none, config::Isolation::process), [](const auto& where) {
                           return where.param == config::Isolation::none ? "InTheService" : "InAProcess";
                         });

}  // namespace
}  // namespace gantry::drivers
