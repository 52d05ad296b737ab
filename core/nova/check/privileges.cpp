// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/privileges.hpp"

#include <algorithm>

namespace gantry::nova {

namespace {

std::string quoted_with(char quote, std::string_view text) {
  std::string out(1, quote);
  for (const char letter : text) out.append(letter == quote ? 2 : 1, letter);
  return out + quote;
}

// Cuts a name from the front of the text: `quoted`, or up to the end mark.
std::string cut_name(std::string_view& text, std::string_view ends) {
  std::string name;
  if (!text.starts_with('`')) {
    const auto end = std::min(text.find_first_of(ends), text.size());
    name = text.substr(0, end);
    text.remove_prefix(end);
    return name;
  }
  text.remove_prefix(1);
  while (!text.empty()) {
    const char letter = text.front();
    text.remove_prefix(1);
    if (letter == '`' && !text.starts_with('`')) break;
    if (letter == '`') text.remove_prefix(1);
    name += letter;
  }
  return name;
}

void skip(std::string_view& text, std::string_view letters) {
  text.remove_prefix(std::min(text.find_first_not_of(letters), text.size()));
}

// Reads "SELECT, UPDATE (`mapped`, `id`), INSERT". A verb of several columns becomes several privileges.
std::vector<Privilege> read_verbs(std::string_view text) {
  std::vector<Privilege> read;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(",("), text.size());
    std::string verb(text.substr(0, end));
    while (verb.ends_with(' ')) verb.pop_back();
    text.remove_prefix(end);
    if (!text.starts_with('(')) {
      read.push_back({verb, "", ""});
    } else {
      text.remove_prefix(1);
      for (skip(text, ", "); !text.empty() && !text.starts_with(')'); skip(text, ", "))
        read.push_back({verb, "", "", cut_name(text, ",) ")});
      skip(text, ")");
    }
    skip(text, ", ");
  }
  return read;
}

// Whether the name fits a pattern of SQL, with % for any text, _ for any letter, and \ before a letter that means itself.
bool fits(std::string_view pattern, std::string_view name) {
  if (pattern.empty()) return name.empty();
  if (pattern.front() == '%') {
    for (std::size_t cut = 0; cut <= name.size(); ++cut)
      if (fits(pattern.substr(1), name.substr(cut))) return true;
    return false;
  }
  if (name.empty()) return false;
  const bool is_any = pattern.front() == '_';
  if (pattern.front() == '\\' && pattern.size() > 1) pattern.remove_prefix(1);
  return (is_any || pattern.front() == name.front()) && fits(pattern.substr(1), name.substr(1));
}

bool gives(const Privilege& granted, const Privilege& wanted) {
  if (granted.verb != wanted.verb && granted.verb != "ALL PRIVILEGES" && granted.verb != "ALL") return false;
  return granted.column.empty() || granted.column == wanted.column;
}

}  // namespace

std::string grant_of(const Privilege& privilege, const std::string& grantee) {
  const std::string column = privilege.column.empty() ? "" : " (" + quoted_with('`', privilege.column) + ")";
  return "GRANT " + privilege.verb + column + " ON " + quoted_with('`', privilege.database) + "." +
         quoted_with('`', privilege.table) + " TO " + grantee;
}

std::string grantee_of(std::string_view user, std::string_view host) {
  return quoted_with('\'', user) + "@" + quoted_with('\'', host);
}

std::vector<Privilege> reads_of(const std::string& database, std::span<const Table> tables) {
  std::vector<Privilege> needed;
  for (const auto& table : tables) needed.push_back({"SELECT", database, std::string(table.name)});
  return needed;
}

std::vector<Privilege> writes_of_own_row(const std::string& database) {
  return {{"INSERT", database, "services"}, {"UPDATE", database, "services"}};
}

std::vector<Privilege> writes_of_discovery_in_api(const std::string& database) {
  return {{"INSERT", database, "host_mappings"}};
}

std::vector<Privilege> writes_of_discovery_in_cell(const std::string& database) {
  return {{"UPDATE", database, "compute_nodes", "mapped"}};
}

Result<Grants> Grants::read(Connection& connection) {
  Grants grants;
  const auto text_of_row = [](Row row) {
    const auto* text = row.empty() ? nullptr : std::get_if<std::string_view>(&row[0]);
    return text == nullptr ? std::string_view() : *text;
  };
  auto named = connection.query("SELECT CURRENT_USER()", [&](Row row) {
    const auto user = text_of_row(row);
    const auto at = std::min(user.rfind('@'), user.size());
    grants.grantee_ = grantee_of(user.substr(0, at), user.substr(std::min(at + 1, user.size())));
  });
  if (!named) return std::move(named).error();
  auto listed = connection.query("SHOW GRANTS", [&](Row row) { grants.add(text_of_row(row)); });
  if (!listed) return std::move(listed).error();
  return grants;
}

void Grants::add(std::string_view line) {
  constexpr std::string_view grant = "GRANT ";
  constexpr std::string_view on = " ON ";
  const auto where = line.find(on);
  if (!line.starts_with(grant) || where == std::string_view::npos || where < grant.size()) return;
  Granted granted;
  granted.privileges = read_verbs(line.substr(grant.size(), where - grant.size()));
  line.remove_prefix(where + on.size());
  granted.database = cut_name(line, ". ");
  if (!line.starts_with('.')) return;
  line.remove_prefix(1);
  granted.table = cut_name(line, " ");
  if (granted.table != "*") {
    // A grant for one table names its database, and no pattern.
    std::string name;
    for (const char letter : granted.database)
      name += letter == '%' || letter == '_' || letter == '\\' ? std::string("\\") + letter : std::string(1, letter);
    granted.database = name;
  }
  granted_.push_back(std::move(granted));
}

bool Grants::allow(const Privilege& privilege) const {
  return std::any_of(granted_.begin(), granted_.end(), [&](const Granted& granted) {
    if (granted.database != "*" && !fits(granted.database, privilege.database)) return false;
    if (granted.table != "*" && granted.table != privilege.table) return false;
    return std::any_of(granted.privileges.begin(), granted.privileges.end(),
                       [&](const Privilege& given) { return gives(given, privilege); });
  });
}

}  // namespace gantry::nova
