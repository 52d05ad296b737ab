// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/decision_notes.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace gantry::scheduling {

namespace {

constexpr std::size_t digits_of_word = 16;

// Bitmaps are long runs of equal digits, mostly, which compress well.
std::string bitmap_text(const std::vector<std::uint64_t>& words) {
  std::string text(words.size() * digits_of_word, '0');
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::array<char, digits_of_word> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), words[i], 16).ptr;
    const auto count = static_cast<std::size_t>(end - digits.data());
    std::copy(digits.data(), end, text.data() + (i + 1) * digits_of_word - count);
  }
  return text;
}

std::vector<std::uint64_t> read_bitmap(std::string_view text) {
  std::vector<std::uint64_t> words(text.size() / digits_of_word);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto digits = text.substr(i * digits_of_word, digits_of_word);
    std::from_chars(digits.data(), digits.data() + digits.size(), words[i], 16);
  }
  return words;
}

class Noting {
 public:
  explicit Noting(const InstanceDecision& decision) : decision_(decision) {}

  NotedPick pick(std::size_t instance, const Choice& choice) const {
    auto noted = row(static_cast<std::uint32_t>(instance), choice.row);
    noted.weight = choice.weight;
    return noted;
  }
  NotedPick row(std::uint32_t instance, std::uint32_t row) const {
    const auto name = decision_.pinned.moment.row_name(*decision_.pinned.view, row);
    return {instance, row, std::string(name.host), std::string(name.node), {}};
  }

 private:
  const InstanceDecision& decision_;
};

DecisionOutcome outcome_of(const Error& error) {
  return error.code == ErrorCode::no_valid_host ? DecisionOutcome::no_valid_host : DecisionOutcome::failed;
}

DecisionOutcome outcome_of(const InstanceRequest& request, const InstanceDecision& decision, const Error* error) {
  if (error != nullptr) return outcome_of(*error);
  return decision.sink->placed() < request.spec.num_instances ? DecisionOutcome::no_valid_host
                                                              : DecisionOutcome::placed;
}

void note_choices(DecisionNote& note, const InstanceRequest& request, const InstanceDecision& decision) {
  const Noting noting(decision);
  const auto& placements = decision.sink->placements();
  for (std::size_t i = 0; i < placements.size(); ++i) {
    if (placements[i].pick) note.picks.push_back(noting.pick(i, *placements[i].pick));
    for (const auto& alternate : placements[i].alternates) note.alternates.push_back(noting.pick(i, alternate));
  }
  for (const auto* lost : {&decision.sink->lost_picks(), &request.lost}) {
    for (const auto& [instance, row] : *lost) note.lost.push_back(noting.row(instance, row));
  }
  for (const auto& step : decision.sink->steps())
    note.steps.push_back({step.name, step.hosts_in, step.hosts_out, step.reason, step.instance});
}

void note_request(DecisionNote& note, const MethodCall& call, const InstanceRequest& request,
                  const RequestContext& context) {
  note.method = call.method;
  note.request_id = call.request_id;
  note.project_id = request.spec.project_id.empty() ? context.project_id() : request.spec.project_id;
  note.user_id = request.spec.user_id.empty() ? context.user_id() : request.spec.user_id;
  note.context = context.text();
  note.spec = request.spec.original;
  note.filter_properties = json::write(request.spec.filter_properties);
  note.instance_uuids = request.spec.instance_uuids;
  note.instances = request.spec.num_instances;
  note.wanted_alternates = request.alternates;
  if (request.bounds) note.bounds = bounds_text(*request.bounds);
}

void note_driver(DecisionNote& note, const drivers::Driver& driver, const drivers::DriverInstances& instances) {
  note.driver = driver.manifest().id;
  note.driver_version = driver.manifest().version;
  note.driver_sha256 = driver.file().sha256;
  note.policy = instances.policy_of(driver);
}

json::array numbers_json(const std::vector<std::uint32_t>& numbers) {
  return json::array(numbers.begin(), numbers.end());
}

// Each slice is two numbers.
json::array slices_json(const std::vector<gantry_slice>& slices) {
  json::array numbers;
  numbers.reserve(2 * slices.size());
  for (const auto& slice : slices) {
    numbers.push_back(slice.begin);
    numbers.push_back(slice.count);
  }
  return numbers;
}

// The candidates of thousands of hosts would take megabytes in the record of each decision.
bool are_kept(const CandidateTable& table) {
  constexpr std::size_t most_numbers = 8'192;
  return table.providers.size() + table.sets.size() + table.choices.size() <= most_numbers;
}

json::object candidates_json(const CandidateTable& table) {
  json::array providers;
  providers.reserve(table.providers.size());
  for (std::size_t at = 0; at < table.providers.size(); ++at) providers.emplace_back(table.providers[at]);
  return {{"groups", json::array(table.groups.begin(), table.groups.end())},
          {"providers", std::move(providers)},
          {"rooms", numbers_json(table.rooms)},
          {"rows", slices_json(table.rows)},
          {"sets", slices_json(table.sets)},
          {"choices", numbers_json(table.choices)}};
}

std::vector<std::uint32_t> numbers_of(const json::object& object, std::string_view key) {
  std::vector<std::uint32_t> numbers;
  if (const auto* list = json::find_array(object, key)) {
    for (const auto& item : *list) {
      boost::system::error_code inexact;
      numbers.push_back(item.to_number<std::uint32_t>(inexact));
    }
  }
  return numbers;
}

std::vector<gantry_slice> slices_of(const json::object& object, std::string_view key) {
  const auto numbers = numbers_of(object, key);
  std::vector<gantry_slice> slices;
  for (std::size_t at = 0; at + 1 < numbers.size(); at += 2) slices.push_back({numbers[at], numbers[at + 1]});
  return slices;
}

std::vector<std::string> texts_of(const json::object& object, std::string_view key) {
  std::vector<std::string> texts;
  if (const auto* list = json::find_array(object, key)) {
    for (const auto& item : *list) {
      if (item.is_string()) texts.emplace_back(std::string_view(item.get_string()));
    }
  }
  return texts;
}

// Returns nullopt for a table that refers to something outside itself.
std::optional<CandidateTable> read_candidates(const json::object& table) {
  CandidateTable read;
  read.groups = texts_of(table, "groups");
  for (const auto& each : texts_of(table, "providers")) read.providers.push_back(each);
  read.rooms = numbers_of(table, "rooms");
  read.rows = slices_of(table, "rows");
  read.sets = slices_of(table, "sets");
  read.choices = numbers_of(table, "choices");
  return read.is_sound() ? std::optional(std::move(read)) : std::nullopt;
}

}  // namespace

DecisionNote note_of(const MethodCall& call, const InstanceRequest& request, const InstanceDecision& decision,
                     const Error* error) {
  DecisionNote note;
  note.time = decision.pinned.now;
  note.seed = decision.pinned.seed;
  note.moment = decision.pinned.moment.number();
  note.hosts = decision.pinned.view->rows;
  note.microseconds = decision.microseconds;
  note.outcome = outcome_of(request, decision, error);
  note.placed = error == nullptr ? decision.sink->placed() : 0;
  if (note.outcome != DecisionOutcome::placed)
    note.reason = note.outcome == DecisionOutcome::failed ? error->message : decision.reason;
  note_driver(note, *decision.driver, *decision.pinned.instances);
  note.profile = decision.profile;
  note.fallback_for = decision.fallback_for;
  note.fallback_reason = decision.fallback_reason;
  note_request(note, call, request, decision.pinned.context);
  if (decision.group) note.group = group_text(*decision.group);
  if (decision.questions) note.answers = answers_text(decision.questions->answers());
  note_choices(note, request, decision);
  return note;
}

DecisionNote note_of_refusal(const State& state, const MethodCall& call, const InstanceRequest& request,
                             const Error& error) {
  DecisionNote note;
  note.time = now_nanoseconds();
  note.outcome = outcome_of(error);
  // The message is the caller's; an authority may say more to operators.
  const auto details = json::parse_object(error.details.empty() ? "{}" : error.details);
  note.reason = details ? json::find_string(*details, "reason").value_or(error.message) : error.message;
  if (const auto driver = state.parts.drivers.require("compute"))
    note_driver(note, **driver, *state.parts.drivers.in_use());
  note_request(note, call, request, RequestContext(call.context, call.request_id));
  return note;
}

std::string group_text(const RequestedGroup& group) {
  json::object text{{"uuid", group.uuid}, {"name", group.name}, {"policy", group.policy}, {"rules", group.rules}};
  text["members"] = json::array(group.members.begin(), group.members.end());
  text["hosts"] = json::array(group.hosts.begin(), group.hosts.end());
  return json::write(text);
}

RequestedGroup read_group(const json::object& group) {
  const auto text = [&group](std::string_view key) { return std::string(json::find_string(group, key).value_or("")); };
  RequestedGroup read;
  read.uuid = text("uuid");
  read.name = text("name");
  read.policy = text("policy");
  read.rules = text("rules");
  read.members = texts_of(group, "members");
  read.hosts = texts_of(group, "hosts");
  return read;
}

bool lacks_candidates(const json::object& bounds) {
  return json::find_bool(bounds, "lacks_candidates").value_or(false);
}

std::string bounds_text(const RowBounds& bounds) {
  json::object text{{"eligible", bitmap_text(bounds.eligible)},
                    {"claimable", bitmap_text(bounds.claimable)},
                    {"reason", bounds.reason}};
  if (bounds.candidates && are_kept(*bounds.candidates))
    text["candidates"] = candidates_json(*bounds.candidates);
  else if (bounds.candidates)
    text["lacks_candidates"] = true;
  return json::write(text);
}

RowBounds read_bounds(const json::object& bounds) {
  const auto text = [&bounds](std::string_view key) { return json::find_string(bounds, key).value_or(""); };
  RowBounds read{read_bitmap(text("eligible")), read_bitmap(text("claimable")), std::string(text("reason"))};
  if (const auto* candidates = json::find_object(bounds, "candidates")) read.candidates = read_candidates(*candidates);
  return read;
}

}  // namespace gantry::scheduling
