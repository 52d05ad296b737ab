// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/request/explain_wish.hpp"

#include <gtest/gtest.h>

namespace gantry::scheduling {
namespace {

TEST(ExplainWish, IsReadFromFalseTrueHostsAndAllFilters) {
  const auto read = [](const char* args) { return *read_explain(*json::parse_object(args)); };
  EXPECT_FALSE(read("{}").decision);
  EXPECT_FALSE(read(R"({"explain":"false"})").decision);
  EXPECT_TRUE(read(R"({"explain":true})").decision);
  EXPECT_EQ(read(R"({"explain":true})").explain_hosts, std::uint32_t{GANTRY_EXPLAIN_NONE});
  EXPECT_TRUE(read(R"({"explain":"hosts"})").decision);
  EXPECT_EQ(read(R"({"explain":"hosts"})").explain_hosts, std::uint32_t{GANTRY_EXPLAIN_HOSTS});
  EXPECT_EQ(read(R"({"explain":"all_filters"})").explain_hosts, std::uint32_t{GANTRY_EXPLAIN_ALL_FILTERS});
  EXPECT_FALSE(read_explain(*json::parse_object(R"({"explain":"host"})")));
}

}  // namespace
}  // namespace gantry::scheduling
