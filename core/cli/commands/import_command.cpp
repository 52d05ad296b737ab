// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <ostream>

#include "core/cli/commands/commands.hpp"
#include "core/cli/commands/import_chunks.hpp"
#include "core/cli/commands/simple_command.hpp"
#include "core/cli/terminal/read_file.hpp"

namespace gantry::cli {

namespace {

constexpr std::size_t chunk_bytes = std::size_t{1} << 20;  // well under server.max_body_bytes
constexpr std::size_t file_bytes = std::size_t{1} << 30;
constexpr std::array<const char*, 4> counted_records{"services", "compute_nodes", "aggregates", "instances"};

// Sends the chunks and adds up what the daemon took.
class Import {
 public:
  Import(Session& session, bool keep_times) : session_(session), keep_times_(keep_times) {}

  Result<json::object> send(const std::vector<ImportChunk>& chunks) {
    for (const ImportChunk& chunk : chunks) all_ += chunk.rows;
    for (const ImportChunk& chunk : chunks) {
      auto answer = session_.call("import", {{"tables", chunk.tables}, {"keep_times", keep_times_}});
      if (!answer) {
        end_line();
        return chunks.size() == 1 ? std::move(answer).error() : std::move(answer).error().within(so_far());
      }
      if (answer->is_object()) add(answer->get_object(), chunk);
      done_ += chunk.rows;
      show(chunks.size());
    }
    end_line();
    json::object total;
    for (const char* name : counted_records) total[name] = counts_[name];
    total["skipped"] = skipped_;
    return total;
  }

 private:
  void add(const json::object& answer, const ImportChunk& chunk) {
    for (const char* name : counted_records) counts_[name] += json::find_integer(answer, name).value_or(0);
    if (const json::array* skipped = json::find_array(answer, "skipped"))
      for (const json::value& why : *skipped)
        skipped_.emplace_back(why.is_string() ? json::value(with_offset(std::string(why.get_string()), chunk.offsets))
                                              : why);
  }

  std::string so_far() const {
    std::string text = "after " + std::to_string(done_) + " of " + std::to_string(all_) + " rows (";
    for (const char* name : counted_records) {
      const auto count = counts_.find(name);
      text += std::string(name == counted_records[0] ? "" : ", ") + name + " " +
              std::to_string(count == counts_.end() ? 0 : count->second);
    }
    return text + " are imported; run the same import again for the rest)";
  }

  void show(std::size_t chunks) {
    if (!session_.shows_progress() || chunks == 1) return;
    const auto seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun_).count();
    const auto rate = seconds > 0 ? static_cast<std::int64_t>(static_cast<double>(done_) / seconds) : 0;
    session_.err() << "\rimported " << done_ << " of " << all_ << " rows, " << rate << " a second   " << std::flush;
    line_open_ = true;
  }
  void end_line() {
    if (std::exchange(line_open_, false)) session_.err() << '\n';
  }

  Session& session_;
  const bool keep_times_;
  const std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::size_t all_ = 0;
  std::size_t done_ = 0;
  std::map<std::string, std::int64_t> counts_;
  json::array skipped_;
  bool line_open_ = false;
};

}  // namespace

Result<int> import_hosts(Session& session, const Arguments& arguments) {
  const std::string name = arguments.text("FILE");
  auto text = read_file(session, name, file_bytes);
  if (!text) return std::move(text).error();
  auto tables = json::parse_object(*text);
  if (!tables) {
    Error error = std::move(tables).error();
    error.code = ErrorCode::invalid_argument;
    return std::move(error).within(name);
  }
  const json::object* inner = json::find_object(*tables, "tables");
  const auto chunks = import_chunks(inner == nullptr ? *tables : *inner, chunk_bytes);
  auto total = Import(session, arguments.flag("keep-times")).send(chunks);
  if (!total) return std::move(total).error();
  print_object(session, *total,
               {{"services", "services"},
                {"compute nodes", "compute_nodes"},
                {"aggregates", "aggregates"},
                {"instances", "instances"},
                {"skipped", "skipped"}});
  const auto took = [&total](const char* each) { return json::find_integer(*total, each).value_or(0) != 0; };
  if (std::ranges::any_of(counted_records, took)) return 0;
  return Error{ErrorCode::invalid_argument, name + ": nothing was taken of it", ""};
}

}  // namespace gantry::cli
