// SPDX-License-Identifier: Apache-2.0
#include "core/cli/agent/stop_signal.hpp"
#include "core/cli/driver_kit/judged_file.hpp"
#include "core/cli/driver_kit/kit_commands.hpp"
#include "core/cli/driver_kit/projects/source_tree.hpp"
#include "core/cli/terminal/output.hpp"

namespace gantry::cli {

namespace {

Result<int> build_driver(Session& session, const Arguments& arguments) {
  session.set_topic("");
  const auto tree = recognize(arguments.has("DIR") ? arguments.text("DIR") : ".");
  if (!tree) return tree.error();
  const auto sdk = find_sdk(session);
  if (!sdk) return sdk.error();
  const agent::StopSignal signal;
  const auto files = build(session, *sdk, *tree, arguments.text("sanitize"), signal.token());
  if (!files) return files.error();
  if (session.format() == OutputFormat::json) {
    json::array list;
    for (const drivers::DriverFile& file : *files) list.emplace_back(facts_of(file));
    print_json(session, list);
  } else {
    for (const drivers::DriverFile& file : *files) print_judged(session, file);
  }
  return 0;
}

}  // namespace

Command driver_build_command() {
  return {
      .path = "driver build",
      .summary = "Builds a driver and judges the file as the daemon will",
      .description =
          "Recognizes Cargo.toml, CMakeLists.txt, a Makefile, or a single source file, which is compiled with all "
          "flags that a driver needs: hidden symbols, the version script, no undefined symbols. CMake and make find "
          "the SDK beside this program, or below $GANTRY_SDK. $CC and $CXX name other compilers. The file lies in "
          "build/, or where the project puts it. With --sanitize the build has a directory of its own, "
          "build-address say; `gantry driver dev --sanitize` runs it. The exit code is 78 for a file that the daemon "
          "would refuse.",
      .positionals = {{.name = "DIR", .help = "The project, or a source file; otherwise .", .required = false}},
      .options = {{.name = "sanitize",
                   .kind = ValueKind::text,
                   .value_name = "SANITIZER",
                   .help = "Builds C and C++ with a sanitizer",
                   .choices = {"address", "undefined", "thread"}}},
      .examples = {{"gantry driver build", "the project in this directory"},
                   {"gantry driver build spread.c", "a driver of one file"},
                   {"gantry driver build --sanitize address", "for a search of a fault"}},
      .run = build_driver};
}

}  // namespace gantry::cli
