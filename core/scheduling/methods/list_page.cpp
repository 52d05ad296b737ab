// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/methods/list_page.hpp"

#include <algorithm>

#include "core/encoding/name_path.hpp"
#include "core/scheduling/request/args.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::int64_t most_items = 10'000;

}  // namespace

Result<PageWish> read_page(const json::object& args) {
  PageWish wish;
  const auto* marker = json::find(args, "marker");
  if (marker != nullptr && marker->is_int64()) {
    wish.marker = std::to_string(marker->get_int64());
  } else {
    auto text = optional_text(args, "marker");
    if (!text) return std::move(text).error();
    wish.marker = std::move(*text);
  }
  auto limit = optional_integer(args, "limit", usual_page_items, 1, most_items);
  if (!limit) return std::move(limit).error();
  wish.limit = static_cast<std::size_t>(*limit);
  return wish;
}

Error no_such_marker(const std::string& marker) {
  return {ErrorCode::invalid_argument,
          "argument 'marker': nothing in the list has the id '" + marker +
              "'; expected the id of the last item of the page before, which may be gone by now",
          {}};
}

void PageText::add(const json::value& item) {
  if (count_++ != 0) text_ += ',';
  json::append(text_, item);
}

Outcome PageText::outcome() && {
  Outcome outcome;
  outcome.reply = Answer::of_text(std::move(text_) + ']');
  return outcome;
}

std::string item_id(std::initializer_list<std::string_view> names) {
  std::vector<std::string_view> parts(names);
  while (parts.size() > 1 && parts.back().empty()) parts.pop_back();
  return join_names(parts);
}

bool Filters::fit(std::string_view argument, std::string_view value) const {
  return std::all_of(wanted_.begin(), wanted_.end(),
                     [&](const auto& wish) { return wish.first != argument || wish.second == value; });
}

std::optional<std::string> Filters::wanted(std::string_view argument) const {
  for (const auto& [name, value] : wanted_) {
    if (name == argument) return value;
  }
  return std::nullopt;
}

Result<Filters> read_filters(const json::object& args, std::initializer_list<std::string_view> arguments) {
  Filters filters;
  for (const auto argument : arguments) {
    auto text = optional_text(args, argument);
    if (!text) return std::move(text).error();
    if (*text) filters.wanted_.emplace_back(argument, std::move(**text));
  }
  return filters;
}

Result<void> check_choice(const Filters& filters, std::string_view argument,
                          std::initializer_list<std::string_view> choices) {
  const auto wanted = filters.wanted(argument);
  if (!wanted || std::find(choices.begin(), choices.end(), *wanted) != choices.end()) return {};
  std::string expected;
  for (const auto choice : choices) expected.append(expected.empty() ? "" : ", ").append(choice);
  return Error{ErrorCode::invalid_argument,
               "argument '" + std::string(argument) + "': expected one of " + expected + ", found '" + *wanted + "'",
               {}};
}

}  // namespace gantry::scheduling
