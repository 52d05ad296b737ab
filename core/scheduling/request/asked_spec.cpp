// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/request/asked_spec.hpp"

#include <utility>

#include "core/scheduling/request/args.hpp"

namespace gantry::scheduling {

Result<RequestSpec> asked_spec(json::object& args) {
  auto spec = args.find("request_spec");
  if (spec == args.end() || spec->value().is_null()) spec = args.find("spec_obj");
  if (spec == args.end() || spec->value().is_null()) {
    return Error{ErrorCode::invalid_argument,
                 "argument 'request_spec': missing; expected Nova's request_spec dictionary or its RequestSpec object",
                 {}};
  }
  auto properties = optional_object(args, "filter_properties");
  if (!properties) return std::move(properties).error();
  auto uuids = optional_texts(args, "instance_uuids");
  if (!uuids) return std::move(uuids).error();
  return parse_request_spec(std::move(spec->value()), *properties, std::move(*uuids));
}

}  // namespace gantry::scheduling
