// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/row_bounds.hpp"

#include <utility>

#include "core/drivers/abi/abi_text.hpp"

namespace gantry::scheduling {

RowBounds bounds_of(const Admission& admission, const fleet::Moment& moment, const gantry_view& view) {
  const std::size_t words = (std::size_t{view.rows} + 63) / 64;
  RowBounds bounds{std::vector<std::uint64_t>(words), std::vector<std::uint64_t>(words), admission.why_not_eligible()};
  if (auto groups = admission.groups_to_choose(); !groups.empty()) {
    bounds.candidates.emplace().groups = std::move(groups);
    bounds.candidates->rows.resize(view.rows);
  }
  const auto* uuids = moment.column(view, "uuid");
  if (uuids == nullptr) return bounds;
  const auto* codes = static_cast<const std::uint32_t*>(uuids->values);
  const auto* texts = static_cast<const gantry_string*>(uuids->dictionary);
  for (std::uint32_t row = 0; row < view.rows; ++row) {
    const auto word = row / 64;
    const auto bit = std::uint64_t{1} << (row % 64);
    if (uuids->validity != nullptr && (uuids->validity[word] & bit) == 0) continue;
    const auto uuid = drivers::from_abi(texts[codes[row]]);
    if (!admission.is_eligible(uuid)) continue;
    bounds.eligible[word] |= bit;
    if (!admission.is_claimable(uuid)) continue;
    bounds.claimable[word] |= bit;
    if (!bounds.candidates) continue;
    RowOfCandidates candidates(*bounds.candidates, row);
    admission.add_candidates(uuid, candidates);
  }
  return bounds;
}

}  // namespace gantry::scheduling
