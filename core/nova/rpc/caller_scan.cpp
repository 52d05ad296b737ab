// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/caller_scan.hpp"

#include <algorithm>

namespace gantry::nova {

namespace {

bool is_of_an_id(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' ||
         c == '.' || c == ':';
}

// Takes the text from the front of `rest`, if it is there. Within an envelope, quotes have a backslash before them.
bool take(std::string_view& rest, char wanted) {
  if (wanted == '"' && rest.starts_with('\\')) rest.remove_prefix(1);
  if (!rest.starts_with(wanted)) return false;
  rest.remove_prefix(1);
  return true;
}

// Returns the text of the last member of the name. Keys of the arguments come before it.
std::string last_text(std::string_view text, std::string_view name) {
  for (auto at = text.rfind(name); at != std::string_view::npos && at > 0; at = text.rfind(name, at - 1)) {
    auto rest = text.substr(at + name.size());
    if (text[at - 1] != '"' || !take(rest, '"') || !take(rest, ':')) continue;
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (!take(rest, '"')) continue;
    const auto end = std::ranges::find_if_not(rest, is_of_an_id);
    const auto id = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
    rest.remove_prefix(id.size());
    if (!id.empty() && id.size() <= longest_id && take(rest, '"')) return std::string(id);
  }
  return {};
}

}  // namespace

RpcCaller caller_in_text(std::string_view text) {
  RpcCaller caller;
  caller.msg_id = last_text(text, "_msg_id");
  caller.reply_queue = last_text(text, "_reply_q");
  caller.unique_id = last_text(text, "_unique_id");
  return caller;
}

}  // namespace gantry::nova
