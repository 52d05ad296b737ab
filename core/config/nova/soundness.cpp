// SPDX-License-Identifier: Apache-2.0
#include "core/config/nova/soundness.hpp"

#include <algorithm>

#include "core/encoding/nearest.hpp"

namespace gantry::config::nova {

namespace {

using Texts = std::vector<std::string>;

std::string fault_of_number(double number, const CarriedOption& option, const Node& value, Release release) {
  // Bounds of multipliers are those of Zed and later releases; older ones have none.
  const bool is_bound = option.type != Type::real || release >= Release::zed;
  if (!is_bound || number >= option.minimum) return "";
  return "expected at least " + std::to_string(static_cast<int>(option.minimum)) + ", found " + to_toml(value);
}

std::string fault_of_ratios(const Array& items, std::string_view example) {
  for (const Node& item : items) {
    const std::string& text = *item.get<std::string>();
    const std::size_t equals = text.find('=');
    const bool is_pair = equals != std::string::npos && equals > 0;
    if (!is_pair || !read_value(Type::real, std::string_view(text).substr(equals + 1)))
      return "expected items such as " + std::string(example) + ", separated by commas, found " + describe(item);
  }
  return "";
}

std::string fault_of_architecture(const Node& value) {
  static const Texts known{"alpha",  "armv6",    "armv7l",    "armv7b",     "aarch64",      "cris",    "i686",
                           "ia64",   "lm32",     "m68k",      "microblaze", "microblazeel", "mips",    "mipsel",
                           "mips64", "mips64el", "openrisc",  "parisc",     "parisc64",     "ppc",     "ppcle",
                           "ppc64",  "ppc64le",  "ppcemb",    "s390",       "s390x",        "sh4",     "sh4eb",
                           "sparc",  "sparc64",  "unicore32", "x86_64",     "xtensa",       "xtensaeb"};
  const std::string& text = *value.get<std::string>();
  if (std::ranges::find(known, text) != known.end()) return "";
  const std::string near = nearest(text, known);
  return "expected an architecture such as x86_64 or aarch64, found " + describe(value) +
         (near.empty() ? "" : "; did you mean " + near + "?");
}

}  // namespace

std::string fault_of(const CarriedOption& option, const Node& value, Release release) {
  std::string fault;
  if (const auto* integer = value.get<std::int64_t>())
    fault = fault_of_number(static_cast<double>(*integer), option, value, release);
  if (const auto* real = value.get<double>()) fault = fault_of_number(*real, option, value, release);
  if (option.name.section == weight_setting.section && option.name.key == weight_setting.key)
    fault = fault_of_ratios(*value.get<Array>(), "cpu.frequency=1.5");
  if (option.name.key == image_weight_setting.key) fault = fault_of_ratios(*value.get<Array>(), "os_distro=1.5");
  if (option.name.key == default_architecture.key) fault = fault_of_architecture(value);
  return fault;
}

}  // namespace gantry::config::nova
