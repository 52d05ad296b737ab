// SPDX-License-Identifier: Apache-2.0
#include "core/transport/page/page.hpp"

#include <algorithm>

namespace gantry::transport {

namespace {

constexpr std::string_view page_prefix = "/ui/";

}  // namespace

bool is_page_path(std::string_view path) {
  return path.starts_with(page_prefix) || path == page_prefix.substr(0, page_prefix.size() - 1);
}

const PageFile* page_file(std::string_view path) {
  if (!path.starts_with(page_prefix)) return nullptr;
  const auto rest = path.substr(page_prefix.size());
  const auto name = rest.empty() ? std::string_view("index.html") : rest;
  const auto files = page_files();
  const auto found = std::ranges::lower_bound(files, name, {}, &PageFile::name);
  return found != files.end() && found->name == name ? &*found : nullptr;
}

bool has_page_file(std::string_view if_none_match, const PageFile& file) {
  return if_none_match.find(file.etag) != std::string_view::npos;
}

}  // namespace gantry::transport
