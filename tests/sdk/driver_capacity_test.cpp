// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <gantry/driver.hpp>
#include <gantry/driver/capacity.hpp>
#include <gantry/testing/fake_host.hpp>
#include <stdexcept>

namespace gantry {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ClaimsThatFit, AreThoseAfterWhichTheLimitIsKept) {
  EXPECT_EQ(claims_that_fit(0, 1, 8), 8U);
  EXPECT_EQ(claims_that_fit(3, 2, 8), 2U);
  EXPECT_EQ(claims_that_fit(8, 1, 8), 0U);
  EXPECT_EQ(claims_that_fit(9, 1, 8), 0U);
  EXPECT_EQ(claims_that_fit(0, 1, 17.6), 17U);
  EXPECT_EQ(claims_that_fit(0, 0.25, 1), 4U);
}

TEST(ClaimsThatFit, AreAnyNumberOfNothing) {
  EXPECT_EQ(claims_that_fit(8, 0, 8), any_number);
  EXPECT_EQ(claims_that_fit(9, 0, 8), 0U) << "the limit is passed already";
}

// A quotient of doubles may be rounded across a whole number.
TEST(ClaimsThatFit, AreWhatAddingUpOneByOneFinds) {
  for (const double ratio : {1.1, 0.7, 3.3, 16.0}) {
    for (int total = 1; total < 60; ++total) {
      for (int amount = 1; amount < 5; ++amount) {
        const double limit = total * ratio;
        std::uint64_t count = 0;
        while (static_cast<double>(count + 1) * amount <= limit) ++count;
        EXPECT_EQ(claims_that_fit(0, amount, limit), count) << total << " * " << ratio << " / " << amount;
      }
    }
  }
}

class Counter final : public driver {
 public:
  code select_destinations(call&, const request&) override { return code::no_valid_host; }
  code schedule_run_instance(call&, const request&) override { return code::no_valid_host; }
  code count_capacity(call& call, const request& request, row_counts counts) {
    if (request.flavor() == "grouped") return call.fail(code::unsupported, "not row by row");
    if (request.flavor() == "broken") throw std::runtime_error("it broke");
    candidates(call, request).rows().for_each([&](std::uint32_t row) { counts[row] = 5 + row; });
    return code::ok;
  }
  const void* extension(std::string_view id) noexcept override { return capacity_extension<Counter>(id); }
};

class Silent final : public driver {
 public:
  code select_destinations(call&, const request&) override { return code::no_valid_host; }
  code schedule_run_instance(call&, const request&) override { return code::no_valid_host; }
};

constexpr gantry_driver_info info_with(const gantry_driver_ops& operations) {
  return {GANTRY_MAGIC, sizeof(gantry_driver_info), GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR, raw("test"), raw("1"),
          &operations};
}
const gantry_driver_info counter = info_with(detail::operations_of<Counter>);
const gantry_driver_info silent = info_with(detail::operations_of<Silent>);

class CountedCapacity : public ::testing::Test {
 protected:
  CountedCapacity() : host_(rows()) {}
  static std::vector<testing::host_row> rows() {
    std::vector<testing::host_row> rows{{"a"}, {"b"}, {"c"}};
    rows[1].disabled = true;
    return rows;
  }
  testing::outcome count(const std::string& flavor) {
    testing::fake_request request;
    request.flavor = flavor;
    return host_.create(counter)->count_capacity(request).value();
  }
  testing::fake_host host_;
};

TEST_F(CountedCapacity, HasACountForEachRow) {
  const auto outcome = count("small");
  EXPECT_EQ(outcome.code, GANTRY_OK) << outcome.sentence;
  EXPECT_THAT(outcome.counts, ElementsAre(5, 0, 7));
  EXPECT_THAT(outcome.misuse, IsEmpty());
}

TEST_F(CountedCapacity, MayBeBeyondADriverForSomeRequests) {
  const auto outcome = count("grouped");
  EXPECT_EQ(outcome.code, GANTRY_UNSUPPORTED);
  EXPECT_EQ(outcome.sentence, "not row by row");
  EXPECT_THAT(outcome.counts, IsEmpty());
}

TEST_F(CountedCapacity, FailsWithTheSentenceOfAnException) {
  const auto outcome = count("broken");
  EXPECT_EQ(outcome.code, GANTRY_INTERNAL);
  EXPECT_EQ(outcome.sentence, "it broke");
}

TEST_F(CountedCapacity, IsNotAskedOfADriverThatDoesNotOfferIt) {
  EXPECT_EQ(host_.create(silent)->count_capacity({}), std::nullopt);
  EXPECT_EQ(capacity_extension<Counter>("gantry.capacity/2"), nullptr);
}

}  // namespace
}  // namespace gantry
