// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <gantry/driver.hpp>
#include <gantry/testing/fake_host.hpp>

namespace gantry {
namespace {

using testing::fake_call;
using testing::fake_host;
using testing::host_row;

class View : public ::testing::Test {
 protected:
  View()
      : host_({host_row{"a", "n1"}, host_row{"b"}, host_row{"c"}}), raw_call_(1), call_(host_.raw(), raw_call_.raw()) {
    host_.rows()[1].vcpus = std::nullopt;
    host_.rows()[2].columns = {{"stats.rack", std::string("r7")}, {"metrics", testing::json_text{"[1]"}}};
    host_.rows()[0].instances = {gantry_uuid{{1}}, gantry_uuid{{2}}};
    raw_call_.host = &host_;
  }
  view compute() { return *call_.view_of_topic("compute"); }

  fake_host host_;
  fake_call raw_call_;
  call call_;
};

TEST_F(View, GivesTypedColumns) {
  const view view = compute();
  EXPECT_EQ(view.rows(), 3u);
  EXPECT_EQ(view.topic(), "compute");
  const column<std::int64_t> vcpus = view.integers("vcpus");
  EXPECT_EQ(vcpus[0], 16);
  EXPECT_TRUE(vcpus.has(0));
  EXPECT_FALSE(vcpus.has(1));
  EXPECT_EQ(view.reals("ram_allocation_ratio")[2], 1.5);
  EXPECT_EQ(view.flags("up").values().count(), 3u);
  EXPECT_EQ(view.texts("hypervisor_hostname")[0], "n1");
  EXPECT_EQ(view.texts("hypervisor_hostname")[1], "");
  EXPECT_EQ(view.texts("stats.rack")[2], "r7");
  EXPECT_EQ(text(view.documents("metrics")[2].text), "[1]");
  EXPECT_EQ(view.uuids("instances")[0].size(), 2u);
  EXPECT_EQ(view.uuids("instances")[1].size(), 0u);
}

TEST_F(View, FindsNothingUnderAnotherNameOrType) {
  EXPECT_FALSE(compute().find<flag_column>("vcpus"));
  EXPECT_FALSE(compute().find<text_column>("stats.nothing"));
  EXPECT_FALSE(call_.view_of_topic("volume"));
}

TEST_F(View, NamesTheColumnThatTheManifestShouldNeed) {
  try {
    compute().integers("stats.rack");
    FAIL() << "expected a failure";
  } catch (const failure& error) {
    EXPECT_EQ(error.code(), code::internal);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("no column 'stats.rack' of type i64: name it in the manifest's"));
  }
}

TEST_F(View, KeepsRowsWithOneText) {
  std::vector<host_row> rows(150);
  for (std::size_t row = 0; row < rows.size(); ++row) rows[row].availability_zone = row % 3 == 0 ? "east" : "west";
  rows[3].availability_zone = "";
  host_.set_rows("compute", rows);
  const text_column zones = compute().texts("availability_zone");
  bitmap set = call_.empty_bitmap(150);
  for (std::uint32_t row = 0; row < 150; ++row) set.set(row);
  zones.keep_equal(set, "east");
  EXPECT_EQ(set.count(), 49u);
  EXPECT_FALSE(set.test(3));
  zones.keep_equal(set, "south");
  EXPECT_TRUE(set.none());
}

TEST_F(View, WritesToADerivedViewWithoutChangingTheOrigin) {
  const view origin = compute();
  const view derived = call_.derive(origin);
  call_.write<double>(derived, "vcpus_used")[0] = 5;
  EXPECT_EQ(derived.reals("vcpus_used")[0], 5);
  EXPECT_EQ(origin.reals("vcpus_used")[0], 0);
  EXPECT_EQ(derived.texts("host")[2], "c");
}

TEST_F(View, KeepsTheValuesWrittenToADerivedView) {
  const view derived = call_.derive(compute());
  EXPECT_EQ(derived.generation(), 0u);
  call_.write<double>(derived, "vcpus_used")[0] = 5;
  call_.write<double>(derived, "vcpus_used")[1] = 6;
  EXPECT_EQ(derived.reals("vcpus_used")[0], 5);
  const view second = call_.derive(derived);
  call_.write<double>(derived, "vcpus_used")[0] = 7;
  EXPECT_EQ(second.reals("vcpus_used")[0], 5);
}

TEST_F(View, AppendsInstancesAndAggregatesToADerivedView) {
  host_.rows()[1].aggregates = {{7, "fast", {{"ssd", "true"}}}, {9, "west"}};
  const view origin = compute();
  const view derived = call_.derive(origin);
  call_.append(derived, "instances", 0, gantry_uuid{{3}});
  call_.append(derived, "instances", 1, *parse_uuid("04000000-0000-0000-0000-000000000000"));
  call_.append(derived, "aggregates", 0, 1);
  EXPECT_EQ(derived.uuids("instances")[0].size(), 3u);
  EXPECT_EQ(derived.uuids("instances")[1][0].bytes[0], 4);
  EXPECT_EQ(origin.uuids("instances")[1].size(), 0u);
  EXPECT_EQ(text(derived.aggregate(derived.sets("aggregates")[0][0]).name), "west");
  EXPECT_EQ(origin.sets("aggregates")[1].size(), 2u);
  EXPECT_EQ(origin.sets("aggregates")[0].size(), 0u);
}

TEST_F(View, ReturnsTheHostsCodeForAFailedWrite) {
  const view origin = compute();
  try {
    call_.write<double>(origin, "vcpus_used");
    FAIL() << "expected a failure";
  } catch (const host_failure& error) {
    EXPECT_EQ(error.code(), code::invalid_argument);
  }
}

TEST_F(View, ReadsAUuidInItsUsualForm) {
  EXPECT_EQ(parse_uuid("0102030405060708090A0b0c0d0e0f10")->bytes[9], 0x0A);
  EXPECT_EQ(parse_uuid("01020304-0506-0708-090a-0b0c0d0e0f10")->bytes[15], 0x10);
  EXPECT_FALSE(parse_uuid("01020304-0506-0708-090a-0b0c0d0e0f1"));
  EXPECT_FALSE(parse_uuid("01020304-0506-0708-090a-0b0c0d0e0f100"));
  EXPECT_FALSE(parse_uuid("not-a-uuid"));
}

TEST_F(View, DrawsEvenAndRepeatableRandomNumbers) {
  std::vector<int> times(7, 0);
  for (int draw = 0; draw < 70'000; ++draw) ++times[call_.random_below(7)];
  for (const int count : times) EXPECT_NEAR(count, 10'000, 500);
  fake_call again(1);
  call same(host_.raw(), again.raw());
  fake_call fresh(1);
  call other(host_.raw(), fresh.raw());
  for (int draw = 0; draw < 100; ++draw) EXPECT_EQ(same.random_below(1000), other.random_below(1000));
  EXPECT_EQ(call_.random_below(1), 0u);
}

TEST_F(View, DrawsTheUpperHalfOfTheProduct) {
  fake_call numbers(3);
  const std::uint64_t first = numbers.random.next();
  fake_call same(3);
  call call(host_.raw(), same.raw());
  __extension__ using wide = unsigned __int128;
  EXPECT_EQ(call.random_below(1000), static_cast<std::uint64_t>((wide{first} * 1000) >> 64));
}

TEST_F(View, GivesThePublishedSequenceOfRandomNumbers) {
  testing::seeded_random random(0);
  EXPECT_EQ(random.next(), 0x99ec5f36cb75f2b4u);  // xoshiro256** over splitmix64 of 0
}

}  // namespace
}  // namespace gantry
