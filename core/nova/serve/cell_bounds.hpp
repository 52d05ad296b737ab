// SPDX-License-Identifier: Apache-2.0
//
// The cells whose hosts a request may take: the enabled ones, or the cell that the request must stay in, which may be a
// disabled one.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "core/nova/facts/fact_snapshot.hpp"

namespace gantry::nova {

class CellBounds {
 public:
  // `only_cell`: the uuid of the cell that the request must stay in.
  CellBounds(std::shared_ptr<const NodeNames> nodes, std::optional<std::string> only_cell)
      : nodes_(std::move(nodes)), only_cell_(std::move(only_cell)) {}

  // False: all hosts may be taken.
  bool is_bounded() const { return only_cell_ || nodes_->has_disabled_cell(); }
  // Whether the request may take the compute node with the uuid.
  bool may_take(std::string_view uuid) const {
    if (!is_bounded()) return true;
    const auto* const node = nodes_->by_uuid(uuid);
    if (node == nullptr) return false;
    return only_cell_ ? node->cell_uuid == *only_cell_ : !node->is_in_disabled_cell;
  }

 private:
  std::shared_ptr<const NodeNames> nodes_;
  std::optional<std::string> only_cell_;
};

}  // namespace gantry::nova
