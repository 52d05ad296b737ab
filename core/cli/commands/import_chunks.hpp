// SPDX-License-Identifier: Apache-2.0
//
// Splits the tables of a Nova database into parts, for an import in several requests.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "core/encoding/json.hpp"

namespace gantry::cli {

// The part that one request imports.
struct ImportChunk {
  json::object tables;  // by table name: a list of rows
  std::size_t rows = 0;
  std::map<std::string, std::size_t> offsets =
      {};  // by table name: the index, in the whole table, of the chunk's first row
};

// Returns one chunk if all tables together take at most `most_bytes` of JSON. Otherwise returns several chunks, to be
// imported in this order. An aggregate is in one chunk with its hosts and metadata, an instance with its request spec.
// A row that takes more than `most_bytes` has a chunk of its own.
std::vector<ImportChunk> import_chunks(const json::object& tables, std::size_t most_bytes);

// Takes the message "compute_nodes[3]: why" about row 3 of a chunk. Returns the message with the row's index in the
// whole table. `offsets` are the chunk's. Returns any other text unchanged.
std::string with_offset(const std::string& skipped, const std::map<std::string, std::size_t>& offsets);

}  // namespace gantry::cli
