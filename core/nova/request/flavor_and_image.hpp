// SPDX-License-Identifier: Apache-2.0
//
// Options that a flavor's extra specs and an image's properties may both set, and Nova's words where they differ.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/nova/request/request_spec.hpp"
#include "core/result.hpp"

namespace gantry::nova {

// Returns whether there is a text, and it is not empty.
bool has_text(const OptionalText& text);
bool is_in(std::span<const std::string_view> values, std::string_view text);
std::string joined(std::span<const std::string_view> values);  // "a, b"
std::string shown_bool(bool value);                            // as Python shows it

// An option that the flavor and the image set to values of another meaning.
struct Conflict {
  std::string flavor_key;
  std::string flavor_value;
  std::string image_key;
  std::string image_value;
  std::string_view image_noun;  // before the key
  std::string_view end;
  bool may_lack_image_name = false;  // None stands for the name of an image without one
};

// Returns Nova's FlavorImageConflict, or the error for a name that the flavor or the image lacks.
Error conflict(const Flavor& flavor, const Image& image, const Conflict& both);

// Returns the value of the flavor or of the image, `prefix`:`key` or `prefix`_`key`. Fails if they differ.
Result<OptionalText> agreed_value(const Flavor& flavor, const Image& image, const std::string& prefix,
                                  const std::string& key);

// The wishes of the flavor and the image for an option that is true or false, each if stated.
struct Wishes {
  OptionalText flavor_text;
  std::optional<bool> flavor;
  std::optional<bool> image;

  bool is_any() const { return flavor.value_or(false) || image.value_or(false); }
  bool differ() const { return flavor && image && flavor != image; }
};

Wishes wishes(const Flavor& flavor, std::string_view key, const std::optional<bool>& of_image);

}  // namespace gantry::nova
