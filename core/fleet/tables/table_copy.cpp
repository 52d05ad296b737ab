// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/tables/table_copy.hpp"

#include <algorithm>

namespace gantry::fleet {

namespace {

// Neither name can hold a zero byte and reach a row: JSON could, but then only the longer key would differ.
std::string key_of(std::string_view host, std::string_view node) {
  std::string key;
  key.reserve(host.size() + node.size() + 1);
  return key.append(host).append(1, '\0').append(node);
}

}  // namespace

std::optional<std::uint32_t> RowIndex::find(const TableCopy& copy, std::string_view host, std::string_view node) const {
  const std::lock_guard lock(mutex_);
  if (!ready_) {
    rows_.clear();
    rows_.reserve(std::size_t{2} * copy.view().rows);
    for (std::uint32_t row = 0; row < copy.view().rows; ++row) {
      const auto name = copy.row_name(row);
      // The host alone stands for its first row: the one without a node, else the one with the lowest node.
      const auto [first, is_new] = rows_.emplace(key_of(name.host, {}), row);
      if (!is_new && name.node < copy.row_name(first->second).node) first->second = row;
      if (!name.node.empty()) rows_.insert_or_assign(key_of(name.host, name.node), row);
    }
    ready_ = true;
  }
  const auto found = rows_.find(key_of(host, node));
  if (found == rows_.end()) return std::nullopt;
  return found->second;
}

void RowIndex::forget() {
  const std::lock_guard lock(mutex_);
  ready_ = false;
  rows_.clear();
}

TableCopy::TableCopy(std::string topic, std::shared_ptr<const ChangeLog> changes)
    : topic_(std::move(topic)),
      changes_(std::move(changes)),
      shown_topic_(Text::make(topic_)),
      view_(new (allocate_cells(sizeof(gantry_view), alignof(gantry_view))) gantry_view{}) {}

const gantry_column* TableCopy::column(std::string_view name) const {
  const auto position = schema_->find(name);
  return position ? &described_[*position] : nullptr;
}

RowName TableCopy::row_name(std::uint32_t row) const {
  const auto text = [&](CoreColumn column) -> std::string_view {
    const auto position = position_of(column);
    if (!columns_[position].valid(row)) return {};
    return view_of(dictionaries_[position].array->strings[columns_[position].at<std::uint32_t>(row)]);
  };
  return {text(CoreColumn::host), text(CoreColumn::hypervisor_hostname)};
}

std::optional<std::uint32_t> TableCopy::row_of(std::string_view host, std::string_view node) const {
  return index_.find(*this, host, node);
}

std::optional<std::uint32_t> TableCopy::locate(const gantry_uuid& instance) const {
  const auto found = placements_.find(instance);
  if (found == placements_.end()) return std::nullopt;
  return row_of_slot_[found->second];
}

gantry_column TableCopy::describe_column(std::uint32_t position) const {
  const auto& spec = schema_->columns()[position];
  const auto& storage = columns_[position];
  gantry_column column{};
  const auto name = schema_->shown_name(position);
  column.name = {name.data(), name.size()};
  column.type = spec.type;
  column.struct_size = sizeof(gantry_column);
  column.values = storage.values();
  column.validity = storage.validity();
  if (spec.type == GANTRY_TYPE_STRING) {
    const auto& held = dictionaries_[position];
    column.dictionary = held.array->strings.data();
    column.dictionary_count = held.count;
    column.dictionary_version = held.array->version;
  } else if (spec.type == GANTRY_TYPE_SET) {
    column.dictionary = sets_.arrays->slices.data();
    column.dictionary_count = sets_.count;
    column.dictionary_version = sets_.version;
    column.elements = sets_.arrays->elements.data();
  } else if (spec.type == GANTRY_TYPE_UUIDS) {
    column.elements = instances_.elements();
  }
  return column;
}

void TableCopy::describe(std::uint64_t generation) {
  generation_ = generation;
  described_.resize(columns_.size());
  for (std::uint32_t position = 0; position < columns_.size(); ++position) {
    described_[position] = describe_column(position);
  }
  auto& view = *view_;
  view.struct_size = sizeof(gantry_view);
  view.rows = rows_;
  view.generation = generation;
  view.topic = {shown_topic_->view().data(), shown_topic_->view().size()};
  view.columns = described_.data();
  view.column_count = static_cast<std::uint32_t>(described_.size());
  view.column_stride = sizeof(gantry_column);
  view.aggregates = aggregates_->items().data();
  view.aggregate_count = static_cast<std::uint32_t>(aggregates_->items().size());
  view.aggregate_stride = sizeof(gantry_aggregate);
}

MomentState::MomentState(std::vector<std::shared_ptr<TableCopy>> copies, std::uint64_t number)
    : copies_(std::move(copies)), number_(number) {
  for (const auto& copy : copies_) copy->pin();
}

MomentState::~MomentState() {
  for (const auto& copy : copies_) copy->unpin();
}

const TableCopy* MomentState::find(std::string_view topic) const {
  const auto at = std::lower_bound(copies_.begin(), copies_.end(), topic,
                                   [](const auto& copy, std::string_view wanted) { return copy->topic() < wanted; });
  return at != copies_.end() && (*at)->topic() == topic ? at->get() : nullptr;
}

const TableCopy* MomentState::find(const gantry_view& view) const {
  for (const auto& copy : copies_) {
    if (&copy->view() == &view) return copy.get();
  }
  return nullptr;
}

}  // namespace gantry::fleet
