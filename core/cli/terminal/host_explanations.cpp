// SPDX-License-Identifier: Apache-2.0
#include "core/cli/terminal/host_explanations.hpp"

#include <ostream>

#include "core/cli/terminal/output.hpp"
#include "core/cli/terminal/text_table.hpp"

namespace gantry::cli {

namespace {

std::string cell(const json::object& object, std::string_view key) {
  return cell_text(json::find(object, key));
}

// Calls visit(object) with each object of a list.
template <class Visit>
void each(const json::object& object, std::string_view key, const Visit& visit) {
  const json::array* list = json::find_array(object, key);
  if (list == nullptr) return;
  for (const json::value& item : *list)
    if (item.is_object()) visit(item.get_object());
}

std::string reason_against(const json::object& host) {
  const auto rejected_by = json::find_string(host, "rejected_by");
  std::string reason;
  each(host, "verdicts", [&](const json::object& verdict) {
    if (rejected_by && json::find_string(verdict, "name") == rejected_by) reason = cell(verdict, "reason");
  });
  return reason.empty() ? "-" : reason;
}

using Hosts = std::vector<const json::object*>;

Hosts shown_hosts(const json::object& of_instance, const ExplanationsShown& shown) {
  Hosts hosts;
  std::size_t left = 0;
  std::size_t out = 0;
  each(of_instance, "hosts", [&](const json::object& host) {
    const bool is_left = !json::find_string(host, "rejected_by");
    if (is_left ? left++ < shown.most_left : out++ < shown.most_out) hosts.push_back(&host);
  });
  return hosts;
}

TextTable ranking_table(const Hosts& hosts) {
  TextTable table({"PLACE", "HOST", "NODE", "WEIGHT", "REJECTED BY", "WHY"});
  for (const json::object* shown : hosts) {
    const json::object& host = *shown;
    const auto rank = json::find_integer(host, "rank");
    table.add({rank ? std::to_string(*rank + 1) : "-", cell(host, "host"), cell(host, "node"), cell(host, "weight"),
               cell(host, "rejected_by"), reason_against(host)});
  }
  return table;
}

TextTable verdicts_table(const Hosts& hosts) {
  TextTable table({"HOST", "NODE", "FILTER", "PASSED", "WHY"});
  for (const json::object* shown : hosts) {
    const json::object& host = *shown;
    each(host, "verdicts", [&](const json::object& verdict) {
      table.add({cell(host, "host"), cell(host, "node"), cell(verdict, "name"), cell(verdict, "passed"),
                 cell(verdict, "reason")});
    });
  }
  return table;
}

std::string term_text(const json::object& weigher) {
  const auto normalized = json::find_number(weigher, "normalized");
  const auto multiplier = json::find_number(weigher, "multiplier");
  if (!normalized || !multiplier) return "-";
  const json::value term(*normalized * *multiplier + 0.0);  // 0, never -0
  return cell_text(&term);
}

TextTable terms_table(const Hosts& hosts) {
  TextTable table({"HOST", "NODE", "WEIGHER", "RAW", "NORMALIZED", "MULTIPLIER", "TERM"});
  for (const json::object* shown : hosts) {
    const json::object& host = *shown;
    each(host, "weighers", [&](const json::object& weigher) {
      table.add({cell(host, "host"), cell(host, "node"), cell(weigher, "name"), cell(weigher, "raw"),
                 cell(weigher, "normalized"), cell(weigher, "multiplier"), term_text(weigher)});
    });
  }
  return table;
}

void print_unless_empty(Session& session, const std::string& title, const TextTable& table) {
  if (table.empty()) return;
  session.out() << '\n' << title << '\n';
  table.print(session.out(), session.colour());
}

void print_instance(Session& session, const json::object& of_instance, const std::string& title,
                    const ExplanationsShown& shown) {
  std::ostream& out = session.out();
  const Hosts hosts = shown_hosts(of_instance, shown);
  print_unless_empty(session, "hosts" + title, ranking_table(hosts));
  if (const std::size_t all = json::find_array(of_instance, "hosts")->size(); all > hosts.size())
    out << all - hosts.size() << (all - hosts.size() == 1 ? " more host" : " more hosts") << " with -o json\n";
  if (const auto left_out = json::find_integer(of_instance, "left_out").value_or(0); left_out > 0)
    out << left_out << (left_out == 1 ? " more host is" : " more hosts are") << " left out\n";
  if (shown.verdicts) print_unless_empty(session, "filters" + title, verdicts_table(hosts));
  print_unless_empty(session, "weighers" + title, terms_table(hosts));
}

json::array* list_in(json::object& object, std::string_view key) {
  json::value* found = object.if_contains(key);
  return found == nullptr ? nullptr : found->if_array();
}

void end_verdicts(json::object& host) {
  const json::value* rejected_by = host.if_contains("rejected_by");
  json::array* verdicts = list_in(host, "verdicts");
  if (rejected_by == nullptr || !rejected_by->is_string() || verdicts == nullptr) return;
  for (auto verdict = verdicts->begin(); verdict != verdicts->end(); ++verdict) {
    if (!verdict->is_object() || verdict->get_object()["name"] != *rejected_by) continue;
    verdicts->erase(verdict + 1, verdicts->end());
    return;
  }
}

}  // namespace

void end_at_rejection(json::object& decision) {
  json::array* instances = list_in(decision, "instances");
  if (instances == nullptr) return;
  for (json::value& of_instance : *instances) {
    json::array* hosts = of_instance.is_object() ? list_in(of_instance.get_object(), "hosts") : nullptr;
    if (hosts == nullptr) continue;
    for (json::value& host : *hosts)
      if (host.is_object()) end_verdicts(host.get_object());
  }
}

void print_host_explanations(Session& session, const json::object& decision, const ExplanationsShown& shown) {
  const json::array* instances = json::find_array(decision, "instances");
  const bool is_one = instances != nullptr && instances->size() == 1;
  std::size_t number = 0;
  each(decision, "instances", [&](const json::object& of_instance) {
    ++number;
    const json::array* hosts = json::find_array(of_instance, "hosts");
    if (hosts == nullptr || hosts->empty()) return;
    print_instance(session, of_instance, is_one ? "" : " of instance " + std::to_string(number), shown);
  });
}

}  // namespace gantry::cli
