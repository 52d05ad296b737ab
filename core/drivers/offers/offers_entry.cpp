// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/offers/offers_entry.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/abi/known_part.hpp"
#include "core/drivers/file/refusal.hpp"
#include "core/drivers/load/entry_head.hpp"
#include "core/drivers/manifest/offer_kinds.hpp"
#include "core/drivers/manifest/option_value.hpp"
#include "gantry/ext/weigher.h"

namespace gantry::drivers {
namespace {

// As the host knows them; the library's may be longer.
Result<std::vector<gantry_offer>> read_list(const DriverFile& file, const gantry_offers_info& info) {
  if (info.offer_count != 0 && info.offers == nullptr) {
    return refuse(file.path, {"entry offers", "a list of " + std::to_string(info.offer_count), "NULL", rebuild_advice});
  }
  if (info.offer_stride < first_size<gantry_offer>) {
    return refuse(file.path, {"entry offer_stride", "at least " + std::to_string(first_size<gantry_offer>),
                              std::to_string(info.offer_stride), rebuild_advice});
  }
  // The entry lists those of kinds that this host does not know, too.
  const std::size_t named = file.manifest.offers.size() + file.manifest.left_out_offers.size();
  if (info.offer_count != named) {
    return refuse(file.path, {"entry offers", std::to_string(named) + ", as in its manifest",
                              std::to_string(info.offer_count), "let the manifest and the entry agree"});
  }
  std::vector<gantry_offer> offers;
  offers.reserve(info.offer_count);
  const char* at = reinterpret_cast<const char*>(info.offers);
  for (std::uint32_t index = 0; index < info.offer_count; ++index, at += info.offer_stride) {
    offers.push_back(known_part(*reinterpret_cast<const gantry_offer*>(at), info.offer_stride));
  }
  return offers;
}

std::string names_in(const std::vector<gantry_offer>& offers) {
  std::string names;
  for (const gantry_offer& offer : offers) {
    names.append(names.empty() ? "'" : ", '").append(sentence_of(offer.name)).append("'");
  }
  return names.empty() ? "none" : names;
}

// A weigher's multiplier is read as a real number.
Result<void> check_multiplier(const OfferDeclaration& declared, const void* table, const std::string& subject) {
  if (declared.kind != GANTRY_WEIGHER_KIND) return {};
  const std::string_view name = from_abi(static_cast<const gantry_weigher_ops*>(table)->multiplier_name);
  for (const OptionDeclaration& option : declared.options) {
    if (option.name != name || option.type == GANTRY_OPTION_REAL) continue;
    return refuse(subject, {"multiplier_name", "an option of type real",
                            "'" + option.name + "' of type " + std::string(option_type_name(option.type)),
                            "declare it as real in the manifest"});
  }
  return {};
}

}  // namespace

Result<std::vector<const void*>> check_offers_info(const DriverFile& file, const gantry_offers_info* info) {
  if (Result<void> checked = check_entry_head(file, info, "gantry_offers_info"); !checked) {
    return std::move(checked).error();
  }
  const Result<std::vector<gantry_offer>> listed = read_list(file, *info);
  if (!listed) return listed.error();
  std::vector<const void*> tables;
  tables.reserve(file.manifest.offers.size());
  for (const OfferDeclaration& declared : file.manifest.offers) {
    const auto found = std::find_if(listed->begin(), listed->end(),
                                    [&](const gantry_offer& offer) { return from_abi(offer.name) == declared.name; });
    if (found == listed->end()) {
      return refuse(file.path, {"entry offers", "'" + declared.name + "', as in its manifest", names_in(*listed),
                                "let the manifest and the entry agree"});
    }
    const std::string subject = file.path + ": offer '" + declared.name + "'";
    if (from_abi(found->kind) != declared.kind) {
      return refuse(subject, {"kind", "'" + declared.kind + "', as in its manifest",
                              "'" + sentence_of(found->kind) + "'", "let the manifest and the entry agree"});
    }
    if (Result<void> checked = check_offer_table(declared.kind, found->table, subject); !checked) {
      return std::move(checked).error();
    }
    if (Result<void> checked = check_multiplier(declared, found->table, subject); !checked) {
      return std::move(checked).error();
    }
    tables.push_back(found->table);
  }
  return tables;
}

}  // namespace gantry::drivers
