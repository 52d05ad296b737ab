// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/rpc_fault.hpp"

#include <utility>

#include "core/encoding/json.hpp"
#include "core/nova/request/failure.hpp"

namespace gantry::nova {

namespace {

constexpr std::string_view no_host = "No valid host was found. ";

// The code of the class in nova.exception, which the user reads beside the message.
int code_of(std::string_view exception) {
  if (exception.ends_with("NotFound")) return 404;
  if (exception.ends_with("Forbidden")) return 403;
  if (exception == "ObjectActionError" || exception == "NovaException" || exception.ends_with("Failed")) return 500;
  return 400;
}

RpcFailure fault_of_class(const std::string& exception, const Error& error) {
  if (exception == "NoValidHost") {
    const auto reason = error.message.starts_with(no_host) ? error.message.substr(no_host.size()) : error.message;
    return no_valid_host(reason);
  }
  if (module_of(exception) == "builtins")
    return {exception, "builtins", error.message, {json::value(error.message)}, {}};
  json::object details;
  if (const auto read = json::parse_object(error.details)) {
    if (const auto* kwargs = json::find_object(*read, "kwargs")) details = *kwargs;
  }
  return nova_failure(exception, code_of(exception), error.message, std::move(details));
}

}  // namespace

RpcFailure rpc_fault(const Error& error) {
  if (const auto exception = exception_of(error); !exception.empty()) return fault_of_class(exception, error);
  switch (error.code) {
    // Nova's words where its filters leave too few hosts. The operator finds the reason in the decision's record.
    case ErrorCode::no_valid_host: return no_valid_host("There are not enough hosts available.");
    case ErrorCode::invalid_argument: return invalid_input(error.message);
    default: return nova_exception(error.message);
  }
}

}  // namespace gantry::nova
