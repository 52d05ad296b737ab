// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/tables/moment.hpp"

#include "core/fleet/tables/table_copy.hpp"

namespace gantry::fleet {

const gantry_view* Moment::view(std::string_view topic) const {
  const auto* copy = state_ ? state_->find(topic) : nullptr;
  return copy ? &copy->view() : nullptr;
}

const gantry_column* Moment::column(const gantry_view& view, std::string_view name) const {
  const auto* copy = state_ ? state_->find(view) : nullptr;
  return copy ? copy->column(name) : nullptr;
}

RowName Moment::row_name(const gantry_view& view, std::uint32_t row) const {
  const auto* copy = state_ ? state_->find(view) : nullptr;
  return copy && row < view.rows ? copy->row_name(row) : RowName{};
}

std::optional<std::uint32_t> Moment::row_of(std::string_view topic, std::string_view host,
                                            std::string_view node) const {
  const auto* copy = state_ ? state_->find(topic) : nullptr;
  return copy ? copy->row_of(host, node) : std::nullopt;
}

std::optional<std::uint32_t> Moment::locate(const gantry_uuid& instance) const {
  const auto* copy = state_ ? state_->find(compute_topic) : nullptr;
  return copy ? copy->locate(instance) : std::nullopt;
}

std::vector<std::string_view> Moment::topics() const {
  std::vector<std::string_view> topics;
  if (!state_) return topics;
  for (const auto& copy : state_->copies()) topics.emplace_back(copy->topic());
  return topics;
}

std::optional<std::size_t> Moment::rows_changed(const gantry_view& view, std::uint64_t since, bool with_times,
                                                std::span<std::uint32_t> rows) const {
  const auto* copy = state_ ? state_->find(view) : nullptr;
  return copy ? copy->changes().rows_between(since, view.generation, with_times, rows) : std::nullopt;
}

std::uint64_t Moment::number() const {
  return state_ ? state_->number() : 0;
}

}  // namespace gantry::fleet
