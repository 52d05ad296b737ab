// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/call/call_state.hpp"
#include "core/drivers/call/derived_view.hpp"
#include "core/drivers/call/distant_fleet.hpp"
#include "core/drivers/call/host_services.hpp"

namespace gantry::drivers {
namespace {

gantry_code rows(gantry_call* call, const gantry_view* view, std::uint64_t since, std::uint32_t flags,
                 std::uint32_t* rows, std::uint64_t capacity, std::uint64_t* count) {
  if (call == nullptr || view == nullptr || count == nullptr || (rows == nullptr && capacity != 0))
    return GANTRY_INVALID_ARGUMENT;
  *count = 0;
  auto& state = *DriverCall::State::of(call);
  if (state.distant != nullptr && find_derived(state, *view) == nullptr)
    return state.distant->changes(*view, since, flags, rows, capacity, *count);
  const auto& moment = state.settings.moment;
  if (moment.view(from_abi(view->topic)) != view)
    return state.fail(GANTRY_INVALID_ARGUMENT, "changes: expected a view of the host's own, found a derived one");
  const auto written = moment.rows_changed(*view, since, (flags & GANTRY_CHANGES_BUT_TIMES) == 0, {rows, capacity});
  if (!written) return GANTRY_RESOURCE_EXHAUSTED;
  *count = *written;
  return GANTRY_OK;
}

constexpr gantry_changes services_of_changes{sizeof(gantry_changes), 0, &rows};

}  // namespace

const gantry_changes* changes_table() {
  return &services_of_changes;
}

}  // namespace gantry::drivers
