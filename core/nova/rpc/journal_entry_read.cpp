// SPDX-License-Identifier: Apache-2.0
//
// The lines of a journal, read by the next process.
#include <algorithm>
#include <utility>

#include "core/nova/rpc/journal_entry.hpp"

namespace gantry::nova {

namespace {

constexpr std::int64_t last_number = std::int64_t{1} << 53U;

std::string string_at(const json::object& members, std::string_view key) {
  return std::string(json::find_string(members, key).value_or(""));
}

std::int64_t time_at(const json::object& members, std::string_view key) {
  return json::find_integer(members, key).value_or(0);
}

RpcRequest request_of(const json::object& members) {
  RpcRequest request;
  request.method = string_at(members, "method");
  request.version = string_at(members, "version");
  if (const auto name = json::find_string(members, "namespace")) request.name_space = std::string(*name);
  if (const auto* args = json::find_object(members, "args")) request.args = *args;
  if (const auto* context = json::find_object(members, "context")) request.context = *context;
  return request;
}

JournalEntry entry_of(std::uint64_t number, const json::object& members) {
  constexpr std::int64_t longest_interval = 86'400'000;
  JournalEntry entry;
  entry.number = number;
  entry.caller.msg_id = string_at(members, "msg_id");
  entry.caller.reply_queue = string_at(members, "reply_queue");
  entry.caller.unique_id = string_at(members, "unique_id");
  const auto interval = time_at(members, "interval");
  entry.caller.heartbeat_interval =
      std::chrono::milliseconds(interval > 0 && interval <= longest_interval ? interval : 0);
  entry.reply_id = string_at(members, "reply_id");
  entry.heard_at = time_at(members, "at");
  entry.expires_at = time_at(members, "expires_at");
  entry.is_direct = json::find(members, "direct") != nullptr;
  if (const auto* request = json::find_object(members, "request")) entry.request = request_of(*request);
  return entry;
}

// Applies a line to a request that is open. False: the kind is unknown.
bool apply(const std::string& kind, const json::object& members, JournalEntry& entry) {
  if (kind == "acked") {
    entry.is_acked = true;
  } else if (kind == "heard") {
    entry.heard_at = time_at(members, "at");
  } else if (kind == "claimed") {
    entry.claims.push_back(string_at(members, "claim"));
  } else if (kind == "answered") {
    entry.reply = string_at(members, "body");
  } else if (kind == "given_back") {
    entry.claims.clear();
  } else if (kind == "taken_up") {
    ++entry.attempts;
  } else {
    return false;
  }
  return true;
}

Error refused_line(const std::string& fault) {
  return {ErrorCode::invalid_argument, fault, ""};
}

Result<void> no_head() {
  return refused_line("expected the head of a journal");
}

Result<void> read_recent(const json::object& members, JournalContents& contents) {
  const auto* ids = json::find_array(members, "unique_ids");
  if (ids == nullptr) return refused_line("expected a list of unique_ids");
  for (const auto& id : *ids)
    if (id.is_string()) contents.closed.emplace_back(id.get_string());
  return {};
}

Result<void> read_line(std::string_view line, JournalContents& contents) {
  const auto members = json::parse_object(line, json::stored_depth);
  if (!members) return members.error();
  const auto kind = string_at(*members, "kind");
  if (kind == "recent") return read_recent(*members, contents);
  const auto number = json::find_integer(*members, "number").value_or(0);
  if (number <= 0 || number > last_number)
    return refused_line("expected the number of a request, found " + std::to_string(number));
  const auto key = static_cast<std::uint64_t>(number);
  contents.last_number = std::max(contents.last_number, key);
  if (kind == "closed") {
    const auto closed = contents.open.extract(key);
    if (!closed.empty()) contents.closed.push_back(closed.mapped().entry.caller.unique_id);
    return {};
  }
  if (kind == "taken") {
    if (contents.open.contains(key)) return refused_line("request " + std::to_string(key) + " is taken twice");
    contents.open[key].entry = entry_of(key, *members);
  } else if (const auto found = contents.open.find(key); found != contents.open.end()) {
    if (!apply(kind, *members, found->second.entry)) return refused_line("expected a kind of line, found " + kind);
  } else {
    // A thread may note a claim while the request is being closed.
    return {};
  }
  contents.open[key].lines.append(line).push_back('\n');
  return {};
}

}  // namespace

Result<JournalContents> read_journal(std::string_view text) {
  JournalContents contents;
  const auto end = text.rfind('\n') + 1;  // 0 if there is none
  contents.is_torn = end != text.size();
  text = text.substr(0, end);
  for (std::size_t at = 0, count = 1; at < text.size(); ++count) {
    const auto line = text.substr(at, text.find('\n', at) - at);
    at += line.size() + 1;
    const bool is_head = line.size() + 1 == journal_head().size() && journal_head().starts_with(line);
    auto read = count > 1 ? read_line(line, contents) : is_head ? Result<void>() : no_head();
    if (!read) return std::move(read).error().within("line " + std::to_string(count));
  }
  return contents;
}

}  // namespace gantry::nova
