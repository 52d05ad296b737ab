// SPDX-License-Identifier: Apache-2.0
//
// An entry of the history: the changes of one moment in one topic. Rows with their cells, places of instances, columns,
// aggregates. A whole entry has all of the topic and needs no earlier one.
#pragma once

#include <cstdint>
#include <string>

#include "core/fleet/tables/table_copy.hpp"

namespace gantry::fleet {

// How an entry begins.
struct EntryHead {
  std::uint64_t moment = 0;  // the number of the moment
  std::string_view topic;
  bool is_whole = false;
  std::string_view body;
};

class FactReader;

// Appends an entry with what the copy has and `changes` names. `copy` is up to date. `known_columns` is the number of
// columns that earlier entries of the topic have told of.
void append_changes(std::string& out, std::uint64_t moment, const TableCopy& copy, const TableChanges& changes,
                    std::uint32_t known_columns);
// Appends an entry with the whole topic.
void append_whole(std::string& out, std::uint64_t moment, const TableCopy& copy);
// Reads the beginning of the next entry, and passes over its body.
EntryHead read_entry(FactReader& reader);

}  // namespace gantry::fleet
