// SPDX-License-Identifier: Apache-2.0
#include "tests/drivers/example_view.hpp"

#include "core/drivers/abi/abi_text.hpp"

namespace gantry::drivers {

ExampleView::ExampleView() : names_{to_abi("h1"), to_abi("h2"), to_abi("h3")} {
  columns_[0] = {to_abi("host"), GANTRY_TYPE_STRING, 0, hosts_.data(), nullptr, names_.data(), 3, 1, nullptr};
  columns_[1] = {to_abi("up"), GANTRY_TYPE_BOOL, 0, up_.data(), nullptr, nullptr, 0, 0, nullptr};
  columns_[2] = {to_abi("disabled"), GANTRY_TYPE_BOOL, 0, disabled_.data(), nullptr, nullptr, 0, 0, nullptr};
  columns_[3] = {to_abi("vcpus"), GANTRY_TYPE_I64, 0, vcpus_.data(), vcpus_validity_.data(), nullptr, 0, 0, nullptr};
  columns_[4] = {to_abi("vcpus_used"), GANTRY_TYPE_F64, 0, vcpus_used_.data(), nullptr, nullptr, 0, 0, nullptr};
  columns_[5] = {to_abi("instances"), GANTRY_TYPE_UUIDS, 0, lists_.data(), nullptr, nullptr, 0, 0, uuids_.data()};
  columns_[6] = {to_abi("aggregates"),  GANTRY_TYPE_SET,    0, sets_.data(),
                 sets_validity_.data(), set_slices_.data(), 2, 1,
                 set_elements_.data()};
  view_.struct_size = sizeof(view_);
  view_.generation = 7;
  view_.aggregates = aggregates_.data();
  view_.aggregate_count = static_cast<std::uint32_t>(aggregates_.size());
  view_.aggregate_stride = sizeof(gantry_aggregate);
  view_.rows = rows;
  view_.topic = to_abi("compute");
  view_.columns = columns_.data();
  view_.column_count = static_cast<std::uint32_t>(columns_.size());
  view_.column_stride = sizeof(gantry_column);
  context_.struct_size = sizeof(context_);
  context_.request_id = to_abi("req-1");
}

DriverCallSettings ExampleView::call_settings(Sink* sink) const {
  DriverCallSettings settings;
  settings.context = &context_;
  settings.view = &view_;
  settings.sink = sink;
  settings.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  settings.now = 1'700'000'000'000'000'000;
  settings.seed = 0;
  return settings;
}

DriverCallSettings ExampleView::late_call_settings() const {
  DriverCallSettings settings = call_settings();
  settings.deadline = std::chrono::steady_clock::now();
  return settings;
}

}  // namespace gantry::drivers
