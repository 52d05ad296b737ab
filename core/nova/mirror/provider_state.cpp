// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/provider_state.hpp"

#include <algorithm>
#include <utility>

namespace gantry::nova {

namespace {

constexpr std::string_view sharing_trait = "MISC_SHARES_VIA_AGGREGATE";

ProviderIdentity identity_of(const ProviderFact& fact) {
  return {fact.id, fact.uuid, fact.parent.value_or(0), fact.root};
}

bool is_same_identity(const ProviderIdentity& one, const ProviderIdentity& other) {
  return one.id == other.id && one.uuid == other.uuid && one.parent == other.parent && one.root == other.root;
}

}  // namespace

ProviderState::ProviderState() : shape_(std::make_shared<const ProviderShape>()) {}

Result<void> ProviderState::apply(ProviderChanges changes) {
  set_names(std::move(changes.resource_classes), class_ids_);
  set_names(std::move(changes.traits), trait_ids_);
  sharing_trait_ = trait_id(sharing_trait);
  set_names(std::move(changes.aggregates), aggregate_ids_);
  if (std::ranges::any_of(changes.providers, [](const auto& fact) { return fact.id <= 0; }))
    return Error{ErrorCode::invalid_argument, "a provider's id is not positive", ""};
  if (changes_shape(changes)) {
    if (auto done = reshape(changes); !done) return done;
  }
  for (auto& fact : changes.providers) {
    const auto row = shape_->row_of_id(fact.id);
    clear(row);
    put(row, std::move(fact));
  }
  return {};
}

void ProviderState::set_names(std::optional<NameFacts> names, Ids& ids) {
  if (!names) return;
  ids.clear();
  for (auto& [id, name] : *names) ids.insert_or_assign(std::move(name), id);
}

bool ProviderState::changes_shape(const ProviderChanges& changes) const {
  const auto differs = [this](const ProviderFact& fact) {
    const auto row = shape_->row_of_id(fact.id);
    return row == no_row || !is_same_identity(shape_->identities()[row], identity_of(fact));
  };
  return std::ranges::any_of(changes.removed, [this](auto id) { return shape_->row_of_id(id) != no_row; }) ||
         std::ranges::any_of(changes.providers, differs);
}

Result<void> ProviderState::reshape(const ProviderChanges& changes) {
  auto identities = shape_->identities();
  std::vector<ProviderRow> removed;
  for (const auto id : changes.removed) {
    const auto row = shape_->row_of_id(id);
    if (row == no_row) continue;
    identities[row] = {};
    removed.push_back(row);
  }
  std::unordered_map<std::int64_t, std::size_t> rows;
  std::vector<std::size_t> free_rows;
  for (std::size_t row = identities.size(); row-- > 0;) {
    if (identities[row].id == 0)
      free_rows.push_back(row);
    else
      rows.emplace(identities[row].id, row);
  }
  for (const auto& fact : changes.providers) {
    const auto known = rows.find(fact.id);
    std::size_t row = known == rows.end() ? identities.size() : known->second;
    if (known == rows.end() && !free_rows.empty()) {
      row = free_rows.back();
      free_rows.pop_back();
    }
    if (row == identities.size()) identities.emplace_back();
    rows.insert_or_assign(fact.id, row);
    identities[row] = identity_of(fact);
  }
  auto shape = ProviderShape::build(std::move(identities));
  if (!shape) return std::move(shape.error());
  for (const auto row : removed) clear(row);
  shape_ = std::make_shared<const ProviderShape>(*std::move(shape));
  resize(shape_->rows());
  return {};
}

void ProviderState::resize(std::size_t rows) {
  if (facts_.size() == rows) return;
  facts_.resize(rows);
  none_.resize(rows);
  for (auto& [id, column] : columns_) column.resize(rows);
  for (auto* sets : {&with_trait_, &in_aggregate_}) {
    for (auto& [id, set] : *sets) set.resize(rows);
  }
}

void ProviderState::clear(ProviderRow row) {
  const auto& fact = facts_[row];
  for (const auto& inventory : fact.inventories) columns_.at(inventory.resource_class).clear(row);
  for (const auto trait : fact.traits) with_trait_.at(trait).erase(row);
  for (const auto aggregate : fact.aggregates) in_aggregate_.at(aggregate).erase(row);
  facts_[row] = {};
}

void ProviderState::put(ProviderRow row, ProviderFact fact) {
  facts_[row] = std::move(fact);
  for (const auto& inventory : facts_[row].inventories) {
    auto& column = columns_[inventory.resource_class];
    column.resize(facts_.size());
    column.put(row, inventory);
  }
  for (const auto trait : facts_[row].traits) with_trait_.try_emplace(trait, facts_.size()).first->second.insert(row);
  for (const auto aggregate : facts_[row].aggregates)
    in_aggregate_.try_emplace(aggregate, facts_.size()).first->second.insert(row);
}

Result<void> ProviderState::set_used(std::int64_t provider, std::int64_t resource_class, std::int64_t used) {
  const auto row = shape_->row_of_id(provider);
  if (row == no_row) return Error{ErrorCode::not_found, "provider " + std::to_string(provider) + " is unknown", ""};
  auto& inventories = facts_[row].inventories;
  const auto inventory = std::ranges::find(inventories, resource_class, &InventoryFact::resource_class);
  if (inventory == inventories.end())
    return Error{ErrorCode::not_found, "provider " + facts_[row].uuid + " has no inventory of the class", ""};
  inventory->used = used;
  columns_.at(resource_class).put(row, *inventory);
  return {};
}

std::optional<std::int64_t> ProviderState::find_id(const Ids& ids, std::string_view name) {
  const auto found = ids.find(name);
  return found == ids.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::int64_t> ProviderState::class_id(std::string_view name) const {
  return find_id(class_ids_, name);
}

std::optional<std::int64_t> ProviderState::trait_id(std::string_view name) const {
  return find_id(trait_ids_, name);
}

std::optional<std::int64_t> ProviderState::aggregate_id(std::string_view uuid) const {
  return find_id(aggregate_ids_, uuid);
}

const ClassColumn* ProviderState::column(std::int64_t class_id) const {
  const auto found = columns_.find(class_id);
  return found == columns_.end() ? nullptr : &found->second;
}

const RowSet& ProviderState::rows_of(const RowSets& sets, std::int64_t id) const {
  const auto found = sets.find(id);
  return found == sets.end() ? none_ : found->second;
}

}  // namespace gantry::nova
