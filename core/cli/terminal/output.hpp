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

struct Column {
  std::string header;
  std::string path;  // "flavor.vcpus"
  bool capitals = false;
};

// Finds a member by its path, as "flavor.vcpus". Returns nullptr if the member is absent or null.
const json::value* at_path(const json::object& object, std::string_view path);

// Returns the text of a value in a table: "-" for nullptr, lists joined by ", ", "yes" and "no", other objects as JSON.
std::string cell_text(const json::value* value);

// Prints a list of objects, one a row. Other values stand one a row under the first header.
void print_list(Session& session, const json::value& list, const std::vector<Column>& columns);
// Prints one object, one member a row, without absent members.
void print_object(Session& session, const json::value& object, const std::vector<Column>& columns);
// Prints the answer as JSON or the table, by the session's format.
void print_table(Session& session, const json::value& answer, const TextTable& table);
void print_json(Session& session, const json::value& answer);

// Prints why an instance is on its host: the driver, the driver's view and the steps.
void print_decision(Session& session, const json::object& decision);
// Returns the items of a claim: "vcpu=2, memory_mb=512".
std::string claim_items_text(const json::object& claim);

// Returns the steps of a decision: name, hosts in, hosts out, why.
TextTable steps_table(const json::array& steps);

// Prints "gantry: <message>", the steps of a request without a valid host, and advice.
void print_error(Session& session, const Error& error);
void print_error(std::ostream& err, const Error& error, bool colour, const std::string& topic = "compute");

}  // namespace gantry::cli
