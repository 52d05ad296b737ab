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

// `offer` has its name and its kind, which this host knows.
Result<void> read_rest(const ManifestTable& table, bool strict, OfferDeclaration& offer) {
  if (Result<void> read = table.read("help", true, offer.help); !read) return read;
  if (Result<void> read = read_threads(table, offer.threads); !read) return read;
  if (Result<void> read = read_columns(table, strict, offer.needs, offer.uses); !read) return read;
  const Result<const toml::table*> options = table.table("options");
  if (!options) return options.error();
  if (*options == nullptr) return {};
  auto read = read_options(ManifestTable(**options, table.full_name("options") + "."), strict);
  if (!read) return std::move(read).error();
  offer.options = *std::move(read);
  return {};
}

using Found = std::pair<toml::source_position, OfferDeclaration>;

Result<void> read_offer(const ManifestTable& table, bool strict, Found found, std::vector<Found>& kept,
                        std::vector<LeftOutOffer>& left_out) {
  OfferDeclaration& offer = found.second;
  if (strict) {
    Result<void> checked = table.check_keys({"kind", "help", "threads", "columns", "options"});
    if (!checked) return checked;
  }
  if (Result<void> read = table.read("kind", true, offer.kind); !read) return read;
  const bool is_known = is_offer_kind(offer.kind);
  if (!is_known && strict) {
    return table.wrong("kind", "one of " + offer_kinds_text() + ", which this host knows", "'" + offer.kind + "'",
                       "update gantry, or leave the offer out");
  }
  if (!is_known) {
    // Its other values have a form that this host need not know.
    left_out.push_back({std::move(offer.name), std::move(offer.kind)});
    return {};
  }
  if (Result<void> read = read_rest(table, strict, offer); !read) return read;
  kept.push_back(std::move(found));
  return {};
}

}  // namespace

Result<ReadOffers> read_offers(const ManifestTable& offers, bool strict) {
  std::vector<Found> found;
  ReadOffers read;
  for (const auto& [key, node] : offers.content()) {
    const std::string name(key.str());
    if (!is_id(name)) return offers.wrong(name, "letters, digits, _ and - in an offer's name", "'" + name + "'");
    const Result<const toml::table*> table = offers.table(name);
    if (!table) return table.error();
    Found offer{key.source().begin, {}};
    offer.second.name = name;
    const ManifestTable own(**table, offers.full_name(name) + ".");
    Result<void> done = read_offer(own, strict, std::move(offer), found, read.left_out);
    if (!done) return std::move(done).error();
  }
  // TOML tables are sorted by key; people want the author's order.
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& left, const auto& right) { return left.first < right.first; });
  read.kept.reserve(found.size());
  for (auto& [position, offer] : found) read.kept.push_back(std::move(offer));
  return read;
}

}  // namespace gantry::drivers
