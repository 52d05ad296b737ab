// SPDX-License-Identifier: Apache-2.0
//
// Asking the host which rows have changed since an earlier view.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/call/driver_call.hpp"
#include "core/drivers/call/host_services.hpp"
#include "core/fleet/fleet.hpp"

namespace gantry::drivers {
namespace {

using testing::HasSubstr;

class Changes : public testing::Test {
 protected:
  Changes() {
    for (const auto* host : {"a", "b", "c"}) see(host, 1);
    moment_ = fleet_.pin(now);
  }
  void see(const std::string& host, fleet::Nanoseconds at) {
    fleet::Service service;
    service.topic = "compute";
    service.host = host;
    service.last_seen_up = at;
    fleet_.put_service(service);
  }
  DriverCallSettings settings() const {
    DriverCallSettings settings;
    settings.moment = moment_;
    settings.view = moment_.view("compute");
    settings.deadline = std::chrono::steady_clock::time_point::max();
    return settings;
  }
  const gantry_changes& table() {
    return *static_cast<const gantry_changes*>(
        services_.table()->extension(services_.table(), to_abi(GANTRY_CHANGES_EXTENSION)));
  }

  static constexpr fleet::Nanoseconds now = 1'000;
  fleet::Fleet fleet_{{}};
  fleet::Moment moment_;
  HostServices services_{"zoo", telemetry::Logger::none(), std::make_shared<telemetry::Counters>()};
};

TEST_F(Changes, ReportsTheRowsThatChangedSinceAnEarlierView) {
  const auto since = moment_.view("compute")->generation;
  see("b", 2);
  moment_ = fleet_.pin(now);
  DriverCall call(settings());
  std::vector<std::uint32_t> rows(8);
  std::uint64_t count = 0;
  ASSERT_EQ(table().rows(call.handle(), moment_.view("compute"), since, 0, rows.data(), rows.size(), &count),
            GANTRY_OK);
  ASSERT_EQ(count, 1U);
  EXPECT_EQ(moment_.row_name(*moment_.view("compute"), rows[0]).host, "b");
}

TEST_F(Changes, ReportsNoRowIfOnlyTimesChangedAndTheDriverIgnoresTimes) {
  const auto since = moment_.view("compute")->generation;
  see("b", 2);
  fleet_.put_service({"compute", "a", "", true, "", false, 2, 0});
  moment_ = fleet_.pin(now);
  DriverCall call(settings());
  std::vector<std::uint32_t> rows(8);
  std::uint64_t count = 0;
  ASSERT_EQ(table().rows(call.handle(), moment_.view("compute"), since, GANTRY_CHANGES_BUT_TIMES, rows.data(),
                         rows.size(), &count),
            GANTRY_OK);
  ASSERT_EQ(count, 1U);
  EXPECT_EQ(moment_.row_name(*moment_.view("compute"), rows[0]).host, "a");
}

TEST_F(Changes, RefusesMoreRowsThanTheCapacity) {
  const auto since = moment_.view("compute")->generation;
  see("a", 2);
  see("b", 2);
  moment_ = fleet_.pin(now);
  DriverCall call(settings());
  std::uint32_t row = 0;
  std::uint64_t count = 0;
  EXPECT_EQ(table().rows(call.handle(), moment_.view("compute"), since, 0, &row, 1, &count), GANTRY_RESOURCE_EXHAUSTED);
  EXPECT_EQ(count, 0U);
}

TEST_F(Changes, ReportsThatAnyRowMayHaveChangedAfterAHostWasRemoved) {
  const auto since = moment_.view("compute")->generation;
  fleet_.remove_service("compute", "c");
  moment_ = fleet_.pin(now);
  DriverCall call(settings());
  std::vector<std::uint32_t> rows(8);
  std::uint64_t count = 0;
  EXPECT_EQ(table().rows(call.handle(), moment_.view("compute"), since, 0, rows.data(), rows.size(), &count),
            GANTRY_RESOURCE_EXHAUSTED);
}

TEST_F(Changes, RefusesADerivedView) {
  DriverCall call(settings());
  const auto* derived = services_.table()->derive(call.handle(), moment_.view("compute"));
  std::uint64_t count = 0;
  EXPECT_EQ(table().rows(call.handle(), derived, 1, 0, nullptr, 0, &count), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(std::string(call.failure_sentence()), HasSubstr("derived"));
  EXPECT_EQ(table().rows(call.handle(), nullptr, 1, 0, nullptr, 0, &count), GANTRY_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace gantry::drivers
