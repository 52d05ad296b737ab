// SPDX-License-Identifier: Apache-2.0
//
// JSON values that come and go together, in memory of their own: taken piece by piece, given back as a whole with the
// last value that lies in it. A copy of such a value that names no other memory lies there, too.
#pragma once

#include <boost/json/storage_ptr.hpp>

#include "core/encoding/json.hpp"

namespace gantry::json {

// For one thread at a time: what outlives a call is copied out of it. `bytes`: a guess of the whole.
boost::json::storage_ptr shared_memory(std::size_t bytes);

// json::parse_object into `memory`.
Result<object> parse_object_into(boost::json::storage_ptr memory, std::string_view text, std::size_t depth = max_depth);

}  // namespace gantry::json
