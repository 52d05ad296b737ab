// SPDX-License-Identifier: Apache-2.0
//
// The calls of a badly behaved driver come to the same in a process of its own.
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "core/drivers/abi/abi_text.hpp"
#include "core/fleet/cells/cell_memory.hpp"
#include "core/fleet/fleet.hpp"
#include "tests/drivers/loaded_zoo.hpp"
#include "tests/drivers/mock_sink.hpp"

namespace gantry::drivers {
namespace {

using ::testing::HasSubstr;
using ::testing::NiceMock;

constexpr fleet::Nanoseconds now = 1'800'000'000'000'000'000;

class AnswersApart : public ::testing::Test {
 protected:
  AnswersApart() : is_shared_(static_cast<bool>(fleet::share_cells())), fleet_(fleet::FleetSettings{}) {
    EXPECT_TRUE(is_shared_);
    fleet::Service service;
    service.topic = "compute";
    service.host = "h1";
    service.last_seen_up = now;
    fleet_.put_service(service);
    context_.struct_size = sizeof(context_);
    context_.request_id = to_abi("req-1");
  }

  // The outcome of a decision, and how many picks reach the sink.
  std::string answer(const LoadedZoo& zoo, const std::string& flavor) {
    const auto moment = fleet_.pin(now);
    NiceMock<MockSink> sink;
    int picks = 0;
    ON_CALL(sink, pick).WillByDefault([&picks](const gantry_pick&) {
      ++picks;
      return GANTRY_OK;
    });
    DriverCallSettings settings;
    settings.moment = moment;
    settings.context = &context_;
    settings.view = moment.view("compute");
    settings.sink = &sink;
    settings.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(flavor == "wait" ? 200 : 60'000);
    DriverCall call(settings);
    gantry_request request{};
    request.struct_size = sizeof(request);
    request.view = settings.view;
    request.instances = 1;
    request.hint_stride = sizeof(gantry_hint);
    request.flavor = to_abi(flavor);
    const auto decided = zoo.driver()->select_destinations(call, request);
    return std::to_string(picks) + " picks: " + (decided ? "decided" : decided.error().message);
  }

  const bool is_shared_;
  fleet::Fleet fleet_;
  gantry_context context_{};
};

TEST_F(AnswersApart, AreThoseOfTheServicesProcess) {
  for (const std::string name : {"plain", "serial", "longer", "asks_for_more", "first_version"}) {
    const LoadedZoo here(name);
    const LoadedZoo apart(name, config::Isolation::process);
    ASSERT_NE(here.driver(), nullptr) << here.error();
    ASSERT_NE(apart.driver(), nullptr) << apart.error();
    for (const std::string flavor : {"any", "unknown", "none", "recovered", "silent", "wrong", "wait"})
      EXPECT_EQ(answer(apart, flavor), answer(here, flavor)) << name << ", " << flavor;
  }
}

TEST_F(AnswersApart, OfADriverOfMethodsAloneAreThatItChoosesNoHosts) {
  const LoadedZoo here("methods_alone");
  const LoadedZoo apart("methods_alone", config::Isolation::process);
  ASSERT_NE(here.driver(), nullptr) << here.error();
  ASSERT_NE(apart.driver(), nullptr) << apart.error();
  EXPECT_THAT(answer(apart, "any"), HasSubstr("driver 'zoo' does not choose hosts"));
  EXPECT_EQ(answer(apart, "any"), answer(here, "any"));
}

TEST_F(AnswersApart, OfACrashAreAnErrorAndTheNextIsADecision) {
  const LoadedZoo apart("plain", config::Isolation::process);
  ASSERT_NE(apart.driver(), nullptr) << apart.error();
  EXPECT_THAT(answer(apart, "crash"),
              HasSubstr("driver 'zoo', select_destinations: its process ended by signal 6 (SIGABRT)"));
  EXPECT_EQ(answer(apart, "any"), "1 picks: decided");
  EXPECT_THAT(answer(apart, "fault"), HasSubstr("its process ended by signal 11 (SIGSEGV)"));
  // The process is not there at once after the second end, and the request has ended it twice.
  EXPECT_THAT(answer(apart, "any"), HasSubstr("request req-1 is not tried again"));
}

}  // namespace
}  // namespace gantry::drivers
