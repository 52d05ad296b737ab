// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/fleet.hpp"

#include <algorithm>
#include <array>

#include "core/fleet/fleet_state.hpp"

namespace gantry::fleet {

namespace {

constexpr std::array<std::pair<std::int32_t, std::string_view>, 4> declarable{{
    {GANTRY_TYPE_BOOL, "bool"},
    {GANTRY_TYPE_I64, "i64"},
    {GANTRY_TYPE_F64, "f64"},
    {GANTRY_TYPE_STRING, "string"},
}};

std::string name_of_type(std::int32_t type) {
  for (const auto& [known, name] : declarable) {
    if (known == type) return std::string(name);
  }
  return "type " + std::to_string(type);
}

Error refused(const ColumnDeclaration& column, const std::string& why) {
  return {ErrorCode::invalid_configuration,
          "driver " + column.declared_by + " declares column '" + column.name + "': " + why, ""};
}

}  // namespace

Fleet::Fleet(FleetSettings settings) : state_(std::make_unique<State>(std::move(settings))) {}

Fleet::~Fleet() = default;

bool Fleet::is_core_column(std::string_view name) {
  return is_core_column_name(name);
}

Result<void> Fleet::declare_column(const ColumnDeclaration& column) {
  if (is_core_column(column.name)) {
    return refused(column, "the core has a column of that name, whose type is fixed; name it without a type");
  }
  if (!column.name.starts_with(stats_prefix) || column.name.size() == stats_prefix.size()) {
    return refused(column,
                   "expected a column of the core, claims.RESOURCE or stats.NAME; for a key of the hosts' "
                   "reports write 'stats.' in front of it");
  }
  const bool known =
      std::any_of(declarable.begin(), declarable.end(), [&](const auto& type) { return type.first == column.type; });
  if (!known) return refused(column, "expected type bool, i64, f64 or string, found " + name_of_type(column.type));
  const std::lock_guard lock(state_->mutex);
  for (const auto& other : state_->topics.stats_columns()) {
    if (other.name != column.name) continue;
    if (other.type == column.type) return {};
    return refused(column, "as " + name_of_type(column.type) + ", but driver " + other.declared_by +
                               " declares it as " + name_of_type(other.type) +
                               "; make both manifests agree, or leave one of the two drivers out");
  }
  state_->topics.add_stats_column(column);
  return {};
}

void Fleet::keep_image_properties() {
  const std::lock_guard lock(state_->mutex);
  state_->topics.add_image_properties_column();
}

bool Fleet::keeps_image_properties() const {
  const std::lock_guard lock(state_->mutex);
  return state_->topics.find(compute_topic)->has_image_properties_column();
}

void Fleet::declare_claims_resource(std::string_view resource) {
  const std::lock_guard lock(state_->mutex);
  state_->topics.add_claims_resource(resource);
}

void Fleet::declare_topic(std::string_view topic) {
  const std::lock_guard lock(state_->mutex);
  state_->topics.topic(topic);
}

bool Fleet::State::newest_is_current() const {
  if (newest == nullptr || newest->copies().size() != topics.size()) return false;
  std::size_t at = 0;
  for (const auto& [name, hosts] : topics) {
    if (newest->copies()[at++]->view().generation != hosts->table().generation()) return false;
  }
  return true;
}

Moment Fleet::pin(Nanoseconds now) {
  Moment moment;
  // Freed after the lock is given back.
  std::vector<std::shared_ptr<TableCopy>> surplus;
  const std::lock_guard lock(state_->mutex);
  state_->advance(now);
  if (!state_->newest_is_current()) {
    // Let go of the old moment first: if nobody else holds it, its copies are the cheapest to bring up to date.
    state_->newest.reset();
    const Locate locate = [state = state_.get()](const gantry_uuid& uuid) { return state->locate(uuid); };
    std::vector<std::shared_ptr<TableCopy>> copies;
    copies.reserve(state_->topics.size());
    for (const auto& [name, hosts] : state_->topics) copies.push_back(hosts->table().newest(locate, surplus));
    const auto number = state_->note_moment(copies);
    state_->newest = std::make_shared<const MomentState>(std::move(copies), number);
  }
  moment.state_ = state_->newest;
  return moment;
}

}  // namespace gantry::fleet
