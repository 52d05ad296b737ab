// SPDX-License-Identifier: Apache-2.0
//
// A cache of parsed JSON cells. The key is the version of the cell. The cache is shared by all requests.
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
  // A function that converts a parsed cell. document_forms.hpp has the functions.
  using form = boost::json::value (*)(boost::json::value);

  // Returns `cell` parsed and converted by `into_form`. A text that is not JSON is read as JSON null. The pointer is
  // never nullptr. `into_form` must be the same function for all cells of a column.
  document find(const gantry_json& cell, form into_form);

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, document> known_;
};

}  // namespace filter_driver
