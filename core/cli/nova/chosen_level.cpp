// SPDX-License-Identifier: Apache-2.0
#include "core/cli/nova/chosen_level.hpp"

#include <algorithm>
#include <sstream>
#include <utility>

#include "core/cli/nova/helper_program.hpp"
#include "core/cli/terminal/text_table.hpp"
#include "core/config/nova/named_databases.hpp"
#include "core/encoding/printable.hpp"

namespace gantry::cli::nova {

namespace {

using Texts = std::vector<std::string>;

constexpr auto newest = config::nova::newest_release;

// Whether the files say where a database of Nova is, perhaps in a way that makes no sense.
bool names_a_database(const config::nova::Conf& conf) {
  const auto named = config::nova::named_databases(conf);
  return !named || !named->database_connection.empty() || !named->api_database_connection.empty();
}

Error not_found(const std::string& found) {
  return {ErrorCode::failed_precondition,
          "the release of Nova: expected that the databases which the files name show it, found: " + found +
              "; name it with --compatibility RELEASE",
          ""};
}

Texts texts_in(const json::object& answer, std::string_view key) {
  Texts texts;
  if (const auto* list = json::find_array(answer, key))
    for (const auto& item : *list)
      if (item.is_string()) texts.emplace_back(item.get_string());
  return texts;
}

json::array list_of(const Texts& texts) {
  json::array items;
  for (const std::string& text : texts) items.emplace_back(text);
  return items;
}

std::string joined(const Texts& sentences) {
  std::string text;
  for (const std::string& one : sentences) text += (text.empty() ? "" : "; ") + one;
  return text;
}

Result<ChosenLevel> searched(const Texts& files) {
  Texts words;
  for (const std::string& file : files) words.insert(words.end(), {"--level-of", file});
  std::ostringstream out;
  const auto run = run_nova_check(words, out);
  if (!run) return not_found(run.error().message);
  const auto answer = json::parse_object(out.str());
  if (!answer) return not_found("gantry-nova-check ended with status " + std::to_string(*run) + " and no answer");
  ChosenLevel chosen{newest, "found", texts_in(*answer, "could_be"), texts_in(*answer, "signs"),
                     texts_in(*answer, "warnings")};
  const auto level = json::find_string(*answer, "level");
  if (level) {
    chosen.release = config::nova::release_named(*level).value_or(newest);
    return chosen;
  }
  const auto why = json::find_string(*answer, "why");
  return not_found(why ? std::string(*why) : joined(chosen.signs));
}

}  // namespace

std::string ChosenLevel::summary() const {
  const std::string level = "compatibility: " + std::string(config::nova::name_of(release));
  if (how == "told") return level + ", as --compatibility says";
  if (how == "default")
    return level +
           ", the newest, for the files name no database that would show the release; --compatibility names another";
  return level + (could_be.size() > 1 ? ", the oldest that it can be, by the databases" : ", by the databases");
}

std::string LevelReview::level_as_comments() const {
  std::string text = "# " + printable(level.summary()) + "\n";
  for (const auto* list : {&level.signs, &level.warnings})
    for (const std::string& one : *list) text += "#   " + printable(one) + "\n";
  return text;
}

std::string LevelReview::defaults_as_comments() const {
  if (defaults.empty()) return "";
  std::string text = "\n# Defaults of " + std::string(config::nova::name_of(level.release)) +
                     " that are not what the files say, or not Zed's where the files say nothing:\n";
  for (const auto& one : defaults) text += "#   " + printable(line_of(one)) + "\n";
  return text;
}

void LevelReview::add_to(json::object& document) const {
  json::array list;
  for (const auto& one : defaults) {
    const auto text_or_null = [](const std::string& text) { return text.empty() ? json::value() : json::value(text); };
    list.push_back(json::object{{"option", one.name},
                                {"default", text_or_null(one.of_release)},
                                {"since", text_or_null(one.since)},
                                {"site", text_or_null(one.of_site)},
                                {"from", one.place ? json::value(one.place->text()) : json::value()}});
  }
  document["compatibility"] = config::nova::name_of(level.release);
  document["level"] = json::object{{"how", level.how},
                                   {"could_be", list_of(level.could_be)},
                                   {"signs", list_of(level.signs)},
                                   {"warnings", list_of(level.warnings)}};
  document["defaults"] = std::move(list);
}

Result<ChosenLevel> choose_level(const std::string& told, const config::nova::Conf& conf, const Texts& files) {
  if (const auto release = config::nova::release_named(told))
    return ChosenLevel{*release, "told", {std::string(config::nova::name_of(*release))}, {}, {}};
  const bool can_be_opened = std::ranges::find(files, "-") == files.end();
  if (names_a_database(conf) && can_be_opened) return searched(files);
  return ChosenLevel{newest, "default", {std::string(config::nova::name_of(newest))}, {}, {}};
}

}  // namespace gantry::cli::nova
