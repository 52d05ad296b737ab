// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/call/driver_call.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/call/host_services.hpp"
#include "tests/drivers/example_view.hpp"

namespace gantry::drivers {
namespace {

using testing::HasSubstr;

class CallTest : public testing::Test {
 protected:
  const double* reals(const gantry_view* view, std::string_view name) {
    const gantry_column* column = host().column(handle(), view, to_abi(name));
    return column == nullptr ? nullptr : static_cast<const double*>(column->values);
  }
  const gantry_host& host() { return *services_.table(); }
  gantry_call* handle() { return call_.handle(); }
  const gantry_view* view() { return &example_.view(); }

  ExampleView example_;
  std::shared_ptr<telemetry::Counters> counters_ = std::make_shared<telemetry::Counters>();
  HostServices services_{"zoo", telemetry::Logger::none(), counters_};
  DriverCall call_{example_.call_settings()};
};

TEST_F(CallTest, FindsAColumnByName) {
  const gantry_column* vcpus = host().column(handle(), view(), to_abi("vcpus"));
  ASSERT_NE(vcpus, nullptr);
  EXPECT_EQ(vcpus->type, GANTRY_TYPE_I64);
  EXPECT_EQ(host().column(handle(), view(), to_abi("no_such")), nullptr);
}

TEST_F(CallTest, ShowsZerosForAResourceWithoutClaims) {
  const gantry_column* claims = host().column(handle(), view(), to_abi("claims.disks"));
  ASSERT_NE(claims, nullptr);
  EXPECT_EQ(claims->type, GANTRY_TYPE_F64);
  EXPECT_EQ(claims->validity, nullptr);
  EXPECT_EQ(static_cast<const double*>(claims->values)[2], 0.0);
}

TEST_F(CallTest, ADerivedViewShowsTheSameUntilItIsWrittenTo) {
  const gantry_view* derived = host().derive(handle(), view());
  ASSERT_NE(derived, nullptr);
  EXPECT_EQ(derived->rows, view()->rows);
  EXPECT_EQ(reals(derived, "vcpus_used"), reals(view(), "vcpus_used"));
  gantry_writable own{sizeof(gantry_writable), 0, nullptr, nullptr};
  ASSERT_EQ(host().write(handle(), derived, to_abi("vcpus_used"), &own), GANTRY_OK);
  static_cast<double*>(own.values)[1] = 10;
  EXPECT_EQ(reals(derived, "vcpus_used")[1], 10.0);
  EXPECT_EQ(reals(derived, "vcpus_used")[2], 3.0);
  EXPECT_EQ(reals(view(), "vcpus_used")[1], 2.0);
}

TEST_F(CallTest, WritingTwiceGivesTheSameCopy) {
  const gantry_view* derived = host().derive(handle(), view());
  gantry_writable first{sizeof(gantry_writable), 0, nullptr, nullptr};
  gantry_writable second{sizeof(gantry_writable), 0, nullptr, nullptr};
  host().write(handle(), derived, to_abi("vcpus_used"), &first);
  host().write(handle(), derived, to_abi("vcpus_used"), &second);
  EXPECT_EQ(first.values, second.values);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first.values) % 64, 0U);
}

TEST_F(CallTest, AWrittenColumnHasAValidityOfItsOwn) {
  const gantry_view* derived = host().derive(handle(), view());
  gantry_writable vcpus{sizeof(gantry_writable), 0, nullptr, nullptr};
  ASSERT_EQ(host().write(handle(), derived, to_abi("vcpus"), &vcpus), GANTRY_OK);
  EXPECT_EQ(vcpus.validity[0], 0b101U);
  gantry_writable used{sizeof(gantry_writable), 0, nullptr, nullptr};
  ASSERT_EQ(host().write(handle(), derived, to_abi("vcpus_used"), &used), GANTRY_OK);
  EXPECT_EQ(used.validity[0], 0b111U);
}

TEST_F(CallTest, AViewDerivedFromADerivedOneIsIndependentOfIt) {
  const gantry_view* first = host().derive(handle(), view());
  gantry_writable own{sizeof(gantry_writable), 0, nullptr, nullptr};
  host().write(handle(), first, to_abi("vcpus_used"), &own);
  static_cast<double*>(own.values)[0] = 7;
  const gantry_view* second = host().derive(handle(), first);
  ASSERT_NE(second, nullptr);
  static_cast<double*>(own.values)[0] = 8;
  EXPECT_EQ(reals(second, "vcpus_used")[0], 7.0);
  gantry_writable inner{sizeof(gantry_writable), 0, nullptr, nullptr};
  ASSERT_EQ(host().write(handle(), second, to_abi("vcpus_used"), &inner), GANTRY_OK);
  static_cast<double*>(inner.values)[0] = 9;
  EXPECT_EQ(reals(first, "vcpus_used")[0], 8.0);
  EXPECT_EQ(reals(view(), "vcpus_used")[0], 1.0);
}

TEST_F(CallTest, ADerivedViewHasNoGenerationToCacheBy) {
  EXPECT_EQ(view()->generation, 7U);
  EXPECT_EQ(host().derive(handle(), view())->generation, 0U);
}

TEST_F(CallTest, FillsInOnlyTheFieldsThatTheDriverKnows) {
  const gantry_view* derived = host().derive(handle(), view());
  struct {
    gantry_writable known{};
    std::uint64_t more = 9;
  } later;
  later.known.struct_size = sizeof(later);
  ASSERT_EQ(host().write(handle(), derived, to_abi("vcpus"), &later.known), GANTRY_OK);
  EXPECT_NE(later.known.values, nullptr);
  EXPECT_EQ(later.known.struct_size, sizeof(gantry_writable)) << "says what was filled in";
  EXPECT_EQ(later.more, 9U);
  gantry_writable unsaid{};
  EXPECT_EQ(host().write(handle(), derived, to_abi("vcpus"), &unsaid), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(std::string(call_.failure_sentence()), HasSubstr("write: expected struct_size of at least 24, found 0"));
}

TEST_F(CallTest, ReusesTheZerosOfAResourceWithoutClaims) {
  const gantry_column* first = host().column(handle(), view(), to_abi("claims.disks"));
  EXPECT_EQ(host().column(handle(), view(), to_abi("claims.disks")), first);
  EXPECT_NE(host().column(handle(), view(), to_abi("claims.gpu")), first);
}

TEST_F(CallTest, RefusesToWriteToTheViewItselfAndToUnknownColumns) {
  gantry_writable own{sizeof(gantry_writable), 0, nullptr, nullptr};
  EXPECT_EQ(host().write(handle(), view(), to_abi("vcpus"), &own), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(std::string(call_.failure_sentence()), HasSubstr("derive"));
  const gantry_view* derived = host().derive(handle(), view());
  EXPECT_EQ(host().write(handle(), derived, to_abi("no_such"), &own), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(std::string(call_.failure_sentence()), HasSubstr("'no_such'"));
}

TEST_F(CallTest, GivesTheCallsOwnViewForItsTopicAndNoneForAnUnknownOne) {
  EXPECT_EQ(host().view(handle(), to_abi("compute")), view());
  EXPECT_EQ(host().view(handle(), to_abi("no_such")), nullptr);
}

TEST_F(CallTest, LocatesNoInstanceThatIsUnknown) {
  gantry_location location{};
  location.struct_size = sizeof(location);
  EXPECT_EQ(host().locate(handle(), to_abi("4d5e9fb9-5fc4-4a3b-9f61-7fb8f4a4a1a1"), &location), GANTRY_NO_VALID_HOST);
  EXPECT_EQ(location.row, UINT32_MAX);
  EXPECT_EQ(host().locate(handle(), to_abi("not-a-uuid"), &location), GANTRY_INVALID_ARGUMENT);
}

TEST_F(CallTest, LocatesNothingInACallWithoutAView) {
  DriverCallSettings settings = example_.call_settings();
  settings.view = nullptr;
  DriverCall call(std::move(settings));
  gantry_location location{};
  location.struct_size = sizeof(location);
  EXPECT_EQ(host().locate(call.handle(), to_abi("4d5e9fb9-5fc4-4a3b-9f61-7fb8f4a4a1a1"), &location),
            GANTRY_UNSUPPORTED);
  EXPECT_EQ(location.row, UINT32_MAX);
}

TEST_F(CallTest, RefusesALocationWithoutItsSize) {
  gantry_location location{};
  EXPECT_EQ(host().locate(handle(), to_abi("4d5e9fb9-5fc4-4a3b-9f61-7fb8f4a4a1a1"), &location),
            GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(std::string(call_.failure_sentence()), HasSubstr("locate: expected struct_size of at least 104"));
}

TEST_F(CallTest, KeepsOneTimeSeedAndDeadlineForACall) {
  EXPECT_EQ(host().now(handle()), 1'700'000'000'000'000'000);
  EXPECT_EQ(host().random(handle()), 11091344671253066420U);
  EXPECT_EQ(host().should_stop(handle()), 0);
  EXPECT_GT(host().time_left_ns(handle()), 0);
  DriverCall late(example_.late_call_settings());
  EXPECT_EQ(host().should_stop(late.handle()), 1);
  EXPECT_EQ(host().time_left_ns(late.handle()), 0);
}

TEST_F(CallTest, KeepsTheLastSentenceAsTextThatPeopleCanRead) {
  host().fail(handle(), GANTRY_INTERNAL, to_abi("first"));
  EXPECT_EQ(host().fail(handle(), GANTRY_UNSUPPORTED, to_abi("bad \xff byte")), GANTRY_UNSUPPORTED);
  EXPECT_EQ(call_.failure_code(), GANTRY_UNSUPPORTED);
  EXPECT_EQ(call_.failure_sentence(), "bad \xEF\xBF\xBD byte");
  host().fail(handle(), GANTRY_INTERNAL, {nullptr, 5});
  EXPECT_EQ(call_.failure_sentence(), "");
}

TEST_F(CallTest, CountsInTheDriversName) {
  host().count(services_.table(), to_abi("asked"), 2);
  host().count(services_.table(), to_abi("asked"), 1);
  const auto entries = counters_->list();
  ASSERT_EQ(entries.size(), 1U);
  EXPECT_EQ(entries[0].name, "driver.asked");
  EXPECT_EQ(entries[0].label, "zoo");
  EXPECT_EQ(entries[0].value, 3U);
}

TEST_F(CallTest, SurvivesADriverThatPassesNull) {
  gantry_writable own{sizeof(gantry_writable), 0, nullptr, nullptr};
  EXPECT_EQ(host().column(nullptr, view(), to_abi("vcpus")), nullptr);
  EXPECT_EQ(host().derive(handle(), nullptr), nullptr);
  EXPECT_EQ(host().write(handle(), nullptr, to_abi("x"), &own), GANTRY_INVALID_ARGUMENT);
  EXPECT_EQ(host().fail(nullptr, GANTRY_INTERNAL, to_abi("x")), GANTRY_INTERNAL);
  host().log(services_.table(), nullptr, GANTRY_LOG_ERROR, {nullptr, 3});
}

class CountingLogger final : public telemetry::Logger {
 public:
  bool enabled(telemetry::Level) const override { return true; }
  using Logger::write;
  void write(telemetry::Level, std::string_view message, std::span<const telemetry::Field>) override {
    ++lines;
    last = message;
  }
  Result<void> reopen() override { return {}; }
  std::uint64_t lines = 0;
  std::string last;
};

class CallThatLogs : public ::testing::Test {
 protected:
  void log(const std::string& line, std::uint64_t times) {
    DriverCall call({});
    for (std::uint64_t at = 0; at < times; ++at)
      services_.table()->log(services_.table(), call.handle(), GANTRY_LOG_INFO, to_abi(line));
  }
  std::shared_ptr<CountingLogger> logger_ = std::make_shared<CountingLogger>();
  HostServices services_{"zoo", logger_, std::make_shared<telemetry::Counters>()};
};

TEST_F(CallThatLogs, WritesAThousandLinesAndThenHowManyMore) {
  log("a line", 1000);
  EXPECT_EQ(logger_->lines, 1000U);
  EXPECT_EQ(logger_->last, "a line");
  log("a line", 1007);
  EXPECT_EQ(logger_->lines, 2001U);
  EXPECT_THAT(logger_->last, ::testing::HasSubstr("7 more lines of one call of the driver"));
}

TEST_F(CallThatLogs, WritesAMebibyteAndThenHowManyLinesMore) {
  log(std::string(4096, 'x'), 900);
  EXPECT_LT(logger_->lines, 400U);
  EXPECT_THAT(logger_->last, ::testing::HasSubstr("more lines of one call of the driver"));
}

}  // namespace
}  // namespace gantry::drivers
