// SPDX-License-Identifier: Apache-2.0
#include "core/cli/commands/import_chunks.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <optional>
#include <string>

namespace gantry::cli {

namespace {

constexpr std::array<const char*, 2> parts_of_aggregates{"aggregate_hosts", "aggregate_metadata"};

// Others are sent without their rows, for the daemon to say that it does not know them.
constexpr std::array<const char*, 3> tables_of_rows{"services", "compute_nodes", "instances"};

std::size_t rows_of(const json::object& tables) {
  std::size_t rows = 0;
  for (const auto& [name, table] : tables) rows += table.is_array() ? table.get_array().size() : 0;
  return rows;
}

// The daemon wants one of the tables that make a fleet.
ImportChunk empty_chunk() {
  return {{{"services", json::array()}}};
}

using RequestSpecs = std::map<std::string, const json::value*, std::less<>>;  // by instance

RequestSpecs request_specs_of(const json::object& tables) {
  RequestSpecs specs;
  const json::array* rows = json::find_array(tables, "request_specs");
  if (rows == nullptr) return specs;
  for (const json::value& row : *rows) {
    const auto instance = row.is_object() ? json::find_string(row.get_object(), "instance_uuid") : std::nullopt;
    if (instance) specs[std::string(*instance)] = &row;
  }
  return specs;
}

// That of an instance's row; nullptr: none.
const json::value* request_spec_of(const RequestSpecs& specs, const json::value& row) {
  const auto uuid = row.is_object() ? json::find_string(row.get_object(), "uuid") : std::nullopt;
  const auto found = uuid ? specs.find(*uuid) : specs.end();
  return found == specs.end() ? nullptr : found->second;
}

void add_rows(const std::string& name, const json::array& rows, const RequestSpecs& specs, std::size_t most_bytes,
              std::vector<ImportChunk>& chunks) {
  std::size_t bytes = most_bytes;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const json::value* spec = request_spec_of(specs, rows[at]);
    const std::size_t size = json::write(rows[at]).size() + 1 + (spec == nullptr ? 0 : json::write(*spec).size() + 1);
    if (bytes + size > most_bytes) {
      chunks.push_back(empty_chunk());
      chunks.back().tables[name] = json::array();
      chunks.back().offsets[name] = at;
      bytes = 0;
    }
    bytes += size;
    chunks.back().tables[name].get_array().push_back(rows[at]);
    ++chunks.back().rows;
    if (spec == nullptr) continue;
    json::value& beside = chunks.back().tables["request_specs"];
    if (!beside.is_array()) beside.emplace_array();
    beside.get_array().push_back(*spec);
  }
}

json::array rows_of_aggregate(const json::object& tables, const char* name, const json::value& id) {
  json::array found;
  if (const json::array* rows = json::find_array(tables, name))
    for (const json::value& row : *rows)
      if (row.is_object() && row.get_object().contains("aggregate_id") && row.get_object().at("aggregate_id") == id)
        found.push_back(row);
  return found;
}

bool names_aggregate(const json::array* aggregates, const json::value& row) {
  const auto* id = row.is_object() ? row.get_object().if_contains("aggregate_id") : nullptr;
  if (id == nullptr || aggregates == nullptr) return false;
  return std::ranges::any_of(*aggregates, [id](const json::value& aggregate) {
    const auto* own = aggregate.is_object() ? aggregate.get_object().if_contains("id") : nullptr;
    return own != nullptr && *own == *id;
  });
}

// Adds the rows of no aggregate, for the daemon to list them: a chunk for each run of these rows.
void add_rows_without_aggregate(const json::object& tables, std::vector<ImportChunk>& chunks) {
  const json::array* aggregates = json::find_array(tables, "aggregates");
  for (const std::string name : parts_of_aggregates) {
    const json::array* rows = json::find_array(tables, name);
    bool runs = false;
    for (std::size_t at = 0; rows != nullptr && at < rows->size(); ++at) {
      if (names_aggregate(aggregates, (*rows)[at])) {
        runs = false;
        continue;
      }
      if (!runs) {
        chunks.push_back(empty_chunk());
        chunks.back().tables[name] = json::array();
        chunks.back().offsets[name] = at;
      }
      runs = true;
      chunks.back().tables[name].get_array().push_back((*rows)[at]);
      ++chunks.back().rows;
    }
  }
}

void add_aggregates(const json::object& tables, std::vector<ImportChunk>& chunks) {
  const json::array* aggregates = json::find_array(tables, "aggregates");
  if (aggregates == nullptr) return;
  for (std::size_t at = 0; at < aggregates->size(); ++at) {
    ImportChunk chunk = empty_chunk();
    chunk.tables["aggregates"] = json::array{(*aggregates)[at]};
    chunk.offsets["aggregates"] = at;
    const json::value* id = (*aggregates)[at].is_object() ? (*aggregates)[at].get_object().if_contains("id") : nullptr;
    if (id != nullptr)
      for (const char* name : parts_of_aggregates) chunk.tables[name] = rows_of_aggregate(tables, name, *id);
    chunk.rows = rows_of(chunk.tables);
    chunks.push_back(std::move(chunk));
  }
}

}  // namespace

std::vector<ImportChunk> import_chunks(const json::object& tables, std::size_t most_bytes) {
  if (json::write(tables).size() <= most_bytes) return {{tables, rows_of(tables)}};
  std::vector<ImportChunk> chunks;
  // Members that are not lists of rows, and unknown tables, go along for the daemon to check.
  ImportChunk first = empty_chunk();
  for (const auto& [name, table] : tables) first.tables[name] = table.is_array() ? json::value(json::array()) : table;
  chunks.push_back(std::move(first));
  add_aggregates(tables, chunks);
  add_rows_without_aggregate(tables, chunks);
  const RequestSpecs specs = request_specs_of(tables);
  for (const std::string name : tables_of_rows)
    if (const json::array* rows = json::find_array(tables, name))
      add_rows(name, *rows, name == "instances" ? specs : RequestSpecs(), most_bytes, chunks);
  return chunks;
}

std::string with_offset(const std::string& skipped, const std::map<std::string, std::size_t>& offsets) {
  const auto open = skipped.find('[');
  const auto close = skipped.find("]: ");
  if (open == std::string::npos || close == std::string::npos || close < open) return skipped;
  const auto offset = offsets.find(skipped.substr(0, open));
  std::size_t row = 0;
  const auto read = std::from_chars(skipped.data() + open + 1, skipped.data() + close, row);
  if (offset == offsets.end() || read.ec != std::errc() || read.ptr != skipped.data() + close) return skipped;
  return skipped.substr(0, open + 1) + std::to_string(row + offset->second) + skipped.substr(close);
}

}  // namespace gantry::cli
