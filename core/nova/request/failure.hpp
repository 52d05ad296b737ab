// SPDX-License-Identifier: Apache-2.0
//
// Failures as Nova's scheduler would raise them. The error's message is the text of the exception, its details name the
// class and hold the exception's own arguments by name.
#pragma once

#include <string>
#include <string_view>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::nova {

// Returns the error for an exception of Nova's or Python's class `exception`, named without its module.
Error raised(std::string_view exception, std::string message, json::object kwargs = {});

// Returns the class that raised() was given. Empty for another error, unsupported() included.
std::string exception_of(const Error& error);

// Returns the module of a class that raised() takes: builtins for Python's own, nova.exception for Nova's.
std::string_view module_of(std::string_view exception);

// Returns the error for a request that needs a service which the caller cannot ask.
Error unsupported(std::string message);

// Return the errors for a field that the object lacks. Nova raises them when the scheduler reads the field.
Error unset_in_request_spec(std::string_view field);
Error unset_in_flavor(std::string_view field);
Error unset_in_object(std::string_view field);  // an image or a network request

}  // namespace gantry::nova
