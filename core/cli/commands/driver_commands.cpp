// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/cli/driver_kit/installed/driver_standing.hpp"
#include "core/cli/driver_kit/judged_file.hpp"
#include "core/drivers/driver.hpp"
#include "core/drivers/judge/driver_file.hpp"
#include "core/drivers/judge/driver_files.hpp"

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

std::string_view threads_text(drivers::Threads threads) {
  return threads == drivers::Threads::reentrant ? "reentrant" : "serial";
}

json::array options_json(const std::vector<drivers::OptionDeclaration>& declared) {
  json::array options;
  for (const drivers::OptionDeclaration& option : declared)
    options.emplace_back(json::object{{"name", option.name},
                                      {"type", option_type_name(option.type)},
                                      {"default", option_default(option)},
                                      {"required", option.required},
                                      {"help", option.help}});
  return options;
}

json::array offers_json(const Manifest& library) {
  json::array offers;
  for (const drivers::OfferDeclaration& offer : library.offers)
    offers.emplace_back(json::object{{"name", offer.name},
                                     {"kind", offer.kind},
                                     {"help", offer.help},
                                     {"threads", threads_text(offer.threads)},
                                     {"columns_needed", columns(offer.needs)},
                                     {"columns_used", columns(offer.uses)},
                                     {"options", options_json(offer.options)}});
  return offers;
}

// Returns the part of a manifest that drivers and libraries of offers share.
json::object identity_json(const Manifest& manifest) {
  return {{"id", manifest.id},
          {"version", manifest.version},
          {"description", manifest.description},
          {"license", manifest.license},
          {"vendor", manifest.vendor},
          {"abi", std::to_string(manifest.abi_major) + "." + std::to_string(manifest.abi_minor)}};
}

json::object manifest_json(const Manifest& manifest) {
  json::object methods;
  for (const auto& [topic, names] : manifest.methods) methods[topic] = strings(names);
  json::object facts = identity_json(manifest);
  facts["threads"] = threads_text(manifest.threads);
  facts["decides_from"] = name_of(manifest.decides_from);
  facts["topics"] = strings(manifest.topics);
  facts["methods"] = methods;
  facts["columns_needed"] = columns(manifest.needs);
  facts["columns_used"] = columns(manifest.uses);
  facts["options"] = options_json(manifest.options);
  return facts;
}

json::object checked_json(const drivers::CheckedFile& judged, const std::optional<RunningDrivers>& running) {
  json::object row{{"id", judged.id}, {"path", judged.path}, {"state", judged.file ? "ok" : "refused"}};
  if (!judged.file) {
    row["reason"] = judged.file.error().message;
    return row;
  }
  const json::object manifest = manifest_json(judged.file->manifest);
  for (const char* key : {"version", "abi", "threads", "decides_from", "topics", "methods"})
    row[key] = *manifest.if_contains(key);
  row["kind"] = judged.file->manifest.own_id();
  row["sha256"] = judged.file->sha256;
  row["build_id"] = judged.file->build_id;
  if (running) row["running"] = running_state(*running, judged.id, *judged.file);
  if (const auto grade = grade_of(*judged.file)) row["grade"] = *grade;
  json::array libraries;
  json::array names;
  for (const drivers::DriverFile& library : judged.file->offer_libraries) {
    json::object facts = identity_json(library.manifest);
    facts["path"] = library.path;
    facts["sha256"] = library.sha256;
    facts["offers"] = offers_json(library.manifest);
    libraries.emplace_back(std::move(facts));
    for (const drivers::OfferDeclaration& offer : library.manifest.offers) names.emplace_back(offer.name);
  }
  row["offers"] = std::move(names);
  row["offer_libraries"] = std::move(libraries);
  return row;
}

Result<int> list_drivers(Session& session, const Arguments& /*arguments*/) {
  auto loaded = config::load(session.sources());
  if (!loaded) return std::move(loaded).error();
  const auto running = running_drivers(session);
  json::array rows;
  for (const drivers::CheckedFile& judged : drivers::check_driver_files(loaded->settings)) {
    rows.emplace_back(checked_json(judged, running));
    if (session.format() == OutputFormat::table && judged.file)  // enough to tell builds apart
      rows.back().get_object()["build_id"] = judged.file->build_id.substr(0, 12);
  }
  print_list(session, rows,
             {{"DRIVER", "id"},
              {"STATE", "state"},
              {"VERSION", "version"},
              {"ABI", "abi"},
              {"BUILD ID", "build_id"},
              {"RUNNING", "running"},
              {"GRADE", "grade"},
              {"TOPICS", "topics"},
              {"METHODS", "methods"},
              {"THREADS", "threads"},
              {"OFFERS", "offers"},
              {"PATH", "path"}});
  for (const json::value& row : rows)
    if (const auto reason = json::find_string(row.get_object(), "reason")) print_notice(session, *reason);
  return 0;
}

// A table with a column for each of these facts of each value.
void print_facts(Session& session, const json::array& values,
                 const std::vector<std::pair<std::string, const char*>>& facts) {
  if (values.empty()) return;
  std::vector<std::string> titles;
  titles.reserve(facts.size());
  for (const auto& [title, key] : facts) titles.push_back(title);
  TextTable table(titles);
  for (const json::value& value : values) {
    std::vector<std::string> cells;
    cells.reserve(facts.size());
    for (const auto& [title, key] : facts) cells.push_back(cell_text(json::find(value.get_object(), key)));
    table.add(cells);
  }
  session.out() << '\n';
  table.print(session.out(), session.colour());
}

void print_options(Session& session, const json::array& options) {
  print_facts(session, options, {{"OPTION", "name"}, {"TYPE", "type"}, {"DEFAULT", "default"}, {"HELP", "help"}});
}

void print_offers(Session& session, const json::array& offers) {
  print_facts(session, offers,
              {{"OFFER", "name"},
               {"KIND", "kind"},
               {"THREADS", "threads"},
               {"COLUMNS NEEDED", "columns_needed"},
               {"COLUMNS USED", "columns_used"},
               {"HELP", "help"}});
  for (const json::value& offer : offers) {
    const json::array& options = offer.at("options").get_array();
    if (!options.empty()) session.out() << "\noptions of " << cell_text(&offer.at("name")) << ":";
    print_options(session, options);
  }
}

// Warns of each rule that would keep the daemon from loading a valid driver file, and of offers that it would leave out.
void warn_of_rules(Session& session, const drivers::DriverFile& file) {
  std::vector<Error> problems = daemon_problems(file);
  if (auto trust = drivers::trust_problem(file.path)) problems.insert(problems.begin(), *std::move(trust));
  for (const Error& problem : problems) print_warning(session, "the daemon would refuse it: " + problem.message);
  for (const std::string& warning : drivers::left_out_warnings(file.manifest)) print_warning(session, warning);
}

// A word with a slash or a dot is a path; any other is a driver's id, found where the daemon would look for it.
Result<std::string> file_of(Session& session, const std::string& word) {
  if (word.find('/') != std::string::npos || word.find('.') != std::string::npos) return word;
  auto loaded = config::load(session.sources());
  if (!loaded) return std::move(loaded).error();
  return drivers::find_driver_file(loaded->settings, word);
}

std::vector<Column> driver_columns() {
  return {{"id", "id"},
          {"version", "version"},
          {"description", "description"},
          {"license", "license"},
          {"vendor", "vendor"},
          {"abi", "abi"},
          {"threads", "threads"},
          {"decides from", "decides_from"},
          {"topics", "topics"},
          {"methods", "methods"},
          {"columns needed", "columns_needed"},
          {"columns used", "columns_used"},
          {"libraries", "libraries"},
          {"sha256", "sha256"},
          {"build id", "build_id"},
          {"path", "path"}};
}

std::vector<Column> library_columns() {
  return {{"id", "id"},
          {"version", "version"},
          {"description", "description"},
          {"license", "license"},
          {"vendor", "vendor"},
          {"abi", "abi"},
          {"libraries", "libraries"},
          {"sha256", "sha256"},
          {"build id", "build_id"},
          {"path", "path"}};
}

Result<int> inspect_driver(Session& session, const Arguments& arguments) {
  auto path = file_of(session, arguments.text("DRIVER"));
  if (!path) return std::move(path).error();
  auto file = open_for_reading(*path);
  if (!file) return std::move(file).error();
  const bool is_library = file->kind == drivers::FileKind::library;
  json::object facts = is_library ? identity_json(file->manifest) : manifest_json(file->manifest);
  if (is_library) facts["offers"] = offers_json(file->manifest);
  facts["path"] = file->path;
  facts["sha256"] = file->sha256;
  facts["build_id"] = file->build_id;
  facts["libraries"] = strings(file->libraries);
  print_object(session, facts, is_library ? library_columns() : driver_columns());
  if (session.format() == OutputFormat::table) {
    if (is_library) print_offers(session, facts["offers"].get_array());
    if (!is_library) print_options(session, facts["options"].get_array());
  }
  warn_of_rules(session, *file);
  return 0;
}

}  // namespace

std::vector<Command> driver_commands() {
  return {
      {.path = "driver list",
       .summary = "Judges the drivers that the configuration names, without running them",
       .description = "Shows for each driver its file, what its libraries offer it and whether the daemon would load "
                      "it; for one that is refused, which rule it breaks. RUNNING says what a daemon that answers "
                      "runs: same, changed (another content under this name; gantry restart --wait loads the file) or "
                      "no. GRADE is that of gantry driver test, if its result <file>.test.json is of this content. "
                      "Needs no daemon.",
       .examples = {{"gantry driver list", "those of /etc/gantry/gantry.toml"},
                    {"gantry driver list --set scheduler_driver='[\"ip\"]'", "one that is not configured yet"}},
       .run = list_drivers},
      {.path = "driver inspect",
       .summary = "Shows what a driver file, or a library of filters and weighers, says of itself, without running it",
       .description = "Safe for a file that is not trusted: it is read, never loaded. Rules that the daemon "
                      "would insist on are shown as warnings: owner and mode, how it was linked, ABI, columns.",
       .positionals = {{"DRIVER", "the shared object's path, or the id of a driver that is installed"}},
       .examples = {{"gantry driver inspect ip", "which options does it take?"},
                    {"gantry driver inspect ./first_fit.so", "before it is installed"}},
       .run = inspect_driver}};
}

}  // namespace gantry::cli
