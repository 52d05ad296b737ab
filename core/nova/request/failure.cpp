// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/failure.hpp"

#include <utility>

#include "core/encoding/json.hpp"

namespace gantry::nova {

namespace {

constexpr std::string_view class_key = "exception";

Error not_loadable(const std::string& reason) {
  return raised("ObjectActionError", "Object action obj_load_attr failed because: " + reason);
}

}  // namespace

Error raised(std::string_view exception, std::string message) {
  const bool no_host = exception == "NoValidHost" || exception == "RequestFilterFailed";
  return {no_host ? ErrorCode::no_valid_host : ErrorCode::invalid_argument, std::move(message),
          json::write(json::object{{class_key, exception}})};
}

std::string exception_of(const Error& error) {
  const auto details = json::parse_object(error.details);
  return details ? std::string(json::find_string(*details, class_key).value_or("")) : std::string();
}

Error unsupported(std::string message) {
  return {ErrorCode::unsupported, std::move(message), {}};
}

Error unset_in_request_spec(std::string_view field) {
  return not_loadable("attribute " + std::string(field) + " not lazy-loadable");
}

Error unset_in_flavor(std::string_view field) {
  return not_loadable("unable to load " + std::string(field));
}

Error unset_in_object(std::string_view field) {
  return raised("NotImplementedError", "Cannot load '" + std::string(field) + "' in the base class");
}

}  // namespace gantry::nova
