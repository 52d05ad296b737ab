// SPDX-License-Identifier: Apache-2.0
//
// Adding to the lists of a derived view.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/call/driver_call.hpp"
#include "core/drivers/call/host_services.hpp"
#include "core/drivers/call/view_rows.hpp"
#include "tests/drivers/example_view.hpp"

namespace gantry::drivers {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Append : public testing::Test {
 protected:
  const gantry_host& host() { return *services_.table(); }
  gantry_call* handle() { return call_.handle(); }
  const gantry_view* view() { return &example_.view(); }
  std::string sentence() { return std::string(call_.failure_sentence()); }
  gantry_code instance(const gantry_view* derived, std::uint32_t row, std::uint8_t id) {
    const gantry_uuid uuid{{id}};
    return host().append(handle(), derived, to_abi("instances"), row, &uuid);
  }
  gantry_code aggregate(const gantry_view* derived, std::uint32_t row, std::uint32_t index) {
    return host().append(handle(), derived, to_abi("aggregates"), row, &index);
  }
  // First bytes of the ids on a row.
  std::vector<int> instances(const gantry_view* of, std::uint32_t row) {
    const gantry_column* column = host().column(handle(), of, to_abi("instances"));
    const gantry_slice slice = static_cast<const gantry_slice*>(column->values)[row];
    std::vector<int> ids;
    for (std::uint32_t at = 0; at < slice.count; ++at) {
      ids.push_back(static_cast<const gantry_uuid*>(column->elements)[slice.begin + at].bytes[0]);
    }
    return ids;
  }
  std::vector<std::uint32_t> aggregates(const gantry_view* of, std::uint32_t row) {
    const gantry_column* column = host().column(handle(), of, to_abi("aggregates"));
    if (!is_valid(*column, row)) return {};
    const std::uint32_t code = static_cast<const std::uint32_t*>(column->values)[row];
    EXPECT_LT(code, column->dictionary_count);
    const gantry_slice slice = static_cast<const gantry_slice*>(column->dictionary)[code];
    const auto* first = static_cast<const std::uint32_t*>(column->elements) + slice.begin;
    return {first, first + slice.count};
  }

  ExampleView example_;
  HostServices services_{"zoo", telemetry::Logger::none(), std::make_shared<telemetry::Counters>()};
  DriverCall call_{example_.call_settings()};
};

TEST_F(Append, ShowsAPlacedInstanceToTheNextPlacement) {
  const gantry_view* derived = host().derive(handle(), view());
  ASSERT_EQ(instance(derived, 1, 9), GANTRY_OK);
  EXPECT_THAT(instances(derived, 1), ElementsAre(9));
  EXPECT_THAT(instances(derived, 0), ElementsAre(1));
  EXPECT_THAT(instances(derived, 2), ElementsAre(2, 3));
  EXPECT_THAT(instances(view(), 1), IsEmpty());
}

TEST_F(Append, KeepsTheListsOfRowsApart) {
  const gantry_view* derived = host().derive(handle(), view());
  for (std::uint8_t id = 10; id < 110; ++id) ASSERT_EQ(instance(derived, id % 3, id), GANTRY_OK);
  EXPECT_EQ(instances(derived, 0).size(), 1U + 33U);
  EXPECT_EQ(instances(derived, 1).size(), 34U);
  EXPECT_EQ(instances(derived, 2).size(), 2U + 33U);
  EXPECT_EQ(instances(derived, 2)[1], 3);
  for (const int id : instances(derived, 1)) EXPECT_EQ(id % 3, 1);
}

TEST_F(Append, KeepsTenThousandInstancesOfFewRowsInSomeMegabytes) {
  auto settings = example_.call_settings();
  settings.memory_limit = std::uint64_t{8} << 20;
  DriverCall small(std::move(settings));
  const gantry_view* derived = host().derive(small.handle(), view());
  for (std::uint32_t id = 0; id < 10'000; ++id) {
    gantry_uuid uuid{};
    std::memcpy(&uuid.bytes[8], &id, sizeof(id));
    ASSERT_EQ(host().append(small.handle(), derived, to_abi("instances"), id % 3, &uuid), GANTRY_OK)
        << id << ": " << small.failure_sentence();
  }
}

TEST_F(Append, NamesTheBoundOfTheCallThatIsReached) {
  auto settings = example_.call_settings();
  settings.memory_limit = std::uint64_t{1} << 20;
  DriverCall small(std::move(settings));
  const gantry_view* derived = host().derive(small.handle(), view());
  gantry_code code = GANTRY_OK;
  for (std::uint32_t id = 0; code == GANTRY_OK && id < 100'000; ++id) {
    gantry_uuid uuid{};
    std::memcpy(&uuid.bytes[8], &id, sizeof(id));
    code = host().append(small.handle(), derived, to_abi("instances"), id % 3, &uuid);
  }
  EXPECT_EQ(code, GANTRY_RESOURCE_EXHAUSTED);
  EXPECT_THAT(std::string(small.failure_sentence()), HasSubstr("the call's bound of 1 MiB"));
}

TEST_F(Append, AddsNothingTwice) {
  const gantry_view* derived = host().derive(handle(), view());
  EXPECT_EQ(instance(derived, 2, 3), GANTRY_OK);
  EXPECT_THAT(instances(derived, 2), ElementsAre(2, 3));
  EXPECT_EQ(aggregate(derived, 1, 1), GANTRY_OK);
  EXPECT_THAT(aggregates(derived, 1), ElementsAre(0, 1));
}

TEST_F(Append, GivesAChangedSetANewCodeAndKeepsTheCodesOfOtherRows) {
  const gantry_view* derived = host().derive(handle(), view());
  ASSERT_EQ(aggregate(derived, 0, 2), GANTRY_OK);
  EXPECT_THAT(aggregates(derived, 0), ElementsAre(0, 2));
  EXPECT_THAT(aggregates(derived, 1), ElementsAre(0, 1));
  EXPECT_THAT(aggregates(view(), 0), ElementsAre(0));
  EXPECT_EQ(host().column(handle(), derived, to_abi("aggregates"))->dictionary_version, 0U);
}

TEST_F(Append, GivesANullRowItsFirstElement) {
  const gantry_view* derived = host().derive(handle(), view());
  ASSERT_EQ(aggregate(derived, 2, 1), GANTRY_OK);
  EXPECT_THAT(aggregates(derived, 2), ElementsAre(1));
  EXPECT_THAT(aggregates(view(), 2), IsEmpty());
}

TEST_F(Append, DoesNotChangeAnotherDerivedView) {
  const gantry_view* first = host().derive(handle(), view());
  ASSERT_EQ(instance(first, 0, 10), GANTRY_OK);
  const gantry_view* second = host().derive(handle(), first);
  ASSERT_EQ(instance(first, 0, 11), GANTRY_OK);
  EXPECT_THAT(instances(second, 0), ElementsAre(1, 10));
  ASSERT_EQ(instance(second, 0, 12), GANTRY_OK);
  ASSERT_EQ(instance(first, 1, 13), GANTRY_OK);
  EXPECT_THAT(instances(second, 0), ElementsAre(1, 10, 12));
  EXPECT_THAT(instances(first, 0), ElementsAre(1, 10, 11));
}

TEST_F(Append, RefusesAColumnThatIsNotAListOfADerivedView) {
  EXPECT_EQ(instance(view(), 0, 9), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("append: expected a view made by derive"));
  const gantry_view* derived = host().derive(handle(), view());
  EXPECT_EQ(instance(derived, 3, 9), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("a row below 3, found row 3"));
  EXPECT_EQ(aggregate(derived, 0, 3), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("an aggregate below 3, found 3"));
  const gantry_uuid uuid{};
  EXPECT_EQ(host().append(handle(), derived, to_abi("vcpus"), 0, &uuid), GANTRY_INVALID_ARGUMENT);
  EXPECT_THAT(sentence(), HasSubstr("type UUIDS or SET"));
  EXPECT_EQ(host().append(handle(), derived, to_abi("instances"), 0, nullptr), GANTRY_INVALID_ARGUMENT);
}

}  // namespace
}  // namespace gantry::drivers
