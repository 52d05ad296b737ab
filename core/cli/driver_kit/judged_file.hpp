// SPDX-License-Identifier: Apache-2.0
//
// The judgement of a driver's file for its author or deployer: as the daemon judges, without running the file.
#pragma once

#include <string>
#include <vector>

#include "core/cli/terminal/session.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/encoding/json.hpp"

namespace gantry::cli {

// Refuses a directory, and a policy in Lua, with a message that says which command goes on with them.
Result<void> expect_shared_object(const std::string& path);

// Opens a file, of a driver or a library, that is only read: owner and mode are not checked.
Result<drivers::DriverFile> open_for_reading(const std::string& path);

// Returns an error for each rule of the daemon, beside those of open_for_reading and of owner and mode, that the file
// breaks.
std::vector<Error> daemon_problems(const drivers::DriverFile& file);

// Judges a file by both. The error has all problems, one on each line.
Result<drivers::DriverFile> judge_file(const std::string& path);

// Returns the type of an option as a manifest names it.
std::string option_type_name(std::int32_t type);
// Returns the default of an option; null if it has none.
json::value option_default(const drivers::OptionDeclaration& option);

// Returns "0.5".
std::string abi_of(const drivers::Manifest& manifest);

// Returns the facts of a judged file: id, version, kind, ABI, topics or offers, sha256, build id and path.
json::object facts_of(const drivers::DriverFile& file);
// Prints these facts, and a warning for each offer that the daemon would leave out.
void print_judged(Session& session, const drivers::DriverFile& file);

}  // namespace gantry::cli
