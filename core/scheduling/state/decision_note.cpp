// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/decision_note.hpp"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/encoding/json.hpp"
#include "core/encoding/json_without.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::array<std::string_view, 3> outcomes{"placed", "no_valid_host", "failed"};

// Writes an object member by member. A JSON value for each would take several times as long.
class RecordWriter {
 public:
  RecordWriter& text(std::string_view key, std::string_view value) {
    begin(key);
    json::append_string(out_, value);
    return *this;
  }
  template <class Number>
  RecordWriter& number(std::string_view key, Number value) {
    begin(key);
    append(value);
    return *this;
  }
  RecordWriter& raw(std::string_view key, std::string_view json_text) {
    if (json_text.empty()) return *this;
    begin(key);
    out_ += json_text;
    return *this;
  }
  template <class Items, class Write>
  RecordWriter& list(std::string_view key, const Items& items, Write write) {
    if (items.empty()) return *this;
    begin(key);
    out_ += '[';
    for (const auto& item : items) {
      if (&item != &items.front()) out_ += ',';
      write(item);
    }
    out_ += ']';
    return *this;
  }
  void item(std::string_view value) { json::append_string(out_, value); }
  void item(const NotedStep& step) {
    out_ += '[';
    json::append_string(out_, step.name);
    comma(step.hosts_in);
    comma(step.hosts_out);
    out_ += ',';
    json::append_string(out_, step.reason);
    if (step.instance) comma(*step.instance);
    out_ += ']';
  }
  void item(const NotedPick& pick) {
    out_ += '[';
    append(pick.instance);
    comma(pick.row);
    out_ += ',';
    json::append_string(out_, pick.host);
    out_ += ',';
    json::append_string(out_, pick.node);
    if (pick.weight) {
      out_ += ',';
      json::append(out_, json::value(*pick.weight));
    }
    out_ += ']';
  }
  std::string take() {
    out_ += '}';
    return std::move(out_);
  }

 private:
  void begin(std::string_view key) {
    out_ += out_.size() > 1 ? ",\"" : "\"";
    out_.append(key).append("\":");
  }
  template <class Number>
  void append(Number value) {
    std::array<char, 24> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    out_.append(digits.data(), end);
  }
  template <class Number>
  void comma(Number value) {
    out_ += ',';
    append(value);
  }

  std::string out_ = "{";
};

bool is_kept_from_records(std::string_view key) {
  return key == "user_data" || key == "key_data";
}

// A request without what its user put into an instance: no method shows that, and the archive keeps records for long.
std::string without_user_data(const std::string& request) {
  if (request.find("user_data") == std::string::npos && request.find("key_data") == std::string::npos) return request;
  const auto object = json::parse_object(request, json::stored_depth);
  return object ? json::write_without(*object, is_kept_from_records) : std::string();
}

}  // namespace

std::string_view name_of(DecisionOutcome outcome) {
  return outcomes[static_cast<std::size_t>(outcome)];
}

std::optional<DecisionOutcome> decision_outcome(std::string_view name) {
  const auto found = std::find(outcomes.begin(), outcomes.end(), name);
  if (found == outcomes.end()) return std::nullopt;
  return static_cast<DecisionOutcome>(found - outcomes.begin());
}

std::string record_of(const DecisionNote& note) {
  RecordWriter record;
  const auto item = [&record](const auto& each) { record.item(each); };
  record.text("request_id", note.request_id).text("method", note.method).text("driver", note.driver);
  record.text("driver_version", note.driver_version).text("driver_sha256", note.driver_sha256);
  for (const auto& [key, value] : {std::pair<std::string_view, const std::string&>{"profile", note.profile},
                                   {"fallback_for", note.fallback_for},
                                   {"fallback_reason", note.fallback_reason}})
    if (!value.empty()) record.text(key, value);
  record.text("policy", note.policy).text("project_id", note.project_id).text("user_id", note.user_id);
  record.text("outcome", name_of(note.outcome)).number("num_instances", note.instances).number("placed", note.placed);
  record.number("hosts", note.hosts).number("microseconds", note.microseconds);
  record.text("seed", std::to_string(note.seed)).number("wanted_alternates", note.wanted_alternates);
  record.text("reason", note.reason);
  record.list("picks", note.picks, item).list("alternates", note.alternates, item).list("lost", note.lost, item);
  record.list("steps", note.steps, item);
  record.list("instance_uuids", note.instance_uuids, item);
  record.raw("group", note.group).raw("bounds", note.bounds).raw("authority", note.authority);
  record.raw("answers", note.answers);
  record.raw("filter_properties", without_user_data(note.filter_properties)).raw("context", note.context);
  record.raw("request", without_user_data(note.spec));
  return record.take();
}

std::vector<std::string> names_of(const DecisionNote& note) {
  std::vector<std::string> names;
  names.reserve(note.instance_uuids.size() + note.picks.size() + 2);
  for (const auto& uuid : note.instance_uuids) names.push_back(instance_name(uuid));
  for (const auto& pick : note.picks) names.push_back(host_name(pick.host));
  if (!note.project_id.empty()) names.push_back(project_name(note.project_id));
  if (!note.request_id.empty()) names.push_back(request_name(note.request_id));
  return names;
}

std::string instance_name(std::string_view uuid) {
  return "i" + std::string(uuid);
}

std::string host_name(std::string_view host) {
  return "h" + std::string(host);
}

std::string project_name(std::string_view project_id) {
  return "p" + std::string(project_id);
}

std::string request_name(std::string_view request_id) {
  return "r" + std::string(request_id);
}

}  // namespace gantry::scheduling
