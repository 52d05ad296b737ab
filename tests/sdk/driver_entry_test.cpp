// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <gantry/driver.hpp>
#include <gantry/testing/fake_host.hpp>

namespace {

class first_fit final : public gantry::driver {
 public:
  gantry::code select_destinations(gantry::call& call, const gantry::request& request) override {
    gantry::narrowing found = gantry::candidates(call, request);
    if (found.left() == 0) return call.fail(gantry::code::no_valid_host, found.emptied_by());
    return call.pick(0, found.rows().nth(0));
  }
  gantry::code schedule_run_instance(gantry::call& call, const gantry::request& request) override {
    return select_destinations(call, request);
  }
};

}  // namespace

GANTRY_DRIVER(first_fit, R"(
# id = 'not this'
idle = 'nor this'
id = 'first_fit'
  version   =   "1.2.3"   # blanks and either quote
topics = ['compute']
threads = 'reentrant'
[columns]
needs = ['up', 'disabled', 'host']
)");

namespace gantry {
namespace {

TEST(DriverEntry, TakesIdAndVersionFromTheManifest) {
  const gantry_driver_info* info = gantry_driver_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR);
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(text(info->id), "first_fit");
  EXPECT_EQ(text(info->version), "1.2.3");
  EXPECT_EQ(info->struct_size, sizeof(gantry_driver_info));
}

TEST(DriverEntry, RefusesAHostOfAnotherMajorAndTakesEachMinor) {
  EXPECT_EQ(gantry_driver_entry(GANTRY_ABI_MAJOR + 1, GANTRY_ABI_MINOR), nullptr);
  EXPECT_NE(gantry_driver_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR + 1), nullptr);
  EXPECT_NE(gantry_driver_entry(GANTRY_ABI_MAJOR, 0), nullptr);
}

TEST(DriverEntry, ReturnsADriverThatDecides) {
  testing::fake_host host({{"host-1"}, {"host-2"}});
  host.rows()[0].up = false;
  const auto driver = host.create(*gantry_driver_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR));
  EXPECT_EQ(driver->select_destinations({}).picks.at(0).host, "host-2");
}

TEST(DriverEntry, SaysWhichStepLeftNoHost) {
  testing::fake_host host({{"host-1"}});
  const auto driver = host.create(*gantry_driver_entry(GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR));
  testing::fake_request request;
  request.requested_host = "host-2";
  const auto outcome = driver->select_destinations(request);
  EXPECT_EQ(outcome.code, GANTRY_NO_VALID_HOST);
  EXPECT_EQ(outcome.sentence, "requested: the request names others: requested_destination.host 'host-2'");
}

TEST(DriverEntry, ReadsManifestLinesAboveTheFirstTableOnly) {
  EXPECT_EQ(detail::manifest_value("id = 'a'", "id"), "a");
  EXPECT_EQ(detail::manifest_value("[x]\nid = 'a'", "id"), "");
  EXPECT_EQ(detail::manifest_value("id = 7", "id"), "");
  EXPECT_EQ(detail::manifest_value("id = 'open", "id"), "");
  EXPECT_EQ(detail::manifest_value("", "id"), "");
}

}  // namespace
}  // namespace gantry
