// SPDX-License-Identifier: Apache-2.0
#include "core/cli/program.hpp"

#include <new>
#include <ostream>

#include "core/cli/help_text.hpp"
#include "core/cli/terminal/exit_code.hpp"
#include "core/cli/terminal/output.hpp"
#include "gantry/driver.h"

namespace gantry::cli {

std::string version_text() {
  return "gantry " GANTRY_VERSION ", driver ABI " GANTRY_ABI_TEXT;
}

namespace {

Result<int> run_command(const Command& command, Session& session, const Arguments& arguments) {
  try {
    return command.run(session, arguments);
  } catch (const std::bad_alloc&) {
    return Error{ErrorCode::resource_exhausted, "there is not enough memory for this", {}};
  }
}

}  // namespace

int run_program(const std::vector<std::string>& words, Environment& environment) {
  const CommandTable table = command_table();
  auto parsed = parse_command_line(table, words);
  if (!parsed) {
    print_error(environment.err, parsed.error(), false);
    return exit_code::of(parsed.error().code);
  }
  if (parsed->what == Parsed::What::version) {
    environment.out << version_text() << '\n';
    return exit_code::success;
  }
  if (parsed->what == Parsed::What::help) {
    environment.out << help_text(table, *parsed);
    return exit_code::success;
  }
  Session session(environment, table, parsed->arguments);
  auto ended = run_command(*parsed->command, session, parsed->arguments);
  if (!ended) {
    print_error(session, ended.error());
    return exit_code::of(ended.error().code);
  }
  if (!environment.out.flush()) {
    environment.err << "gantry: the answer could not be written to standard output\n";
    return exit_code::failure;
  }
  return *ended;
}

}  // namespace gantry::cli
