// SPDX-License-Identifier: Apache-2.0
#include "core/cli/commands/whatif_differences.hpp"

#include <algorithm>
#include <ostream>
#include <utility>

#include "core/cli/terminal/output.hpp"
#include "core/cli/terminal/text_table.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli {

namespace {

using whatif::Cause;
using whatif::Compared;
using whatif::Difference;
using whatif::Place;

std::string_view name_of(Cause::Kind kind) {
  switch (kind) {
    case Cause::Kind::filter: return "filter";
    case Cause::Kind::weigher: return "weigher";
    case Cause::Kind::reason: break;
  }
  return "reason";
}

json::value text_or_null(const std::string& text) {
  return text.empty() ? json::value(nullptr) : json::value(text);
}

json::object to_json(const Place& place) {
  json::object shown{{"host", text_or_null(place.host)}, {"node", text_or_null(place.node)}};
  shown["weight"] = place.weight ? json::value(*place.weight) : json::value(nullptr);
  shown["reason"] = text_or_null(place.reason);
  return shown;
}

json::object to_json(const Cause& cause) {
  return {
      {"kind", name_of(cause.kind)},      {"rule", text_or_null(cause.rule)}, {"only_in", text_or_null(cause.only_in)},
      {"host", text_or_null(cause.host)}, {"before", cause.before},           {"after", cause.after}};
}

json::object to_json(const Difference& difference, const std::vector<std::string>& ids) {
  json::array causes;
  for (const auto& cause : difference.causes) causes.push_back(to_json(cause));
  return {{"request", ids[difference.request]},
          {"instance", difference.instance},
          {"before", to_json(difference.before)},
          {"after", to_json(difference.after)},
          {"causes", std::move(causes)}};
}

// The rules that count, with how many requests differ by each, the most first.
std::vector<std::pair<std::string, std::size_t>> rules_of(const Compared& compared) {
  std::vector<std::pair<std::string, std::size_t>> rules;
  for (const auto& difference : compared.differences) {
    const auto& rule = difference.causes.front().rule;
    const auto found = std::ranges::find(rules, rule, &std::pair<std::string, std::size_t>::first);
    if (found == rules.end())
      rules.emplace_back(rule, 1);
    else
      ++found->second;
  }
  std::ranges::stable_sort(rules, std::ranges::greater(), &std::pair<std::string, std::size_t>::second);
  return rules;
}

json::object to_json(const Compared& compared, const std::vector<std::string>& ids, std::uint64_t seed) {
  json::array rules;
  for (const auto& [rule, count] : rules_of(compared))
    rules.push_back(json::object{{"rule", text_or_null(rule)}, {"requests", count}});
  json::array differences;
  for (const auto& difference : compared.differences) differences.push_back(to_json(difference, ids));
  json::array unjudged;
  for (const auto& one : compared.unjudged)
    unjudged.push_back(json::object{{"request", ids[one.request]}, {"reason", one.reason}});
  return {{"driver", compared.driver},
          {"before", compared.before},
          {"after", compared.after},
          {"seed", std::to_string(seed)},
          {"hosts", compared.hosts},
          {"requests", ids.size()},
          {"same", compared.same},
          {"equal_weight", compared.equal_weight},
          {"differ", compared.differences.size()},
          {"not_judged", compared.unjudged.size()},
          {"rules", std::move(rules)},
          {"differences", std::move(differences)},
          {"unjudged", std::move(unjudged)}};
}

std::string capitals(std::string text) {
  for (auto& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return text;
}

std::string place_text(const Place& place) {
  if (place.host.empty()) return "no host";
  return place.node.empty() || place.node == place.host ? place.host : place.host + "/" + place.node;
}

std::string rule_text(const Cause& cause) {
  if (cause.rule.empty()) return "-";
  return cause.only_in.empty() ? cause.rule : cause.rule + " (" + cause.only_in + " alone)";
}

TextTable differences_table(const Compared& compared, const std::vector<std::string>& ids) {
  const auto before = capitals(compared.before);
  const auto after = capitals(compared.after);
  TextTable table({"REQUEST", "INSTANCE", before, after, "RULE", "JUDGES", before + " SAYS", after + " SAYS"});
  for (const auto& difference : compared.differences) {
    std::vector<std::string> cells{ids[difference.request], std::to_string(difference.instance + 1),
                                   place_text(difference.before), place_text(difference.after)};
    for (const auto& cause : difference.causes) {
      cells.resize(4);
      for (const auto& cell :
           {rule_text(cause), cause.host.empty() ? std::string("-") : cause.host, cause.before, cause.after})
        cells.push_back(cell);
      table.add(cells);
      cells.assign(4, "");
    }
  }
  return table;
}

TextTable unjudged_table(const Compared& compared, const std::vector<std::string>& ids) {
  TextTable table({"REQUEST", "NOT JUDGED, BECAUSE"});
  for (const auto& one : compared.unjudged) table.add({ids[one.request], one.reason});
  return table;
}

void print_summary(Session& session, const Compared& compared, std::size_t requests) {
  auto& out = session.out();
  out << requests << (requests == 1 ? " request on " : " requests on ") << compared.hosts
      << (compared.hosts == 1 ? " host by " : " hosts by ") << compared.before << " and by " << compared.after << ": "
      << compared.same << " the same";
  if (compared.equal_weight > 0) out << " (" << compared.equal_weight << " on another host of equal weight)";
  out << ", " << compared.differences.size() << " differ, " << compared.unjudged.size() << " not judged\n";
  if (compared.differences.empty()) return;
  out << '\n';
  TextTable table({"RULE", "REQUESTS"});
  for (const auto& [rule, count] : rules_of(compared)) table.add({rule.empty() ? "-" : rule, std::to_string(count)});
  table.print(out, session.colour());
}

}  // namespace

void print_differences(Session& session, const Compared& compared, const std::vector<std::string>& ids,
                       std::uint64_t seed) {
  if (session.format() == OutputFormat::json) return print_json(session, to_json(compared, ids, seed));
  const auto differences = differences_table(compared, ids);
  if (session.format() == OutputFormat::value) return differences.print_values(session.out());
  print_summary(session, compared, ids.size());
  for (const auto& table : {differences, unjudged_table(compared, ids)}) {
    if (table.empty()) continue;
    session.out() << '\n';
    table.print(session.out(), session.colour());
  }
}

}  // namespace gantry::cli
