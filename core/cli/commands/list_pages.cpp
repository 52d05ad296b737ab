// SPDX-License-Identifier: Apache-2.0
#include "core/cli/commands/list_pages.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "core/cli/commands/simple_command.hpp"
#include "core/encoding/name_path.hpp"

namespace gantry::cli {

namespace {

constexpr std::int64_t page_size = 1000;

std::string id_of(const json::value& item, const std::vector<std::string>& members) {
  std::vector<std::string> names;
  for (const std::string& member : members) {
    const json::value* value = item.is_object() ? json::find(item.get_object(), member) : nullptr;
    names.push_back(value == nullptr     ? std::string()
                    : value->is_string() ? std::string(value->get_string())
                                         : json::write(*value));
  }
  while (names.size() > 1 && names.back().empty()) names.pop_back();
  const std::vector<std::string_view> views(names.begin(), names.end());
  return join_names(views);
}

// A page of some MiB ends before its limit. The daemon counts the bytes of its text, this but about: where they are many
// it is asked once more.
bool is_last(const json::array& page, std::int64_t limit) {
  constexpr std::size_t many_bytes = std::size_t{1} << 20;
  if (page.empty()) return true;
  return static_cast<std::int64_t>(page.size()) < limit && json::text_size(page) < many_bytes;
}

bool is_about_the_marker(const Error& error) {
  return error.code == ErrorCode::invalid_argument && error.message.find("'marker'") != std::string::npos;
}

// The pages of one list. Items come and go meanwhile: where the last one of a page is gone, the one before it tells
// where to go on.
class Pages {
 public:
  Pages(Session& session, std::string_view method, json::object args, const std::vector<std::string>& id)
      : session_(session), method_(method), args_(std::move(args)), id_(id) {}

  Result<json::array> fetch(std::int64_t wanted) {
    json::array items;
    for (;;) {
      const std::int64_t ask = std::min(page_size, wanted - static_cast<std::int64_t>(items.size()));
      args_["limit"] = ask;
      auto answer = session_.call(method_, args_);
      if (!answer && is_about_the_marker(answer.error()) && step_back()) continue;
      if (!answer) return std::move(answer).error();
      if (!answer->is_array()) return Error{ErrorCode::internal, method_ + ": expected a list as answer", ""};
      const json::array& page = answer->get_array();
      take(page, items);
      if (is_last(page, ask) || static_cast<std::int64_t>(items.size()) >= wanted) return items;
      args_["marker"] = seen_.back();
    }
  }

 private:
  void take(const json::array& page, json::array& items) {
    for (const json::value& item : page) {
      std::string id = id_of(item, id_);
      if (!known_.insert(id).second) continue;
      seen_.push_back(std::move(id));
      items.push_back(item);
    }
  }

  // False: there was no page before, so the marker is the user's own.
  bool step_back() {
    if (seen_.empty()) return false;
    seen_.pop_back();
    if (seen_.empty())
      args_.erase("marker");
    else
      args_["marker"] = seen_.back();
    return true;
  }

  Session& session_;
  const std::string method_;
  json::object args_;
  const std::vector<std::string>& id_;
  std::vector<std::string> seen_;
  std::set<std::string> known_;
};

}  // namespace

std::vector<Option> with_page_options(std::vector<Option> options) {
  options.push_back({.name = "limit",
                     .kind = ValueKind::integer,
                     .value_name = "COUNT",
                     .help = "At most so many; otherwise all",
                     .minimum = 1});
  options.push_back({.name = "marker",
                     .kind = ValueKind::text,
                     .value_name = "ID",
                     .help = "Begins after the one of this id, the last of an earlier list; names of an id of several "
                             "parts are separated by /"});
  return options;
}

Option filter_option(std::string name, std::string value_name, std::string help) {
  return {
      .name = std::move(name), .kind = ValueKind::text, .value_name = std::move(value_name), .help = std::move(help)};
}

Result<json::array> fetch_list(Session& session, const Arguments& arguments, std::string_view method, json::object args,
                               const std::vector<std::string>& id) {
  if (arguments.has("marker")) args["marker"] = arguments.text("marker");
  const auto limit = arguments.integer("limit");
  return Pages(session, method, std::move(args), id).fetch(limit.value_or(std::numeric_limits<std::int64_t>::max()));
}

Result<int> show_pages(Session& session, const Arguments& arguments, std::string_view method, const json::object& args,
                       const std::vector<std::string>& id, const std::vector<Column>& columns) {
  auto items = fetch_list(session, arguments, method, args, id);
  if (!items) return std::move(items).error();
  print_list(session, std::move(*items), columns);
  return 0;
}

}  // namespace gantry::cli
