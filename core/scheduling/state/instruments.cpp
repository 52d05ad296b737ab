// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/instruments.hpp"

#include <algorithm>

namespace gantry::scheduling {

Instruments::Instruments(const std::vector<drivers::Driver*>& drivers) {
  for (const auto* driver : drivers) drivers_.emplace_back(*driver);
  methods_.emplace_back("unknown");
}

void Instruments::set_methods(const std::vector<std::string_view>& names) {
  methods_.clear();
  for (const auto name : names) methods_.emplace_back(name);
  methods_.emplace_back("unknown");
}

void Instruments::note_call(std::size_t method, const Error* error, std::chrono::nanoseconds took) noexcept {
  auto& measured = methods_[std::min(method, methods_.size() - 1)];
  const std::size_t place = error == nullptr ? 0 : 1 + static_cast<std::size_t>(error->code);
  measured.answers[std::min(place, MethodInstruments::places - 1)].fetch_add(1, std::memory_order_relaxed);
  measured.duration.observe(took);
}

DriverInstruments* Instruments::of(const drivers::Driver& driver) noexcept {
  const auto found = std::ranges::find_if(drivers_, [&driver](const auto& each) { return &each.driver == &driver; });
  return found == drivers_.end() ? nullptr : &*found;
}

}  // namespace gantry::scheduling
