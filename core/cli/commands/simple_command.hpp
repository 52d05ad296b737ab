// SPDX-License-Identifier: Apache-2.0
//
// The steps that most commands share: call a method, then print the answer.
#pragma once

#include <string_view>
#include <vector>

#include "core/cli/terminal/output.hpp"
#include "core/cli/terminal/session.hpp"

namespace gantry::cli {

Result<int> show_list(Session& session, std::string_view method, const json::object& args,
                      const std::vector<Column>& columns);
Result<int> show_object(Session& session, std::string_view method, const json::object& args,
                        const std::vector<Column>& columns);
// Calls a method that changes state. Prints the sentence `done` in place of a table, unless --quiet is given.
Result<int> change(Session& session, std::string_view method, const json::object& args, std::string_view done);

// Returns {"host": <--host>} and so on: the given options among `names`, with underscores for dashes.
json::object given(const Arguments& arguments, const std::vector<std::string>& names);

// Returns the option --topic, with the default "compute".
Option topic_option();

}  // namespace gantry::cli
