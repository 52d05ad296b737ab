// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/tables/table.hpp"

#include <gtest/gtest.h>

#include <string>

namespace gantry::fleet {
namespace {

constexpr auto zone = position_of(CoreColumn::availability_zone);

class TableCopies : public ::testing::Test {
 protected:
  TableCopies() { row_.host = &host_; }
  std::shared_ptr<TableCopy> newest() {
    return table_.newest([](const gantry_uuid&) -> const RowState* { return nullptr; }, surplus_);
  }
  void touch() { table_.set_i64(row_, position_of(CoreColumn::vcpus), ++value_); }

  Table table_{"compute", std::make_shared<const Schema>(), true};
  HostEntry host_;
  RowState row_;
  std::vector<std::shared_ptr<TableCopy>> surplus_;
  std::int64_t value_ = 0;
};

TEST_F(TableCopies, KeepsOneCopyWhileItIsNotPinned) {
  table_.add_row(row_);
  for (int at = 0; at < 100; ++at) {
    touch();
    newest();
  }
  EXPECT_EQ(table_.copies(), 1u);
}

TEST_F(TableCopies, UpdatesAnIdleCopyAndNeverAPinnedOne) {
  table_.add_row(row_);
  touch();
  const auto pinned = newest();
  pinned->pin();
  for (int at = 0; at < 100; ++at) {
    touch();
    EXPECT_NE(newest(), pinned);
  }
  EXPECT_EQ(table_.copies(), 2u);
  EXPECT_EQ(static_cast<const std::int64_t*>(pinned->column("vcpus")->values)[0], 1);
  pinned->unpin();
}

TEST_F(TableCopies, FreesACopyBeyondTwoThatWasNotNeededForLong) {
  table_.add_row(row_);
  std::vector<std::shared_ptr<TableCopy>> pinned;
  for (int at = 0; at < 5; ++at) {
    touch();
    pinned.push_back(newest());
    pinned.back()->pin();
  }
  EXPECT_EQ(table_.copies(), 5u);
  for (const auto& copy : pinned) copy->unpin();
  for (int at = 0; at < 1000; ++at) {
    touch();
    newest();
  }
  EXPECT_EQ(table_.copies(), 2u);
  EXPECT_EQ(surplus_.size(), 3u);
}

TEST_F(TableCopies, CopiesFollowARenumberedDictionary) {
  table_.add_row(row_);
  table_.set_text(row_, zone, "first");
  const auto old = newest();
  old->pin();
  const auto text = [](const TableCopy& copy) {
    const auto* column = copy.column("availability_zone");
    const auto code = static_cast<const std::uint32_t*>(column->values)[0];
    EXPECT_LT(code, column->dictionary_count);
    const auto& entry = static_cast<const gantry_string*>(column->dictionary)[code];
    return std::string(entry.data, entry.size);
  };
  for (int at = 0; at < 10'000; ++at) {
    table_.set_text(row_, zone, "zone " + std::to_string(at));
    if (at % 700 != 0) continue;
    EXPECT_EQ(text(*newest()), "zone " + std::to_string(at));
  }
  const auto fresh = newest();
  EXPECT_EQ(text(*fresh), "zone 9999");
  EXPECT_LT(fresh->column("availability_zone")->dictionary_count, 3'000u);
  EXPECT_NE(fresh->column("availability_zone")->dictionary_version,
            old->column("availability_zone")->dictionary_version);
  EXPECT_EQ(text(*old), "first");
  old->unpin();
}

}  // namespace
}  // namespace gantry::fleet
