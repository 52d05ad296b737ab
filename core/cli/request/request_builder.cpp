// SPDX-License-Identifier: Apache-2.0
#include "core/cli/request/request_builder.hpp"

#include <algorithm>
#include <iterator>

#include "core/cli/terminal/key_values.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::cli {

namespace {

Option size_option(const char* name, const char* value_name, const char* help, double minimum) {
  return {.name = name, .kind = ValueKind::integer, .value_name = value_name, .help = help, .minimum = minimum};
}

Option pairs_option(const char* name, const char* help) {
  return {.name = name, .kind = ValueKind::text, .value_name = "KEY=VALUE", .help = help, .repeatable = true};
}

std::vector<std::string> flavor_names() {
  std::vector<std::string> names;
  for (const Flavor& one : built_in_flavors()) names.push_back(one.name);
  return names;
}

}  // namespace

Result<Flavor> flavor_of(const Arguments& arguments, const std::string& name) {
  const std::vector<Flavor> known = built_in_flavors();
  const bool has_sizes = arguments.has("vcpus") || arguments.has("memory-mb") || arguments.has("disk-gb");
  const auto found = std::ranges::find(known, name, &Flavor::name);
  Flavor flavor = found == known.end() ? Flavor{.name = name.empty() ? "custom" : name} : *found;
  if (name.empty() && !has_sizes) flavor = known.front();
  if (!name.empty() && found == known.end() && !has_sizes) {
    const std::string near = nearest(name, flavor_names());
    std::string all;
    for (const std::string& one : flavor_names()) all += one + ", ";
    return Error{ErrorCode::invalid_argument,
                 "--flavor: found \"" + name + "\", expected " + all +
                     "or sizes given with --vcpus, --memory-mb and --disk-gb" +
                     (near.empty() ? "" : "; did you mean `" + near + "`?"),
                 ""};
  }
  flavor.vcpus = arguments.integer("vcpus").value_or(flavor.vcpus);
  flavor.memory_mb = arguments.integer("memory-mb").value_or(flavor.memory_mb);
  flavor.root_gb = arguments.integer("disk-gb").value_or(flavor.root_gb);
  flavor.ephemeral_gb = arguments.integer("ephemeral-gb").value_or(flavor.ephemeral_gb);
  flavor.swap_mb = arguments.integer("swap-mb").value_or(flavor.swap_mb);
  return flavor;
}

Result<json::object> pairs_of(const Arguments& arguments, const std::string& option, bool lists) {
  auto pairs = texts_from_words(arguments.all(option), lists);
  if (!pairs) return std::move(pairs).error().within("--" + option);
  return pairs;
}

namespace {

json::value or_null(const json::object& object, std::string_view key) {
  const json::value* value = json::find(object, key);
  return value == nullptr ? json::value() : *value;
}

json::object instance_properties(const Arguments& arguments, const Flavor& flavor, const std::string& display_name,
                                 const json::object& context) {
  json::object properties;
  if (!display_name.empty()) properties["display_name"] = display_name;
  properties["project_id"] = or_null(context, "project_id");
  properties["user_id"] = or_null(context, "user_id");
  properties["vcpus"] = flavor.vcpus;
  properties["memory_mb"] = flavor.memory_mb;
  properties["root_gb"] = flavor.root_gb;
  properties["ephemeral_gb"] = flavor.ephemeral_gb;
  properties["availability_zone"] = arguments.has("zone") ? json::value(arguments.text("zone")) : json::value();
  return properties;
}

}  // namespace

std::vector<Flavor> built_in_flavors() {
  return {
      {.name = "m1.tiny", .vcpus = 1, .memory_mb = 512, .root_gb = 1},
      {.name = "m1.small", .vcpus = 1, .memory_mb = 2048, .root_gb = 20},
      {.name = "m1.medium", .vcpus = 2, .memory_mb = 4096, .root_gb = 40},
      {.name = "m1.large", .vcpus = 4, .memory_mb = 8192, .root_gb = 80},
      {.name = "m1.xlarge", .vcpus = 8, .memory_mb = 16384, .root_gb = 160},
  };
}

json::object to_json(const Flavor& flavor) {
  return {{"name", flavor.name},
          {"vcpus", flavor.vcpus},
          {"memory_mb", flavor.memory_mb},
          {"root_gb", flavor.root_gb},
          {"ephemeral_gb", flavor.ephemeral_gb},
          {"swap", flavor.swap_mb},
          {"extra_specs", json::object()}};
}

Option flavor_option() {
  return {.name = "flavor",
          .letter = 'f',
          .kind = ValueKind::text,
          .value_name = "NAME",
          .help =
              "m1.tiny, m1.small, m1.medium, m1.large or m1.xlarge (vCPUs/MiB/GB: 1/512/1, 1/2048/20, 2/4096/40, "
              "4/8192/80, 8/16384/160); another name if sizes are given. m1.tiny if nothing is",
          .suggestions = flavor_names()};
}

std::vector<Option> size_options() {
  return {
      size_option("vcpus", "N", "Virtual processors, in place of the flavor's", 1),
      size_option("memory-mb", "MIB", "Memory, in place of the flavor's", 0),
      size_option("disk-gb", "GB", "Root disk, in place of the flavor's", 0),
      size_option("ephemeral-gb", "GB", "Ephemeral disk", 0),
      size_option("swap-mb", "MIB", "Swap", 0),
  };
}

std::vector<Option> request_options() {
  std::vector<Option> options{flavor_option()};
  std::ranges::move(size_options(), std::back_inserter(options));
  std::vector<Option> others{
      {.name = "count",
       .letter = 'n',
       .kind = ValueKind::integer,
       .value_name = "N",
       .help = "How many instances, up to 10000",
       .fallback = "1",
       .minimum = 1,
       .maximum = 10'000},
      {.name = "zone", .kind = ValueKind::text, .value_name = "ZONE", .help = "Only hosts of this availability zone"},
      {.name = "group",
       .letter = 'g',
       .kind = ValueKind::text,
       .value_name = "GROUP",
       .help = "The server group, by uuid or name, that the instances join"},
      pairs_option("hint", "A scheduler hint; a key given again makes a list"),
      pairs_option("extra-spec", "An extra spec of the flavor"),
      pairs_option("image-property", "A property of the image"),
  };
  std::ranges::move(others, std::back_inserter(options));
  return options;
}

Result<BuiltRequest> build_request(const Arguments& arguments, const std::string& display_name,
                                   const json::object& context) {
  auto flavor = flavor_of(arguments, arguments.text("flavor"));
  if (!flavor) return std::move(flavor).error();
  auto hints = pairs_of(arguments, "hint", true);
  if (!hints) return std::move(hints).error();
  auto extra_specs = pairs_of(arguments, "extra-spec", false);
  if (!extra_specs) return std::move(extra_specs).error();
  auto image_properties = pairs_of(arguments, "image-property", false);
  if (!image_properties) return std::move(image_properties).error();

  if (arguments.has("group")) (*hints)["group"] = arguments.text("group");
  json::object instance_type = to_json(*flavor);
  instance_type["extra_specs"] = *extra_specs;
  json::object image{{"properties", *image_properties}};
  if (arguments.has("image")) image["name"] = arguments.text("image");

  BuiltRequest built;
  built.request_spec["num_instances"] = arguments.integer("count").value_or(1);
  built.request_spec["instance_properties"] = instance_properties(arguments, *flavor, display_name, context);
  built.request_spec["instance_type"] = std::move(instance_type);
  built.request_spec["image"] = std::move(image);
  built.filter_properties["scheduler_hints"] = *hints;
  return built;
}

}  // namespace gantry::cli
