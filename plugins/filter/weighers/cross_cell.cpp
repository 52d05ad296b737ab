// SPDX-License-Identifier: Apache-2.0
//
// CrossCellWeigher (from Ussuri on): where the request's destination names a cell and may be left for another, hosts of
// that cell weigh 1 and all others -1; otherwise all weigh 0.
#include <string_view>
#include <vector>

#include "weighers/weighers.hpp"

namespace filter_driver {

namespace {

class cross_cell_run final : public weigher_run {
 public:
  explicit cross_cell_run(const question& asked) : cells_(asked.hosts.cell_uuid) {
    const std::string_view preferred = *asked.request.destination->cell_uuid;
    weights_.reserve(cells_.code_count());
    for (std::uint32_t code = 0; code < cells_.code_count(); ++code)
      weights_.push_back(cells_.text_of(code) == preferred ? 1.0 : -1.0);
  }

  void weigh(const block& candidates, double* raw) override {
    for (std::uint32_t i = 0; i < candidates.count; ++i) raw[i] = weights_[cells_.code(candidates.first + i)];
  }

 private:
  const text_codes& cells_;
  std::vector<double> weights_;  // for each code of a cell
};

class cross_cell final : public weigher {
 public:
  std::unique_ptr<weigher_run> begin(const question& asked) const override {
    const auto& destination = asked.request.destination;
    if (!destination || !destination->cell_uuid || !destination->allow_cross_cell_move) return nullptr;
    return std::make_unique<cross_cell_run>(asked);
  }
};

}  // namespace

const weigher_rule cross_cell_weigher{"CrossCellWeigher",
                                      std::nullopt,
                                      std::nullopt,
                                      &settings::cross_cell_move_weight_multiplier,
                                      "cross_cell_move_weight_multiplier",
                                      false,
                                      make_weigher<cross_cell>};

}  // namespace filter_driver
