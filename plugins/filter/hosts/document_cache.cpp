// SPDX-License-Identifier: Apache-2.0
#include "hosts/document_cache.hpp"

#include <gantry/driver/text.hpp>

#include "python/python_json.hpp"

namespace filter_driver {

namespace {

// The cache is cleared when full: hosts report new versions, and old versions are never asked for again.
constexpr std::size_t most_kept = 4'000'000;

}  // namespace

document_cache::document document_cache::find(const gantry_json& cell, form into_form) {
  if (cell.version != 0) {
    const std::lock_guard lock(mutex_);
    if (const auto found = known_.find(cell.version); found != known_.end()) return found->second;
  }
  auto read = read_json(gantry::text(cell.text));
  auto made =
      std::make_shared<const boost::json::value>(into_form(read.ok() ? std::move(read.value()) : boost::json::value()));
  if (cell.version == 0) return made;
  const std::lock_guard lock(mutex_);
  if (known_.size() >= most_kept) known_.clear();
  return known_.emplace(cell.version, std::move(made)).first->second;
}

}  // namespace filter_driver
