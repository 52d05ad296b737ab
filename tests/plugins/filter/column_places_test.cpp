// SPDX-License-Identifier: Apache-2.0
//
// Columns are found by their names, wherever a view has them and wherever the view before it had them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plugins/filter/hosts/column_places.hpp"

namespace filter_driver {
namespace {

// A view of columns that have names alone.
class Columns {
 public:
  explicit Columns(std::vector<std::string> names) : names_(std::move(names)) {
    for (const auto& name : names_) {
      columns_.emplace_back();
      columns_.back().name = gantry::raw(name);
    }
    raw_.columns = columns_.data();
    raw_.column_count = static_cast<std::uint32_t>(columns_.size());
    raw_.column_stride = sizeof(gantry_column);
  }

  // What stands at the place that is found.
  std::string find(column_places& places, std::string_view name, std::size_t asked) const {
    const auto* const found = places.find(gantry::view(host_, nullptr, raw_), name, asked);
    return found == nullptr ? "none" : names_[static_cast<std::size_t>(found - columns_.data())];
  }

 private:
  std::vector<std::string> names_;
  std::vector<gantry_column> columns_;
  gantry_view raw_{};
  gantry_host host_{};
};

TEST(ColumnPlaces, FindsEachColumnInEachView) {
  const Columns first({"host", "up", "vcpus"});
  const Columns second({"vcpus", "host", "up", "memory_mb"});
  const Columns third({"host"});
  column_places places;
  for (const auto* view : {&first, &second, &first, &third, &second}) {
    EXPECT_EQ(view->find(places, "host", 0), "host");
    EXPECT_EQ(view->find(places, "up", 1), view == &third ? "none" : "up");
    EXPECT_EQ(view->find(places, "vcpus", 2), view == &third ? "none" : "vcpus");
    EXPECT_EQ(view->find(places, "memory_mb", 3), view == &second ? "memory_mb" : "none");
  }
}

TEST(ColumnPlaces, FindsMoreColumnsThanItRemembers) {
  std::vector<std::string> names;
  for (int number = 0; number < 200; ++number) names.push_back("stats." + std::to_string(number));
  const Columns view(names);
  column_places places;
  for (int turn = 0; turn < 2; ++turn) {
    for (std::size_t asked = 0; asked < names.size(); ++asked)
      EXPECT_EQ(view.find(places, names[asked], asked), names[asked]);
  }
}

}  // namespace
}  // namespace filter_driver
