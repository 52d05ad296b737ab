// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/failure.hpp"

#include <utility>

namespace gantry::nova {

namespace {

RpcFailure dispatcher_failure(std::string_view class_name, const std::string& message) {
  return {std::string(class_name), "oslo_messaging.rpc.dispatcher", message, {json::value(message)}, {}};
}

}  // namespace

RpcFailure nova_failure(std::string_view class_name, int code, const std::string& message, json::object details) {
  details["code"] = code;
  return {std::string(class_name), "nova.exception", message, {json::value(message)}, std::move(details)};
}

RpcFailure no_valid_host(const std::string& reason) {
  return nova_failure("NoValidHost", 500, "No valid host was found. " + reason, {{"reason", reason}});
}

RpcFailure invalid_input(const std::string& reason) {
  return nova_failure("InvalidInput", 400, "Invalid input received: " + reason, {{"reason", reason}});
}

RpcFailure nova_exception(const std::string& message) {
  return nova_failure("NovaException", 500, message);
}

RpcFailure no_such_method(const std::string& method) {
  return dispatcher_failure("NoSuchMethod", "Endpoint does not support RPC method " + method);
}

RpcFailure unsupported_version(const std::string& version, const std::string& method) {
  return dispatcher_failure("UnsupportedVersion",
                            "Endpoint does not support RPC version " + version + ". Attempted method: " + method);
}

}  // namespace gantry::nova
