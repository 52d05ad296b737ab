// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/translation.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "core/config/nova/class_names.hpp"
#include "core/config/nova/deployment_options.hpp"
#include "core/config/nova/misplaced.hpp"
#include "core/config/nova/options.hpp"
#include "core/config/nova/soundness.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::config::nova {

namespace {

using Texts = std::vector<std::string>;

constexpr std::string_view driver_section = "driver.filter.";
constexpr std::string_view in_deployments = "; Gantry follows it where [nova] config_files names the file";

std::string lower_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  });
  return text;
}

// Whether the value is one of "a|b".
bool is_one_of(const std::string& value, std::string_view list) {
  for (;;) {
    const std::size_t bar = std::min(list.find('|'), list.size());
    if (value == list.substr(0, bar)) return true;
    if (bar == list.size()) return false;
    list.remove_prefix(bar + 1);
  }
}

std::string joined(const Texts& texts) {
  std::string text;
  for (const std::string& one : texts) text += (text.empty() ? "" : ", ") + one;
  return text;
}

// Whether Gantry reads the option of a deployment's files.
bool is_of_deployments(const Place& place) {
  const auto is_place = [&place](const OptionName& name) {
    return name.section == place.section && name.key == place.key;
  };
  if (place.section == "placement" || place.section == "neutron" || place.section == "oslo_messaging_rabbit")
    return true;
  const auto overridden = overridden_options();
  const auto options = deployment_options();
  return std::ranges::any_of(overridden, [&](const auto& one) { return is_place(one.names.front()); }) ||
         std::ranges::any_of(options, [&](const auto& one) { return is_place(one.name); });
}

class Translator {
 public:
  Translator(const Conf& conf, Release release, Purpose purpose, KeyFault fault_of_key)
      : conf_(conf), release_(release), is_deployment_(purpose == Purpose::deployment), fault_of_key_(fault_of_key) {}

  Translation run() && {
    take_driver();
    for (const CarriedOption& option : carried_options())
      if (!option.key.starts_with(driver_section)) take(option);
    for (const char* resource : {"cpu", "ram", "disk"}) take_ratio(resource);
    put({"driver.filter.compatibility",
         {std::string(name_of(release_))},
         {},
         is_deployment_ ? "the deployment's release" : ""});
    take_filters();
    take_weighers();
    for (const CarriedOption& option : carried_options())
      if (option.key.starts_with(driver_section)) take(option);
    for (const OtherOption& option : other_options()) take_other(option);
    take_rest();
    leave_filter_driver();
    const auto order = [](const Carried& one) { return std::ranges::count(one.key, '.'); };
    std::ranges::stable_sort(result_.carried, {}, order);
    return std::move(result_);
  }

 private:
  // The option's value under the names that the release reads, of Zed's name and the older one, which may be absent.
  // nullopt: no file has it, or it makes no sense, which is among the problems then.
  std::optional<Found> find(OptionName name, OptionName older = {}, bool multi = false) {
    const auto names = names_read(name, older, release_);
    for (const OptionName& one : {name, older}) {
      if (one.key.empty()) continue;
      if (!is_among(one, names)) leave_unread(one);
      taken_.emplace(one.section, one.key);
    }
    auto found = conf_.find(names, multi);
    if (found) return *std::move(found);
    wrong(*conf_.place_of(names), found.error().message);
    return std::nullopt;
  }
  std::optional<Found> find(OptionName name, std::string_view older_key) {
    return find(name, older_key.empty() ? OptionName{} : OptionName{"DEFAULT", older_key});
  }

  static bool is_among(const OptionName& name, const std::vector<OptionName>& names) {
    return std::ranges::any_of(
        names, [&name](const OptionName& one) { return one.section == name.section && one.key == name.key; });
  }

  // An option that the release does not read counts nothing, with any value.
  void leave_unread(const OptionName& name) {
    taken_.emplace(name.section, name.key);
    auto place = conf_.place_of({name});
    if (!place) return;
    if (release_ >= Release::zed && name.section == "DEFAULT")
      result_.older_names.push_back(*std::move(place));
    else
      result_.not_needed.push_back({*std::move(place), "", std::string(name_of(release_)) + " does not read it"});
  }

  std::optional<Node> read(const Found& found, Type type) {
    auto value = read_value(type, found.values.back());
    if (value) return *std::move(value);
    wrong(found.place, value.error().message);
    return std::nullopt;
  }

  void wrong(const Place& place, const std::string& fault) {
    result_.problems.push_back(place.text() + ": key '" + place.name() + "': " + fault);
  }

  void put(Carried carried) { result_.carried.push_back(std::move(carried)); }
  void leave(std::vector<LeftOut>& list, const Found& found, std::string why) {
    std::string value;
    for (const std::string& one : found.values) value += (value.empty() ? "" : ", ") + one;
    list.push_back({found.place, std::move(value), std::move(why)});
  }

  void take(const CarriedOption& option) {
    if (first_release(option) > release_) return leave_unread(option.name);
    const auto found = find(option.name, option.older_key);
    if (!found) return;
    if (is_none(option.type, found->values.back()))
      return leave(result_.no_counterpart, *found,
                   "it is empty: Nova reads no number, and fails where it needs one; the default holds");
    auto value = read(*found, option.type);
    if (!value) return;
    const std::string note = capped(option, *value);
    std::string fault = fault_of(option, *value, release_);
    if (fault.empty() && !option.key.starts_with(driver_section)) fault = fault_of_key_(option.key, *value);
    if (!fault.empty()) return wrong(found->place, fault);
    put({std::string(option.key), *std::move(value), found->place, note});
  }

  // A request has a hundred alternates at most, whereas Nova has no bound. Returns what that means, empty for other values.
  static std::string capped(const CarriedOption& option, Node& value) {
    constexpr std::int64_t most_attempts = 101;
    const auto* const number = value.get<std::int64_t>();
    if (option.key != "scheduling.max_attempts" || number == nullptr || *number <= most_attempts) return "";
    std::string note = "Nova's " + to_toml(value) + ": Gantry names a hundred alternates at most";
    value = {most_attempts};
    return note;
  }

  void take_driver() {
    const auto found = find(scheduler_driver, older_scheduler_driver);
    const std::string name = found ? found->values.back() : "";
    const bool is_chance = !is_deployment_ && is_one_of(name, "chance_scheduler|nova.scheduler.chance.ChanceScheduler");
    const bool is_filter = name.empty() || is_one_of(name,
                                                     "filter_scheduler|caching_scheduler|"
                                                     "nova.scheduler.filter_scheduler.FilterScheduler|"
                                                     "nova.scheduler.caching_scheduler.CachingScheduler");
    if (!is_chance && !is_filter)
      leave(result_.no_counterpart, *found, "it is a Python class of the site's own; in Gantry a driver does it");
    is_chance_ = is_chance;
    put({"scheduler_driver",
         {std::string(is_chance ? "chance" : "filter")},
         found && (is_chance || is_filter) ? std::optional(found->place) : std::nullopt,
         found ? "" : "Nova's scheduler is this driver"});
  }

  // The chance driver has no use for the options of the filter scheduler.
  void leave_filter_driver() {
    if (!is_chance_) return;
    result_.added.clear();
    std::erase_if(result_.carried, [this](const Carried& one) {
      if (!one.key.starts_with(driver_section)) return false;
      if (one.from) result_.not_needed.push_back({*one.from, to_toml(one.value), "the chance driver filters nothing"});
      return true;
    });
  }

  // Icehouse has a ratio for all hosts. Later, what the host says holds, else this one, else the initial one, whose
  // default changed with Antelope.
  void take_ratio(const std::string& resource) {
    const std::string key = resource + "_allocation_ratio";
    const std::string initial_key = "initial_" + key;
    const auto ratio = find({"DEFAULT", key});
    const auto initial = find({"DEFAULT", initial_key});
    const auto value = ratio ? read_ratio(*ratio) : std::nullopt;
    const auto initial_value = initial ? read_ratio(*initial) : std::nullopt;
    if (release_ == Release::icehouse) {
      if (value) put({std::string(driver_section) + key, {*value}, ratio->place});
      if (initial_value) leave(result_.not_needed, *initial, "Icehouse does not read it");
      return;
    }
    const bool holds = value && *value != 0;
    if (value && !holds) leave(result_.not_needed, *ratio, "0.0 is as good as none");
    if (initial_value && holds) leave(result_.not_needed, *initial, key + " holds in its place");
    const auto& from = holds ? ratio : initial;
    const auto& used = holds ? value : initial_value;
    if (!used) return take_initial_default(resource);
    if (*used == 0) return leave(result_.not_needed, *from, "0.0 is as good as none");
    const Node node{*used};
    const std::string fault = fault_of_key_("scheduling." + key, node);
    if (!fault.empty()) return wrong(from->place, fault);
    put({"scheduling." + key, node, from->place});
  }

  void take_initial_default(const std::string& resource) {
    if (release_ < Release::antelope || resource == "disk") return;
    const Node ratio{resource == "cpu" ? 4.0 : 1.0};
    put({"scheduling." + resource + "_allocation_ratio", ratio, {}, "the default of the release"});
  }

  std::optional<double> read_ratio(const Found& found) {
    if (is_none(Type::real, found.values.back())) {
      leave(result_.not_needed, found, "it is empty, which is as good as none");
      return std::nullopt;
    }
    const auto value = read(found, Type::real);
    if (!value) return std::nullopt;
    const double ratio = *value->get<double>();
    if (ratio >= 0) return ratio;
    wrong(found.place, "expected at least 0, found " + to_toml(ratio));
    return std::nullopt;
  }

  // The names of a list; nullopt: it makes no sense.
  std::optional<Texts> read_names(const Found& found) {
    Texts names = split_list(found.values.back());
    if (std::ranges::find(names, "") == names.end()) return names;
    wrong(found.place, "expected names separated by commas, found an empty one between two commas");
    return std::nullopt;
  }

  void take_filters() {
    const auto found = find(enabled_filters, older_enabled_filters);
    const auto given = found ? read_names(*found) : default_filters(release_);
    take_available_filters();
    const bool by_zone = chooses_by_zone();
    if (!given) return;
    KnownNames known = known_filters(*given);
    for (const std::string& one : known.unknown) leave(result_.no_counterpart, *found, one);
    if (is_deployment_) known.names = as_offered(*given, known);
    const Texts added = is_deployment_ ? Texts() : filters_for_placement(known.names, release_, by_zone);
    known.names.insert(known.names.end(), added.begin(), added.end());
    std::string note = found ? "" : "the default of the release";
    if (!added.empty()) {
      result_.added = joined(added) + ": added, " + why_added(added, release_);
      note += (note.empty() ? "" : "; ") + result_.added;
    }
    put({std::string(driver_section) + "enabled_filters", to_node(known.names),
         found ? std::optional(found->place) : std::nullopt, note});
  }

  // Which classes could be enabled: all of Nova's are there, others come as libraries.
  void take_available_filters() {
    const auto found = find(available_filters, older_available_filters, true);
    if (!found) return;
    Texts others;
    for (const std::string& name : found->values)
      if (!name.empty() && !name.starts_with("nova.scheduler.filters.")) others.push_back(name);
    if (is_deployment_)
      for (const std::string& name : others) refuse_namesake(name, found->place);
    if (others.empty())
      leave(result_.not_needed, *found, "all of Nova's filters are there to be enabled");
    else
      leave(result_.no_counterpart, *found,
            joined(others) +
                ": Python classes; in Gantry libraries that offer gantry.filter/1 stand in "
                "[driver.filter] libraries");
  }

  // Nova would take the site's class in the place of its own.
  void refuse_namesake(const std::string& path, const Place& place) {
    const std::string name = path.substr(path.rfind('.') + 1);
    if (is_name_of_nova(name))
      wrong(place, "expected filters with names of their own, found " + to_toml(std::string_view(path)) +
                       ", which takes the place of Nova's " + name +
                       "; a Python class cannot be loaded, and a library would offer it under another name");
  }

  bool chooses_by_zone() {
    if (release_ >= Release::bobcat) {
      leave_unread(query_availability_zone);
      return true;
    }
    const auto found = find(query_availability_zone);
    if (!found) return true;
    const auto value = read(*found, Type::boolean);
    if (!value) return true;
    const bool by_zone = *value->get<bool>();
    leave(result_.not_needed, *found, by_zone ? "AvailabilityZoneFilter does it" : "Gantry asks no placement service");
    return by_zone;
  }

  void take_weighers() {
    const auto found = find(weight_classes, older_weight_classes);
    if (!found) return;
    const auto given = read_names(*found);
    if (!given) return;
    const KnownNames known = known_weighers(*given);
    for (const std::string& one : known.unknown) leave(result_.no_counterpart, *found, one);
    put({std::string(driver_section) + "weight_classes",
         to_node(is_deployment_ ? as_offered(*given, known) : known.names), found->place});
  }

  void take_other(const OtherOption& option) {
    const auto found = find(option.name, option.older_key);
    if (!found || (is_deployment_ && (option.is_of_placement || is_of_deployments(found->place)))) return;
    std::string value = lower_case(found->values.back());
    if (const auto truth = read_value(Type::boolean, value); truth && option.harmless == "false")
      value = to_toml(*truth);
    const bool is_harmless = option.harmless == "*" || is_one_of(value, lower_case(std::string(option.harmless))) ||
                             is_one_of(found->values.back(), option.harmless);
    if (is_harmless && option.harmless != "*")
      leave(result_.not_needed, *found, "it is Nova's default, and Gantry does as much");
    else
      leave(is_harmless ? result_.not_needed : result_.no_counterpart, *found,
            std::string(option.why) + (may_be_of_deployment(found->place) ? std::string(in_deployments) : ""));
  }

  // Takes the options that no table names: whole sections, misspelt options, and options that are not about scheduling.
  void take_rest() {
    for (const Place& place : conf_.all()) {
      if (taken_.contains({place.section, place.key})) continue;
      if (may_be_of_deployment(place)) {
        take_for_deployments(place);
      } else if (place.section == "placement") {
        leave_placement(place);
      } else if (place.section == "trusted_computing") {
        result_.no_counterpart.push_back({place, "", "a driver does no network I/O: no attestation service is asked"});
      } else if (const std::string fault = fault_of_unread(place); !fault.empty()) {
        result_.no_counterpart.push_back({place, "", fault, true});
      } else {
        ++result_.passed_over;
      }
    }
  }

  // Why no Nova reads an option about scheduling. Empty: the option is about other things.
  std::string fault_of_unread(const Place& place) const {
    std::string fault = fault_of_place(place);
    if (!fault.empty() || !is_of_scheduler(place)) return fault;
    const std::string near = nearest(place.key, known_keys(place.section));
    return "no such scheduler option of Nova's is known" + (near.empty() ? "" : "; did you mean " + near + "?");
  }

  // Gantry takes the place of Zed's scheduler and of later ones.
  bool may_be_of_deployment(const Place& place) const { return release_ >= Release::zed && is_of_deployments(place); }

  void leave_placement(const Place& place) {
    const bool is_first =
        std::ranges::none_of(result_.not_needed, [](const LeftOut& one) { return one.place.section == "placement"; });
    if (is_first)
      result_.not_needed.push_back(
          {{place.section, "*", place.file, place.line}, "", "Gantry asks no placement service"});
  }

  // One line stands for a section that may hold secrets.
  void take_for_deployments(Place place) {
    if (place.section != "DEFAULT" && place.section != "scheduler") place.key = "*";
    const auto& listed = result_.for_deployments;
    const bool is_there = std::ranges::any_of(
        listed, [&](const Place& one) { return one.section == place.section && one.key == place.key; });
    if (!is_there) result_.for_deployments.push_back(std::move(place));
  }

  static bool is_of_scheduler(const Place& place) {
    if (place.section == "DEFAULT") return place.key.starts_with("scheduler_");
    return place.section == "scheduler" || place.section == "filter_scheduler" || place.section == "metrics";
  }

  Texts known_keys(std::string_view section) const {
    Texts keys;
    for (const auto& [its_section, key] : taken_)
      if (its_section == section) keys.emplace_back(key);
    return keys;
  }

  const Conf& conf_;
  const Release release_;
  const bool is_deployment_;
  const KeyFault fault_of_key_;
  std::set<std::pair<std::string, std::string>> taken_;
  bool is_chance_ = false;
  Translation result_;
};

}  // namespace

Translation translate(const Conf& conf, Release release, Purpose purpose, KeyFault fault_of_key) {
  return Translator(conf, release, purpose, fault_of_key).run();
}

}  // namespace gantry::config::nova
