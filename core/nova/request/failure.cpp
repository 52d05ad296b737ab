// SPDX-License-Identifier: Apache-2.0
#include "core/nova/request/failure.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace gantry::nova {

namespace {

constexpr std::string_view class_key = "exception";

// The ones that Nova's code runs into here.
constexpr std::array<std::string_view, 6> python_classes = {
    "AssertionError", "AttributeError", "NotImplementedError", "TypeError", "UnboundLocalError", "ValueError"};

Error not_loadable(const std::string& reason) {
  return raised("ObjectActionError", "Object action obj_load_attr failed because: " + reason);
}

}  // namespace

Error raised(std::string_view exception, std::string message, json::object kwargs) {
  const bool no_host = exception == "NoValidHost" || exception == "RequestFilterFailed";
  json::object details{{class_key, exception}};
  if (!kwargs.empty()) details.emplace("kwargs", std::move(kwargs));
  return {no_host ? ErrorCode::no_valid_host : ErrorCode::invalid_argument, std::move(message), json::write(details)};
}

std::string exception_of(const Error& error) {
  const auto details = json::parse_object(error.details);
  return details ? std::string(json::find_string(*details, class_key).value_or("")) : std::string();
}

std::string_view module_of(std::string_view exception) {
  const bool is_python = std::find(python_classes.begin(), python_classes.end(), exception) != python_classes.end();
  return is_python ? "builtins" : "nova.exception";
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
