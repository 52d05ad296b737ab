// SPDX-License-Identifier: Apache-2.0
//
// The providers of a deployment as columns: one a resource class, one set of rows a trait and an aggregate. A change of
// one provider costs what it changes; a new or removed provider costs a new shape. One thread at a time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/nova/mirror/class_column.hpp"
#include "core/nova/mirror/provider_facts.hpp"
#include "core/nova/mirror/provider_shape.hpp"

namespace gantry::nova {

class ProviderState {
 public:
  ProviderState();

  // invalid_argument: the providers do not fit together; the state is as it was, but for the names.
  Result<void> apply(ProviderChanges changes);
  // The used amount of one inventory. not_found: the provider or its inventory is unknown.
  Result<void> set_used(std::int64_t provider, std::int64_t resource_class, std::int64_t used);

  const ProviderShape& shape() const { return *shape_; }
  const std::shared_ptr<const ProviderShape>& shared_shape() const { return shape_; }
  // The facts of a row, as they were put.
  const ProviderFact& provider(ProviderRow row) const { return facts_[row]; }

  // nullopt: no such name.
  std::optional<std::int64_t> class_id(std::string_view name) const;
  std::optional<std::int64_t> trait_id(std::string_view name) const;
  std::optional<std::int64_t> aggregate_id(std::string_view uuid) const;
  // nullptr: no provider has or had such an inventory.
  const ClassColumn* column(std::int64_t class_id) const;
  // The providers with the trait, or in the aggregate.
  const RowSet& with_trait(std::int64_t trait_id) const { return rows_of(with_trait_, trait_id); }
  const RowSet& in_aggregate(std::int64_t aggregate_id) const { return rows_of(in_aggregate_, aggregate_id); }
  // The providers that share what they have with all trees of their aggregates.
  const RowSet& sharing() const { return sharing_trait_ ? with_trait(*sharing_trait_) : none_; }

 private:
  struct NameHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  using Ids = std::unordered_map<std::string, std::int64_t, NameHash, std::equal_to<>>;
  using RowSets = std::map<std::int64_t, RowSet>;

  static void set_names(std::optional<NameFacts> names, Ids& ids);
  static std::optional<std::int64_t> find_id(const Ids& ids, std::string_view name);
  const RowSet& rows_of(const RowSets& sets, std::int64_t id) const;
  bool changes_shape(const ProviderChanges& changes) const;
  Result<void> reshape(const ProviderChanges& changes);
  void resize(std::size_t rows);
  void clear(ProviderRow row);
  void put(ProviderRow row, ProviderFact fact);

  std::shared_ptr<const ProviderShape> shape_;
  std::vector<ProviderFact> facts_;  // by row
  Ids class_ids_;
  Ids trait_ids_;
  Ids aggregate_ids_;
  std::optional<std::int64_t> sharing_trait_;
  std::map<std::int64_t, ClassColumn> columns_;  // by class id
  RowSets with_trait_;
  RowSets in_aggregate_;
  RowSet none_;
};

}  // namespace gantry::nova
