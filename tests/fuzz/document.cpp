// SPDX-License-Identifier: Apache-2.0
//
// What recovery finds in the store: lines "kind key document". A store that somebody has damaged is refused with a
// sentence, or is what the service then works with; what it read, it writes the same way. The outcome is recovered or
// refused.
#include <array>
#include <limits>

#include "core/fleet/records/records.hpp"
#include "core/scheduling/state/access_tokens.hpp"
#include "core/scheduling/state/casts.hpp"
#include "tests/fuzz/small_manager.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {
namespace {

constexpr std::array<std::pair<std::string_view, store::Kind>, 10> kinds{{{"service", store::Kind::service},
                                                                          {"compute_node", store::Kind::compute_node},
                                                                          {"capabilities", store::Kind::capabilities},
                                                                          {"aggregate", store::Kind::aggregate},
                                                                          {"group", store::Kind::group},
                                                                          {"instance", store::Kind::instance},
                                                                          {"claim", store::Kind::claim},
                                                                          {"cast", store::Kind::cast},
                                                                          {"idempotency", store::Kind::idempotency},
                                                                          {"token", store::Kind::token}}};

std::string_view take_until(std::string_view& text, char end) {
  const auto at = std::min(text.find(end), text.size());
  const auto taken = text.substr(0, at);
  text.remove_prefix(std::min(at + 1, text.size()));
  return taken;
}

std::vector<Document> documents_in(std::string_view text) {
  std::vector<Document> documents;
  while (!text.empty()) {
    auto line = take_until(text, '\n');
    const auto kind = take_until(line, ' ');
    for (const auto& [name, value] : kinds) {
      if (kind != name) continue;
      const auto key = take_until(line, ' ');
      documents.push_back({value, std::string(key), std::string(line)});
    }
  }
  return documents;
}

template <class FromJson>
void check_round_trip(const json::object& object, FromJson from_json) {
  const auto record = from_json(object);
  if (!record) return;
  const auto text = json::write(to_json(*record));
  const auto parsed = json::parse_object(text, json::stored_depth);
  if (!parsed) broken("what is stored cannot be read: " + parsed.error().message + ": " + text);
  const auto again = from_json(*parsed);
  if (!again) broken("what is stored is refused: " + again.error().message);
  if (json::write(to_json(*again)) != text) broken("what is stored reads as something else: " + text);
}

void check_round_trip(const Document& document) {
  const auto object = json::parse_object(document.text, json::stored_depth / 2);
  if (!object) return;
  switch (document.kind) {
    case store::Kind::service: return check_round_trip(*object, fleet::service_from_json);
    case store::Kind::compute_node: return check_round_trip(*object, fleet::compute_node_from_json);
    case store::Kind::capabilities: return check_round_trip(*object, fleet::capabilities_from_json);
    case store::Kind::aggregate: return check_round_trip(*object, fleet::aggregate_from_json);
    case store::Kind::group: return check_round_trip(*object, fleet::group_from_json);
    case store::Kind::instance: return check_round_trip(*object, fleet::instance_from_json);
    case store::Kind::claim: return check_round_trip(*object, fleet::claim_from_json);
    case store::Kind::cast: return check_round_trip(*object, scheduling::cast_from_json);
    case store::Kind::token: return check_round_trip(*object, scheduling::token_from_json);
    default: return;
  }
}

}  // namespace

std::string run(std::span<const std::uint8_t> input) {
  const auto documents = documents_in(text_of(input));
  for (const auto& document : documents) check_round_trip(document);
  const auto manager = SmallManager::start(documents);
  if (!manager) {
    if (manager.error().message.empty()) broken("a refusal without a reason");
    return "refused";
  }
  for (const auto* method : {"list_hosts", "list_services", "list_aggregates", "list_groups", "list_instances",
                             "list_claims", "list_casts"}) {
    if (!(*manager)->call(method, {})) broken(std::string("no answer to ") + method);
  }
  json::object spec{{"num_instances", 1}, {"instance_type", json::object{{"vcpus", 1}, {"memory_mb", 1}}}};
  static_cast<void>((*manager)->call("select_destinations", {{"request_spec", std::move(spec)}}));
  return "recovered";
}

}  // namespace gantry::fuzz
