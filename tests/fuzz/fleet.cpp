// SPDX-License-Identifier: Apache-2.0
//
// A file of a whole fleet, as whatif reads it. What can be read becomes a fleet that is written and read as the same
// one, and every row of which can be shown. The outcome is fleet or refused.
#include "core/fleet/fleet.hpp"
#include "core/encoding/utf8.hpp"
#include "core/fleet/document_load.hpp"
#include "core/fleet/documents/document.hpp"
#include "core/fleet/tables/row_json.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {
namespace {

constexpr fleet::Nanoseconds now = 1'790'000'000'000'000'000;

fleet::Document read_again(const std::string& text) {
  auto document = fleet::read_document(text, "written", now);
  if (!document) broken("what was written is refused: " + document.error().message + "\n" + text);
  return *std::move(document);
}

void show_rows(fleet::Fleet& fleet, fleet::Nanoseconds at) {
  const auto moment = fleet.pin(at);
  for (const auto topic : moment.topics()) {
    const auto* view = moment.view(topic);
    for (std::uint32_t row = 0; row < view->rows; ++row)
      if (!is_utf8(json::write_canonical(fleet::row_to_json(moment, *view, row)))) broken("a row that is not UTF-8");
  }
}

}  // namespace

std::string run(std::span<const std::uint8_t> input) {
  const auto document = fleet::read_document(text_of(input), "fleet.json", now);
  if (!document && document.error().message.empty()) broken("a refusal without a reason");
  if (!document) return "refused";
  const auto text = fleet::write_document(*document);
  if (fleet::write_document(read_again(text)) != text) broken("what was written is read as something else: " + text);

  fleet::Fleet fleet{fleet::FleetSettings{}};
  fleet::load_document(*document, fleet);
  show_rows(fleet, document->now);
  read_again(fleet::write_document(fleet.document(document->now)));
  return "fleet";
}

}  // namespace gantry::fuzz
