// SPDX-License-Identifier: Apache-2.0
#include "core/cli/commands/simple_command.hpp"

#include <algorithm>
#include <optional>
#include <ostream>

#include "core/encoding/printable.hpp"

namespace gantry::cli {

Result<int> show_list(Session& session, std::string_view method, const json::object& args,
                      const std::vector<Column>& columns) {
  auto answer = session.call(method, args);
  if (!answer) return std::move(answer).error();
  print_list(session, *answer, columns);
  return 0;
}

Result<int> show_object(Session& session, std::string_view method, const json::object& args,
                        const std::vector<Column>& columns) {
  auto answer = session.call(method, args);
  if (!answer) return std::move(answer).error();
  print_object(session, *answer, columns);
  return 0;
}

Result<int> change(Session& session, std::string_view method, const json::object& args, std::string_view done) {
  auto answer = session.call(method, args);
  if (!answer) return std::move(answer).error();
  if (session.format() == OutputFormat::json)
    print_json(session, *answer);
  else if (session.format() == OutputFormat::table && !session.quiet())
    session.out() << printable(done) << '\n';
  return 0;
}

Result<int> change_each(Session& session, std::string_view method, std::string_view argument,
                        const std::vector<std::string>& names, std::string_view done, json::object args) {
  json::array answers;
  std::optional<Error> failed;
  for (const std::string& name : names) {
    args[argument] = name;
    auto answer = session.call(method, args);
    if (!answer) {
      failed = std::move(answer).error();
      if (names.size() > 1) failed = std::move(*failed).within(name);
      break;
    }
    answers.push_back(std::move(*answer));
    if (session.format() == OutputFormat::table && !session.quiet())
      session.out() << printable(done) << printable(name) << '\n';
  }
  if (session.format() == OutputFormat::json && !(failed && answers.empty())) print_json(session, answers);
  if (failed) return *std::move(failed);
  return 0;
}

json::object given(const Arguments& arguments, const std::vector<std::string>& names) {
  json::object object;
  for (const std::string& name : names) {
    if (!arguments.has(name)) continue;
    std::string key = name;
    std::ranges::replace(key, '-', '_');
    object[key] = arguments.text(name);
  }
  return object;
}

Option topic_option() {
  return {.name = "topic",
          .kind = ValueKind::text,
          .value_name = "TOPIC",
          .help = "The topic of the service",
          .fallback = "compute"};
}

}  // namespace gantry::cli
