// SPDX-License-Identifier: Apache-2.0
//
// The files of the web page, as they were when the program was built. CMake makes the table from assets/.
#pragma once

#include <span>
#include <string_view>

namespace gantry::transport {

struct PageFile {
  std::string_view name;  // "page.js"
  std::string_view content_type;
  std::string_view content;
  std::string_view etag;     // the hash of the content, in quotes
  std::string_view headers;  // further header lines of an answer with this file, each with its line end
};

// Returns all files, sorted by name.
std::span<const PageFile> page_files();

}  // namespace gantry::transport
