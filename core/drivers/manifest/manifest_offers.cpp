// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/manifest/manifest_offers.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/drivers/manifest/manifest_columns.hpp"
#include "core/drivers/manifest/manifest_options.hpp"
#include "core/drivers/manifest/manifest_rules.hpp"
#include "core/drivers/manifest/offer_kinds.hpp"

namespace gantry::drivers {
namespace {

Result<void> read_facts(const ManifestTable& table, OfferDeclaration& offer) {
  if (Result<void> read = table.read("kind", true, offer.kind); !read) return read;
  if (!is_offer_kind(offer.kind)) {
    return table.wrong("kind", "one of " + offer_kinds_text() + ", which this host knows", "'" + offer.kind + "'",
                       "update gantry, or leave the offer out");
  }
  if (Result<void> read = table.read("help", true, offer.help); !read) return read;
  return read_threads(table, offer.threads);
}

Result<OfferDeclaration> read_offer(const ManifestTable& table, std::string name, bool strict) {
  if (strict) {
    Result<void> checked = table.check_keys({"kind", "help", "threads", "columns", "options"});
    if (!checked) return std::move(checked).error();
  }
  OfferDeclaration offer;
  offer.name = std::move(name);
  if (Result<void> read = read_facts(table, offer); !read) return std::move(read).error();
  if (Result<void> read = read_columns(table, strict, offer.needs, offer.uses); !read) return std::move(read).error();
  const Result<const toml::table*> options = table.table("options");
  if (!options) return options.error();
  if (*options == nullptr) return offer;
  auto read = read_options(ManifestTable(**options, table.full_name("options") + "."), strict);
  if (!read) return std::move(read).error();
  offer.options = *std::move(read);
  return offer;
}

}  // namespace

Result<std::vector<OfferDeclaration>> read_offers(const ManifestTable& offers, bool strict) {
  std::vector<std::pair<toml::source_position, OfferDeclaration>> found;
  for (const auto& [key, node] : offers.content()) {
    const std::string name(key.str());
    if (!is_id(name)) return offers.wrong(name, "letters, digits, _ and - in an offer's name", "'" + name + "'");
    const Result<const toml::table*> table = offers.table(name);
    if (!table) return table.error();
    Result<OfferDeclaration> offer = read_offer(ManifestTable(**table, offers.full_name(name) + "."), name, strict);
    if (!offer) return std::move(offer).error();
    found.emplace_back(key.source().begin, *std::move(offer));
  }
  // TOML tables are sorted by key; people want the author's order.
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& left, const auto& right) { return left.first < right.first; });
  std::vector<OfferDeclaration> ordered;
  ordered.reserve(found.size());
  for (auto& [position, offer] : found) ordered.push_back(std::move(offer));
  return ordered;
}

}  // namespace gantry::drivers
