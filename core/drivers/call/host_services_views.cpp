// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>
#include <new>
#include <optional>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/abi/known_part.hpp"
#include "core/drivers/call/derived_view.hpp"
#include "core/drivers/call/distant_fleet.hpp"
#include "core/drivers/call/host_services.hpp"
#include "core/drivers/call/view_rows.hpp"
#include "core/encoding/uuid.hpp"

namespace gantry::drivers {
namespace {

template <class T>
gantry_code check_out(DriverCall::State& state, const char* what, const T& out) {
  if (out.struct_size >= first_size<T>) return GANTRY_OK;
  return state.misused(GANTRY_INVALID_ARGUMENT, std::string(what) + ": expected struct_size of at least " +
                                                    std::to_string(first_size<T>) + ", found " +
                                                    std::to_string(out.struct_size));
}

const gantry_column* column(gantry_call* call, const gantry_view* view, gantry_string name) {
  if (call == nullptr || view == nullptr) return nullptr;
  return find_column(*DriverCall::State::of(call), *view, from_abi(name));
}

const gantry_view* view(gantry_call* call, gantry_string topic) {
  if (call == nullptr) return nullptr;
  const DriverCall::State& state = *DriverCall::State::of(call);
  const DriverCallSettings& settings = state.settings;
  if (settings.view == nullptr) return nullptr;
  if (from_abi(settings.view->topic) == from_abi(topic)) return settings.view;
  if (state.distant != nullptr) return state.distant->view(from_abi(topic));
  return settings.moment.view(from_abi(topic));
}

gantry_string copy_text(DriverCall::State& state, std::string_view text) {
  auto* const copy = allocate<char>(state, text.size());
  if (copy == nullptr) return {};
  std::copy(text.begin(), text.end(), copy);
  return {copy, text.size()};
}

void add_facts(DriverCall::State& state, std::string_view uuid, gantry_location& location) {
  if (!state.settings.instance_facts) return;
  const auto facts = state.settings.instance_facts(uuid);
  if (!facts) return;
  location.flavor = copy_text(state, facts->flavor);
  location.project_id = copy_text(state, facts->project_id);
  location.vm_state = copy_text(state, facts->vm_state);
  location.vcpus = facts->vcpus;
  location.memory_mb = facts->memory_mb;
  location.disk_gb = facts->disk_gb;
}

// The texts of an answer hold until the next question, those of a location until the call's end.
gantry_code locate_far_away(DriverCall::State& state, gantry_string instance_uuid, gantry_location& out) {
  gantry_location location{};
  const gantry_code code = state.distant->locate(from_abi(instance_uuid), location);
  if (code != GANTRY_OK) return code;
  for (auto field : {&gantry_location::host, &gantry_location::node, &gantry_location::availability_zone,
                     &gantry_location::flavor, &gantry_location::project_id, &gantry_location::vm_state})
    location.*field = copy_text(state, from_abi(location.*field));
  fill_in(out, location);
  return GANTRY_OK;
}

gantry_code locate(gantry_call* call, gantry_string instance_uuid, gantry_location* out) {
  if (call == nullptr || out == nullptr) return GANTRY_INVALID_ARGUMENT;
  DriverCall::State& state = *DriverCall::State::of(call);
  if (const auto code = check_out(state, "locate", *out)) return code;
  gantry_location location{};
  location.row = UINT32_MAX;
  fill_in(*out, location);
  if (state.settings.view == nullptr) {
    return state.misused(GANTRY_UNSUPPORTED, "locate: expected a call that has a view, found one that has none");
  }
  const auto uuid = parse_uuid(from_abi(instance_uuid));
  if (!uuid) {
    return state.fail(GANTRY_INVALID_ARGUMENT,
                      "locate: expected an instance's UUID, found '" + sentence_of(instance_uuid) + "'");
  }
  if (state.distant != nullptr) return locate_far_away(state, instance_uuid, *out);
  const gantry_view* compute = view(call, to_abi("compute"));
  const auto row = compute == nullptr ? std::nullopt : state.settings.moment.locate(*uuid);
  if (!row || *row >= compute->rows) return GANTRY_NO_VALID_HOST;
  const fleet::RowName name = state.settings.moment.row_name(*compute, *row);
  location.host = to_abi(name.host);
  location.node = to_abi(name.node);
  location.row = *row;
  const gantry_column* zone = find_column(state, *compute, "availability_zone");
  if (zone != nullptr && zone->type == GANTRY_TYPE_STRING && is_valid(*zone, *row)) {
    location.availability_zone = string_at(*zone, *row);
  }
  add_facts(state, from_abi(instance_uuid), location);
  fill_in(*out, location);
  return GANTRY_OK;
}

const gantry_view* derive(gantry_call* call, const gantry_view* origin) {
  if (call == nullptr || origin == nullptr) return nullptr;
  return derive_view(*DriverCall::State::of(call), *origin);
}

gantry_code write(gantry_call* call, const gantry_view* view, gantry_string name, gantry_writable* out) {
  if (call == nullptr || view == nullptr || out == nullptr) return GANTRY_INVALID_ARGUMENT;
  DriverCall::State& state = *DriverCall::State::of(call);
  if (const auto code = check_out(state, "write", *out)) return code;
  fill_in(*out, {});
  DerivedView* derived = find_derived(state, *view);
  if (derived == nullptr) {
    return state.misused(GANTRY_INVALID_ARGUMENT, "write: expected a view made by derive, found another");
  }
  const auto position = position_of(derived->view, from_abi(name));
  if (!position) {
    return state.misused(GANTRY_INVALID_ARGUMENT,
                         "write: expected one of the view's columns, found '" + sentence_of(name) + "'");
  }
  if (const auto code = own_column(state, *derived, *position)) return code;
  // Made by copy_column in memory that is ours to write.
  gantry_writable writable{};
  writable.values = const_cast<void*>(derived->columns[*position].values);
  writable.validity = const_cast<std::uint64_t*>(derived->columns[*position].validity);
  fill_in(*out, writable);
  return GANTRY_OK;
}

}  // namespace

void add_view_services(gantry_host& table) {
  table.column = &column;
  table.view = &view;
  table.locate = &locate;
  table.derive = &derive;
  table.write = &write;
}

}  // namespace gantry::drivers
