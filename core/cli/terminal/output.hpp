// SPDX-License-Identifier: Apache-2.0
//
// Prints answers of the daemon as tables, values or JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/cli/terminal/session.hpp"
#include "core/cli/terminal/text_table.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli {

// A column of a table whose rows are objects.
struct Column {
  std::string header;
  std::string path;       // the member to print: "flavor.vcpus"
  bool capitals = false;  // true: print the value in capital letters
};

// Returns the member with a path such as "flavor.vcpus". nullptr if the member is absent or null.
const json::value* at_path(const json::object& object, std::string_view path);

// Returns the text of a value in a table: "-" for nullptr and for an empty value, "yes" or "no" for a boolean, the
// items of a list joined by ", ". An object becomes "key=value, ...", or JSON if it contains objects.
std::string cell_text(const json::value* value);

// Prints a list with one row for each item. An item that is no object stands under the first header. A table shows the
// first few items of a long list in a cell, and how many more there are.
void print_list(Session& session, const json::value& list, const std::vector<Column>& columns);
// Prints one object with one row for each member that `columns` names. Leaves out absent members.
void print_object(Session& session, const json::value& object, const std::vector<Column>& columns);
// Prints `answer` as JSON if that is the session's format. Otherwise prints `table`, which has the same content.
void print_table(Session& session, const json::value& answer, const TextTable& table);
void print_json(Session& session, const json::value& answer);

// Prints how a decision was made: the driver, the number of hosts that it saw, the request's id, the seed, the time
// taken and the steps.
void print_decision(Session& session, const json::object& decision);
// Returns the resources of a claim as text: "vcpu=2, memory_mb=512".
std::string claim_items_text(const json::object& claim);

// Returns a table of the steps of a decision: a step's name, how many hosts went in and came out, and why hosts were
// removed.
TextTable steps_table(const json::array& steps);

// Print "gantry: <message>", then the steps if the request found no valid host, then advice. `topic` is the topic of
// the command, for the advice. It is empty if the command calls no daemon.
// With -o json an error is one line: {"error": {"code": ..., "message": ..., "details": {...}, "exit_code": 3}}.
void print_error(Session& session, const Error& error);
void print_error(std::ostream& err, const Error& error, bool colour, const std::string& topic = "compute");
void print_error_as_json(std::ostream& err, const Error& error);

// Print a sentence beside the answer to standard error: "gantry: warning: <text>" or "gantry: <text>". With -o json
// each is a line: {"warning": ...} or {"notice": ...}.
void print_warning(Session& session, std::string_view text);
void print_notice(Session& session, std::string_view text);

// Prints a whole text, such as a script. With -o json it is the member `key` of an object.
void print_text(Session& session, std::string_view key, std::string_view text);

}  // namespace gantry::cli
