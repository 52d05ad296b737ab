// SPDX-License-Identifier: Apache-2.0
//
// Nova's tables in parts that each fit into a request.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/encoding/json.hpp"

namespace gantry::cli {

struct ImportChunk {
  json::object tables;
  std::size_t rows = 0;
  std::map<std::string, std::size_t> offsets = {};  // of a table's first row in the whole
};

// All in one if that takes at most `most_bytes` of JSON; otherwise part by part, in an order in which each part can be
// taken by itself: an aggregate goes with its hosts and metadata, an instance with its request spec. A row that is
// larger by itself goes alone.
std::vector<ImportChunk> import_chunks(const json::object& tables, std::size_t most_bytes);

// "compute_nodes[3]: why" of a chunk, as the row stands in the whole.
std::string with_offset(const std::string& skipped, const std::map<std::string, std::size_t>& offsets);

}  // namespace gantry::cli
