// SPDX-License-Identifier: Apache-2.0
#include "core/cli/upkeep/backup_command.hpp"

#include <chrono>
#include <memory>
#include <ostream>

#include "core/cli/terminal/output.hpp"
#include "core/encoding/printable.hpp"
#include "core/encoding/time.hpp"

namespace gantry::cli {

namespace {

std::string size_text(std::uint64_t bytes) {
  constexpr std::uint64_t kibi = 1024;
  if (bytes >= 10 * kibi * kibi) return std::to_string(bytes / (kibi * kibi)) + " MiB";
  return std::to_string((bytes + kibi - 1) / kibi) + " KiB";
}

Result<int> backup(Session& session, const Arguments& arguments) {
  session.set_topic("");
  const auto configured = store_settings(session);
  if (!configured) return configured.error();
  store::BackupSettings settings;
  settings.store_path = configured->store.path;
  settings.file = arguments.text("FILE");
  settings.overwrites = arguments.flag("force");
  settings.taken_at = now_in_nanoseconds();
  settings.progress = copy_progress(session);
  auto facts = store::write_backup(settings);
  if (!facts) return std::move(facts).error();
  if (session.format() == OutputFormat::json) {
    json::object answer = facts_json(*facts);
    answer["file"] = settings.file;
    answer["store"] = settings.store_path;
    print_json(session, answer);
  } else if (!session.quiet()) {
    session.out() << "wrote " << printable(settings.file) << ", read again and sound: " << facts_text(*facts) << '\n';
  }
  return 0;
}

}  // namespace

Result<config::Settings> store_settings(const Session& session) {
  config::Sources sources = session.sources();
  sources.reads_nova = false;
  auto loaded = config::load(sources);
  if (!loaded) return std::move(loaded).error();
  return std::move(loaded->settings);
}

std::int64_t now_in_nanoseconds() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(since).count();
}

json::object facts_json(const store::BackupFacts& facts) {
  json::object documents;
  for (const auto& [table, count] : facts.documents) documents[table] = count;
  return {{"taken_at", facts.taken_at == 0 ? json::value(nullptr) : json::value(time_text(facts.taken_at))},
          {"schema", facts.schema},
          {"commits", facts.commits},
          {"bytes", facts.bytes},
          {"documents", std::move(documents)}};
}

std::string facts_text(const store::BackupFacts& facts) {
  std::string text;
  for (const auto& [table, count] : facts.documents) {
    if (count == 0) continue;
    std::string name = table;
    for (char& letter : name)
      if (letter == '_') letter = ' ';
    text.append(std::to_string(count)).append(" ").append(name).append(", ");
  }
  if (text.empty()) text = "no documents, ";
  return text + "schema " + std::to_string(facts.schema) + ", commit " + std::to_string(facts.commits) + ", " +
         size_text(facts.bytes);
}

store::CopyProgress copy_progress(Session& session) {
  if (!session.shows_progress()) return nullptr;
  return [&session, shown = std::make_shared<std::uint64_t>(0)](std::uint64_t copied, std::uint64_t all) {
    const std::uint64_t percent = all == 0 ? 100 : copied * 100 / all;
    if (percent == *shown) return;
    *shown = percent;
    session.err() << "\r\x1b[K";
    if (percent < 100) session.err() << percent << " % copied";
    session.err() << std::flush;
  };
}

std::vector<Command> backup_commands() {
  return {
      {.path = "backup",
       .summary = "Copies the store into one file, also while gantryd runs",
       .description =
           "Needs no daemon and stops none: the file shows one moment, with every change that was answered before. "
           "Run it on gantryd's machine, as the user that runs gantryd or as root; the configuration names the "
           "store. The file is written under another name first, belongs to the owner of the store and has mode 0600, "
           "since it holds the hashes of access tokens and what waits for hosts, and is read again at the end. The "
           "archive of decisions is not in it: "
           "its files beside the store can be copied at any time. `gantry restore` puts a backup back.",
       .positionals = {{"FILE", "where to; best on another disk"}},
       .options = {{.name = "force", .help = "Replaces a file of that name"}},
       .examples = {{"gantry backup /srv/backups/gantry-$(date +%F).backup", "each night"},
                    {"gantry -o json backup /srv/backups/gantry.backup --force", "what is in it, for programs"}},
       .run = backup}};
}

}  // namespace gantry::cli
