// SPDX-License-Identifier: Apache-2.0
//
// Fetches a list of the daemon page by page, so that a large fleet is never one huge answer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/cli/terminal/output.hpp"
#include "core/cli/terminal/session.hpp"

namespace gantry::cli {

// Adds --limit and --marker to the options of a list command.
std::vector<Option> with_page_options(std::vector<Option> options);
// Returns an option that filters a list.
Option filter_option(std::string name, std::string value_name, std::string help);

// Returns the items that follow the one with the id --marker, at most --limit of them. Without these options, returns
// all items. `id` names the members of an item that together are its id.
Result<json::array> fetch_list(Session& session, const Arguments& arguments, std::string_view method, json::object args,
                               const std::vector<std::string>& id);
// Fetches the items like fetch_list and prints them.
Result<int> show_pages(Session& session, const Arguments& arguments, std::string_view method, const json::object& args,
                       const std::vector<std::string>& id, const std::vector<Column>& columns);

}  // namespace gantry::cli
