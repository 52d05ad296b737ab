// SPDX-License-Identifier: Apache-2.0
//
// The options in the driver's section of the configuration. The host has checked the values against the manifest and
// filled in the defaults. Valid until create returns: copy the values that the driver keeps.
#pragma once

#include <gantry/driver.h>
#include <gantry/driver/failure.hpp>
#include <gantry/driver/text.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace gantry {

class options {
 public:
  explicit options(const gantry_options& raw) noexcept : raw_(&raw) {}

  // Each function returns the value of an option. Throws gantry::failure if the manifest declares no option of this
  // name and type.
  bool boolean(std::string_view name) const { return need(name, GANTRY_OPTION_BOOLEAN).integer != 0; }
  std::int64_t integer(std::string_view name) const { return need(name, GANTRY_OPTION_INTEGER).integer; }
  double real(std::string_view name) const { return need(name, GANTRY_OPTION_REAL).real; }
  std::string_view string(std::string_view name) const { return text(need(name, GANTRY_OPTION_STRING).string); }
  gantry_strings strings(std::string_view name) const { return need(name, GANTRY_OPTION_STRINGS).strings; }
  gantry_pairs table(std::string_view name) const { return need(name, GANTRY_OPTION_TABLE).table; }

 private:
  const gantry_option& need(std::string_view name, std::int32_t type) const {
    const char* bytes = reinterpret_cast<const char*>(raw_->options);
    for (std::uint64_t index = 0; index < raw_->option_count; ++index, bytes += raw_->option_stride) {
      const gantry_option& option = *reinterpret_cast<const gantry_option*>(bytes);
      if (text(option.name) == name && option.type == type) return option;
    }
    throw failure(code::internal, "the driver asks for option '" + std::string(name) +
                                      "', found none with that name and type; declare it in the manifest "
                                      "(in a test: give it to fake_host::options)");
  }

  const gantry_options* raw_;
};

}  // namespace gantry
