// SPDX-License-Identifier: Apache-2.0
//
// A connection to a MySQL or MariaDB server. Its session only reads unless it is opened to write, sees one moment in each
// transaction, and has its times in UTC and its text in UTF-8. A connection is used by one thread at a time, and each call
// blocks.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "core/config/nova/urls/database_url.hpp"
#include "core/result.hpp"

struct st_mysql;

namespace gantry::nova {

using config::nova::DatabaseUrl;
using config::nova::filled_url;
using config::nova::parse_database_url;
using config::nova::place_of;
using config::nova::Tls;

// NULL, a whole number, a number or text. Dates and decimal numbers are text. The server promises no UTF-8 of a column
// that holds bytes.
using Value = std::variant<std::monostate, std::int64_t, double, std::string_view>;
// The values of a row in the order of the query. The text lives until the next row.
using Row = std::span<const Value>;
using TakeRow = std::function<void(Row)>;

// Bounds of a connection's calls. A URL may name other ones.
struct Timeouts {
  std::chrono::seconds connect{10};
  std::chrono::seconds read{60};  // for the first bytes of an answer, and again for more
  std::chrono::seconds write{60};
};

enum class Access { reads, writes };

// A row of more bytes than this ends the connection.
inline constexpr std::size_t max_row_bytes = std::size_t{64} << 20;

class Connection {
 public:
  // Fails with the server's own words, and never with the password: unavailable if the server does not answer,
  // permission_denied with the GRANT that lacks if the user may not use the database.
  static Result<Connection> open(const DatabaseUrl& url, Timeouts timeouts = {}, Access access = Access::reads);

  // Sends a statement and calls `take` with each row as it arrives. Fails with `unavailable` if the connection is lost,
  // with `deadline_exceeded` if the server was silent for too long: the connection is closed then. Fails with
  // `permission_denied`, `not_found` (a table or a column), `already_exists` (a row of the same key) or `internal` if the
  // server refuses the statement.
  Result<void> query(
      std::string_view sql, const TakeRow& take = [](Row) {});

  // Runs `work`, which only reads, in a transaction that sees the database at one moment.
  Result<void> in_snapshot(const std::function<Result<void>()>& work);

  // A connection that was lost stays closed. The caller opens another.
  bool is_open() const { return handle_ != nullptr; }

  // Returns the text as a literal of SQL with its quotes.
  std::string quoted(std::string_view text) const;
  // Returns "nova_api at db1:3306".
  const std::string& place() const { return place_; }

 private:
  struct Close {
    void operator()(st_mysql* handle) const;
  };
  using Handle = std::unique_ptr<st_mysql, Close>;

  Connection(Handle handle, std::string place, std::chrono::seconds read_timeout)
      : handle_(std::move(handle)), place_(std::move(place)), read_timeout_(read_timeout) {}

  Result<void> set_up(Access access);
  Result<void> read_rows(const TakeRow& take);
  Error failure(std::chrono::steady_clock::time_point began);

  Handle handle_;
  std::string place_;
  std::chrono::seconds read_timeout_;
  bool is_ending_ = false;  // the answer to the end of a transaction has not been read
};

}  // namespace gantry::nova
