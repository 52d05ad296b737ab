// SPDX-License-Identifier: Apache-2.0
#include "core/cli/upkeep/restore_command.hpp"

#include <ostream>

#include "core/cli/terminal/output.hpp"
#include "core/cli/upkeep/backup_command.hpp"
#include "core/daemon/service_user.hpp"
#include "core/encoding/printable.hpp"
#include "core/encoding/time.hpp"
#include "core/scheduling/service/restored_facts.hpp"
#include "core/scheduling/state/stored_documents.hpp"
#include "core/store/sqlite_restore.hpp"

namespace gantry::cli {

namespace {

using scheduling::RestoredCast;
using scheduling::RestoredCasts;
using scheduling::RestoreNotes;

RestoredCasts casts_of(const std::string& word) {
  if (word == "all") return RestoredCasts::all;
  return word == "none" ? RestoredCasts::none : RestoredCasts::waiting;
}

json::array texts(const std::vector<std::string>& list) {
  json::array result;
  for (const auto& text : list) result.emplace_back(text);
  return result;
}

json::array casts_json(const std::vector<RestoredCast>& casts) {
  json::array result;
  for (const auto& cast : casts)
    result.emplace_back(json::object{{"id", cast.id},
                                     {"method", cast.method},
                                     {"topic", cast.topic},
                                     {"host", cast.host},
                                     {"instance", cast.instance}});
  return result;
}

json::array since_json(const RestoreNotes& notes) {
  json::array rows;
  for (const auto& since : notes.since)
    rows.emplace_back(json::object{{"kind", since.kind},
                                   {"in_backup", since.in_backup},
                                   {"new_since", since.added},
                                   {"gone_since", since.removed},
                                   {"changed_since", since.changed}});
  return rows;
}

json::object as_json(const store::Restoration& done, const RestoreNotes& notes) {
  json::object answer = facts_json(done.backup);
  answer["kept_as"] = done.kept_as.empty() ? json::value(nullptr) : json::value(done.kept_as);
  answer["compared"] = notes.is_compared;
  answer["not_compared"] = done.why_unknown.empty() ? json::value(nullptr) : json::value(done.why_unknown);
  answer["since"] = since_json(notes);
  answer["services"] = texts(notes.services);
  answer["claims"] = notes.claims;
  answer["casts_sent"] = casts_json(notes.sent);
  answer["casts_left_out"] = casts_json(notes.left_out);
  answer["unlaunched"] = texts(notes.unlaunched);
  answer["tokens_of"] = notes.has_tokens_of_backup ? "backup" : "present";
  answer["tokens"] = texts(notes.tokens);
  answer["tokens_revoked_since"] = texts(notes.dropped_tokens);
  return answer;
}

void print_lines(Session& session, const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  session.out() << '\n' << title << '\n';
  for (const auto& line : lines) session.out() << "  " << printable(line) << '\n';
}

void print_casts(Session& session, const std::string& title, const std::vector<RestoredCast>& casts) {
  std::vector<std::string> lines;
  lines.reserve(casts.size());
  for (const auto& cast : casts)
    lines.push_back(std::string(cast.method).append(" of ").append(cast.instance).append(" to ").append(cast.host));
  print_lines(session, title, lines);
}

void print_since(Session& session, const store::Restoration& done, const RestoreNotes& notes) {
  session.out() << '\n';
  if (!notes.is_compared) {
    session.out() << "what changed since is not known: " << printable(done.why_unknown) << '\n';
    return;
  }
  TextTable table({"KIND", "IN BACKUP", "NEW SINCE", "GONE SINCE", "CHANGED SINCE"});
  for (const auto& since : notes.since)
    table.add({since.kind, std::to_string(since.in_backup), std::to_string(since.added), std::to_string(since.removed),
               std::to_string(since.changed)});
  table.print(session.out(), session.colour());
}

void print_notes(Session& session, const store::Restoration& done, const RestoreNotes& notes) {
  print_since(session, done, notes);
  print_lines(session, "services, as operators had set them:", notes.services);
  print_casts(session, "casts that are sent, as they wait still:", notes.sent);
  print_casts(session, "casts that are not sent, as they were delivered since or nobody knows:", notes.left_out);
  print_lines(session,
              "building servers whose launch is not sent; look at them, then delete or launch them:", notes.unlaunched);
  print_lines(session, "tokens that were revoked since and stay so:", notes.dropped_tokens);
  if (notes.has_tokens_of_backup)
    print_lines(session, "tokens, as they were in the backup; revoke those that were revoked since:", notes.tokens);
}

void print_next_steps(Session& session) {
  session.out() << "\nnext:\n"
                   "  1. start gantryd. No host is up before it has reported, within a report's interval\n"
                   "  2. gantry fleet compare     what hosts run beside what the store knows\n"
                   "  3. gantry service list      disable again what was disabled since\n"
                   "  4. gantry doctor            whether all is sound\n"
                   "gantry-upgrade(7) says what became of what happened since.\n";
}

std::string taken_text(const store::BackupFacts& facts) {
  return facts.taken_at == 0 ? "a copy of a store" : "the backup of " + time_text(facts.taken_at);
}

void print_restored(Session& session, const store::RestoreSettings& settings, const store::Restoration& done,
                    const RestoreNotes& notes) {
  session.out() << "restored " << printable(settings.store_path) << " from " << printable(settings.file) << ", "
                << taken_text(done.backup) << ": " << facts_text(done.backup) << '\n';
  if (!done.kept_as.empty()) session.out() << "the store before is kept as " << printable(done.kept_as) << '\n';
  print_notes(session, done, notes);
  print_next_steps(session);
}

void print_judged(Session& session, const store::RestoreSettings& settings, const store::Restoration& judged,
                  const RestoreNotes& notes) {
  session.out() << printable(settings.file) << " is sound, " << taken_text(judged.backup) << ": "
                << facts_text(judged.backup) << "; nothing was changed\n";
  print_notes(session, judged, notes);
}

// The advice for a daemon that cannot be reached does not help here.
Error explained(Error error) {
  if (error.code != ErrorCode::unavailable || error.message.find("already used by") == std::string::npos) return error;
  return {
      ErrorCode::failed_precondition,
      "gantryd must not run while its store is replaced, stop it first, with systemctl stop gantryd.socket gantryd: " +
          error.message,
      {}};
}

Result<int> restore(Session& session, const Arguments& arguments) {
  session.set_topic("");
  const auto configured = store_settings(session);
  if (!configured) return configured.error();
  // Root restores as the user who owns the store's directory, so that the store is that user's.
  const daemon::ServiceUser user(*configured);
  const auto now = now_in_nanoseconds();
  RestoreNotes notes;
  const scheduling::RestoreWish wish{casts_of(arguments.text("casts")), arguments.text("tokens") == "backup", now};
  store::RestoreSettings settings;
  settings.store_path = configured->store.path;
  settings.file = arguments.text("FILE");
  settings.restored_at = now;
  settings.progress = copy_progress(session);
  settings.judge = scheduling::check_stored;
  settings.revise = [&wish, &notes](const store::ReadDocuments& backup, const store::ReadDocuments* present) {
    return scheduling::revise_restored(wish, backup, present, notes);
  };
  const bool judges = arguments.flag("check");
  const auto done = judges ? store::judge_restore(settings) : store::restore(settings);
  if (!done) return explained(done.error());
  if (session.format() == OutputFormat::json) {
    json::object answer = as_json(*done, notes);
    answer["restored"] = !judges;
    answer["file"] = settings.file;
    answer["store"] = settings.store_path;
    print_json(session, answer);
  } else if (judges) {
    print_judged(session, settings, *done, notes);
  } else {
    print_restored(session, settings, *done, notes);
  }
  return 0;
}

}  // namespace

std::vector<Command> restore_commands() {
  return {
      {.path = "restore",
       .summary = "Puts a backup in the place of the store, while gantryd does not run",
       .description =
           "Judges the file first: a whole backup, undamaged, of this version's schema or an older one, with nothing "
           "in it "
           "that Gantry does not make, and with documents that a start reads; one that is refused changes nothing. Its "
           "documents alone are taken over. The store that was there is kept beside it, under a name with "
           ".before-restore-, "
           "and can be restored in the same way. Run it as the user that runs gantryd, who must be able to read the "
           "file, or "
           "as root. Hosts went on since "
           "the backup was taken, so that after the next start no host is up before it has reported; claims count from "
           "the restore on; a cast is sent only if the store in place shows that it waits still; a token that was "
           "revoked since stays revoked. Where the store in place cannot be read, no cast is sent and the tokens are "
           "those of the backup. gantry-upgrade(7) tells the whole story.",
       .positionals = {{"FILE", "a backup, or a store that was kept by a restore"}},
       .options = {{.name = "check", .help = "Judges and compares alone, also while gantryd runs; changes nothing"},
                   {.name = "casts",
                    .kind = ValueKind::text,
                    .value_name = "WHICH",
                    .help = "Which casts of the backup are sent: those that wait still, all (one that was delivered "
                            "since comes again, with its id), or none",
                    .fallback = "waiting",
                    .choices = {"waiting", "all", "none"}},
                   {.name = "tokens",
                    .kind = ValueKind::text,
                    .value_name = "WHOSE",
                    .help = "Which access tokens hold: those of the store in place, or those of the backup",
                    .fallback = "present",
                    .choices = {"present", "backup"}}},
       .examples = {{"gantry restore --check /srv/backups/gantry.backup", "is it sound, and what would be lost?"},
                    {"systemctl stop gantryd.socket gantryd && gantry restore /srv/backups/gantry.backup && "
                     "systemctl start gantryd",
                     "the whole of it; start gantryd.socket first where it is enabled"}},
       .run = restore}};
}

}  // namespace gantry::cli
