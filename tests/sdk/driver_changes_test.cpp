// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <gantry/driver.hpp>
#include <gantry/driver/changes.hpp>
#include <gantry/testing/fake_host.hpp>

namespace gantry {
namespace {

using ::testing::ElementsAre;

// Two rows since generation 5; nothing is known of what was before.
gantry_code two_rows(gantry_call*, const gantry_view*, std::uint64_t since, std::uint32_t flags, std::uint32_t* rows,
                     std::uint64_t capacity, std::uint64_t* count) {
  if (since < 5 || capacity < 2) return GANTRY_RESOURCE_EXHAUSTED;
  rows[0] = 0;
  rows[1] = flags == GANTRY_CHANGES_BUT_TIMES ? 1 : 2;
  *count = 2;
  return GANTRY_OK;
}

class Changes : public ::testing::Test {
 protected:
  Changes() { raw_call_.host = &host_; }
  bool ask(std::uint64_t since, std::uint32_t flags, std::vector<std::uint32_t>& rows) {
    return changes(call_.host()).rows(call_, *call_.view_of_topic("compute"), since, flags, rows);
  }

  testing::fake_host host_{{testing::host_row{"a"}, testing::host_row{"b"}, testing::host_row{"c"}}};
  testing::fake_call raw_call_{1};
  call call_{host_.raw(), raw_call_.raw()};
  const gantry_changes table_{sizeof(gantry_changes), 0, &two_rows};
};

TEST_F(Changes, AreCutToThoseThatThereAre) {
  host_.extensions[GANTRY_CHANGES_EXTENSION] = &table_;
  std::vector<std::uint32_t> rows(8);
  ASSERT_TRUE(ask(5, 0, rows));
  EXPECT_THAT(rows, ElementsAre(0, 2));
  rows.resize(8);
  ASSERT_TRUE(ask(5, GANTRY_CHANGES_BUT_TIMES, rows));
  EXPECT_THAT(rows, ElementsAre(0, 1));
}

TEST_F(Changes, AreAnyRowsWhereTheHostDoesNotTell) {
  std::vector<std::uint32_t> rows(8);
  EXPECT_FALSE(ask(5, 0, rows)) << "a host without the extension";
  host_.extensions[GANTRY_CHANGES_EXTENSION] = &table_;
  EXPECT_FALSE(ask(4, 0, rows));
  rows.resize(1);
  EXPECT_FALSE(ask(5, 0, rows));
}

}  // namespace
}  // namespace gantry
