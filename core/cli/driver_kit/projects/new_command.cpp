// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "core/cli/driver_kit/kit_commands.hpp"
#include "core/cli/driver_kit/projects/sdk_places.hpp"
#include "core/cli/driver_kit/projects/starter_project.hpp"
#include "core/cli/terminal/output.hpp"

namespace gantry::cli {

namespace {

Result<std::string> topic_of(const StarterProject& starter, const Arguments& arguments) {
  if (!arguments.has("topic")) return starter.topic;
  const std::string topic = arguments.text("topic");
  if (starter.topic.empty())
    return Error{
        ErrorCode::invalid_argument,
        "--topic: " +
            (starter.language == "lua" ? "the driver lua decides for the topic compute"
                                       : "a " + starter.kind + " has no topic of its own, for it works in a driver") +
            "; leave it out",
        ""};
  if (auto good = check_topic(topic); !good) return std::move(good).error();
  return topic;
}

// A policy is no file to build or to install: the driver lua reads it from where the configuration says.
void print_configuration(Session& session, const std::string& name) {
  session.out() << "in gantry.toml:\n  scheduler_driver = \"" << name << "\"\n\n  [driver." << name
                << "]\n  file = \"lua.so\"\n  policy = \"/etc/gantry/" << name << ".lua\"\n  fallback = \"simple\"\n";
}

void print_made(Session& session, const StarterProject& starter, const std::string& name,
                const std::string& directory) {
  const bool is_policy = starter.language == "lua";
  session.out() << "made " << directory << ": a " << starter.kind << " in " << starter.language << "\nnext:\n  cd "
                << directory << (is_policy ? "\n  make check\n" : "\n  gantry driver build\n") << "  less README.md\n";
  if (is_policy) print_configuration(session, name);
}

Result<int> make_project(Session& session, const Arguments& arguments) {
  session.set_topic("");
  const std::string name = arguments.text("NAME");
  if (auto good = check_driver_name(name); !good) return std::move(good).error();
  const auto starter = find_starter(arguments.text("lang"), arguments.text("kind"));
  if (!starter) return starter.error();
  const auto topic = topic_of(*starter, arguments);
  if (!topic) return topic.error();
  const auto sdk = find_sdk(session);
  if (!sdk) return sdk.error();
  const std::string directory = arguments.has("DIR") ? arguments.text("DIR") : name;
  const Renaming renaming{name, *topic, (sdk->data / "rust").string(), sdk->pkg_config.string()};
  const auto made = copy_starter(sdk->data / "templates", *starter, renaming, directory);
  if (!made) return made.error();
  if (session.format() == OutputFormat::json) {
    json::array files;
    for (const std::string& file : *made) files.emplace_back(file);
    print_json(session, json::object{{"directory", directory},
                                     {"id", name},
                                     {"language", starter->language},
                                     {"kind", starter->kind},
                                     {"topic", *topic},
                                     {"files", std::move(files)}});
  } else if (!session.quiet()) {
    print_made(session, *starter, name, directory);
  }
  return 0;
}

}  // namespace

Command driver_new_command() {
  return {
      .path = "driver new",
      .summary = "Makes a project for a driver, a filter, a weigher or methods of a service",
      .description =
          "Copies a starter project of the SDK and gives it the name: id, file, class, build and test. The project "
          "builds and passes its test as it is; its README.md says how to go on. driver: decides where instances go; "
          "one in lua is a policy that the driver lua runs (gantry-lua(7)). "
          "filter, weigher: rules for the driver filter. method: a service with a topic of its own, that claims and "
          "casts. The SDK is the one beside this program, or $GANTRY_SDK names its prefix. A directory with files in "
          "it is refused.",
      .positionals = {{.name = "NAME", .help = "The driver's id: a letter, then letters, digits, _ and -"},
                      {.name = "DIR", .help = "Where to make it; otherwise NAME", .required = false}},
      .options = {{.name = "lang",
                   .kind = ValueKind::text,
                   .value_name = "LANGUAGE",
                   .help = "The language: each kind in c and cpp, all but method in rust, a policy in lua",
                   .fallback = "cpp",
                   .choices = starter_languages()},
                  {.name = "kind",
                   .kind = ValueKind::text,
                   .value_name = "KIND",
                   .help = "What the project is",
                   .fallback = "driver",
                   .choices = starter_kinds()},
                  {.name = "topic",
                   .kind = ValueKind::text,
                   .value_name = "TOPIC",
                   .help = "The topic that a driver decides for, or that a method serves"}},
      .examples = {{"gantry driver new spread", "a driver in C++ in ./spread"},
                   {"gantry driver new backup_slots --lang c --kind method --topic backup", "a service of its own"},
                   {"gantry driver new our_rules --kind filter ~/src/our_rules", "a filter, somewhere else"}},
      .run = make_project};
}

}  // namespace gantry::cli
