// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_connection.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "core/files/errno_text.hpp"

namespace gantry::store {

namespace {

bool is_out_of_space(sqlite3* handle, int code) {
  if (code == SQLITE_FULL) return true;
  const int system_code = sqlite3_system_errno(handle);
  return code == SQLITE_IOERR && (system_code == ENOSPC || system_code == EDQUOT);
}

std::string system_reason(sqlite3* handle) {
  const int system_code = sqlite3_system_errno(handle);
  return system_code != 0 ? ", " + files::errno_text(system_code) : "";
}

Error kind_of_error(sqlite3* handle) {
  const int code = sqlite3_errcode(handle) & 0xff;
  if (is_out_of_space(handle, code)) {
    return {ErrorCode::resource_exhausted, "no space left on its disk; free some, the next change is tried again", {}};
  }
  switch (code) {
    case SQLITE_IOERR: return {ErrorCode::unavailable, "its disk failed" + system_reason(handle), {}};
    case SQLITE_BUSY:
    case SQLITE_LOCKED: return {ErrorCode::unavailable, "another program holds it locked; end that program", {}};
    case SQLITE_CANTOPEN: return {ErrorCode::unavailable, "it cannot be opened" + system_reason(handle), {}};
    case SQLITE_READONLY:
    case SQLITE_PERM:
      return {ErrorCode::permission_denied, "it may not be written; check its owner, mode and mount", {}};
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB: return {ErrorCode::internal, "it is damaged; put a copy in its place", {}};
    case SQLITE_NOMEM: return {ErrorCode::resource_exhausted, "out of memory", {}};
    case SQLITE_TOOBIG: return {ErrorCode::invalid_argument, "a key or document is too large", {}};
    default: return {ErrorCode::internal, "SQLite refused", {}};
  }
}

// A path as a part of a URI.
std::string escaped(const std::string& path) {
  std::string text;
  for (const char letter : path) {
    if (letter == '%' || letter == '?' || letter == '#') {
      text += letter == '%' ? "%25" : letter == '?' ? "%3f" : "%23";
    } else {
      text += letter;
    }
  }
  return text;
}

// The content of a file is data: none of its triggers and views acts, and no statement can change how the file is made.
Result<void> treat_as_data(sqlite3* handle, const std::string& path) {
  constexpr std::array<std::pair<int, int>, 4> options{{{SQLITE_DBCONFIG_DEFENSIVE, 1},
                                                        {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                                                        {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                                                        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0}}};
  for (const auto& [option, value] : options)
    if (sqlite3_db_config(handle, option, value, nullptr) != SQLITE_OK) return sqlite_error(handle, path);
  if (sqlite3_exec(handle, "PRAGMA cell_size_check=ON", nullptr, nullptr, nullptr) != SQLITE_OK)
    return sqlite_error(handle, path);
  return {};
}

}  // namespace

Error sqlite_error(sqlite3* handle, const std::string& path) {
  Error error = kind_of_error(handle);
  error.message.append(" (SQLite: ").append(sqlite3_errmsg(handle));
  error.message.append(", code ").append(std::to_string(sqlite3_extended_errcode(handle))).append(")");
  return std::move(error).within("store " + path);
}

void limit_documents(Connection& connection, std::size_t bytes) {
  // A key and a document share a row with a few bytes more.
  const auto row = std::min<std::size_t>(bytes + 1024, 1'000'000'000);
  sqlite3_limit(connection.handle(), SQLITE_LIMIT_LENGTH, static_cast<int>(row));
}

Result<void> Statement::bind(int parameter, std::string_view text) {
  // An empty view may hold a null pointer, which SQLite would take for NULL.
  const char* const data = text.data() != nullptr ? text.data() : "";
  const int code = sqlite3_bind_text64(statement_.get(), parameter, data, text.size(), SQLITE_STATIC, SQLITE_UTF8);
  if (code != SQLITE_OK) return sqlite_error(sqlite3_db_handle(statement_.get()), *path_);
  return {};
}

Result<void> Statement::bind_bytes(int parameter, std::string_view bytes) {
  const char* const data = bytes.data() != nullptr ? bytes.data() : "";
  if (sqlite3_bind_blob64(statement_.get(), parameter, data, bytes.size(), SQLITE_STATIC) != SQLITE_OK)
    return sqlite_error(sqlite3_db_handle(statement_.get()), *path_);
  return {};
}

Result<void> Statement::bind_integer(int parameter, std::int64_t number) {
  if (sqlite3_bind_int64(statement_.get(), parameter, number) != SQLITE_OK)
    return sqlite_error(sqlite3_db_handle(statement_.get()), *path_);
  return {};
}

Result<bool> Statement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return sqlite_error(sqlite3_db_handle(statement_.get()), *path_);
}

Result<void> Statement::run() {
  const auto stepped = step();
  reset();
  if (!stepped) return stepped.error();
  return {};
}

void Statement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

std::string_view Statement::text(int column) const {
  const auto* const data = sqlite3_column_text(statement_.get(), column);
  if (data == nullptr) return {};
  return {reinterpret_cast<const char*>(data),
          static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::string_view Statement::bytes(int column) const {
  const auto* const data = sqlite3_column_blob(statement_.get(), column);
  if (data == nullptr) return {};
  return {static_cast<const char*>(data), static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

std::int64_t Statement::integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

Result<Connection> Connection::open(const std::string& path) {
  return open_with(path, path, SQLITE_OPEN_READWRITE);
}

Result<Connection> Connection::open_to_read(const std::string& path) {
  return open_with(path, path, SQLITE_OPEN_READONLY);
}

Result<Connection> Connection::open_immutable(const std::string& path) {
  return open_with(path, "file:" + escaped(path) + "?immutable=1", SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

Result<Connection> Connection::open_with(const std::string& path, const std::string& name, int flags) {
  sqlite3* handle = nullptr;
  const int code = sqlite3_open_v2(name.c_str(), &handle, flags | SQLITE_OPEN_NOMUTEX, nullptr);
  if (handle == nullptr) return Error{ErrorCode::resource_exhausted, "store " + path + ": out of memory", {}};
  Connection connection(handle, path);
  if (code != SQLITE_OK) return sqlite_error(handle, path);
  sqlite3_extended_result_codes(handle, 1);
  if (auto treated = treat_as_data(handle, path); !treated) return std::move(treated).error();
  return connection;
}

Result<void> Connection::run(const std::string& sql) {
  if (sqlite3_exec(handle(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    return sqlite_error(handle(), path());
  return {};
}

Result<Statement> Connection::prepare(const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v3(handle(), sql.c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement, nullptr) != SQLITE_OK) {
    return sqlite_error(handle(), path());
  }
  return Statement(statement, path());
}

Result<std::int64_t> Connection::ask(const std::string& sql) {
  auto statement = prepare(sql);
  if (!statement) return std::move(statement).error();
  const auto row = statement->step();
  if (!row) return row.error();
  return *row ? statement->integer(0) : 0;
}

}  // namespace gantry::store
