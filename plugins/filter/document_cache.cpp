// SPDX-License-Identifier: Apache-2.0
#include "document_cache.hpp"

#include <gantry/driver/text.hpp>

namespace filter_driver {

namespace {

// Beyond it all are forgotten: versions come and go with the hosts' reports.
constexpr std::size_t most_kept = 4'000'000;

}  // namespace

document_cache::document document_cache::find(const gantry_json& cell, form into_form) {
  if (cell.version != 0) {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(cell.version); found != known_.end()) return found->second;
  }
  boost::system::error_code error;
  auto value = boost::json::parse(gantry::text(cell.text), error);
  if (error) value = nullptr;
  auto made = std::make_shared<const boost::json::value>(into_form(std::move(value)));
  if (cell.version == 0) return made;
  const std::lock_guard lock(mutex_);
  if (known_.size() >= most_kept) known_.clear();
  return known_.emplace(cell.version, std::move(made)).first->second;
}

}  // namespace filter_driver
