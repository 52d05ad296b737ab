// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/told_host.hpp"

#include <algorithm>

namespace gantry::whatif {

namespace {

std::string text_of(const json::object& object, std::string_view key) {
  return std::string(json::find_string(object, key).value_or(""));
}

template <class Read>
void each(const json::object& object, std::string_view key, Read read) {
  const auto* list = json::find_array(object, key);
  if (list == nullptr) return;
  for (const auto& item : *list)
    if (item.is_object()) read(item.get_object());
}

ToldHost read_host(const json::object& host) {
  ToldHost told;
  each(host, "verdicts", [&told](const json::object& verdict) {
    told.verdicts.push_back(
        {text_of(verdict, "name"), json::find_bool(verdict, "passed").value_or(false), text_of(verdict, "reason")});
  });
  each(host, "weighers", [&told](const json::object& term) {
    const auto number = [&term](std::string_view key) { return json::find_number(term, key).value_or(0); };
    told.terms.push_back({text_of(term, "name"), number("raw"), number("normalized"), number("multiplier")});
  });
  told.weight = json::find_number(host, "weight");
  return told;
}

}  // namespace

const ToldVerdict* ToldHost::rejection() const {
  const auto found = std::ranges::find(verdicts, false, &ToldVerdict::passed);
  return found == verdicts.end() ? nullptr : &*found;
}

const ToldVerdict* ToldHost::verdict_of(std::string_view filter) const {
  const auto found = std::ranges::find(verdicts, filter, &ToldVerdict::filter);
  return found == verdicts.end() ? nullptr : &*found;
}

const ToldTerm* ToldHost::term_of(std::string_view weigher) const {
  const auto found = std::ranges::find(terms, weigher, &ToldTerm::weigher);
  return found == terms.end() ? nullptr : &*found;
}

std::vector<std::optional<ToldHost>> read_told(std::string_view instances) {
  std::vector<std::optional<ToldHost>> told;
  const auto parsed = json::parse(instances, json::stored_depth);
  if (!parsed || !parsed->is_array()) return told;
  for (const auto& instance : parsed->get_array()) {
    auto& host = told.emplace_back();
    if (!instance.is_object()) continue;
    const auto* hosts = json::find_array(instance.get_object(), "hosts");
    if (hosts != nullptr && !hosts->empty() && hosts->front().is_object())
      host = read_host(hosts->front().get_object());
  }
  return told;
}

}  // namespace gantry::whatif
