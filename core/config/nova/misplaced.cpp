// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/misplaced.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "core/config/nova/options.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::config::nova {

namespace {

using Texts = std::vector<std::string>;

// The sections that Gantry reads, in lower case.
constexpr std::array<std::string_view, 12> read_sections{
    "default",      "scheduler", "filter_scheduler",      "metrics", "compute",     "database",
    "api_database", "placement", "oslo_messaging_rabbit", "neutron", "workarounds", "placement_database"};
// Sections of other libraries that are near to one of these.
constexpr std::array<std::string_view, 2> other_sections{"oslo_messaging_amqp", "oslo_messaging_kafka"};
// Options that sections of others have as well.
constexpr std::array<std::string_view, 5> shared_keys{"driver", "workers", "required", "scheduler",
                                                      "periodic_task_interval"};

template <class List>
bool holds(const List& list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

std::vector<OptionName> scheduling_options() {
  std::vector<OptionName> names{enabled_filters, available_filters, weight_classes, query_availability_zone};
  for (const CarriedOption& option : carried_options()) names.push_back(option.name);
  for (const OtherOption& option : other_options()) names.push_back(option.name);
  for (const char* ratio :
       {"cpu_allocation_ratio", "ram_allocation_ratio", "disk_allocation_ratio", "initial_cpu_allocation_ratio",
        "initial_ram_allocation_ratio", "initial_disk_allocation_ratio"})
    names.push_back({"DEFAULT", ratio});
  return names;
}

// The name in lower case, with _ for each run of other signs than letters and digits.
std::string plain(std::string_view name) {
  std::string text;
  for (const char sign : name) {
    const bool is_capital = sign >= 'A' && sign <= 'Z';
    const bool is_word = is_capital || (sign >= 'a' && sign <= 'z') || (sign >= '0' && sign <= '9');
    if (is_word)
      text += is_capital ? static_cast<char>(sign - 'A' + 'a') : sign;
    else if (!text.empty() && text.back() != '_')
      text += '_';
  }
  if (text.ends_with('_')) text.pop_back();
  return text;
}

// The words of a plain name in the order of the alphabet.
Texts words_of(std::string_view name) {
  Texts words(1);
  for (const char sign : name) {
    if (sign == '_')
      words.emplace_back();
    else
      words.back() += sign;
  }
  std::ranges::sort(words);
  return words;
}

// The section that a misspelt name probably means. Empty: none, or the name is right.
std::string meant_section(std::string_view section) {
  if (section == "DEFAULT" || holds(other_sections, section)) return "";
  if (section != "default" && holds(read_sections, section)) return "";
  const std::string name = plain(section);
  const auto words = words_of(name);
  for (const std::string_view known : read_sections)
    if (name == known || words == words_of(known)) return known == "default" ? "DEFAULT" : std::string(known);
  const std::string near = nearest(name, {read_sections.begin(), read_sections.end()});
  return near == "default" ? "DEFAULT" : near;
}

// Whether the two are equal but for three letters in a row: names of [DEFAULT] are many, and some are alike.
bool is_slip(std::string_view left, std::string_view right) {
  const std::size_t longer = std::max(left.size(), right.size());
  const std::size_t shorter = std::min(left.size(), right.size());
  std::size_t front = 0;
  while (front < shorter && left[front] == right[front]) ++front;
  std::size_t back = 0;
  while (back < shorter - front && left[left.size() - 1 - back] == right[right.size() - 1 - back]) ++back;
  return front + back + 3 >= longer && shorter > 9;
}

// The name of a scheduling option of [DEFAULT] that the key probably means. Empty: none.
std::string meant_default(std::string_view key, const std::vector<OptionName>& options) {
  for (const OptionName& option : options)
    if (option.section == "DEFAULT" && (plain(key) == option.key || is_slip(key, option.key)))
      return std::string(option.key);
  return "";
}

}  // namespace

std::string fault_of_place(const Place& place) {
  const auto options = scheduling_options();
  const std::string key = plain(place.key);
  const bool is_known = std::ranges::any_of(options, [&key](const OptionName& one) { return one.key == key; });
  if (const std::string meant = meant_section(place.section); !meant.empty() && (is_known || meant != "DEFAULT"))
    return "Nova has no section of this name; did you mean [" + meant + "]?";
  for (const OptionName& option : options)
    if (option.key == key && option.section != place.section && !holds(shared_keys, key))
      return "Nova reads it in [" + std::string(option.section) + "]" +
             (key == place.key ? "" : " as " + std::string(option.key));
  const std::string meant = place.section == "DEFAULT" ? meant_default(place.key, options) : "";
  return meant.empty() ? "" : "no such option of Nova's is known; did you mean " + meant + "?";
}

}  // namespace gantry::config::nova
