// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/level_search.hpp"

#include <charconv>
#include <map>
#include <utility>

#include "core/encoding/json.hpp"
#include "core/nova/check/finding.hpp"
#include "core/nova/facts/api_reader.hpp"
#include "core/nova/facts/database/connection.hpp"
#include "core/nova/rpc/configured.hpp"

namespace gantry::nova {

namespace {

// Services of controllers and computes. Rows of services that are forced down do not count, as for Nova's own check.
constexpr std::string_view services_query =
    "SELECT `binary`, host, version FROM services WHERE deleted = 0 AND forced_down = 0 AND version > 0 AND `binary` "
    "IN "
    "('nova-compute', 'nova-conductor', 'nova-osapi_compute', 'nova-scheduler')";
constexpr std::string_view compute_id_query =
    "SELECT COUNT(*) FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name = 'instances' AND "
    "column_name = 'compute_id'";
constexpr std::string_view stored_query = "SELECT spec FROM request_specs ORDER BY id DESC LIMIT 20";

// The n of "1.n".
std::optional<std::int64_t> minor_of(std::string_view version) {
  constexpr std::string_view major = "1.";
  if (!version.starts_with(major)) return std::nullopt;
  std::int64_t minor = 0;
  const auto* const end = version.data() + version.size();
  const auto read = std::from_chars(version.data() + major.size(), end, minor);
  if (read.ec != std::errc() || read.ptr != end) return std::nullopt;
  return minor;
}

// An object of Nova within another: {"nova_object.name": ..., "nova_object.data": {...}}.
const json::object* member(const json::object* object, std::string_view name) {
  const auto* data = object == nullptr ? nullptr : json::find_object(*object, "nova_object.data");
  return data == nullptr ? nullptr : json::find_object(*data, name);
}

class Search {
 public:
  explicit Search(const config::NovaSettings& settings) : settings_(settings) {}

  Result<SearchedLevel> run() && {
    const bool has_own = !settings_.database_connection.empty();
    const bool has_api = !settings_.api_database_connection.empty();
    if (!has_own && !has_api)
      return Error{ErrorCode::not_found, "expected [database] or [api_database] connection, found neither", ""};
    if (has_own)
      if (auto done = read_services(parse_database_url(settings_.database_connection)); !done)
        return std::move(done).error().within("[database] connection");
    if (has_api)
      if (auto done = read_api(); !done) return std::move(done).error().within("[api_database] connection");
    for (auto& [key, hosts] : services_) signs_.services.push_back({key.first, key.second, std::move(hosts)});
    result_.found = found_level(signs_);
    return std::move(result_);
  }

 private:
  static Result<Connection> opened(const Result<DatabaseUrl>& url) {
    if (!url) return url.error();
    return Connection::open(*url, {step_limit, step_limit, step_limit});
  }

  Result<void> read_api() {
    auto connection = opened(parse_database_url(settings_.api_database_connection));
    if (!connection) return std::move(connection).error();
    const auto facts = ApiReader().load(*connection);
    if (!facts) return facts.error();
    read_stored(*connection);
    for (const auto& cell : facts->cells) {
      if (cell.is_disabled) continue;
      const auto done = read_services(url_of(cell, settings_.database_connection));
      if (!done)
        result_.warnings.push_back("cell " + cell.name +
                                   " is not counted, for it cannot be read: " + done.error().message);
    }
    return {};
  }

  Result<void> read_services(const Result<DatabaseUrl>& url) {
    if (url && !seen_.insert(place_of(*url)).second) return {};
    auto connection = opened(url);
    if (!connection) return std::move(connection).error();
    auto done = connection->query(services_query, [this](Row row) { take_service(row); });
    if (!done) return done;
    return read_schema(*connection);
  }

  // A row of nova-scheduler under this machine's name may be Gantry's, which says what the conductors said when it began.
  void take_service(Row row) {
    const auto* binary = std::get_if<std::string_view>(&row[0]);
    const auto* host = std::get_if<std::string_view>(&row[1]);
    const auto* version = std::get_if<std::int64_t>(&row[2]);
    if (binary == nullptr || version == nullptr) return;
    const std::string name(host == nullptr ? "" : *host);
    if (*binary == "nova-scheduler" && name == host_of(settings_)) return;
    services_[{std::string(*binary), *version}].push_back(name);
  }

  // A user without SELECT on alembic_version sees the columns alone.
  Result<void> read_schema(Connection& connection) {
    CellSchema schema;
    schema.place = connection.place();
    auto done = connection.query(compute_id_query, [&schema](Row row) {
      const auto* count = std::get_if<std::int64_t>(&row[0]);
      schema.has_compute_id = count != nullptr && *count > 0;
    });
    if (!done) return done;
    static_cast<void>(connection.query("SELECT version_num FROM alembic_version", [&schema](Row row) {
      if (const auto* text = std::get_if<std::string_view>(&row[0])) schema.revision = *text;
    }));
    signs_.schemas.push_back(std::move(schema));
    return {};
  }

  // A sign more, which may be missing.
  void read_stored(Connection& connection) {
    static_cast<void>(connection.query(stored_query, [this](Row row) {
      const auto* text = std::get_if<std::string_view>(&row[0]);
      const auto spec = text == nullptr ? Result<json::object>(Error{}) : json::parse_object(*text);
      const auto* properties = spec ? member(member(&*spec, "image"), "properties") : nullptr;
      if (properties == nullptr) return;
      const auto version = minor_of(json::find_string(*properties, "nova_object.version").value_or(""));
      if (version) signs_.stored_images.insert(*version);
    }));
  }

  const config::NovaSettings& settings_;
  std::map<std::pair<std::string, std::int64_t>, std::vector<std::string>> services_;
  std::set<std::string> seen_;  // databases
  LevelSigns signs_;
  SearchedLevel result_;
};

}  // namespace

Result<SearchedLevel> search_level(const config::NovaSettings& settings) {
  return Search(settings).run();
}

}  // namespace gantry::nova
