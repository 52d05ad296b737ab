// SPDX-License-Identifier: Apache-2.0
//
// The steps that most commands share: call a method, then print the answer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/cli/terminal/output.hpp"
#include "core/cli/terminal/session.hpp"

namespace gantry::cli {

// Call a method and print its answer, a list or one object. Return the exit code.
Result<int> show_list(Session& session, std::string_view method, const json::object& args,
                      const std::vector<Column>& columns);
Result<int> show_object(Session& session, std::string_view method, const json::object& args,
                        const std::vector<Column>& columns);
// Calls a method that changes state and returns the exit code. Prints the sentence `done` where other commands print a
// table, unless --quiet is given. With -o json it prints the answer.
Result<int> change(Session& session, std::string_view method, const json::object& args, std::string_view done);

// Calls such a method for each of the names, which is the argument `argument`, and ends at the first error. Prints
// `done` and the name for each; with -o json one list of the answers.
Result<int> change_each(Session& session, std::string_view method, std::string_view argument,
                        const std::vector<std::string>& names, std::string_view done, json::object args = {});

// Returns the args of a method from the options among `names` that the user gave. --host c1 becomes {"host": "c1"}.
// Dashes in a name become underscores.
json::object given(const Arguments& arguments, const std::vector<std::string>& names);

// Returns the description of the option --topic, whose default is "compute".
Option topic_option();

}  // namespace gantry::cli
