// SPDX-License-Identifier: Apache-2.0
#include "core/store/archive/archive_segment.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdio>

#include "core/files/descriptor.hpp"
#include "core/files/errno_text.hpp"

namespace gantry::store {

namespace {

constexpr std::string_view prefix_of(SegmentKind kind) {
  return kind == SegmentKind::decisions ? "decisions-" : "facts-";
}
constexpr std::string_view suffix = ".db";
constexpr std::array<const char*, 3> beside{"", "-wal", "-shm"};

constexpr std::int64_t segment_id = 0x47614172;  // PRAGMA application_id: the letters "GaAr"
constexpr std::int64_t segment_form = 1;         // PRAGMA user_version

constexpr const char* decision_tables =
    "CREATE TABLE decisions (id INTEGER PRIMARY KEY, time INTEGER NOT NULL, run INTEGER NOT NULL,"
    " moment INTEGER NOT NULL, outcome INTEGER NOT NULL, record BLOB NOT NULL) STRICT;"
    "CREATE TABLE names (name TEXT NOT NULL, id INTEGER NOT NULL, PRIMARY KEY (name, id)) STRICT, WITHOUT ROWID;";
constexpr const char* fact_tables =
    "CREATE TABLE facts (number INTEGER PRIMARY KEY, run INTEGER NOT NULL, first INTEGER NOT NULL,"
    " last INTEGER NOT NULL, begins_whole INTEGER NOT NULL, bytes BLOB NOT NULL) STRICT;"
    "CREATE INDEX facts_by_moment ON facts (run, last);";

// A segment survives the end of the process with all that was committed. A power loss takes its last seconds at most.
Result<void> set_up(Connection& segment) {
  return segment.run("PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL; PRAGMA busy_timeout=1000;");
}

Result<void> check_form(Connection& segment) {
  const auto id = segment.ask("PRAGMA application_id");
  if (!id) return id.error();
  const auto form = segment.ask("PRAGMA user_version");
  if (!form) return form.error();
  if (*id == segment_id && *form == segment_form) return {};
  return Error{ErrorCode::failed_precondition,
               segment.path() + ": expected an archive of decisions of form " + std::to_string(segment_form) +
                   ", found another file or form",
               {}};
}

Error cannot_make(const std::string& path, int number) {
  return {number == ENOSPC || number == EDQUOT ? ErrorCode::resource_exhausted : ErrorCode::unavailable,
          path + ": cannot be made: " + files::errno_text(number),
          {}};
}

Result<void> fill(Connection& segment, SegmentKind kind, std::string_view sample) {
  auto done = segment.run("BEGIN; PRAGMA application_id=" + std::to_string(segment_id) + "; PRAGMA user_version=" +
                          std::to_string(segment_form) + "; CREATE TABLE sample (text BLOB NOT NULL) STRICT;" +
                          (kind == SegmentKind::decisions ? decision_tables : fact_tables));
  if (!done) return done;
  auto put = segment.prepare("INSERT INTO sample VALUES (?1)");
  if (!put) return std::move(put).error();
  if (done = put->bind_bytes(1, sample); done) done = put->run();
  return done ? segment.run("COMMIT") : done;
}

Result<void> make_whole(const std::string& path, SegmentKind kind, std::string_view sample) {
  constexpr int flags = O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
  if (const files::Descriptor file(::open(path.c_str(), flags, 0600)); !file.is_open()) return cannot_make(path, errno);
  auto segment = Connection::open(path);
  if (!segment) return std::move(segment).error();
  auto done = fill(*segment, kind, sample);
  return done ? set_up(*segment) : done;
}

// The archive knows no segment of that name. An older gantry may have been killed, or have found the disk full, as it
// made one. A log that was left there would be taken for the new file's.
Result<void> put_in_place(const std::string& made, const std::string& path) {
  if (!is_unfinished_segment(path)) ::rename(path.c_str(), (path + ".damaged").c_str());
  remove_segment(path);
  if (::rename(made.c_str(), path.c_str()) == 0) return {};
  return cannot_make(path, errno);
}

}  // namespace

std::string SegmentName::text() const {
  std::array<char, 48> name{};
  std::snprintf(name.data(), name.size(), "%s%012lld%s", std::string(prefix_of(kind)).c_str(),
                static_cast<long long>(number), std::string(suffix).c_str());
  return name.data();
}

std::optional<SegmentName> SegmentName::parse(std::string_view file) {
  for (const auto kind : {SegmentKind::decisions, SegmentKind::facts}) {
    if (!file.starts_with(prefix_of(kind)) || !file.ends_with(suffix)) continue;
    const auto digits = file.substr(prefix_of(kind).size(), file.size() - prefix_of(kind).size() - suffix.size());
    std::int64_t number = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (read.ec == std::errc() && read.ptr == digits.data() + digits.size() && number > 0)
      return SegmentName{kind, number};
  }
  return std::nullopt;
}

Result<Connection> make_segment(const std::string& path, SegmentKind kind, std::string_view sample) {
  const std::string unfinished = path + ".part";
  remove_segment(unfinished);  // the rest of a kill
  auto made = make_whole(unfinished, kind, sample);
  if (made) made = put_in_place(unfinished, path);
  if (made) return open_segment(path);
  remove_segment(unfinished);
  return std::move(made).error();
}

Result<Connection> open_segment(const std::string& path) {
  auto segment = Connection::open(path);
  if (!segment) return segment;
  auto done = set_up(*segment);
  if (done) done = check_form(*segment);
  if (!done) return std::move(done).error();
  return segment;
}

Result<Connection> open_segment_to_read(const std::string& path) {
  auto segment = Connection::open_to_read(path);
  if (!segment) return segment;
  auto done = segment->run("PRAGMA busy_timeout=1000");
  if (done) done = check_form(*segment);
  if (!done) return std::move(done).error();
  return segment;
}

bool is_unfinished_segment(const std::string& path) {
  auto segment = Connection::open_to_read(path);
  if (!segment) return false;
  const auto id = segment->ask("PRAGMA application_id");
  const auto tables = segment->ask("SELECT count(*) FROM sqlite_schema");
  return id && tables && *id == 0 && *tables == 0;
}

Result<std::string> sample_of(Connection& segment) {
  auto find = segment.prepare("SELECT text FROM sample");
  if (!find) return std::move(find).error();
  const auto row = find->step();
  if (!row) return row.error();
  return *row ? std::string(find->bytes(0)) : std::string();
}

void remove_segment(const std::string& path) {
  for (const auto* end : beside) ::unlink((path + end).c_str());
}

std::uint64_t size_of_segment(const std::string& path) {
  std::uint64_t size = 0;
  for (const auto* end : beside) {
    struct stat status {};
    if (::stat((path + end).c_str(), &status) == 0)
      size += static_cast<std::uint64_t>(status.st_size);
    else if (*end == '\0')
      return 0;
  }
  return size;
}

}  // namespace gantry::store
