// SPDX-License-Identifier: Apache-2.0
#include "core/cli/terminal/output.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <ostream>

#include "core/cli/terminal/exit_code.hpp"
#include "core/encoding/printable.hpp"

namespace gantry::cli {

namespace {

std::string number_text(double number) {
  std::array<char, 32> text{};
  if (number == 0) number = 0;  // not -0
  // Amounts are read, not computed with: 600000, not 6e+05.
  const auto format =
      std::abs(number) < 1e15 && std::abs(number) >= 1e-4 ? std::chars_format::fixed : std::chars_format::general;
  const auto [end, problem] = std::to_chars(text.data(), text.data() + text.size(), number, format);
  return problem == std::errc() ? std::string(text.data(), end) : std::string("?");
}

std::string list_text(const json::array& list) {
  if (list.empty()) return "-";
  std::string text;
  for (const json::value& item : list) text += (text.empty() ? "" : ", ") + cell_text(&item);
  return text;
}

// A scalar, or a list of scalars.
bool is_plain(const json::value& value) {
  if (!value.is_array()) return !value.is_object();
  return std::ranges::none_of(value.get_array(),
                              [](const json::value& item) { return item.is_object() || item.is_array(); });
}

std::string pairs_text(const json::object& object) {
  if (object.empty()) return "-";
  for (const auto& [key, value] : object)
    if (!is_plain(value)) return json::write(object);
  std::string text;
  for (const auto& [key, value] : object)
    text.append(text.empty() ? "" : ", ").append(key).append("=").append(cell_text(&value));
  return text;
}

// A row of a table stays readable: "h1, h2, h3, h4, h5 and 995 more".
std::string few_text(const json::array& list) {
  constexpr std::size_t most = 10;
  constexpr std::size_t few = 5;
  if (list.size() <= most) return list_text(list);
  return list_text(json::array(list.begin(), list.begin() + few)) + " and " + std::to_string(list.size() - few) +
         " more";
}

std::string cell_of(const json::object& object, const Column& column, bool is_short = false) {
  const auto* value = at_path(object, column.path);
  std::string text =
      is_short && value != nullptr && value->is_array() ? few_text(value->get_array()) : cell_text(value);
  if (column.capitals)
    std::ranges::transform(text, text.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

std::string hint_for(ErrorCode code, const std::string& topic) {
  switch (code) {
    case ErrorCode::no_valid_host:
      if (topic.empty()) return "";  // there is no daemon that could tell more
      if (topic != "compute")
        return "`gantry host list --topic " + topic + "` shows what its hosts reported, `gantry service list --topic " +
               topic + "` which ones are down or disabled";
      return "`gantry host list` shows what each host has left, `gantry service list` which ones are down or disabled";
    case ErrorCode::invalid_configuration:
      return topic.empty() ? "" : "`gantry config check` lists every problem at once";
    case ErrorCode::deadline_exceeded:
      return "--timeout SECONDS waits longer, as far as the daemon allows: scheduling.call_timeout bounds what a "
             "driver may take, server.request_timeout a request";
    default: return "";
  }
}

}  // namespace

const json::value* at_path(const json::object& object, std::string_view path) {
  const std::size_t dot = path.find('.');
  if (dot == std::string_view::npos) return json::find(object, path);
  const json::object* inner = json::find_object(object, path.substr(0, dot));
  return inner == nullptr ? nullptr : at_path(*inner, path.substr(dot + 1));
}

std::string cell_text(const json::value* value) {
  if (value == nullptr || value->is_null()) return "-";
  if (value->is_string()) return value->get_string().empty() ? std::string("-") : std::string(value->get_string());
  if (value->is_bool()) return value->get_bool() ? "yes" : "no";
  if (value->is_int64()) return std::to_string(value->get_int64());
  if (value->is_uint64()) return std::to_string(value->get_uint64());
  if (value->is_double()) return number_text(value->get_double());
  if (value->is_array()) return list_text(value->get_array());
  return pairs_text(value->get_object());
}

void print_json(Session& session, const json::value& answer) {
  std::string text = json::write_pretty(answer);
  if (!text.ends_with('\n')) text += '\n';
  session.out() << printable_json(text);
}

void print_table(Session& session, const json::value& answer, const TextTable& table) {
  if (session.format() == OutputFormat::json)
    print_json(session, answer);
  else if (session.format() == OutputFormat::value)
    table.print_values(session.out());
  else
    table.print(session.out(), session.colour());
}

void print_list(Session& session, const json::value& list, const std::vector<Column>& columns) {
  std::vector<std::string> headers;
  headers.reserve(columns.size());
  for (const Column& column : columns) headers.push_back(column.header);
  TextTable table(std::move(headers));
  const bool is_short = session.format() == OutputFormat::table;
  if (list.is_array())
    for (const json::value& item : list.get_array()) {
      std::vector<std::string> cells;
      if (!item.is_object())
        cells.push_back(cell_text(&item));
      else
        for (const Column& column : columns) cells.push_back(cell_of(item.get_object(), column, is_short));
      table.add(std::move(cells));
    }
  print_table(session, list, table);
}

void print_object(Session& session, const json::value& object, const std::vector<Column>& columns) {
  TextTable table({"FIELD", "VALUE"});
  if (object.is_object())
    for (const Column& column : columns)
      if (at_path(object.get_object(), column.path) != nullptr)
        table.add({column.header, cell_of(object.get_object(), column)});
  print_table(session, object, table);
}

void print_decision(Session& session, const json::object& decision) {
  const auto by = [&decision](std::string_view key, const char* words) {
    const auto name = json::find_string(decision, key);
    return name ? words + std::string(*name) : std::string();
  };
  session.out() << "\nwhy: driver " << cell_text(json::find(decision, "driver")) << ' '
                << cell_text(json::find(decision, "driver_version")) << by("profile", ", by profile ")
                << by("fallback_for", ", in the place of ") << ", " << cell_text(json::find(decision, "hosts"))
                << (json::find_integer(decision, "hosts") == 1 ? " host" : " hosts") << ", request "
                << cell_text(json::find(decision, "request_id")) << ", seed " << cell_text(json::find(decision, "seed"))
                << ", " << cell_text(json::find(decision, "microseconds")) << " us\n"
                << by("fallback_reason", "the driver in whose place it decided: ")
                << (decision.contains("fallback_reason") ? "\n" : "");
  const json::array* steps = json::find_array(decision, "steps");
  if (steps != nullptr && !steps->empty()) steps_table(*steps).print(session.out(), session.colour());
}

std::string claim_items_text(const json::object& claim) {
  std::string text;
  const json::array* items = json::find_array(claim, "items");
  if (items == nullptr) return text;
  for (const json::value& item : *items)
    if (item.is_object())
      text += (text.empty() ? "" : ", ") + cell_text(json::find(item.get_object(), "resource")) + "=" +
              cell_text(json::find(item.get_object(), "amount"));
  return text;
}

TextTable steps_table(const json::array& steps) {
  TextTable table({"STEP", "HOSTS IN", "HOSTS OUT", "WHY"});
  // Some filters are asked again for each further instance of the request.
  const auto why = [](const json::object& step) {
    auto reason = cell_text(json::find(step, "reason"));
    const auto instance = json::find_integer(step, "instance").value_or(0);
    if (instance == 0) return reason;
    return "again, for instance " + std::to_string(instance + 1) + (reason == "-" ? "" : ": " + reason);
  };
  for (const json::value& step : steps) {
    if (!step.is_object()) continue;
    const json::object& fields = step.get_object();
    table.add({cell_text(json::find(fields, "name")), cell_text(json::find(fields, "hosts_in")),
               cell_text(json::find(fields, "hosts_out")), why(fields)});
  }
  return table;
}

void print_error(std::ostream& err, const Error& error, bool colour, const std::string& topic) {
  std::string message = error.message;
  while (message.ends_with('\n')) message.pop_back();
  std::string lines;
  for (std::size_t begin = 0; begin <= message.size();) {
    const std::size_t end = std::min(message.find('\n', begin), message.size());
    lines += (begin == 0 ? "" : "\n  ") + printable(std::string_view(message).substr(begin, end - begin));
    begin = end + 1;
  }
  err << "gantry: " << lines << '\n';
  if (auto details = json::parse_object(error.details.empty() ? "{}" : error.details); details)
    if (const json::array* steps = json::find_array(*details, "steps"); steps != nullptr && !steps->empty())
      steps_table(*steps).print(err, colour, 2);
  if (const std::string hint = hint_for(error.code, topic); !hint.empty()) err << "  next: " << hint << '\n';
}

void print_error_as_json(std::ostream& err, const Error& error) {
  json::object told{{"code", name_of(error.code)}, {"message", error.message}, {"details", json::object()}};
  if (!error.details.empty())
    if (auto details = json::parse_object(error.details, json::stored_depth)) told["details"] = std::move(*details);
  told["exit_code"] = exit_code::of(error.code);
  err << printable_json(json::write(json::object{{"error", std::move(told)}})) << '\n';
}

void print_error(Session& session, const Error& error) {
  if (session.format() == OutputFormat::json) return print_error_as_json(session.err(), error);
  print_error(session.err(), error, session.environment().err_is_terminal && session.colour(), session.topic());
}

void print_warning(Session& session, std::string_view text) {
  if (session.format() == OutputFormat::json)
    session.err() << printable_json(json::write(json::object{{"warning", text}})) << '\n';
  else
    session.err() << "gantry: warning: " << printable(text) << '\n';
}

void print_notice(Session& session, std::string_view text) {
  if (session.format() == OutputFormat::json)
    session.err() << printable_json(json::write(json::object{{"notice", text}})) << '\n';
  else
    session.err() << "gantry: " << printable(text) << '\n';
}

void print_text(Session& session, std::string_view key, std::string_view text) {
  if (session.format() == OutputFormat::json)
    print_json(session, json::object{{key, text}});
  else
    session.out() << text;
}

}  // namespace gantry::cli
