// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/journal_entry.hpp"

#include <algorithm>
#include <array>
#include <chrono>

#include "core/encoding/json_without.hpp"

namespace gantry::nova {

namespace {

// A caller that has said nothing of its patience waits as long as rpc_response_timeout has it.
constexpr std::int64_t usual_patience = 60'000;

bool is_secret(std::string_view key) {
  constexpr std::array<std::string_view, 6> secrets{"auth_token",          "admin_password", "admin_pass",
                                                    "database_connection", "transport_url",  "injected_files"};
  return std::find(secrets.begin(), secrets.end(), key) != secrets.end();
}

std::string line_of(std::string_view kind, std::uint64_t number, json::object members = {}) {
  members["kind"] = kind;
  members["number"] = number;
  return json::write_without(members, is_secret) + "\n";
}

json::object json_of(const RpcRequest& request) {
  json::object object{
      {"method", request.method}, {"version", request.version}, {"args", request.args}, {"context", request.context}};
  if (request.name_space) object["namespace"] = *request.name_space;
  return object;
}

}  // namespace

std::int64_t wall_clock() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

bool Patience::lasts_at(std::int64_t now) const {
  if (expires_at != 0 && now >= expires_at) return false;
  if (monitored == 0 && expires_at != 0) return true;
  return now < heard_at + (monitored == 0 ? usual_patience : monitored);
}

Patience patience_of(const JournalEntry& entry) {
  return {entry.heard_at, entry.expires_at, 2 * entry.caller.heartbeat_interval.count()};
}

std::string journal_head() {
  return "{\"kind\":\"journal\",\"version\":1}\n";
}

std::string taken_line(const JournalEntry& entry) {
  const auto& caller = entry.caller;
  json::object members{{"at", entry.heard_at},          {"expires_at", entry.expires_at},
                       {"msg_id", caller.msg_id},       {"reply_queue", caller.reply_queue},
                       {"unique_id", caller.unique_id}, {"interval", caller.heartbeat_interval.count()},
                       {"reply_id", entry.reply_id}};
  if (entry.is_direct) members["direct"] = true;
  if (entry.request) members["request"] = json_of(*entry.request);
  return line_of("taken", entry.number, std::move(members));
}

std::string acked_line(std::uint64_t number) {
  return line_of("acked", number);
}
std::string heard_line(std::uint64_t number, std::int64_t at) {
  return line_of("heard", number, {{"at", at}});
}
std::string claimed_line(std::uint64_t number, std::string_view claim) {
  return line_of("claimed", number, {{"claim", claim}});
}
std::string answered_line(std::uint64_t number, std::string_view body) {
  return line_of("answered", number, {{"body", body}});
}
std::string given_back_line(std::uint64_t number) {
  return line_of("given_back", number);
}
std::string taken_up_line(std::uint64_t number) {
  return line_of("taken_up", number);
}
std::string closed_line(std::uint64_t number) {
  return line_of("closed", number);
}
std::string recent_line(const std::deque<std::string>& unique_ids) {
  return json::write(
             json::object{{"kind", "recent"}, {"unique_ids", json::array(unique_ids.begin(), unique_ids.end())}}) +
         "\n";
}

}  // namespace gantry::nova
