// SPDX-License-Identifier: Apache-2.0
//
// Answers of the daemon as tables, values or JSON.
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

// nullptr: absent or null. The path's parts are separated by dots.
const json::value* at_path(const json::object& object, std::string_view path);

// A value as a table shows it: "-" for nothing, lists joined by ", ", yes and no, other objects as JSON.
std::string cell_text(const json::value* value);

// A list of objects, one a row. Of values that are not objects, one a row under the first header.
void print_list(Session& session, const json::value& list, const std::vector<Column>& columns);
// One object, one member a row; members that are absent are left out.
void print_object(Session& session, const json::value& object, const std::vector<Column>& columns);
// In the format wanted: the JSON, or the table.
void print_table(Session& session, const json::value& answer, const TextTable& table);
void print_json(Session& session, const json::value& answer);

// Why something is where it is: the driver, what it saw, the steps.
void print_decision(Session& session, const json::object& decision);
// What a claim holds: "vcpu=2, memory_mb=512".
std::string claim_items_text(const json::object& claim);

// The steps of a decision: name, hosts in, hosts out, why.
TextTable steps_table(const json::array& steps);

// "gantry: <message>", the steps of a request that found no host, and what to do next.
void print_error(Session& session, const Error& error);
void print_error(std::ostream& err, const Error& error, bool colour, const std::string& topic = "compute");

}  // namespace gantry::cli
