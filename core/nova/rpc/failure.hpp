// SPDX-License-Identifier: Apache-2.0
//
// A failure that the caller rebuilds as the Python exception it would have got from nova-scheduler, with Nova's words.
#pragma once

#include <string>
#include <string_view>

#include "core/encoding/json.hpp"

namespace gantry::nova {

struct RpcFailure {
  std::string class_name;
  std::string module;
  std::string message;
  json::array args;
  json::object kwargs;
};

// No host for the request. The user reads "No valid host was found. <reason>".
RpcFailure no_valid_host(const std::string& reason);
RpcFailure invalid_input(const std::string& reason);
// A failure without a class of its own.
RpcFailure nova_exception(const std::string& message);
// Any other exception of nova.exception. `code` is the class's own, `message` its text with the details filled in.
RpcFailure nova_failure(std::string_view class_name, int code, const std::string& message, json::object details = {});

// Failures of the dispatcher.
RpcFailure no_such_method(const std::string& method);
RpcFailure unsupported_version(const std::string& version, const std::string& method);

}  // namespace gantry::nova
