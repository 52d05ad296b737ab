// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "core/cli/commands/commands.hpp"
#include "core/cli/request/request_builder.hpp"
#include "core/cli/terminal/output.hpp"
#include "core/cli/terminal/session.hpp"

namespace gantry::cli {

namespace {

Result<json::array> asked_flavors(const Arguments& arguments) {
  auto extra_specs = pairs_of(arguments, "extra-spec", false);
  if (!extra_specs) return std::move(extra_specs).error();
  auto names = arguments.all("flavor");
  const auto options = size_options();
  const bool has_sizes =
      std::ranges::any_of(options, [&arguments](const Option& option) { return arguments.has(option.name); });
  if (names.size() > 1 && has_sizes)
    return Error{ErrorCode::invalid_argument, "sizes go with one --flavor: the others are built-in ones", ""};
  if (names.empty() && has_sizes) names.emplace_back();
  if (names.empty()) std::ranges::transform(built_in_flavors(), std::back_inserter(names), &Flavor::name);
  json::array flavors;
  for (const auto& name : names) {
    auto flavor = flavor_of(arguments, name);
    if (!flavor) return std::move(flavor).error();
    auto described = to_json(*flavor);
    described["extra_specs"] = *extra_specs;
    flavors.push_back(std::move(described));
  }
  return flavors;
}

Result<json::object> rest_of_request(Session& session, const Arguments& arguments) {
  auto properties = pairs_of(arguments, "image-property", false);
  if (!properties) return std::move(properties).error();
  json::object request{{"image", json::object{{"properties", *std::move(properties)}}}};
  if (arguments.has("zone")) request["availability_zone"] = arguments.text("zone");
  for (const auto* key : {"project_id", "user_id"}) {
    if (const auto* value = json::find(session.context(), key)) request[key] = *value;
  }
  return request;
}

std::string count_text(const json::object& room) {
  return json::find_bool(room, "unbounded").value_or(false) ? "any number" : cell_text(json::find(room, "count"));
}

// `by` is empty if the answer has no groups.
TextTable capacity_table(const json::object& answer, const std::string& by) {
  std::vector<std::string> headers{"FLAVOR", "COUNT", "HOSTS"};
  if (!by.empty()) headers.insert(headers.begin() + 1, by == "zone" ? "ZONE" : "AGGREGATE");
  TextTable table(std::move(headers));
  const auto* const flavors = json::find_array(answer, "flavors");
  if (flavors == nullptr) return table;
  const auto add = [&](const json::object& flavor, const json::object& room, const std::string& group) {
    std::vector<std::string> cells{cell_text(json::find(flavor, "name"))};
    if (!by.empty()) cells.push_back(group);
    cells.push_back(count_text(room));
    cells.push_back(cell_text(json::find(room, "hosts")));
    table.add(std::move(cells));
  };
  for (const auto& value : *flavors) {
    if (!value.is_object()) continue;
    const auto& flavor = value.get_object();
    add(flavor, flavor, "(all)");
    const auto* const groups = json::find_array(flavor, "groups");
    if (by.empty() || groups == nullptr) continue;
    for (const auto& group : *groups) {
      if (group.is_object()) add(flavor, group.get_object(), cell_text(json::find(group.get_object(), "name")));
    }
  }
  return table;
}

void warn_of_inexact(Session& session, const json::object& answer) {
  const auto* const flavors = json::find_array(answer, "flavors");
  if (flavors == nullptr) return;
  std::string last;
  for (const auto& value : *flavors) {
    if (!value.is_object() || json::find_bool(value.get_object(), "exact").value_or(true)) continue;
    std::string reason(json::find_string(value.get_object(), "reason").value_or(""));
    if (reason == last) continue;
    print_warning(session, "not exact: " + reason);
    last = std::move(reason);
  }
}

Result<int> show_capacity(Session& session, const Arguments& arguments) {
  auto flavors = asked_flavors(arguments);
  if (!flavors) return std::move(flavors).error();
  auto request = rest_of_request(session, arguments);
  if (!request) return std::move(request).error();
  json::object args{{"flavors", *std::move(flavors)}, {"request_spec", *std::move(request)}};
  const auto by = arguments.text("by");
  if (!by.empty()) args["by"] = by;
  auto answer = session.call("capacity", args);
  if (!answer) return std::move(answer).error();
  if (!answer->is_object()) return Error{ErrorCode::internal, "capacity: expected an object, found another answer", ""};
  print_table(session, *answer, capacity_table(answer->get_object(), by));
  warn_of_inexact(session, answer->get_object());
  return 0;
}

std::vector<Option> capacity_options() {
  auto flavor = flavor_option();
  flavor.repeatable = true;
  flavor.help =
      "m1.tiny, m1.small, m1.medium, m1.large or m1.xlarge (vCPUs/MiB/GB: 1/512/1, 1/2048/20, 2/4096/40, 4/8192/80, "
      "8/16384/160); given again for several; another name if sizes are given. All five if nothing is";
  std::vector<Option> options{std::move(flavor)};
  std::ranges::move(size_options(), std::back_inserter(options));
  options.push_back({.name = "by",
                     .kind = ValueKind::text,
                     .value_name = "GROUP",
                     .help = "Also counts by availability zone or by aggregate. A host in several aggregates counts in "
                             "each, one in none under -",
                     .choices = {"zone", "aggregate"}});
  options.push_back({.name = "zone",
                     .kind = ValueKind::text,
                     .value_name = "ZONE",
                     .help = "Of requests that ask for this availability zone"});
  options.push_back({.name = "extra-spec",
                     .kind = ValueKind::text,
                     .value_name = "KEY=VALUE",
                     .help = "An extra spec of the flavors",
                     .repeatable = true});
  options.push_back({.name = "image-property",
                     .kind = ValueKind::text,
                     .value_name = "KEY=VALUE",
                     .help = "A property of the image",
                     .repeatable = true});
  return options;
}

}  // namespace

std::vector<Command> capacity_commands() {
  return {{.path = "capacity",
           .summary = "Counts how many more instances of each flavor fit",
           .description =
               "The count is how many requests for one instance would find a host, one after the other, each taking "
               "what it takes, by the policy of the driver that is loaded: its filters, limits and allocation ratios. "
               "Nothing is claimed. HOSTS are those that take at least one. A warning says where the count is not "
               "exact: where a driver does not count and the time for trying ended, and where OpenStack's placement "
               "has a say.",
           .options = capacity_options(),
           .examples = {{"gantry capacity", "the built-in flavors"},
                        {"gantry capacity --flavor m1.large --flavor m1.xlarge --by zone", "two of them in each zone"},
                        {"gantry capacity --flavor db --vcpus 16 --memory-mb 65536 --disk-gb 200", "a size of its own"},
                        {"gantry -o value capacity --flavor m1.tiny | cut -f2", "the count alone"}},
           .run = show_capacity}};
}

}  // namespace gantry::cli
