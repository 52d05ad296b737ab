// SPDX-License-Identifier: Apache-2.0
//
// Splits Nova's tables into parts that each fit into a request.
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
  std::map<std::string, std::size_t> offsets = {};  // by table: the number of the chunk's first row in the whole table
};

// Returns one chunk if all tables take at most `most_bytes` of JSON. Otherwise returns several chunks, which can be
// imported one after the other: an aggregate is with its hosts and metadata, an instance with its request spec. A row
// beyond `most_bytes` is a chunk by itself.
std::vector<ImportChunk> import_chunks(const json::object& tables, std::size_t most_bytes);

// Takes "compute_nodes[3]: why" with the row's number in the chunk and returns the text with its number in the whole
// table.
std::string with_offset(const std::string& skipped, const std::map<std::string, std::size_t>& offsets);

}  // namespace gantry::cli
