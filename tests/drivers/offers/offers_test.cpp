// SPDX-License-Identifier: Apache-2.0
//
// A driver that ranks by what its libraries offer, with the starter project's library and one in C.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <gantry/testing/fake_request.hpp>
#include <gantry/testing/fake_view.hpp>
#include <optional>

#include "core/drivers/driver.hpp"
#include "core/drivers/driver_loader.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/drivers/load/crash_report.hpp"
#include "tests/drivers/mock_sink.hpp"
#include "tests/drivers/trusted_directory.hpp"

namespace gantry::drivers {
namespace {

using ::testing::_;
using ::testing::ElementsAre;
using testing::fake_request;
using ::testing::HasSubstr;
using ::testing::NiceMock;

// Three hosts: power and rack of the first two are known.
std::vector<testing::host_row> hosts() {
  std::vector<testing::host_row> rows{{"h0"}, {"h1"}, {"h2"}};
  rows[0].columns["stats.power_left_w"] = std::int64_t{100};
  rows[1].columns["stats.power_left_w"] = std::int64_t{900};
  rows[0].columns["stats.rack"] = std::string("r0");
  rows[1].columns["stats.rack"] = std::string("r1");
  return rows;
}

class OffersTest : public ::testing::Test {
 protected:
  OffersTest() {
    settings_.scheduler_driver = {"ranker"};
    settings_.driver_directories = {directory_.path().string()};
    put("ranker.so", "ranker.so");
    ON_CALL(sink_, pick(_)).WillByDefault([this](const gantry_pick& pick) {
      picked_ = pick;
      return GANTRY_OK;
    });
    ON_CALL(sink_, explain(_)).WillByDefault([this](const gantry_step& step) {
      steps_.push_back(std::string(step.name.data, step.name.size) + " " + std::to_string(step.hosts_in) + " " +
                       std::to_string(step.hosts_out));
    });
  }

  void put(const std::string& built, const std::string& name) const {
    directory_.add(std::string(GANTRY_ZOO_DIRECTORY) + "/" + built, name);
  }
  // Names the library in the driver's section.
  void use(const std::string& built, const std::string& name) {
    put(built, name);
    settings_.drivers["ranker"].libraries.push_back(name);
  }
  void set(const std::string& offer, const std::string& option, config::OptionValue value) {
    settings_.drivers["ranker"].offers[offer].options[option] = {std::move(value), "gantry.toml:9:1"};
  }

  Driver& driver() {
    if (!set_) {
      Result<DriverSet> loaded = load_drivers(settings_, telemetry::Logger::none(), counters_, {});
      if (!loaded) throw std::runtime_error(loaded.error().message);
      set_.emplace(*std::move(loaded));
    }
    return *set_->for_topic("compute");
  }

  Result<void> select(const fake_request& request) {
    const testing::fake_view view("compute", hosts(), 1);
    testing::arena memory;
    gantry_context context{};
    context.struct_size = sizeof(context);
    DriverCallSettings settings;
    settings.context = &context;
    settings.view = &view.raw();
    settings.sink = &sink_;
    settings.deadline = std::chrono::steady_clock::time_point::max();
    DriverCall call(std::move(settings));
    const gantry_request raw = request.raw(memory, view.raw(), driver().complete_rows(call, view.raw()));
    return driver().select_destinations(call, raw);
  }

  TrustedDirectory directory_;
  config::Settings settings_;
  std::shared_ptr<telemetry::Counters> counters_ = std::make_shared<telemetry::Counters>();
  std::optional<DriverSet> set_;
  NiceMock<MockSink> sink_;
  gantry_pick picked_{};
  std::vector<std::string> steps_;
};

TEST_F(OffersTest, ADriverWithoutLibrariesFindsNone) {
  ASSERT_TRUE(select({}));
  EXPECT_EQ(picked_.row, 0U);
  EXPECT_THAT(steps_, ElementsAre());
}

TEST_F(OffersTest, FiltersRunInTurnAndTheWeigherDecides) {
  use("site_filters.so", "site_filters.so");
  ASSERT_TRUE(select({}));
  EXPECT_EQ(picked_.row, 1U);  // the most power; nothing is known of h2's
  EXPECT_THAT(steps_, ElementsAre("PowerFilter 3 2", "RackFilter 2 2"));
  EXPECT_EQ(picked_.weight, 1.0);
}

TEST_F(OffersTest, ThePerHostFilterReadsHostAndRequest) {
  use("site_filters.so", "site_filters.so");
  fake_request request;
  request.hints["rack"] = {"r0"};
  ASSERT_TRUE(select(request));
  EXPECT_EQ(picked_.row, 0U);
  EXPECT_THAT(steps_, ElementsAre("PowerFilter 3 2", "RackFilter 2 1"));
}

TEST_F(OffersTest, OptionsComeFromTheSectionOfTheOffer) {
  use("site_filters.so", "site_filters.so");
  set("PowerFilter", "reserve_w", std::int64_t{101});
  set("PowerWeigher", "power_weight_multiplier", -3.0);
  ASSERT_TRUE(select({}));
  EXPECT_EQ(picked_.row, 1U);
  EXPECT_THAT(steps_, ElementsAre("PowerFilter 3 1", "RackFilter 1 1"));
  settings_.drivers["ranker"].offers.erase("PowerFilter");
  set_.reset();
  ASSERT_TRUE(select({}));
  EXPECT_EQ(picked_.row, 0U);
}

TEST_F(OffersTest, AFilterExplainsNeedAndBestSupply) {
  use("site_filters.so", "site_filters.so");
  fake_request request;
  request.extra_specs["site:power_w"] = "1000";
  const Result<void> outcome = select(request);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::no_valid_host);
  EXPECT_EQ(outcome.error().message, "PowerFilter: they have too little power left; need 1000 power_w, best 900");
}

TEST_F(OffersTest, AFailureNamesTheOfferAndItsLibrary) {
  use("site_filters.so", "site_filters.so");
  fake_request request;
  request.extra_specs["site:power_w"] = "much";
  const Result<void> outcome = select(request);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::invalid_argument);
  EXPECT_EQ(
      outcome.error().message,
      "driver 'ranker', select_destinations: PowerFilter of site_filters: extra spec site:power_w: expected watts, "
      "found 'much'");
}

TEST_F(OffersTest, ALibraryInCFiltersSetsLimitsAndWeighs) {
  use("offers.so", "zoo_offers.so");
  ASSERT_TRUE(select({}));
  EXPECT_EQ(picked_.row, 2U);
  EXPECT_EQ(picked_.weight, 1.0);  // 2 of 0 to 4, twice
  EXPECT_EQ(picked_.present & GANTRY_LIMIT_VCPU, std::uint32_t{GANTRY_LIMIT_VCPU});
  EXPECT_EQ(picked_.limits.vcpu, 12.0);
}

TEST_F(OffersTest, ALibraryOfALaterMinorRunsAsOneOfToday) {
  use("later_offers.so", "zoo_offers.so");
  ASSERT_TRUE(select({}));
  EXPECT_EQ(picked_.row, 2U);
  EXPECT_EQ(picked_.weight, 1.0);
  EXPECT_EQ(picked_.limits.vcpu, 12.0);
}

TEST_F(OffersTest, ALibraryThatCannotDoWithoutALaterMinorIsRefused) {
  use("later_offers_needed.so", "zoo_offers.so");
  const Result<DriverSet> loaded = load_drivers(settings_, telemetry::Logger::none(), counters_, {});
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, HasSubstr("update gantry"));
}

TEST_F(OffersTest, AFailureWithoutASentenceIsNamedToo) {
  use("offers.so", "zoo_offers.so");
  EXPECT_EQ(select({.flavor = "silent"}).error().message,
            "driver 'ranker', select_destinations: EvenFilter of zoo_offers: failed without a sentence");
}

TEST_F(OffersTest, AnOfferCannotPick) {
  use("offers.so", "zoo_offers.so");
  EXPECT_CALL(sink_, pick(_)).Times(0);
  const Result<void> outcome = select({.flavor = "picks"});
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, ErrorCode::internal);
  EXPECT_THAT(
      outcome.error().message,
      HasSubstr(
          "broke the ABI's rules: EvenFilter of zoo_offers: pick: expected a driver to call it, found a filter or "
          "weigher"));
}

TEST_F(OffersTest, OffersAreCreatedInOrderAndDestroyedInReverse) {
  ::unsetenv("GANTRY_ZOO_ORDER");
  use("offers.so", "zoo_offers.so");
  driver();
  EXPECT_STREQ(::getenv("GANTRY_ZOO_ORDER"), "+f+w");
  set_.reset();
  EXPECT_STREQ(::getenv("GANTRY_ZOO_ORDER"), "+f+w-w-f");
}

TEST_F(OffersTest, AddsTheColumnsOfOffersToTheDrivers) {
  use("site_filters.so", "site_filters.so");
  std::vector<std::string> uses;
  for (const ColumnUse& column : driver().manifest().uses) uses.push_back(column.name);
  EXPECT_THAT(uses, ElementsAre("stats.power_left_w", "stats.rack"));
}

TEST_F(OffersTest, ASerialOfferMakesItsDriverSerial) {
  use("offers.so", "zoo_offers.so");
  EXPECT_EQ(driver().manifest().threads, Threads::reentrant);
  set_.reset();
  use("serial_offers.so", "zoo_offers.so");
  settings_.drivers["ranker"].libraries = {"zoo_offers.so"};
  EXPECT_EQ(driver().manifest().threads, Threads::serial);
}

TEST_F(OffersTest, TheDriversFileKnowsItsLibraries) {
  use("site_filters.so", "site_filters.so");
  use("offers.so", "zoo_offers.so");
  const auto& libraries = driver().file().offer_libraries;
  ASSERT_EQ(libraries.size(), 2U);
  EXPECT_EQ(libraries[0].manifest.id, "site_filters");
  EXPECT_EQ(libraries[1].sha256.size(), 64U);
}

using OffersDeathTest = OffersTest;

TEST_F(OffersDeathTest, ACrashReportNamesTheOffer) {
  use("offers.so", "zoo_offers.so");
  driver();
  EXPECT_EXIT(
      {
        install_crash_report({});
        static_cast<void>(select({.flavor = "crash"}));
      },
      ::testing::KilledBySignal(SIGABRT), "SIGABRT in driver 'ranker', operation EvenFilter of zoo_offers, keep");
}

}  // namespace
}  // namespace gantry::drivers
