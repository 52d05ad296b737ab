// SPDX-License-Identifier: Apache-2.0
#include "decision/more_claims.hpp"

#include "hosts/wide.hpp"

namespace filter_driver {

more_claims::more_claims(gantry::call& call, const gantry::request& request) : view_(call.derive(request.view())) {
  const auto memory_mb = static_cast<double>(request.memory_mb());
  add(call, request.view(), "vcpus_used", static_cast<double>(request.vcpus()));
  add(call, request.view(), "memory_mb_used", memory_mb);
  add(call, request.view(), "free_ram_mb", -memory_mb);
  add(call, request.view(), "local_gb_used", request.disk_gb());
  add(call, request.view(), "free_disk_gb", -request.disk_gb());
  add(call, request.view(), "claims.instances", 1);
}

void more_claims::add(gantry::call& call, const gantry::view& before, std::string_view name, double amount) {
  const auto column = before.find<gantry::column<double>>(name);
  if (!column || amount == 0) return;
  numbers_.push_back({column->data(), call.write<double>(view_, name).data(), amount});
}

void more_claims::show(const std::vector<double>& claims) {
  for (const auto& each : numbers_) {
    run_wide([
      before = each.before, now = each.now, amount = each.amount, taken = claims.data(),
      rows = std::size_t{view_.rows()}
    ]() __attribute__((always_inline)) {
      for (std::size_t row = 0; row < rows; ++row) now[row] = before[row] + amount * taken[row];
    });
  }
}

}  // namespace filter_driver
