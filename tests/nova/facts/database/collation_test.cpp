// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/database/collation.hpp"

#include <gtest/gtest.h>

#include "core/nova/facts/fact_snapshot.hpp"

namespace gantry::nova {
namespace {

TEST(ColumnCollation, SaysByItsNameWhichTextsAreEqual) {
  for (const auto* folding : {"utf8mb3_general_ci", "utf8mb4_unicode_520_ci", "latin1_swedish_ci"}) {
    EXPECT_TRUE(collation_named(folding).equal("Zone-1", "zone-1  ")) << folding;
    EXPECT_FALSE(collation_named(folding).equal("zone-1", " zone-1")) << folding;
  }
  EXPECT_FALSE(collation_named("utf8mb4_bin").equal("Zone", "zone"));
  EXPECT_TRUE(collation_named("utf8mb4_bin").equal("zone", "zone "));
  EXPECT_TRUE(collation_named("utf8mb4_0900_ai_ci").equal("Zone", "zone"));
  for (const auto* exact : {"utf8mb4_0900_ai_ci", "utf8mb4_general_nopad_ci", "binary", ""})
    EXPECT_FALSE(collation_named(exact).equal("zone", "zone ")) << exact;
}

TEST(NamesOfNodes, AreFoundInTheHostsCellOrTheFirstEnabledOneThatHasThem) {
  const NodeNames names({{"h1", "n9", "u0", "c0", true},
                         {"h4", "n9", "u5", "c0", true},
                         {"h1", "n1", "u1", "c1"},
                         {"h1", "n2", "u2", "c1"},
                         {"h1", "n1", "u3", "c2"},
                         {"h2", "n2", "u4", "c2"}},
                        {{"h2", "c2"}, {"h4", "c0"}}, {true, true});
  const auto uuids = [&names](const std::optional<std::string>& host, const std::optional<std::string>& node,
                              const std::optional<std::string>& cell) {
    std::string found;
    for (const auto& each : names.find(host, node, cell)) found += each.uuid + " ";
    return found;
  };
  EXPECT_EQ(uuids("H1", {}, {}), "u1 u2 ");
  EXPECT_EQ(uuids("h1", {}, "c2"), "u3 ");
  EXPECT_EQ(uuids("h1", "n1", {}), "u1 ");
  EXPECT_EQ(uuids({}, "n2", {}), "u2 ");
  EXPECT_EQ(uuids({}, "n2", "c2"), "u4 ");
  EXPECT_EQ(uuids("h2", {}, {}), "u4 ");
  EXPECT_EQ(uuids("h2", {}, "c1"), "");
  EXPECT_EQ(uuids("h3", {}, {}), "");
  EXPECT_EQ(uuids({}, "n9", {}), "") << "is in a disabled cell alone";
  EXPECT_EQ(uuids({}, "n9", "c0"), "u0 ");
  EXPECT_EQ(uuids("h4", {}, {}), "u5 ") << "is mapped to the disabled cell";
  EXPECT_EQ(names.by_uuid("u4")->host, "h2");
  EXPECT_EQ(names.by_uuid("u6"), nullptr);
}

}  // namespace
}  // namespace gantry::nova
