// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "core/cli/commands.hpp"
#include "core/cli/simple_command.hpp"
#include "core/drivers/driver.hpp"
#include "core/drivers/driver_file.hpp"

namespace gantry::cli {

namespace {

using drivers::Manifest;

json::array strings(const std::vector<std::string>& texts) {
  json::array list;
  for (const std::string& text : texts) list.emplace_back(text);
  return list;
}

json::array columns(const std::vector<drivers::ColumnUse>& uses) {
  json::array list;
  for (const drivers::ColumnUse& use : uses) list.emplace_back(use.name);
  return list;
}

std::string_view option_type(std::int32_t type) {
  switch (type) {
    case GANTRY_OPTION_BOOLEAN: return "boolean";
    case GANTRY_OPTION_INTEGER: return "integer";
    case GANTRY_OPTION_REAL: return "real";
    case GANTRY_OPTION_STRING: return "string";
    case GANTRY_OPTION_STRINGS: return "strings";
    case GANTRY_OPTION_TABLE: return "table";
    default: return "unknown";
  }
}

json::value option_default(const drivers::OptionDeclaration& option) {
  if (!option.default_value) return nullptr;
  return std::visit(
      [](const auto& value) -> json::value {
        using T = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<T, std::vector<std::string>>) {
          return strings(value);
        } else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>) {
          json::object table;
          for (const auto& [key, text] : value) table[key] = text;
          return table;
        } else {
          return json::value(value);
        }
      },
      *option.default_value);
}

json::object manifest_json(const Manifest& manifest) {
  json::object methods;
  for (const auto& [topic, names] : manifest.methods) methods[topic] = strings(names);
  json::array options;
  for (const drivers::OptionDeclaration& option : manifest.options)
    options.emplace_back(json::object{{"name", option.name},
                                      {"type", option_type(option.type)},
                                      {"default", option_default(option)},
                                      {"required", option.required},
                                      {"help", option.help}});
  return {{"id", manifest.id},
          {"version", manifest.version},
          {"description", manifest.description},
          {"license", manifest.license},
          {"vendor", manifest.vendor},
          {"abi", std::to_string(manifest.abi_major) + "." + std::to_string(manifest.abi_minor)},
          {"threads", manifest.threads == drivers::Threads::reentrant ? "reentrant" : "serial"},
          {"topics", strings(manifest.topics)},
          {"methods", methods},
          {"columns_needed", columns(manifest.needs)},
          {"columns_used", columns(manifest.uses)},
          {"options", options}};
}

json::object judged_json(const drivers::Judged& judged) {
  json::object row{{"id", judged.id}, {"path", judged.path}, {"state", judged.file ? "ok" : "refused"}};
  if (!judged.file) {
    row["reason"] = judged.file.error().message;
    return row;
  }
  const json::object manifest = manifest_json(judged.file->manifest);
  for (const char* key : {"version", "abi", "threads", "topics", "methods"}) row[key] = *manifest.if_contains(key);
  row["sha256"] = judged.file->sha256;
  return row;
}

Result<int> list_drivers(Session& session, const Arguments& /*arguments*/) {
  auto loaded = config::load(session.sources());
  if (!loaded) return std::move(loaded).error();
  json::array rows;
  for (const drivers::Judged& judged : drivers::judge_drivers(loaded->settings)) rows.emplace_back(judged_json(judged));
  print_list(session, rows,
             {{"DRIVER", "id"},
              {"STATE", "state"},
              {"VERSION", "version"},
              {"ABI", "abi"},
              {"TOPICS", "topics"},
              {"METHODS", "methods"},
              {"THREADS", "threads"},
              {"PATH", "path"}});
  for (const json::value& row : rows)
    if (const auto reason = json::find_string(row.get_object(), "reason"))
      session.err() << "gantry: " << printable(*reason) << '\n';
  return 0;
}

void print_options(Session& session, const json::array& options) {
  if (options.empty()) return;
  TextTable table({"OPTION", "TYPE", "DEFAULT", "HELP"});
  for (const json::value& value : options) {
    const json::object& option = value.get_object();
    table.add({cell_text(json::find(option, "name")), cell_text(json::find(option, "type")),
               cell_text(json::find(option, "default")), cell_text(json::find(option, "help"))});
  }
  session.out() << '\n';
  table.print(session.out(), session.colour());
}

drivers::FileRules rules(bool check_owner_and_mode) {
  drivers::FileRules made;
  made.check_owner_and_mode = check_owner_and_mode;
  return made;
}

// What would keep the daemon from loading the file, though its content is good.
void warn_of_rules(Session& session, const std::string& path) {
  const auto strict = drivers::open_driver_file(path, rules(true));
  if (!strict)
    session.err() << "gantry: warning: the daemon would refuse it: " << printable(strict.error().message) << '\n';
}

// A word with a slash or a dot is a path; any other is a driver's id, found where the daemon would look for it.
Result<std::string> file_of(Session& session, const std::string& word) {
  if (word.find('/') != std::string::npos || word.find('.') != std::string::npos) return word;
  auto loaded = config::load(session.sources());
  if (!loaded) return std::move(loaded).error();
  return drivers::find_driver_file(loaded->settings, word);
}

Result<int> inspect_driver(Session& session, const Arguments& arguments) {
  auto path = file_of(session, arguments.text("DRIVER"));
  if (!path) return std::move(path).error();
  auto file = drivers::open_driver_file(*path, rules(false));
  if (!file) return std::move(file).error();
  json::object facts = manifest_json(file->manifest);
  facts["path"] = file->path;
  facts["sha256"] = file->sha256;
  facts["build_id"] = file->build_id;
  facts["libraries"] = strings(file->libraries);
  print_object(session, facts,
               {{"id", "id"},
                {"version", "version"},
                {"description", "description"},
                {"license", "license"},
                {"vendor", "vendor"},
                {"abi", "abi"},
                {"threads", "threads"},
                {"topics", "topics"},
                {"methods", "methods"},
                {"columns needed", "columns_needed"},
                {"columns used", "columns_used"},
                {"libraries", "libraries"},
                {"sha256", "sha256"},
                {"build id", "build_id"},
                {"path", "path"}});
  if (session.format() == OutputFormat::table) print_options(session, facts["options"].get_array());
  warn_of_rules(session, *path);
  if (const auto fits = drivers::check_abi(file->manifest, GANTRY_ABI_MAJOR, GANTRY_ABI_MINOR); !fits)
    session.err() << "gantry: warning: the daemon would refuse it: " << printable(fits.error().message) << '\n';
  return 0;
}

}  // namespace

std::vector<Command> driver_commands() {
  return {
      {.path = "driver list",
       .summary = "Judges the drivers that the configuration names, without running them",
       .description = "Needs no daemon. Shows for each driver its file and whether the daemon would load it; for one "
                      "that is refused, which rule it breaks. `gantry status` shows those that are running.",
       .examples = {{"gantry driver list", "those of /etc/gantry/gantry.toml"},
                    {"gantry driver list --set scheduler_driver='[\"ip\"]'", "one that is not configured yet"}},
       .run = list_drivers},
      {.path = "driver inspect",
       .summary = "Shows what a driver file says of itself, without running it",
       .description = "Safe for a file that is not trusted: it is read, never loaded. Rules of owner and mode that "
                      "the daemon would insist on are shown as warnings.",
       .positionals = {{"DRIVER", "the shared object's path, or the id of a driver that is installed"}},
       .examples = {{"gantry driver inspect ip", "which options does it take?"},
                    {"gantry driver inspect ./first_fit.so", "before it is installed"}},
       .run = inspect_driver}};
}

}  // namespace gantry::cli
