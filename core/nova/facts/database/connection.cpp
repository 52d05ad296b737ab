// SPDX-License-Identifier: Apache-2.0
#include "core/nova/facts/database/connection.hpp"

#include <errmsg.h>
#include <mysql.h>
#include <mysqld_error.h>

#include <algorithm>
#include <charconv>
#include <utility>
#include <vector>

namespace gantry::nova {

namespace {

using Clock = std::chrono::steady_clock;

// The library's own state is made once, before threads make connections.
bool is_library_ready() {
  static const bool is_ready = mysql_library_init(0, nullptr, nullptr) == 0;
  return is_ready;
}

void set(MYSQL* handle, mysql_option option, std::chrono::seconds time) {
  const auto seconds = static_cast<unsigned int>(std::clamp<std::int64_t>(time.count(), 1, 86400));
  mysql_options(handle, option, &seconds);
}

void set(MYSQL* handle, mysql_option option, const std::string& text) {
  if (!text.empty()) mysql_options(handle, option, text.c_str());
}

void set(MYSQL* handle, mysql_option option, bool value) {
  const my_bool truth = value ? 1 : 0;
  mysql_options(handle, option, &truth);
}

void set_tls(MYSQL* handle, const Tls& tls) {
  // Set always: later releases of the library differ in what they take for granted.
  set(handle, MYSQL_OPT_SSL_ENFORCE, tls.is_wanted);
  set(handle, MYSQL_OPT_SSL_VERIFY_SERVER_CERT, tls.verifies_host);
  set(handle, MYSQL_OPT_SSL_CA, tls.ca);
  set(handle, MYSQL_OPT_SSL_CAPATH, tls.ca_path);
  set(handle, MYSQL_OPT_SSL_CERT, tls.certificate);
  set(handle, MYSQL_OPT_SSL_KEY, tls.key);
  set(handle, MARIADB_OPT_TLS_PASSPHRASE, tls.key_password);
  set(handle, MYSQL_OPT_SSL_CIPHER, tls.cipher);
}

void set_options(MYSQL* handle, const DatabaseUrl& url, const Timeouts& timeouts) {
  set(handle, MYSQL_OPT_CONNECT_TIMEOUT, timeouts.connect);
  set(handle, MYSQL_OPT_READ_TIMEOUT, timeouts.read);
  set(handle, MYSQL_OPT_WRITE_TIMEOUT, timeouts.write);
  set(handle, MYSQL_SET_CHARSET_NAME, std::string("utf8mb4"));
  const std::size_t most = max_row_bytes;
  mysql_options(handle, MYSQL_OPT_MAX_ALLOWED_PACKET, &most);
  const unsigned int no_files = 0;  // a server could ask for any file that the process may read
  mysql_options(handle, MYSQL_OPT_LOCAL_INFILE, &no_files);
  // The library takes "localhost" for a socket in the file system, Python's client for TCP.
  const unsigned int protocol = url.unix_socket.empty() ? MYSQL_PROTOCOL_TCP : MYSQL_PROTOCOL_SOCKET;
  mysql_options(handle, MYSQL_OPT_PROTOCOL, &protocol);
  mysql_optionsv(handle, MYSQL_OPT_CONNECT_ATTR_ADD, "program_name", "gantryd");
  set(handle, MYSQL_OPT_BIND, url.bind_address);
  set_tls(handle, url.tls);
}

ErrorCode code_of(unsigned int number) {
  switch (number) {
    case ER_ACCESS_DENIED_ERROR:
    case ER_DBACCESS_DENIED_ERROR:
    case ER_ACCESS_DENIED_NO_PASSWORD_ERROR:
    case ER_TABLEACCESS_DENIED_ERROR:
    case ER_COLUMNACCESS_DENIED_ERROR: return ErrorCode::permission_denied;
    case ER_BAD_DB_ERROR:
    case ER_NO_SUCH_TABLE:
    case ER_BAD_FIELD_ERROR: return ErrorCode::not_found;
    case ER_DUP_ENTRY: return ErrorCode::already_exists;
    case ER_CON_COUNT_ERROR:
    case ER_SERVER_SHUTDOWN:
    case ER_CONNECTION_KILLED: return ErrorCode::unavailable;
    default: return number >= CR_MIN_ERROR && number <= CR_MAX_ERROR ? ErrorCode::unavailable : ErrorCode::internal;
  }
}

std::string words_of(MYSQL* handle) {
  return std::string(mysql_error(handle)) + " (" + std::to_string(mysql_errno(handle)) + ")";
}

// The user whom the server refuses, as a GRANT names the user: 'nova'@'%'. Empty if the words do not say.
std::string user_in(std::string_view words) {
  constexpr std::string_view before = "for user ";
  const auto start = words.find(before);
  const auto end = words.find(" to database");
  if (start == std::string_view::npos || end == std::string_view::npos || end < start) return {};
  return std::string(words.substr(start + before.size(), end - start - before.size()));
}

Error not_opened(MYSQL* handle, const DatabaseUrl& url) {
  Error error{code_of(mysql_errno(handle)), "database " + place_of(url) + ": " + words_of(handle), {}};
  if (mysql_errno(handle) != ER_DBACCESS_DENIED_ERROR) return error;
  if (const auto user = user_in(mysql_error(handle)); !user.empty())
    error.message += "; lacking: GRANT SELECT ON `" + url.database + "`.* TO " + user;
  return error;
}

enum class Kind { whole, number, text };

Kind kind_of(const MYSQL_FIELD& field) {
  switch (field.type) {
    case MYSQL_TYPE_TINY:
    case MYSQL_TYPE_SHORT:
    case MYSQL_TYPE_INT24:
    case MYSQL_TYPE_LONG:
    case MYSQL_TYPE_LONGLONG: return Kind::whole;
    case MYSQL_TYPE_FLOAT:
    case MYSQL_TYPE_DOUBLE: return Kind::number;
    default: return Kind::text;
  }
}

template <class Number>
Value parsed_as(std::string_view text) {
  Number number{};
  const auto end = std::from_chars(text.data(), text.data() + text.size(), number);
  if (end.ec != std::errc() || end.ptr != text.data() + text.size()) return text;  // an unsigned number beyond int64
  return number;
}

Value value_of(Kind kind, const char* data, std::size_t size) {
  if (data == nullptr) return std::monostate();
  const std::string_view text(data, size);
  if (kind == Kind::whole) return parsed_as<std::int64_t>(text);
  return kind == Kind::number ? parsed_as<double>(text) : Value(text);
}

struct FreeResult {
  void operator()(MYSQL_RES* result) const { mysql_free_result(result); }
};

}  // namespace

void Connection::Close::operator()(st_mysql* handle) const {
  mysql_close(handle);
}

Result<Connection> Connection::open(const DatabaseUrl& url, Timeouts timeouts, Access access) {
  Handle handle(is_library_ready() ? mysql_init(nullptr) : nullptr);
  if (!handle) return Error{ErrorCode::resource_exhausted, "libmariadb cannot be started: no memory", {}};
  timeouts.connect = url.connect_timeout.value_or(timeouts.connect);
  timeouts.read = url.read_timeout.value_or(timeouts.read);
  timeouts.write = url.write_timeout.value_or(timeouts.write);
  set_options(handle.get(), url, timeouts);
  const bool is_socket = !url.unix_socket.empty();
  if (mysql_real_connect(handle.get(), is_socket ? nullptr : url.host.c_str(), url.user.c_str(), url.password.c_str(),
                         url.database.c_str(), url.port, is_socket ? url.unix_socket.c_str() : nullptr, 0) == nullptr)
    return not_opened(handle.get(), url);
  Connection connection(std::move(handle), place_of(url), timeouts.read);
  if (auto ready = connection.set_up(access); !ready) return std::move(ready).error();
  return connection;
}

Result<void> Connection::set_up(Access access) {
  for (const std::string_view statement :
       {"SET SESSION time_zone = '+00:00'", "SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ",
        access == Access::reads ? "SET SESSION TRANSACTION READ ONLY" : "SET SESSION TRANSACTION READ WRITE"}) {
    if (auto done = query(statement); !done) return done;
  }
  bool is_galera = false;
  auto asked = query("SHOW VARIABLES LIKE 'wsrep_on'", [&is_galera](Row row) {
    const auto* value = row.size() > 1 ? std::get_if<std::string_view>(&row[1]) : nullptr;
    is_galera = value != nullptr && *value == "ON";
  });
  // A node of a Galera cluster then answers a read after it has applied what the others had committed before.
  return asked && is_galera ? query("SET SESSION wsrep_sync_wait = 1") : std::move(asked);
}

Result<void> Connection::query(std::string_view sql, const TakeRow& take) {
  if (!is_open()) return Error{ErrorCode::unavailable, "database " + place_ + ": not connected", {}};
  const auto began = Clock::now();
  if (std::exchange(is_ending_, false) && mysql_read_query_result(handle_.get()) != 0) return failure(began);
  if (mysql_real_query(handle_.get(), sql.data(), sql.size()) != 0) return failure(began);
  return read_rows(take);
}

Result<void> Connection::read_rows(const TakeRow& take) {
  auto waited_since = Clock::now();
  // Row by row: a table is never in memory twice.
  std::unique_ptr<MYSQL_RES, FreeResult> result(mysql_use_result(handle_.get()));
  if (!result) return mysql_errno(handle_.get()) == 0 ? Result<void>() : failure(waited_since);
  const unsigned int count = mysql_num_fields(result.get());
  const MYSQL_FIELD* fields = mysql_fetch_fields(result.get());
  std::vector<Kind> kinds(count);
  std::transform(fields, fields + count, kinds.begin(), kind_of);
  std::vector<Value> values(count);
  while (MYSQL_ROW row = mysql_fetch_row(result.get())) {
    const unsigned long* sizes = mysql_fetch_lengths(result.get());
    for (unsigned int i = 0; i < count; ++i) values[i] = value_of(kinds[i], row[i], sizes[i]);
    take(values);
    waited_since = Clock::now();
  }
  result.reset();  // before failure(), which may close the connection that the result refers to
  return mysql_errno(handle_.get()) == 0 ? Result<void>() : failure(waited_since);
}

Error Connection::failure(Clock::time_point began) {
  const auto number = mysql_errno(handle_.get());
  Error error{code_of(number), "database " + place_ + ": ", {}};
  const bool is_lost = number == CR_SERVER_LOST || number == CR_SERVER_GONE_ERROR;
  if (is_lost && Clock::now() - began >= read_timeout_) {
    error.code = ErrorCode::deadline_exceeded;
    error.message += "no answer within " + std::to_string(read_timeout_.count()) + " s: ";
  }
  error.message += words_of(handle_.get());
  if (error.code == ErrorCode::unavailable || error.code == ErrorCode::deadline_exceeded) {
    handle_.reset();
  }
  return error;
}

Result<void> Connection::in_snapshot(const std::function<Result<void>()>& work) {
  if (auto begun = query("START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY"); !begun) return begun;
  auto done = work();
  if (!is_open()) return done;
  // The rows are read. The answer to this is read before the next query.
  const std::string_view end = done ? "COMMIT" : "ROLLBACK";
  const auto began = Clock::now();
  is_ending_ = mysql_send_query(handle_.get(), end.data(), end.size()) == 0;
  if (done && !is_ending_) return failure(began);
  return done;
}

std::string Connection::quoted(std::string_view text) const {
  std::string out(text.size() * 2 + 1, '\0');
  const auto size = is_open() ? mysql_real_escape_string(handle_.get(), out.data(), text.data(), text.size()) : 0;
  out.resize(std::min<std::size_t>(size, out.size()));
  return "'" + out + "'";
}

}  // namespace gantry::nova
