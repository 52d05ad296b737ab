// SPDX-License-Identifier: Apache-2.0
//
// A cache of parsed JSON cells, by the versions of the cells. Lives from request to request.
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

  // Returns `cell` parsed and converted by `into_form`, or null if its text is not JSON. A column always comes with the same
  // `into_form`.
  document find(const gantry_json& cell, form into_form);

 private:
  std::mutex mutex_;
  std::unordered_map<std::uint64_t, document> known_;
};

}  // namespace filter_driver
