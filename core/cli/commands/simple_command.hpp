// SPDX-License-Identifier: Apache-2.0
//
// The steps that most commands share: ask, then show what came.
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
// For commands that change something: in a table's place, one sentence, which --quiet leaves out.
Result<int> change(Session& session, std::string_view method, const json::object& args, std::string_view done);

// {"host": <--host>} and so on: those of `names` that were given, dashes as underscores.
json::object given(const Arguments& arguments, const std::vector<std::string>& names);

// The option that names a topic; compute unless said otherwise.
Option topic_option();

}  // namespace gantry::cli
