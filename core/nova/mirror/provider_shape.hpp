// SPDX-License-Identifier: Apache-2.0
//
// Which providers there are and how they form trees. A shape never changes; another one takes its place. A provider
// keeps its row while it exists.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/nova/mirror/row_set.hpp"
#include "core/nova/mirror/uuid_index.hpp"
#include "core/result.hpp"

namespace gantry::nova {

using ProviderRow = std::uint32_t;
inline constexpr ProviderRow no_row = UINT32_MAX;

// One row's provider.
struct ProviderIdentity {
  std::int64_t id = 0;  // 0: the row is free
  std::string uuid;
  std::int64_t parent = 0;  // id; 0: none
  std::int64_t root = 0;    // id
};

class ProviderShape {
 public:
  ProviderShape() = default;
  ProviderShape(ProviderShape&&) = default;
  ProviderShape& operator=(ProviderShape&&) = default;
  ProviderShape(const ProviderShape&) = delete;
  ProviderShape& operator=(const ProviderShape&) = delete;
  ~ProviderShape() = default;

  // The element of a row. invalid_argument: a parent or root is unknown, or two providers have one id or uuid.
  static Result<ProviderShape> build(std::vector<ProviderIdentity> identities);

  std::size_t rows() const { return identities_.size(); }
  std::size_t size() const { return row_of_id_.size(); }
  // no_row: unknown.
  ProviderRow row_of_id(std::int64_t id) const;
  ProviderRow row_of_uuid(std::string_view uuid) const;

  const std::vector<ProviderIdentity>& identities() const { return identities_; }
  std::int64_t id(ProviderRow row) const { return identities_[row].id; }
  const std::string& uuid(ProviderRow row) const { return identities_[row].uuid; }
  ProviderRow parent(ProviderRow row) const { return parents_[row]; }  // no_row: none
  ProviderRow root(ProviderRow row) const { return roots_[row]; }
  // A root and all providers under it, ordered by id.
  std::span<const ProviderRow> tree(ProviderRow root) const;

  bool has_trees() const { return has_trees_; }             // some provider has a parent
  const RowSet& parentless() const { return parentless_; }  // roots

 private:
  Result<void> index();
  Result<void> link();
  void gather_trees();

  std::vector<ProviderIdentity> identities_;
  std::unordered_map<std::int64_t, ProviderRow> row_of_id_;
  UuidIndex row_of_uuid_;
  std::vector<ProviderRow> parents_;
  std::vector<ProviderRow> roots_;
  std::vector<std::uint32_t> tree_begins_;  // by root, into tree_rows_; one more than rows
  std::vector<ProviderRow> tree_rows_;
  RowSet parentless_;
  bool has_trees_ = false;
};

}  // namespace gantry::nova
