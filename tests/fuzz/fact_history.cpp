// SPDX-License-Identifier: Apache-2.0
//
// A piece of the archive's facts: the history of a fleet, from a whole moment on. A fleet that can be recalled can be
// shown row by row, and is written and recalled as the same rows. The outcome is recalled or damaged.
#include "core/encoding/utf8.hpp"
#include "core/fleet/history/recalled_fleet.hpp"
#include "core/fleet/tables/row_json.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {
namespace {

constexpr std::uint64_t until = 1'000;

Result<fleet::Moment> recalled_from(const fleet::FactChunk& chunk) {
  fleet::RecalledFleet recalled;
  if (auto applied = recalled.apply(chunk, until); !applied) return std::move(applied).error();
  return recalled.moment();
}

std::string rows_of(const fleet::Moment& moment) {
  std::string rows;
  for (const auto topic : moment.topics()) {
    const auto* view = moment.view(topic);
    for (std::uint32_t row = 0; row < view->rows; ++row)
      rows += json::write(fleet::row_to_json(moment, *view, row)) + "\n";
  }
  return rows;
}

}  // namespace

std::string run(std::span<const std::uint8_t> input) {
  const auto moment = recalled_from({std::string(text_of(input)), 1, until, true});
  if (!moment && moment.error().message.empty()) broken("a refusal without a reason");
  if (!moment) return "damaged";
  const auto rows = rows_of(*moment);
  auto written = fleet::whole_facts(*moment);
  written.first_moment = written.last_moment = 1;
  const auto again = recalled_from(written);
  if (!again) broken("what was written is refused: " + again.error().message);
  if (rows_of(*again) != rows) broken("what was written is recalled as something else");
  return "recalled";
}

}  // namespace gantry::fuzz
