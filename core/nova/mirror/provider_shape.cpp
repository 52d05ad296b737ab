// SPDX-License-Identifier: Apache-2.0
#include "core/nova/mirror/provider_shape.hpp"

#include <algorithm>

namespace gantry::nova {

namespace {

Error broken_shape(const ProviderIdentity& provider, std::string_view reason) {
  return {ErrorCode::invalid_argument, "provider " + provider.uuid + ": " + std::string(reason), ""};
}

}  // namespace

Result<ProviderShape> ProviderShape::build(std::vector<ProviderIdentity> identities) {
  ProviderShape shape;
  shape.identities_ = std::move(identities);
  if (auto done = shape.index(); !done) return std::move(done.error());
  if (auto done = shape.link(); !done) return std::move(done.error());
  shape.gather_trees();
  return shape;
}

Result<void> ProviderShape::index() {
  row_of_id_.reserve(rows());
  row_of_uuid_.reset(rows());
  for (ProviderRow row = 0; row < rows(); ++row) {
    const auto& provider = identities_[row];
    if (provider.id == 0) continue;
    if (!row_of_id_.emplace(provider.id, row).second) return broken_shape(provider, "another provider has its id");
    if (!row_of_uuid_.insert(provider.uuid, row)) return broken_shape(provider, "another provider has its uuid");
  }
  return {};
}

Result<void> ProviderShape::link() {
  parents_.assign(rows(), no_row);
  roots_.assign(rows(), no_row);
  parentless_ = RowSet(rows());
  for (ProviderRow row = 0; row < rows(); ++row) {
    const auto& provider = identities_[row];
    if (provider.id == 0) continue;
    roots_[row] = row_of_id(provider.root);
    if (roots_[row] == no_row) return broken_shape(provider, "its root is unknown");
    if (provider.parent == 0) {
      if (roots_[row] != row) return broken_shape(provider, "it has no parent, and another provider is its root");
      parentless_.insert(row);
      continue;
    }
    has_trees_ = true;
    parents_[row] = row_of_id(provider.parent);
    if (parents_[row] == no_row) return broken_shape(provider, "its parent is unknown");
  }
  for (ProviderRow row = 0; row < rows(); ++row) {
    ProviderRow top = row;
    for (std::size_t steps = 0; identities_[row].id != 0 && parents_[top] != no_row; top = parents_[top]) {
      if (++steps > rows()) return broken_shape(identities_[row], "it is its own ancestor");
    }
    if (identities_[row].id != 0 && top != roots_[row])
      return broken_shape(identities_[row], "its root is not the root of its parent");
  }
  return {};
}

void ProviderShape::gather_trees() {
  tree_begins_.assign(rows() + 1, 0);
  for (const auto root : roots_) {
    if (root != no_row) ++tree_begins_[root + 1];
  }
  for (std::size_t row = 0; row < rows(); ++row) tree_begins_[row + 1] += tree_begins_[row];
  tree_rows_.resize(size());
  auto ends = tree_begins_;
  for (ProviderRow row = 0; row < rows(); ++row) {
    if (roots_[row] != no_row) tree_rows_[ends[roots_[row]]++] = row;
  }
  parentless_.each([this](std::size_t row) {
    const auto begin = tree_rows_.begin() + tree_begins_[row];
    const auto end = tree_rows_.begin() + tree_begins_[row + 1];
    std::ranges::sort(begin, end, {}, [this](ProviderRow member) { return id(member); });
  });
}

ProviderRow ProviderShape::row_of_id(std::int64_t id) const {
  const auto found = row_of_id_.find(id);
  return found == row_of_id_.end() ? no_row : found->second;
}

ProviderRow ProviderShape::row_of_uuid(std::string_view uuid) const {
  return row_of_uuid_.find(uuid);
}

std::span<const ProviderRow> ProviderShape::tree(ProviderRow root) const {
  return std::span(tree_rows_).subspan(tree_begins_[root], tree_begins_[root + 1] - tree_begins_[root]);
}

}  // namespace gantry::nova
