// SPDX-License-Identifier: Apache-2.0
//
// The operations that the service calls in place of the driver's own.
#include <cstddef>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/call/call_state.hpp"
#include "core/drivers/call/view_rows.hpp"
#include "core/drivers/isolated/isolated_driver.hpp"
#include "gantry/ext/capacity.h"

namespace gantry::drivers::isolated {
namespace {

std::span<std::byte> bitmap_of(std::uint64_t* rows_out, const gantry_view& view) {
  return std::as_writable_bytes(std::span(rows_out, bitmap_words(view.rows)));
}

gantry_code run_request(Operation operation, gantry_driver* driver, gantry_call* call, const gantry_request* request,
                        std::span<std::byte> bytes_out = {}) {
  return IsolatedDriver::of(driver).run(
      operation, call,
      [&](InputWriter& to, CallInput& input) {
        input.request = to.request(*request);
        input.candidates = to.candidates(DriverCall::State::of(call)->candidates, request->view->rows);
      },
      bytes_out);
}

gantry_code select_destinations(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  return run_request(Operation::select_destinations, driver, call, request);
}

gantry_code schedule_run_instance(gantry_driver* driver, gantry_call* call, const gantry_request* request) {
  return run_request(Operation::schedule_run_instance, driver, call, request);
}

gantry_code hosts_up(gantry_driver* driver, gantry_call* call, const gantry_view* view, std::uint64_t* rows_out) {
  return IsolatedDriver::of(driver).run(
      Operation::hosts_up, call, [view](InputWriter& to, CallInput& input) { input.shown = to.view(view); },
      bitmap_of(rows_out, *view));
}

gantry_code group_hosts(gantry_driver* driver, gantry_call* call, const gantry_group* group, const gantry_view* view,
                        std::uint64_t* rows_out) {
  return IsolatedDriver::of(driver).run(
      Operation::group_hosts, call,
      [group, view](InputWriter& to, CallInput& input) {
        input.group = to.group(group);
        input.shown = to.view(view);
      },
      bitmap_of(rows_out, *view));
}

gantry_code update_service_capabilities(gantry_driver* driver, gantry_call* call, gantry_string service,
                                        gantry_string host, gantry_string capabilities) {
  return IsolatedDriver::of(driver).run(Operation::update_service_capabilities, call,
                                        [&](InputWriter& to, CallInput& input) {
                                          input.service = to.text(service);
                                          input.host = to.text(host);
                                          input.capabilities = to.text(capabilities);
                                        });
}

gantry_code call_method(gantry_driver* driver, gantry_call* call, const gantry_method_call* method) {
  return IsolatedDriver::of(driver).run(
      Operation::call_method, call, [method](InputWriter& to, CallInput& input) { input.method = to.method(*method); });
}

gantry_code count_capacity(gantry_driver* driver, gantry_call* call, const gantry_request* request,
                           std::uint64_t* counts) {
  return run_request(Operation::count_capacity, driver, call, request,
                     std::as_writable_bytes(std::span(counts, request->view->rows)));
}

constexpr gantry_capacity capacity_table{sizeof(gantry_capacity), 0, &count_capacity};

const void* extension(gantry_driver* driver, gantry_string id) {
  const bool is_known = from_abi(id) == GANTRY_CAPACITY_EXTENSION && IsolatedDriver::of(driver).counts_capacity();
  return is_known ? &capacity_table : nullptr;
}

}  // namespace

gantry_driver_ops IsolatedDriver::operations() const {
  gantry_driver_ops ops{};
  ops.struct_size = sizeof(ops);
  if (traits_.decides) ops.select_destinations = &isolated::select_destinations;
  if (traits_.decides) ops.schedule_run_instance = &isolated::schedule_run_instance;
  if (traits_.hosts_up) ops.hosts_up = &isolated::hosts_up;
  if (traits_.group_hosts) ops.group_hosts = &isolated::group_hosts;
  if (traits_.update_service_capabilities) ops.update_service_capabilities = &isolated::update_service_capabilities;
  if (traits_.call_method) ops.call_method = &isolated::call_method;
  ops.extension = &isolated::extension;
  return ops;
}

}  // namespace gantry::drivers::isolated
