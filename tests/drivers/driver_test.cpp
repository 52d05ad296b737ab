// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/driver.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "core/drivers/abi/abi_text.hpp"
#include "tests/drivers/example_view.hpp"
#include "tests/drivers/loaded_zoo.hpp"
#include "tests/drivers/mock_sink.hpp"

namespace gantry::drivers {
namespace {

using testing::_;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::NiceMock;
using testing::Return;

class DriverTest : public testing::Test {
 protected:
  explicit DriverTest(const std::string& name = "plain") : zoo_(name) {}
  void SetUp() override { ASSERT_NE(zoo_.driver(), nullptr) << zoo_.error(); }

  gantry_request request(std::string_view flavor) const {
    gantry_request request{};
    request.struct_size = sizeof(request);
    request.instances = 1;
    request.view = &example_.view();
    request.flavor = to_abi(flavor);
    return request;
  }
  Result<void> select(std::string_view flavor, DriverCallSettings settings) {
    DriverCall call(std::move(settings));
    return zoo_.driver()->select_destinations(call, request(flavor));
  }
  Result<void> select(std::string_view flavor) { return select(flavor, example_.call_settings(&sink_)); }

  ExampleView example_;
  NiceMock<MockSink> sink_;
  LoadedZoo zoo_;
};

class SerialDriverTest : public DriverTest {
 protected:
  SerialDriverTest() : DriverTest("serial") {}
};

class MethodsDriverTest : public DriverTest {
 protected:
  MethodsDriverTest() : DriverTest("methods") {}
};

class MethodsAloneDriverTest : public DriverTest {
 protected:
  MethodsAloneDriverTest() : DriverTest("methods_alone") {}
};

TEST_F(DriverTest, PassesPicksToTheSinkAndCountsTheCall) {
  EXPECT_CALL(sink_, pick(_)).WillOnce(Return(GANTRY_OK));
  EXPECT_TRUE(select("small"));
  EXPECT_EQ(zoo_.driver()->calls(), 1U);
  EXPECT_EQ(zoo_.driver()->failures(), 0U);
  EXPECT_EQ(zoo_.counters().list().at(0).name, "driver.asked");
}

class LongerDriverTest : public DriverTest {
 protected:
  LongerDriverTest() : DriverTest("longer") {}
};

class FirstVersionDriverTest : public DriverTest {
 protected:
  FirstVersionDriverTest() : DriverTest("first_version") {}
};

class DriverOfALaterFieldTest : public DriverTest {
 protected:
  DriverOfALaterFieldTest() : DriverTest("asks_for_more") {}
};

TEST_F(DriverOfALaterFieldTest, IsToldThatThisHostDoesNotKnowTheField) {
  const auto outcome = select("small");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::internal);
  EXPECT_THAT(outcome.error().message, HasSubstr("pick: expected no field of a later ABI"));
}

TEST_F(LongerDriverTest, AcceptsStructsOfALaterVersion) {
  EXPECT_CALL(sink_, pick(testing::Field(&gantry_pick::weight, 1.0))).WillOnce(Return(GANTRY_OK));
  EXPECT_TRUE(select("small"));
}

TEST_F(FirstVersionDriverTest, AcceptsStructsOfTheFirstVersion) {
  EXPECT_CALL(sink_, pick(testing::Field(&gantry_pick::weight, 1.0))).WillOnce(Return(GANTRY_OK));
  EXPECT_TRUE(select("small"));
}

TEST_F(DriverTest, TreatsNoValidHostAsAResult) {
  const Result<void> outcome = select("none");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::no_valid_host);
  EXPECT_EQ(zoo_.driver()->failures(), 0U);
}

TEST_F(DriverTest, DropsTheSentenceOfAnEarlierFailureForNoValidHost) {
  const Result<void> outcome = select("recovered");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::no_valid_host);
  EXPECT_EQ(outcome.error().message, "");
}

TEST_F(DriverTest, AFailureCarriesTheDriversSentence) {
  const Result<void> outcome = select("wrong");
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(outcome.error().message, "driver 'zoo', select_destinations: no such flavor");
}

TEST_F(DriverTest, ARefusedArgumentIsTheCallersFailureAndNotTheDrivers) {
  ASSERT_FALSE(select("wrong"));
  EXPECT_EQ(zoo_.driver()->failures(), 0U);
  ASSERT_FALSE(select("unknown"));
  EXPECT_EQ(zoo_.driver()->failures(), 1U);
}

TEST_F(DriverTest, AnUnknownCodeIsInternalAndNamed) {
  EXPECT_THAT(select("unknown").error().message, AllOf(HasSubstr("'zoo'"), HasSubstr("found 99")));
  EXPECT_EQ(zoo_.driver()->failures(), 1U);
}

TEST_F(DriverTest, KnowsItsFile) {
  EXPECT_EQ(zoo_.driver()->file().sha256.size(), 64U);
  EXPECT_EQ(zoo_.driver()->manifest().version, "1.0.0");
  EXPECT_THAT(zoo_.set().topics(), ElementsAre("compute"));
  EXPECT_EQ(zoo_.set().for_topic("volume"), nullptr);
}

TEST_F(DriverTest, ReturnsRowsUpAndNotDisabledForHostsUpByDefault) {
  DriverCall call(example_.call_settings());
  std::uint64_t rows = 0;
  ASSERT_TRUE(zoo_.driver()->hosts_up(call, example_.view(), &rows));
  EXPECT_EQ(rows, 0b101U);
}

TEST_F(DriverTest, ReturnsTheRowsOfLiveMembersForGroupHostsByDefault) {
  DriverCall call(example_.call_settings());
  const std::array<std::uint32_t, 3> members{2, 2, 77};
  gantry_group group{};
  group.struct_size = sizeof(group);
  group.member_rows = members.data();
  group.member_row_count = members.size();
  std::uint64_t rows = 0;
  ASSERT_TRUE(zoo_.driver()->group_hosts(call, group, example_.view(), &rows));
  EXPECT_EQ(rows, 0b100U);
}

TEST_F(DriverTest, StoresCapabilitiesUnchangedByDefault) {
  DriverCall call(example_.call_settings(&sink_));
  EXPECT_TRUE(zoo_.driver()->update_service_capabilities(call, "compute", "h1", "{}"));
}

TEST_F(DriverTest, SaysThatADriverHasNoMethods) {
  DriverCall call(example_.call_settings(&sink_));
  gantry_method_call method{};
  method.struct_size = sizeof(method);
  method.topic = to_abi("compute");
  method.method = to_abi("ping");
  const Result<void> outcome = zoo_.driver()->call_method(call, method);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::unsupported);
  EXPECT_THAT(outcome.error().message, AllOf(HasSubstr("has none"), HasSubstr("'ping'")));
}

TEST_F(DriverTest, AReentrantDriverServesTwoCallsAtATime) {
  DriverCallSettings settings = example_.call_settings();
  settings.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  auto waiting = std::async(std::launch::async, [&] { return select("wait", settings); });
  while (zoo_.counters().list().empty()) std::this_thread::yield();
  EXPECT_EQ(select("none", example_.call_settings()).error().code, ErrorCode::no_valid_host);
  EXPECT_EQ(waiting.get().error().code, ErrorCode::deadline_exceeded);
}

TEST_F(SerialDriverTest, WaitsForThePreviousCallUntilTheDeadline) {
  DriverCallSettings settings = example_.call_settings();
  settings.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(300);
  auto waiting = std::async(std::launch::async, [&] { return select("wait", settings); });
  while (zoo_.counters().list().empty()) std::this_thread::yield();
  const Result<void> late = select("small", example_.late_call_settings());
  ASSERT_FALSE(late);
  EXPECT_EQ(late.error().code, ErrorCode::deadline_exceeded);
  EXPECT_THAT(late.error().message, AllOf(HasSubstr("'zoo'"), HasSubstr("serial")));
  EXPECT_EQ(select("none").error().code, ErrorCode::no_valid_host);
  EXPECT_EQ(waiting.get().error().code, ErrorCode::deadline_exceeded);
}

TEST_F(MethodsDriverTest, RunsTheMethodsOfItsManifestAndListsThemForAnyOther) {
  EXPECT_TRUE(zoo_.driver()->offers("compute", "echo"));
  EXPECT_FALSE(zoo_.driver()->offers("volume", "echo"));
  gantry_method_call method{};
  method.struct_size = sizeof(method);
  method.topic = to_abi("compute");
  method.method = to_abi("echo");
  method.args = to_abi(R"({"a":1})");
  DriverCall call(example_.call_settings(&sink_));
  EXPECT_CALL(sink_, reply(std::string_view(R"({"a":1})"))).WillOnce(Return(GANTRY_OK));
  EXPECT_TRUE(zoo_.driver()->call_method(call, method));
  method.method = to_abi("ecko");
  EXPECT_THAT(zoo_.driver()->call_method(call, method).error().message, HasSubstr("one of echo, ping"));
}

TEST_F(MethodsAloneDriverTest, RunsItsMethodsAndSaysThatItChoosesNoHosts) {
  gantry_method_call method{};
  method.struct_size = sizeof(method);
  method.topic = to_abi("compute");
  method.method = to_abi("echo");
  method.args = to_abi("{}");
  DriverCall echo(example_.call_settings(&sink_));
  EXPECT_CALL(sink_, reply(std::string_view("{}"))).WillOnce(Return(GANTRY_OK));
  EXPECT_TRUE(zoo_.driver()->call_method(echo, method));
  DriverCall run(example_.call_settings(&sink_));
  for (const Result<void>& outcome : {select("small"), zoo_.driver()->schedule_run_instance(run, request("small"))}) {
    ASSERT_FALSE(outcome);
    EXPECT_EQ(outcome.error().code, ErrorCode::unsupported);
    EXPECT_THAT(outcome.error().message, HasSubstr("driver 'zoo' does not choose hosts"));
  }
  EXPECT_EQ(zoo_.driver()->calls(), 1U);
}

TEST_F(MethodsDriverTest, MarksRowsCompleteThatHaveEachNeededColumn) {
  DriverCall call(example_.call_settings());
  const std::uint64_t* rows = zoo_.driver()->complete_rows(call, example_.view());
  ASSERT_NE(rows, nullptr);
  EXPECT_EQ(rows[0], 0b101U);
}

}  // namespace
}  // namespace gantry::drivers
