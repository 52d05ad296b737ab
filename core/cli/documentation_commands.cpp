// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "core/cli/commands/commands.hpp"
#include "core/cli/completion.hpp"
#include "core/cli/manual.hpp"
#include "core/cli/terminal/output.hpp"
#include "core/cli/terminal/session.hpp"

namespace gantry::cli {

namespace {

Result<int> completion(Session& session, const Arguments& arguments) {
  const std::string shell = arguments.text("SHELL");
  if (shell == "bash")
    print_text(session, "script", bash_completion(session.table()));
  else if (shell == "zsh")
    print_text(session, "script", zsh_completion(session.table()));
  else if (shell == "fish")
    print_text(session, "script", fish_completion(session.table()));
  else
    return Error{ErrorCode::invalid_argument, "found \"" + shell + "\", expected one of bash, zsh, fish", ""};
  return 0;
}

Result<int> api(Session& session, const Arguments& /*arguments*/) {
  auto document = session.document("/openapi.json");
  if (!document) return std::move(document).error();
  print_json(session, *document);
  return 0;
}

Result<int> man(Session& session, const Arguments& /*arguments*/) {
  print_text(session, "scdoc", manual(session.table()));
  return 0;
}

}  // namespace

std::vector<Command> documentation_commands() {
  return {{.path = "api",
           .summary = "Prints the daemon's OpenAPI document",
           .description = "Every method with its arguments, answers and failures, as programs that make clients and "
                          "reference pages read it. The daemon serves it at /openapi.json, too.",
           .examples = {{"gantry api > openapi.json", "for a generator of clients"}},
           .run = api},
          {.path = "completion",
           .summary = "Prints a script by which a shell completes commands and options",
           .positionals = {{"SHELL", "bash, zsh or fish"}},
           .examples = {{"source <(gantry completion bash)", "for this shell"},
                        {"gantry completion fish > ~/.config/fish/completions/gantry.fish", "for good"}},
           .run = completion},
          {.path = "man", .summary = "Prints the manual page as scdoc text", .run = man, .hidden = true}};
}

}  // namespace gantry::cli
