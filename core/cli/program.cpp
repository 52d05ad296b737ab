// SPDX-License-Identifier: Apache-2.0
#include "core/cli/program.hpp"

#include <arpa/inet.h>

#include <new>
#include <ostream>

#include "core/cli/help_text.hpp"
#include "core/cli/terminal/exit_code.hpp"
#include "core/cli/terminal/output.hpp"
#include "core/encoding/uuid.hpp"
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

// The command line could not be read, so that its --output is searched for.
bool wants_json(const std::vector<std::string>& words) {
  std::string format;
  for (std::size_t at = 0; at < words.size() && words[at] != "--"; ++at) {
    const std::string& word = words[at];
    if ((word == "-o" || word == "--output") && at + 1 < words.size()) format = words[at + 1];
    if (word.starts_with("-o") && word.size() > 2) format = word.substr(2);
    if (word.starts_with("--output=")) format = word.substr(word.find('=') + 1);
  }
  return format == "json";
}

Result<void> check_context(const Arguments& arguments) {
  const auto wrong = [](const char* option, const std::string& found, const char* expected) {
    return Error{ErrorCode::invalid_argument,
                 std::string("--") + option + ": found \"" + found + "\", expected " + expected, ""};
  };
  if (const std::string id = arguments.text("request-id");
      arguments.has("request-id") && (!id.starts_with("req-") || !parse_uuid(id.substr(4))))
    return wrong("request-id", id, "req- and a UUID, such as req-6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a01");
  if (const std::string address = arguments.text("remote-address"); arguments.has("remote-address")) {
    in6_addr bytes{};
    if (inet_pton(AF_INET, address.c_str(), &bytes) != 1 && inet_pton(AF_INET6, address.c_str(), &bytes) != 1)
      return wrong("remote-address", address, "an IP address, such as 10.1.2.3 or 2001:db8::1");
  }
  return {};
}

Result<int> run_checked(const Command& command, Session& session, const Arguments& arguments) {
  if (auto good = check_context(arguments); !good) return std::move(good).error();
  return run_command(command, session, arguments);
}

int refuse(Environment& environment, const Error& error, bool as_json) {
  if (as_json)
    print_error_as_json(environment.err, error);
  else
    print_error(environment.err, error, false);
  return exit_code::of(error.code);
}

}  // namespace

int run_program(const std::vector<std::string>& words, Environment& environment) {
  const CommandTable table = command_table();
  auto parsed = parse_command_line(table, words);
  if (!parsed) return refuse(environment, parsed.error(), wants_json(words));
  if (parsed->what == Parsed::What::version) {
    if (wants_json(words))
      environment.out << json::write(json::object{{"version", GANTRY_VERSION}, {"abi", GANTRY_ABI_TEXT}}) << '\n';
    else
      environment.out << version_text() << '\n';
    return exit_code::success;
  }
  if (parsed->what == Parsed::What::help) {
    environment.out << help_text(table, *parsed);
    return exit_code::success;
  }
  Session session(environment, table, parsed->arguments);
  auto ended = run_checked(*parsed->command, session, parsed->arguments);
  if (!ended) {
    print_error(session, ended.error());
    return exit_code::of(ended.error().code);
  }
  if (!environment.out.flush()) {
    print_error(session, {ErrorCode::internal, "the answer could not be written to standard output", {}});
    return exit_code::failure;
  }
  return *ended;
}

}  // namespace gantry::cli
