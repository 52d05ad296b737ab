// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/database/provider_reader.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "core/nova/mirror/database/placement_tables.hpp"

namespace gantry::nova {

namespace {

namespace tables = placement_tables;

// The clocks of placement's processes may differ, and transactions take time: a refresh looks back by this much.
constexpr std::string_view overlap = "10 SECOND";
// A share of all providers is this part of them.
constexpr std::size_t shares = 12;
// Rows of fewer providers than this are asked for by the providers' ids.
constexpr std::size_t most_by_id = 500;
// A server may cut a list off at 1,024 bytes.
constexpr std::size_t longest_list = 1'000;

std::int64_t whole(const Value& value) {
  const auto* number = std::get_if<std::int64_t>(&value);
  return number == nullptr ? 0 : *number;
}

double real(const Value& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  return static_cast<double>(whole(value));
}

std::string text(const Value& value) {
  const auto* found = std::get_if<std::string_view>(&value);
  return found == nullptr ? std::string() : std::string(*found);
}

std::string lower(std::string uuid) {
  std::ranges::transform(uuid, uuid.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return uuid;
}

std::string extent_of(const Table& table) {
  return "(SELECT COUNT(*) FROM `" + std::string(table.name) + "`), (SELECT COALESCE(MAX(id), 0) FROM `" +
         std::string(table.name) + "`)";
}

// The tables with the details of providers. Each row of an answer begins with one of the numbers.
enum class Detail : std::int64_t { inventory = 1, use, trait, aggregate };

std::string select_detail(Detail detail, const std::string& columns, const Table& table, const std::string& where,
                          std::size_t others) {
  auto sql = "SELECT " + std::to_string(static_cast<int>(detail)) + ", resource_provider_id, " + columns;
  for (std::size_t i = 0; i < others; ++i) sql += ", NULL";
  return sql + " FROM `" + std::string(table.name) + "`" + where;
}

// One question for all details of the providers: four answers would take the time of four round trips.
std::string select_details(const std::string& where) {
  // The text of a FLOAT has six digits, and placement's Python computes with it. The sum is the number that is stored.
  return select_detail(Detail::inventory,
                       "resource_class_id, total, reserved, min_unit, max_unit, step_size, allocation_ratio, "
                       "allocation_ratio + 0e0",
                       tables::inventories, where, 0) +
         " UNION ALL " +
         select_detail(Detail::use, "resource_class_id, CAST(SUM(used) AS SIGNED)", tables::allocations, where, 6) +
         " GROUP BY resource_provider_id, resource_class_id UNION ALL " +
         select_detail(Detail::trait, "trait_id", tables::provider_traits, where, 7) + " UNION ALL " +
         select_detail(Detail::aggregate, "aggregate_id", tables::provider_aggregates, where, 7);
}

// Calls `take` with each row of the details of the providers.
template <class Ids>
Result<void> query_details(Connection& connection, const Ids& ids, bool are_all, const TakeRow& take) {
  if (are_all) return connection.query(select_details(""), take);
  std::string list;
  std::size_t count = 0;
  Result<void> done;
  const auto flush = [&] {
    if (!list.empty() && done)
      done = connection.query(select_details(" WHERE resource_provider_id IN (" + list + ")"), take);
    list.clear();
    count = 0;
  };
  for (const auto& [id, ignored] : ids) {
    list += (list.empty() ? "" : ", ") + std::to_string(id);
    if (++count == most_by_id) flush();
  }
  flush();
  return done;
}

InventoryFact inventory_of(Row row) {
  return {.resource_class = whole(row[2]),
          .total = whole(row[3]),
          .reserved = whole(row[4]),
          .allocation_ratio = real(row[8]),
          .stored_ratio = real(row[9]),
          .min_unit = whole(row[5]),
          .max_unit = whole(row[6]),
          .step_size = whole(row[7]),
          .used = 0};
}

}  // namespace

std::string ProviderReader::is_recent() const {
  return "(updated_at >= UTC_TIMESTAMP() - INTERVAL " + std::string(overlap) + " OR id > " +
         std::to_string(sums_.providers.last) + ")";
}

// The list of recent ones comes along: the table is looked through once.
Result<void> ProviderReader::read_sums(Connection& connection, Sums& sums, std::string& recent) const {
  const auto sql =
      "SELECT COUNT(*), COALESCE(MAX(id), 0), CAST(COALESCE(SUM(generation), 0) AS SIGNED), MAX(updated_at), " +
      extent_of(tables::resource_classes) + ", " + extent_of(tables::traits) + ", " + extent_of(tables::aggregates) +
      ", GROUP_CONCAT(IF(" + is_recent() + ", id, NULL)) FROM resource_providers";
  return connection.query(sql, [&sums, &recent](Row row) {
    sums.providers = {whole(row[0]), whole(row[1])};
    sums.generations = whole(row[2]);
    sums.last_update = text(row[3]);
    sums.resource_classes = {whole(row[4]), whole(row[5])};
    sums.traits = {whole(row[6]), whole(row[7])};
    sums.aggregates = {whole(row[8]), whole(row[9])};
    recent = text(row[10]);
  });
}

Result<void> ProviderReader::read_names(Connection& connection, const Table& table, std::optional<NameFacts>& into) {
  auto& names = into.emplace();
  const bool are_uuids = table.name == tables::aggregates.name;
  return connection.query(select_from(table), [&names, are_uuids](Row row) {
    names.emplace_back(whole(row[0]), are_uuids ? lower(text(row[1])) : text(row[1]));
  });
}

Result<void> ProviderReader::read_providers(Connection& connection, const std::string& where, Providers& providers) {
  return connection.query(select_from(tables::providers) + where, [&providers](Row row) {
    const auto id = whole(row[0]);
    // A row of before the trees has no root: the provider is its own.
    const auto root = whole(row[4]);
    providers.insert_or_assign(id, Known{lower(text(row[1])), whole(row[2]), whole(row[3]), root == 0 ? id : root});
  });
}

Result<void> ProviderReader::read_details(Connection& connection, const Providers& providers, bool are_all,
                                          ProviderChanges& changes) {
  std::unordered_map<std::int64_t, ProviderFact> facts;
  for (const auto& [id, known] : providers) {
    auto& fact = facts[id];
    fact.id = id;
    fact.uuid = known.uuid;
    fact.generation = known.generation;
    if (known.parent != 0) fact.parent = known.parent;
    fact.root = known.root;
  }
  struct Use {
    ProviderFact* fact;
    std::int64_t resource_class;
    std::int64_t used;
  };
  std::vector<Use> uses;
  auto done = query_details(connection, providers, are_all, [&facts, &uses](Row row) {
    const auto found = facts.find(whole(row[1]));
    if (found == facts.end()) return;
    auto& fact = found->second;
    switch (static_cast<Detail>(whole(row[0]))) {
      case Detail::inventory: fact.inventories.push_back(inventory_of(row)); break;
      case Detail::use: uses.push_back({&fact, whole(row[2]), whole(row[3])}); break;
      case Detail::trait: fact.traits.push_back(whole(row[2])); break;
      case Detail::aggregate: fact.aggregates.push_back(whole(row[2])); break;
    }
  });
  if (!done) return done;
  for (const auto& use : uses) {
    for (auto& inventory : use.fact->inventories)
      if (inventory.resource_class == use.resource_class) inventory.used = use.used;
  }
  for (const auto& [id, known] : providers) changes.providers.push_back(std::move(facts.at(id)));
  return {};
}

// The times in the table have whole seconds and may come from several clocks, so the sums judge whether the rows that say
// of themselves that they have changed are all. If they are not, every row is looked at.
Result<void> ProviderReader::find_changed(Connection& connection, const Sums& sums, const std::string& recent,
                                          Providers& changed, std::vector<std::int64_t>& removed) const {
  Providers found;
  Result<void> done;
  if (!recent.empty())
    done = read_providers(connection,
                          " WHERE " + (recent.size() < longest_list ? "id IN (" + recent + ")" : is_recent()), found);
  if (!done) return done;
  auto count = sums_.providers.count;
  auto generations = sums_.generations;
  for (const auto& [id, provider] : found) {
    const auto known = providers_.find(id);
    if (known != providers_.end() && known->second == provider) continue;
    if (known == providers_.end()) ++count;
    generations += provider.generation - (known == providers_.end() ? 0 : known->second.generation);
    changed.emplace(id, provider);
  }
  if (count == sums.providers.count && generations == sums.generations) return {};
  found.clear();
  changed.clear();
  done = read_providers(connection, "", found);
  if (!done) return done;
  for (const auto& [id, provider] : found) {
    const auto known = providers_.find(id);
    if (known == providers_.end() || !(known->second == provider)) changed.emplace(id, provider);
  }
  for (const auto& [id, provider] : providers_)
    if (!found.contains(id)) removed.push_back(id);
  return {};
}

Result<void> ProviderReader::read_changes(Connection& connection, std::span<const std::int64_t> dirty,
                                          ProviderRead& read, Sums& sums, Providers& changed) const {
  std::string recent;
  auto done = read_sums(connection, sums, recent);
  auto& changes = read.changes;
  if (done && sums.resource_classes != sums_.resource_classes)
    done = read_names(connection, tables::resource_classes, changes.resource_classes);
  if (done && sums.traits != sums_.traits) done = read_names(connection, tables::traits, changes.traits);
  if (done && sums.aggregates != sums_.aggregates)
    done = read_names(connection, tables::aggregates, changes.aggregates);
  if (done && (sums.providers != sums_.providers || sums.generations != sums_.generations ||
               sums.last_update != sums_.last_update))
    done = find_changed(connection, sums, recent, changed, changes.removed);
  if (!done) return done;
  std::string list;
  for (const auto id : dirty)
    if (!changed.contains(id)) list += (list.empty() ? "" : ", ") + std::to_string(id);
  if (!list.empty()) done = read_providers(connection, " WHERE id IN (" + list + ")", changed);
  if (!done) return done;
  return read_details(connection, changed, false, changes);
}

Result<ProviderRead> ProviderReader::read_all(Connection& connection) {
  Sums sums;
  Providers providers;
  ProviderRead read{true, {}};
  auto& changes = read.changes;
  auto done = connection.in_snapshot([&]() -> Result<void> {
    std::string recent;
    auto step = read_sums(connection, sums, recent);
    if (step) step = read_names(connection, tables::resource_classes, changes.resource_classes);
    if (step) step = read_names(connection, tables::traits, changes.traits);
    if (step) step = read_names(connection, tables::aggregates, changes.aggregates);
    if (step) step = read_providers(connection, "", providers);
    return step ? read_details(connection, providers, true, changes) : std::move(step);
  });
  if (!done) return std::move(done).error();
  sums_ = sums;
  providers_ = std::move(providers);
  id_by_uuid_.clear();
  trees_.clear();
  for (const auto& [id, provider] : providers_) {
    id_by_uuid_.emplace(provider.uuid, id);
    trees_.emplace(provider.root, id);
  }
  is_loaded_ = true;
  return read;
}

Result<ProviderRead> ProviderReader::load(Connection& connection) {
  return read_all(connection);
}

std::vector<std::int64_t> ProviderReader::ids_of(std::span<const std::string> uuids) const {
  std::set<std::int64_t> roots;
  for (const auto& uuid : uuids) {
    const auto found = id_by_uuid_.find(uuid);
    if (found != id_by_uuid_.end()) roots.insert(providers_.at(found->second).root);
  }
  std::vector<std::int64_t> ids;
  for (const auto root : roots) {
    for (auto at = trees_.lower_bound({root, 0}); at != trees_.end() && at->first == root; ++at)
      ids.push_back(at->second);
  }
  return ids;
}

std::vector<std::int64_t> ProviderReader::next_share() const {
  std::vector<std::int64_t> ids;
  const auto size = (providers_.size() + shares - 1) / shares;
  auto at = providers_.upper_bound(last_share_);
  for (std::size_t i = 0; i < size; ++i, ++at) {
    if (at == providers_.end()) at = providers_.begin();
    ids.push_back(at->first);
  }
  return ids;
}

Result<ProviderRead> ProviderReader::refresh(Connection& connection, std::span<const std::string> dirty, Depth depth) {
  if (!is_loaded_)
    return Error{ErrorCode::failed_precondition, "database " + connection.place() + ": nothing is loaded yet", {}};
  auto ids = ids_of(dirty);
  const auto share = depth == Depth::whole ? next_share() : std::vector<std::int64_t>();
  ids.insert(ids.end(), share.begin(), share.end());
  Sums sums;
  Providers changed;
  ProviderRead read;
  auto done = connection.in_snapshot([&] { return read_changes(connection, ids, read, sums, changed); });
  if (!done) return std::move(done).error();
  for (const auto id : ids)
    if (providers_.contains(id) && !changed.contains(id) && std::ranges::count(read.changes.removed, id) == 0)
      read.changes.removed.push_back(id);
  for (const auto id : read.changes.removed) {
    const auto& provider = providers_.at(id);
    id_by_uuid_.erase(provider.uuid);
    trees_.erase({provider.root, id});
    providers_.erase(id);
  }
  for (auto& [id, provider] : changed) {
    id_by_uuid_.insert_or_assign(provider.uuid, id);
    if (const auto known = providers_.find(id); known != providers_.end()) trees_.erase({known->second.root, id});
    trees_.emplace(provider.root, id);
    providers_.insert_or_assign(id, std::move(provider));
  }
  sums_ = sums;
  if (!share.empty()) last_share_ = share.back();
  return read;
}

}  // namespace gantry::nova
