// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/flavor_and_image.hpp"

#include <algorithm>

#include "core/nova/request/failure.hpp"
#include "core/nova/request/python_text.hpp"

namespace gantry::nova {

bool has_text(const OptionalText& text) {
  return text && !text->empty();
}

bool is_in(std::span<const std::string_view> values, std::string_view text) {
  return std::find(values.begin(), values.end(), text) != values.end();
}

std::string joined(std::span<const std::string_view> values) {
  std::string all;
  for (const auto value : values) all += (all.empty() ? "" : ", ") + std::string(value);
  return all;
}

std::string shown_bool(bool value) {
  return value ? "True" : "False";
}

Error conflict(const Flavor& flavor, const Image& image, const Conflict& both) {
  if (!flavor.name) return unset_in_flavor("name");
  if (!image.name && !both.may_lack_image_name) return unset_in_object("name");
  return raised("FlavorImageConflict", "Flavor " + *flavor.name + " has " + both.flavor_key +
                                           " extra spec explicitly set to " + both.flavor_value +
                                           ", conflicting with image " + image.name.value_or("None") + " which has " +
                                           both.image_key + std::string(both.image_noun) + " explicitly set to " +
                                           both.image_value + std::string(both.end));
}

Result<OptionalText> agreed_value(const Flavor& flavor, const Image& image, const std::string& prefix,
                                  const std::string& key) {
  auto of_flavor = flavor.extra_spec(prefix + ":" + key);
  auto of_image = image.property(prefix + "_" + key);
  if (has_text(of_flavor) && has_text(of_image) && of_flavor != of_image)
    return conflict(flavor, image, {prefix + ":" + key, *of_flavor, prefix + "_" + key, *of_image, "", "."});
  return has_text(of_flavor) ? of_flavor : of_image;
}

Wishes wishes(const Flavor& flavor, std::string_view key, const std::optional<bool>& of_image) {
  Wishes both{flavor.extra_spec(key), std::nullopt, of_image};
  if (both.flavor_text) both.flavor = python_bool(*both.flavor_text);
  return both;
}

}  // namespace gantry::nova
