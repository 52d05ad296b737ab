// SPDX-License-Identifier: Apache-2.0
//
// The three things that the program gantry-nova-check prints. `gantry nova` runs that program, so that gantry itself needs
// neither the broker's nor the database's library.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "core/config/load.hpp"

namespace gantry::nova {

namespace check_status {
constexpr int ok = 0;
constexpr int warnings = 1;
constexpr int failed = 2;
}  // namespace check_status

enum class PrintFormat : std::uint8_t {
  lines,  // for people, as findings come
  json,   // one document at the end
  value,  // tab-separated, as findings come
};

struct PrintedCheck {
  int status = check_status::ok;
  bool has_ended = true;  // see CheckEnd
};

// Prints an error as a line for people, or as gantry does with -o json.
void print_check_error(const Error& error, int exit_status, PrintFormat format, std::ostream& err);

// Tries everything and prints what is found.
PrintedCheck nova_check_main(const config::Loaded& loaded, PrintFormat format, std::ostream& out);

// Prints, as JSON, the level that search_level() finds for files of a deployment, or "why" there is none. Secrets of the files
// are not printed.
int nova_level_main(const std::vector<std::string>& files, std::ostream& out);

// Prints the SQL for a user such as "gantry" who comes from a host such as "%". Returns the exit status; an error goes
// to `err`.
int nova_grants_main(const config::Loaded& loaded, const std::string& user, const std::string& from, PrintFormat format,
                     std::ostream& out, std::ostream& err);

}  // namespace gantry::nova
