// SPDX-License-Identifier: Apache-2.0
//
// The web page of the service: static files below /ui/, for everybody. They ask the API for all that they show.
#pragma once

#include <string_view>

#include "core/transport/page/page_files.hpp"

namespace gantry::transport {

// Returns whether a path belongs to the page: /ui, or one below /ui/, whether there is such a file or not.
bool is_page_path(std::string_view path);

// Returns the file of a path; that of /ui/ is the page itself. nullptr: there is none. /ui has none, it only leads on.
const PageFile* page_file(std::string_view path);

// Returns whether `if_none_match`, the value of a header of that name, says that the caller has the file already.
bool has_page_file(std::string_view if_none_match, const PageFile& file);

// The header lines that lead from /ui to the page. The way is relative, so that it also holds behind a proxy.
inline constexpr std::string_view page_location = "Location: ui/\r\n";

}  // namespace gantry::transport
