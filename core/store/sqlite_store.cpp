// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_store.hpp"

#include <algorithm>
#include <utility>

#include "core/store/sqlite_connection.hpp"
#include "core/store/sqlite_file.hpp"
#include "core/store/sqlite_group_commit.hpp"
#include "core/store/sqlite_reader.hpp"
#include "core/store/sqlite_schema.hpp"
#include "core/store/sqlite_writer.hpp"

namespace gantry::store {

namespace {

class SqliteStore final : public Store {
 public:
  SqliteStore(std::unique_ptr<StoreLock> lock, std::unique_ptr<Connection> connection, GroupCommit group_commit,
              int schema, const SqliteSettings& settings)
      : lock_(std::move(lock)),
        connection_(std::move(connection)),
        reader_(settings.path),
        description_("sqlite " + settings.path + ", schema " + std::to_string(schema)),
        writer_(std::move(group_commit), settings) {}

  Result<void> load(Kind kind, const Visitor& visit) override {
    const char* const table = table_of(kind);
    if (table == nullptr || writer_.has_been_used()) {
      return Error{ErrorCode::failed_precondition,
                   "store " + connection_->path() + ": documents are loaded by a known kind, before the first submit",
                   {}};
    }
    auto rows = connection_->prepare(std::string("SELECT key, document FROM ") + table + " ORDER BY key");
    if (!rows) return std::move(rows).error();
    for (;;) {
      auto row = rows->step();
      if (!row) return std::move(row).error().within(std::string("loading ") + table);
      if (!*row) return {};
      const auto key = rows->text(0);
      const auto document = rows->text(1);
      if (key.data() == nullptr || document.data() == nullptr)
        return sqlite_error(connection_->handle(), connection_->path()).within(std::string("loading ") + table);
      if (auto visited = visit(key, document); !visited) {
        return std::move(visited).error().within("store " + connection_->path() + ": " + table + " " +
                                                 std::string(key));
      }
    }
  }

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
  std::optional<Error> fault() const override { return writer_.fault(); }
  StoreTimes* times() override { return &writer_.times(); }
  std::string describe() const override { return description_; }

 private:
  // The order matters for the destructor. The writer ends first. The connection that writes closes after the one that
  // reads, since closing it empties the log. The lock is released last.
  std::unique_ptr<StoreLock> lock_;
  std::unique_ptr<Connection> connection_;
  SqliteReader reader_;
  std::string description_;
  SqliteWriter writer_;
};

void set_limits(Connection& connection, const SqliteSettings& settings) {
  sqlite3_busy_timeout(connection.handle(), busy_milliseconds);
  // A key and a document share a row with a few bytes more. The writer has refused larger documents before.
  const auto bytes = std::min<std::size_t>(settings.bytes_per_document + 1024, 1'000'000'000);
  sqlite3_limit(connection.handle(), SQLITE_LIMIT_LENGTH, static_cast<int>(bytes));
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
  std::string pragmas =
      "PRAGMA synchronous=FULL; PRAGMA secure_delete=ON; PRAGMA trusted_schema=OFF;"
      "PRAGMA journal_size_limit=67108864;";
  pragmas += "PRAGMA wal_autocheckpoint=" + std::to_string(settings.log_pages) + ";";
  if (settings.pages > 0) pragmas += "PRAGMA max_page_count=" + std::to_string(settings.pages) + ";";
  return connection.run(pragmas);
}

Result<int> bring_up_to_date(Connection& connection, const SqliteSettings& settings, CommitNumber answered,
                             telemetry::Logger& logger) {
  set_limits(connection, settings);
  checkpoint_on_close(connection, false);
  if (auto checked = check_database(connection); !checked) return std::move(checked).error();
  const auto found = last_commit(connection);
  if (!found) return found.error();
  if (auto checked = check_commits(settings.path, answered, *found); !checked) return std::move(checked).error();
  close_to_others(settings.path, logger);
  if (auto set = set_up(connection, settings); !set) return std::move(set).error();
  auto schema = migrate(connection, schema_steps(), logger);
  if (schema) checkpoint_on_close(connection, true);
  return schema;
}

}  // namespace

Result<void> check_sqlite_place(const std::string& path) {
  return check_place(path);
}

Result<std::unique_ptr<Store>> open_sqlite(const SqliteSettings& settings) {
  const auto logger = settings.logger ? settings.logger : telemetry::Logger::none();
  if (auto made = make_directory(settings.path); !made) return std::move(made).error();
  auto taken = StoreLock::take(settings.path);
  if (!taken) return std::move(taken).error();
  auto lock = std::make_unique<StoreLock>(*std::move(taken));
  if (auto prepared = prepare_file(settings.path); !prepared) return std::move(prepared).error();
  auto opened = Connection::open(settings.path);
  if (!opened) return std::move(opened).error();
  auto connection = std::make_unique<Connection>(*std::move(opened));
  auto schema = bring_up_to_date(*connection, settings, lock->answered(), *logger);
  if (!schema) return std::move(schema).error();
  auto group_commit = GroupCommit::prepare(*connection, *lock);
  if (!group_commit) return std::move(group_commit).error();
  return std::unique_ptr<Store>(std::make_unique<SqliteStore>(std::move(lock), std::move(connection),
                                                              *std::move(group_commit), *schema, settings));
}

}  // namespace gantry::store
