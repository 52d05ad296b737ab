// SPDX-License-Identifier: Apache-2.0
//
// Parsed forms of a view's JSON cells, kept from request to request by their versions.
#pragma once

#include <gantry/driver.h>
#include <boost/json.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace filter_driver {

// [any thread]
class document_cache {
 public:
  using document = std::shared_ptr<const boost::json::value>;
  using form = boost::json::value (*)(boost::json::value);

  // `cell` parsed and then put into `into_form`, which is always the same for a cell. What is no JSON is null.
  document find(const gantry_json& cell, form into_form);

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, document> known_;
};

}  // namespace filter_driver
