// SPDX-License-Identifier: Apache-2.0
#include "core/store/sqlite_schema_check.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "core/encoding/in_quotes.hpp"
#include "core/store/sqlite_schema.hpp"

namespace gantry::store {

namespace {

// A row of sqlite_schema.
struct SchemaObject {
  std::string name;
  std::string type;  // table, index, trigger, view
  std::string table;
  std::string sql;  // empty: an index that SQLite makes for a key

  bool operator==(const SchemaObject&) const = default;
};
using SchemaObjects = std::vector<SchemaObject>;

Error foreign(const Connection& connection, std::int64_t schema, const std::string& expected,
              const std::string& found) {
  return {ErrorCode::failed_precondition,
          "store " + connection.path() + ": damaged, or changed by another program: expected " + expected +
              " in schema " + std::to_string(schema) + ", found " + found +
              "; it was left as it is: find out who changed it, and put a backup in its place",
          {}};
}

// Memory may run out as a text is read. An empty text would then be taken for that of the file.
Result<std::string> text_of(const Connection& connection, const Statement& row, int column) {
  const auto text = row.text(column);
  if (text.data() == nullptr) return sqlite_error(connection.handle(), connection.path());
  return std::string(text);
}

Result<SchemaObject> object_of(const Connection& connection, const Statement& row) {
  SchemaObject object;
  int column = 0;
  for (auto* const into : {&object.name, &object.type, &object.table, &object.sql}) {
    auto text = text_of(connection, row, column++);
    if (!text) return std::move(text).error();
    *into = *std::move(text);
  }
  return object;
}

Result<SchemaObjects> objects_of(Connection& connection) {
  auto rows = connection.prepare("SELECT name, type, tbl_name, coalesce(sql, '') FROM sqlite_schema");
  if (!rows) return std::move(rows).error();
  SchemaObjects objects;
  for (;;) {
    const auto row = rows->step();
    if (!row) return row.error();
    if (!*row) break;
    auto object = object_of(connection, *rows);
    if (!object) return std::move(object).error();
    objects.push_back(*std::move(object));
  }
  std::ranges::sort(objects, {}, &SchemaObject::name);
  return objects;
}

Result<SchemaObjects> objects_made_for(std::int64_t schema) {
  auto made = Connection::open(":memory:");
  if (!made) return std::move(made).error();
  if (auto run = run_steps(*made, schema_steps(), 0, static_cast<int>(schema)); !run) return std::move(run).error();
  return objects_of(*made);
}

std::string described(const SchemaObject& object) {
  std::string text = in_quotes(object.type + " " + object.name);
  if (object.table != object.name) text += " on " + in_quotes(object.table);
  if (!object.sql.empty()) text += " (" + in_quotes(object.sql) + ")";
  return text;
}

Result<void> compare(const Connection& connection, std::int64_t schema, const SchemaObjects& expected,
                     const SchemaObjects& found) {
  const auto [wanted, there] = std::ranges::mismatch(expected, found);
  if (there == found.end() && wanted == expected.end()) return {};
  if (there != found.end()) {
    const auto same = std::ranges::find(expected, there->name, &SchemaObject::name);
    if (same == expected.end()) return foreign(connection, schema, "gantry's tables alone", described(*there));
    if (*same != *there) return foreign(connection, schema, described(*same), described(*there));
  }
  // The object is gantry's own: either a table before it is missing, or it is there twice.
  const auto missing = std::ranges::find_if(
      expected, [&found](const SchemaObject& object) { return std::ranges::find(found, object) == found.end(); });
  if (missing != expected.end()) return foreign(connection, schema, described(*missing), "none");
  return foreign(connection, schema, "one " + described(*there), "several");
}

Result<void> check_objects(Connection& connection, std::int64_t schema) {
  auto found = objects_of(connection);
  if (!found) return std::move(found).error();
  auto expected = objects_made_for(schema);
  if (!expected) return std::move(expected).error().within("store " + connection.path() + ": comparing its schema");
  return compare(connection, schema, *expected, *found);
}

// Two keys of another encoding could be one.
Result<void> check_encoding(Connection& connection, std::int64_t schema) {
  auto encoding = connection.prepare("PRAGMA encoding");
  if (!encoding) return std::move(encoding).error();
  const auto row = encoding->step();
  if (!row) return row.error();
  const auto found = text_of(connection, *encoding, 0);
  if (!found) return found.error();
  return *found == "UTF-8" ? Result<void>() : foreign(connection, schema, "encoding UTF-8", in_quotes(*found));
}

// A commit counts up, and times are added to.
Result<void> check_meta(Connection& connection, std::int64_t schema) {
  auto rows =
      connection.prepare("SELECT key, value FROM meta WHERE typeof(value) <> 'integer' OR value < 0 OR value > " +
                         std::to_string(most_commits) + " LIMIT 1");
  if (!rows) return std::move(rows).error();
  const auto row = rows->step();
  if (!row) return row.error();
  if (*row) {
    return foreign(
        connection, schema,
        "a number from 0 to " + std::to_string(most_commits) + " as " + in_quotes(rows->text(0)) + " of table 'meta'",
        in_quotes(rows->text(1)));
  }
  const auto counts = connection.ask("SELECT count(*) FROM meta WHERE key = 'commits'");
  if (!counts) return counts.error();
  if (*counts == 1) return {};
  return foreign(connection, schema, "one row 'commits' of table 'meta'", std::to_string(*counts));
}

}  // namespace

Result<void> check_schema_is_own(Connection& connection) {
  const auto schema = connection.ask("PRAGMA user_version");
  if (!schema) return schema.error();
  if (*schema < 0 || *schema > static_cast<std::int64_t>(schema_steps().size())) return {};
  if (auto checked = check_encoding(connection, *schema); !checked) return checked;
  if (auto checked = check_objects(connection, *schema); !checked) return checked;
  return *schema < first_schema_with_commits ? Result<void>() : check_meta(connection, *schema);
}

}  // namespace gantry::store
