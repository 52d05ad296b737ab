// SPDX-License-Identifier: Apache-2.0
//
// Records of kind extra_specs_match: one value and one requirement.
#include <optional>
#include <string_view>

#include "plugins/filter/nova/extra_specs_match.hpp"
#include "tests/parity/recorded_request.hpp"
#include "tests/parity/replay.hpp"

namespace filter_driver::parity {

verdict check_extra_specs_match(const boost::json::object& record) {
  std::optional<std::string_view> value;
  if (const boost::json::string* const text = record.at("value").if_string()) value = *text;
  const outcome<bool> met = extra_specs_match(value, record.at("req").as_string(), release_of(record));
  const boost::json::object& expected = record.at("expected").as_object();
  if (raises(record)) {
    const std::string_view kind = expected.at("raises").as_string();
    if (!met.ok() && met.error().kind == kind) return {};
    return {verdict::differed, "expected " + std::string(kind) + ", got " +
                                   (met.ok() ? (met.value() ? "true" : "false") : met.error().sentence)};
  }
  if (!met.ok()) return {verdict::differed, met.error().kind + ": " + met.error().sentence};
  if (met.value() == expected.at("result").as_bool()) return {};
  return {verdict::differed, std::string("got ") + (met.value() ? "true" : "false")};
}

}  // namespace filter_driver::parity
