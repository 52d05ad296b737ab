// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_store.hpp"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "core/encoding/in_quotes.hpp"
#include "core/store/sqlite_connection.hpp"
#include "core/store/sqlite_file.hpp"
#include "core/store/sqlite_group_commit.hpp"
#include "core/store/sqlite_reader.hpp"
#include "core/store/sqlite_restored.hpp"
#include "core/store/sqlite_schema.hpp"
#include "core/store/sqlite_snapshot.hpp"
#include "core/store/sqlite_writer.hpp"

namespace gantry::store {

namespace {

// The files that a process has open while it uses the store. Closes in the reverse order: the lock last.
struct OpenFiles {
  std::unique_ptr<StoreLock> lock;
  std::unique_ptr<Connection> connection;
  int schema = 0;
};

Result<OpenFiles> open_files(const SqliteSettings& settings);

class SqliteStore final : public Store {
 public:
  SqliteStore(OpenFiles files, GroupCommit group_commit, const SqliteSettings& settings)
      : settings_(settings),
        files_(std::move(files)),
        reader_(settings.path),
        schema_(files_.schema),
        writer_(std::move(group_commit), settings) {}
  // Another process uses the files.
  SqliteStore(SqliteSnapshot snapshot, const SqliteSettings& settings)
      : settings_(settings),
        snapshot_(std::move(snapshot)),
        reader_(settings.path),
        schema_(static_cast<int>(schema_steps().size())),
        writer_(std::nullopt, settings) {}
  void set_restored(std::optional<Restored> restored) { restored_ = restored; }

  Result<void> load(Kind kind, const Visitor& visit) override;
  Result<void> take_over(std::chrono::steady_clock::time_point until, const std::optional<std::string>& noted) override;
  Result<void> load_changes(Kind kind, const ChangeVisitor& visit) override;

  void submit(Batch batch, Done done, Undo undo) override {
    writer_.submit(std::move(batch), std::move(done), std::move(undo));
  }
  void submit_behind(Batch batch, Done done, Undo undo) override {
    writer_.submit(std::move(batch), std::move(done), std::move(undo), SqliteWriter::Pace::behind);
  }
  void undo_under(std::mutex* order) override { writer_.undo_under(order); }
  Result<std::vector<Document>> read(Kind kind, std::string_view from, std::size_t limit) override {
    return reader_.read(kind, from, limit);
  }
  void flush() override { writer_.flush(); }
  void note_changes() override { writer_.note_changes(); }
  Result<std::string> let_go() override;
  Result<void> take_back(std::chrono::steady_clock::time_point until) override;
  std::optional<Error> fault() const override { return writer_.fault(); }
  std::optional<Restored> restored() const override { return restored_; }
  StoreTimes* times() override { return &writer_.times(); }
  std::string describe() const override { return "sqlite " + settings_.path + ", schema " + std::to_string(schema_); }

 private:
  // Returns the table of a kind. Fails for an unknown kind, and after the first submit.
  Result<const char*> table_to_load(Kind kind) const;
  // Names the document that a visitor refuses.
  ChangeVisitor naming(const char* table, const ChangeVisitor& visit) const;
  Result<void> use(OpenFiles files);

  // The order matters for the destructor. The writer ends first. The connection that writes closes after the one that
  // reads, since closing it empties the log. The lock is released last.
  const SqliteSettings settings_;
  // The documents that load() returns while another process uses the files; nullopt: none did.
  std::optional<SqliteSnapshot> snapshot_;
  std::optional<ChangedKeys> changed_;  // the documents that may have changed since the snapshot. nullopt: not known
  OpenFiles files_;
  CommitNumber left_at_ = 0;  // the store's last commit when it was let go
  SqliteReader reader_;
  const int schema_;
  std::optional<Restored> restored_;
  SqliteWriter writer_;
};

void set_limits(Connection& connection, const SqliteSettings& settings) {
  sqlite3_busy_timeout(connection.handle(), busy_milliseconds);
  limit_documents(connection, settings.bytes_per_document);
}

// Closing a connection checkpoints the log into the file and deletes the log. A refused store must stay as it is, so
// this is off until the checks have passed.
void checkpoint_on_close(Connection& connection, bool wanted) {
  sqlite3_db_config(connection.handle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, wanted ? 0 : 1, nullptr);
}

Result<void> set_up(Connection& connection, const SqliteSettings& settings) {
  auto mode = connection.prepare("PRAGMA journal_mode=WAL");
  if (!mode) return std::move(mode).error();
  const auto row = mode->step();
  if (!row) return row.error();
  if (mode->text(0) != "wal") {
    return Error{ErrorCode::unavailable,
                 "store " + connection.path() + ": expected journal mode wal, found " + std::string(mode->text(0)) +
                     "; put the store on a local disk",
                 {}};
  }
  mode->reset();
  // secure_delete overwrites removed documents, such as the body of a delivered cast, with zeros.
  std::string pragmas = "PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA journal_size_limit=67108864;";
  pragmas += "PRAGMA wal_autocheckpoint=" + std::to_string(settings.log_pages) + ";";
  if (settings.pages > 0) pragmas += "PRAGMA max_page_count=" + std::to_string(settings.pages) + ";";
  return connection.run(pragmas);
}

Result<int> bring_up_to_date(Connection& connection, const SqliteSettings& settings, CommitNumber answered,
                             telemetry::Logger& logger) {
  set_limits(connection, settings);
  checkpoint_on_close(connection, false);
  if (auto checked = settings.was_let_go ? check_owner(connection) : check_database(connection); !checked)
    return std::move(checked).error();
  const auto found = last_commit(connection);
  if (!found) return found.error();
  if (auto checked = check_commits(settings.path, answered, *found); !checked) return std::move(checked).error();
  close_to_others(settings.path, logger);
  if (auto set = set_up(connection, settings); !set) return std::move(set).error();
  auto schema = migrate(connection, schema_steps(), logger);
  if (schema) checkpoint_on_close(connection, true);
  return schema;
}

Result<OpenFiles> open_files(const SqliteSettings& settings) {
  const auto logger = settings.logger ? settings.logger : telemetry::Logger::none();
  if (auto made = make_directory(settings.path); !made) return std::move(made).error();
  OpenFiles files;
  auto taken = StoreLock::take(settings.path);
  if (!taken) return std::move(taken).error();
  files.lock = std::make_unique<StoreLock>(*std::move(taken));
  if (auto prepared = prepare_file(settings.path); !prepared) return std::move(prepared).error();
  auto opened = Connection::open(settings.path);
  if (!opened) return std::move(opened).error();
  files.connection = std::make_unique<Connection>(*std::move(opened));
  const auto schema = bring_up_to_date(*files.connection, settings, files.lock->answered(), *logger);
  if (!schema) return schema.error();
  files.schema = *schema;
  return files;
}

// Tries for as long as another process has the files.
Result<OpenFiles> open_free_files(const SqliteSettings& settings, std::chrono::steady_clock::time_point until) {
  auto files = open_files(settings);
  while (!files && files.error().code == ErrorCode::unavailable && std::chrono::steady_clock::now() < until) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    files = open_files(settings);
  }
  return files;
}

Result<const char*> SqliteStore::table_to_load(Kind kind) const {
  const char* const table = table_of(kind);
  if (table != nullptr && !writer_.has_been_used()) return table;
  return Error{ErrorCode::failed_precondition,
               "store " + settings_.path + ": documents are loaded by a known kind, before the first submit",
               {}};
}

ChangeVisitor SqliteStore::naming(const char* table, const ChangeVisitor& visit) const {
  return [this, table, &visit](std::string_view key, std::optional<std::string_view> document) -> Result<void> {
    auto visited = visit(key, document);
    if (visited) return visited;
    return std::move(visited).error().within("store " + settings_.path + ": " + table + " " + in_quotes(key));
  };
}

Result<void> SqliteStore::load(Kind kind, const Visitor& visit) {
  const auto table = table_to_load(kind);
  if (!table) return table.error();
  const ChangeVisitor visit_put = [&visit](std::string_view key, std::optional<std::string_view> document) {
    return visit(key, *document);
  };
  const auto named = naming(*table, visit_put);
  if (files_.connection) return SqliteSnapshot().visit_changes(*files_.connection, kind, named);
  if (!snapshot_)
    return Error{ErrorCode::failed_precondition, "store " + settings_.path + ": another process has it", {}};
  for (const auto& document : snapshot_->of(kind))
    if (auto visited = named(document.key, document.text); !visited) return visited;
  return {};
}

Result<void> SqliteStore::load_changes(Kind kind, const ChangeVisitor& visit) {
  const auto table = table_to_load(kind);
  if (!table) return table.error();
  if (!snapshot_ || !files_.connection)
    return Error{ErrorCode::failed_precondition, "store " + settings_.path + ": it was not taken over", {}};
  const auto named = naming(*table, visit);
  auto visited = changed_ ? snapshot_->visit_changes_of(*files_.connection, kind, changed_->of(kind), named)
                          : snapshot_->visit_changes(*files_.connection, kind, named);
  snapshot_->forget(kind);
  return visited;
}

Result<void> SqliteStore::use(OpenFiles files) {
  auto group_commit = GroupCommit::prepare(*files.connection, *files.lock);
  if (!group_commit) return std::move(group_commit).error();
  files_ = std::move(files);
  writer_.resume(*std::move(group_commit));
  return {};
}

Result<void> SqliteStore::take_over(std::chrono::steady_clock::time_point until,
                                    const std::optional<std::string>& noted) {
  auto settings = settings_;
  settings.was_let_go = noted.has_value();
  if (noted) changed_ = ChangedKeys::parse(*noted);
  auto files = open_free_files(settings, until);
  if (!files) return std::move(files).error();
  const auto restored =
      note_restored(*files->connection, settings.logger ? *settings.logger : *telemetry::Logger::none());
  if (!restored) return restored.error();
  restored_ = *restored;
  return use(*std::move(files));
}

Result<std::string> SqliteStore::let_go() {
  if (!files_.connection) return std::string();
  writer_.pause();
  const auto last = last_commit(*files_.connection);
  if (!last) {
    auto again = GroupCommit::prepare(*files_.connection, *files_.lock);
    if (again) writer_.resume(*std::move(again));
    return last.error();
  }
  left_at_ = *last;
  reader_.close();
  // The log stays for the next process: to empty it would keep clients waiting for the disk.
  checkpoint_on_close(*files_.connection, false);
  files_.connection.reset();
  files_.lock.reset();
  return writer_.take_noted();
}

Result<void> SqliteStore::take_back(std::chrono::steady_clock::time_point until) {
  auto settings = settings_;
  settings.was_let_go = true;
  auto files = open_free_files(settings, until);
  if (!files) return std::move(files).error();
  const auto last = last_commit(*files->connection);
  if (!last) return last.error();
  if (*last != left_at_) {
    return Error{ErrorCode::failed_precondition,
                 "store " + settings_.path + ": another process has committed since this one let it go",
                 {}};
  }
  return use(*std::move(files));
}

}  // namespace

Result<void> check_sqlite_place(const std::string& path) {
  return check_place(path);
}

std::unique_ptr<Store> open_sqlite_ahead(const SqliteSettings& settings) {
  auto snapshot = SqliteSnapshot::read(settings.path);
  if (!snapshot && settings.logger)
    settings.logger->write(telemetry::Level::info, "the store is read only once it is taken over",
                           {{"reason", snapshot.error().message}});
  return std::make_unique<SqliteStore>(snapshot ? *std::move(snapshot) : SqliteSnapshot(), settings);
}

Result<std::unique_ptr<Store>> open_sqlite(const SqliteSettings& settings) {
  auto files = open_files(settings);
  if (!files) return std::move(files).error();
  auto group_commit = GroupCommit::prepare(*files->connection, *files->lock);
  if (!group_commit) return std::move(group_commit).error();
  const auto restored =
      note_restored(*files->connection, settings.logger ? *settings.logger : *telemetry::Logger::none());
  if (!restored) return restored.error();
  auto store = std::make_unique<SqliteStore>(*std::move(files), *std::move(group_commit), settings);
  store->set_restored(*restored);
  return std::unique_ptr<Store>(std::move(store));
}

}  // namespace gantry::store
