// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <gantry/driver.hpp>
#include <gantry/driver/changes.hpp>
#include <gantry/testing/fake_host.hpp>
#include <optional>
#include <vector>

namespace gantry {
namespace {

using ::testing::ElementsAre;
using ::testing::Optional;

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
  std::optional<std::vector<std::uint32_t>> ask(std::uint64_t since, std::uint32_t flags, std::size_t most) {
    const auto rows = changes(call_.host()).rows(call_, *call_.view_of_topic("compute"), since, flags, most);
    if (!rows) return std::nullopt;
    return std::vector<std::uint32_t>(rows->begin(), rows->end());
  }

  testing::fake_host host_{{testing::host_row{"a"}, testing::host_row{"b"}, testing::host_row{"c"}}};
  testing::fake_call raw_call_{1};
  call call_{host_.raw(), raw_call_.raw()};
  const gantry_changes table_{sizeof(gantry_changes), 0, &two_rows};
};

TEST_F(Changes, ReturnsOnlyTheRowsThatWereWritten) {
  host_.extensions[GANTRY_CHANGES_EXTENSION] = &table_;
  EXPECT_THAT(ask(5, 0, 8), Optional(ElementsAre(0, 2)));
  EXPECT_THAT(ask(5, GANTRY_CHANGES_BUT_TIMES, 8), Optional(ElementsAre(0, 1)));
}

TEST_F(Changes, ReturnsNothingIfAnyRowMayHaveChanged) {
  EXPECT_FALSE(ask(5, 0, 8)) << "a host without the extension";
  host_.extensions[GANTRY_CHANGES_EXTENSION] = &table_;
  EXPECT_FALSE(ask(4, 0, 8));
  EXPECT_FALSE(ask(5, 0, 1));
}

}  // namespace
}  // namespace gantry
