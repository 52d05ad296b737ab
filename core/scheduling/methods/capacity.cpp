// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <optional>

#include "core/drivers/call/driver_call.hpp"
#include "core/scheduling/decision/counted_rows.hpp"
#include "core/scheduling/methods/called_driver.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::size_t most_flavors = 1000;

// The longest that one flavor is counted by deciding.
constexpr std::chrono::milliseconds longest_deciding{2'000};

enum class GroupedBy : std::uint8_t { nothing, zone, aggregate };

struct CapacityQuestion {
  std::vector<json::object> flavors;
  json::object request_spec;  // the rest of each request
  GroupedBy by = GroupedBy::nothing;
};

Error bad_flavors(const std::string& found) {
  return {ErrorCode::invalid_argument,
          "argument 'flavors': expected a list of 1 to " + std::to_string(most_flavors) + " objects, found " + found,
          {}};
}

Result<CapacityQuestion> read_question(const json::object& args) {
  CapacityQuestion question;
  const auto* given = json::find(args, "flavors");
  if (given == nullptr) return bad_flavors("none");
  // A query holds texts alone.
  json::value from_text;
  if (given->is_string()) {
    auto parsed = json::parse(std::string_view(given->get_string()), json::max_part_depth);
    if (!parsed) return bad_flavors(value_text(*given));
    from_text = *std::move(parsed);
    given = &from_text;
  }
  if (!given->is_array()) return bad_flavors(std::string(json::type_name(*given)));
  const auto& list = given->get_array();
  if (list.empty() || list.size() > most_flavors) return bad_flavors("a list of " + std::to_string(list.size()));
  for (const auto& flavor : list) {
    if (!flavor.is_object()) return bad_flavors("a list with " + value_text(flavor));
    question.flavors.push_back(flavor.get_object());
  }
  auto rest = optional_object(args, "request_spec");
  if (!rest) return std::move(rest).error();
  question.request_spec = *std::move(rest);
  for (const auto* key : {"num_instances", "instance_uuids", "flavor", "instance_type"})
    question.request_spec.erase(key);
  auto by = optional_text(args, "by");
  if (!by) return std::move(by).error();
  if (*by && **by != "zone" && **by != "aggregate")
    return Error{ErrorCode::invalid_argument, "argument 'by': expected zone or aggregate, found '" + **by + "'", {}};
  question.by = !*by ? GroupedBy::nothing : **by == "zone" ? GroupedBy::zone : GroupedBy::aggregate;
  return question;
}

// Returns the request for one instance of the flavor. It has at least empty extra specs and an image without properties,
// which Nova always sends.
json::object request_for(const CapacityQuestion& question, const json::object& flavor) {
  json::object spec = question.request_spec;
  spec["num_instances"] = 1;
  json::object whole = flavor;
  if (json::find(whole, "extra_specs") == nullptr) whole["extra_specs"] = json::object();
  spec["flavor"] = std::move(whole);
  if (json::find(spec, "image") == nullptr) spec["image"] = json::object{{"properties", json::object()}};
  return spec;
}

// A part of the fleet, and how many instances fit there.
struct Room {
  std::uint64_t count = 0;
  std::uint64_t hosts = 0;  // rows that take at least one
  bool is_unbounded = false;

  void add(std::uint64_t more) {
    hosts += more != 0 ? 1 : 0;
    is_unbounded = is_unbounded || more == CountedRows::any_number;
    if (!is_unbounded) count += more;
  }
};

json::object to_json(std::string_view name, const Room& room) {
  return {{"name", name},
          {"count", room.is_unbounded ? json::value() : json::value(room.count)},
          {"unbounded", room.is_unbounded},
          {"hosts", room.hosts}};
}

bool has_value(const gantry_column& column, std::uint32_t row) {
  return column.validity == nullptr || ((column.validity[row / 64] >> (row % 64)) & 1U) != 0;
}

const gantry_column* typed_column(const PinnedMoment& pinned, std::string_view name, std::int32_t type) {
  const auto* const column = pinned.moment.column(*pinned.view, name);
  return column != nullptr && column->type == type ? column : nullptr;
}

// The names of the groups that each row is in. A row may be in several aggregates, or in none: the group "".
class RowGroups {
 public:
  RowGroups(const PinnedMoment& pinned, GroupedBy by) : view_(*pinned.view), by_(by) {
    if (by == GroupedBy::zone) column_ = typed_column(pinned, "availability_zone", GANTRY_TYPE_STRING);
    if (by == GroupedBy::aggregate) column_ = typed_column(pinned, "aggregates", GANTRY_TYPE_SET);
  }

  template <class Visit>
  void each(std::uint32_t row, Visit&& visit) const {
    if (by_ == GroupedBy::nothing) return;
    const auto code = column_ != nullptr && has_value(*column_, row)
                          ? std::optional(static_cast<const std::uint32_t*>(column_->values)[row])
                          : std::nullopt;
    if (code && by_ == GroupedBy::zone)
      return visit(text(static_cast<const gantry_string*>(column_->dictionary)[*code]));
    const auto set = code ? static_cast<const gantry_slice*>(column_->dictionary)[*code] : gantry_slice{0, 0};
    for (std::uint32_t at = 0; at < set.count; ++at)
      visit(name_of(static_cast<const std::uint32_t*>(column_->elements)[set.begin + at]));
    if (set.count == 0) visit(std::string_view());
  }

 private:
  static std::string_view text(const gantry_string& text) { return {text.data, text.size}; }
  std::string_view name_of(std::uint32_t aggregate) const {
    const auto* const first = reinterpret_cast<const char*>(view_.aggregates);
    return text(
        reinterpret_cast<const gantry_aggregate*>(first + std::size_t{aggregate} * view_.aggregate_stride)->name);
  }

  const gantry_view& view_;
  GroupedBy by_;
  const gantry_column* column_ = nullptr;
};

json::object answer_for(const PinnedMoment& pinned, GroupedBy by, const CountedRows& counted, std::string_view flavor) {
  Room all;
  std::map<std::string, Room, std::less<>> rooms;
  const RowGroups groups(pinned, by);
  for (std::uint32_t row = 0; row < pinned.view->rows; ++row) {
    all.add(counted.counts[row]);
    groups.each(row, [&](std::string_view name) {
      const auto found = rooms.find(name);
      (found != rooms.end() ? found->second : rooms[std::string(name)]).add(counted.counts[row]);
    });
  }
  auto answer = to_json(flavor, all);
  answer["exact"] = counted.is_exact;
  answer["reason"] = counted.reason;
  json::array listed;
  for (const auto& [name, room] : rooms) listed.push_back(to_json(name, room));
  answer["groups"] = std::move(listed);
  return answer;
}

// Returns what the answer rests on beside the fleet, as text.
std::string key_of(const PinnedMoment& pinned, const ChosenDriver& chosen, const json::object& spec, GroupedBy by) {
  return std::string(chosen.profile) + "\n" + std::to_string(static_cast<int>(by)) + pinned.context.user_id() + "\n" +
         pinned.context.project_id() + "\n" + pinned.context.remote_address() + "\n" +
         pinned.instances->policy_of(*chosen.driver) + "\n" + json::write_canonical(spec);
}

// Whether no row has changed since the fleet of that generation, but for the times of its reports.
bool is_as_before(const PinnedMoment& pinned, std::uint64_t since) {
  std::array<std::uint32_t, 1> rows{};
  const auto changed = pinned.moment.rows_changed(*pinned.view, since, false, rows);
  return changed && *changed == 0;
}

// Counts the instances of one flavor, or finds the answer that is kept. `most_time` is for counting by deciding.
Result<json::object> count_flavor(State& state, const PinnedMoment& pinned, const Profiles& profiles,
                                  const CapacityQuestion& question, const json::object& flavor,
                                  std::chrono::nanoseconds most_time) {
  const auto plain = request_for(question, flavor);
  auto spec = parse_request_spec(plain, {}, {});
  if (!spec) return std::move(spec).error();
  const auto project = pinned.context.project_id();
  const auto chosen = profiles.choose(facts_of(*spec, nullptr, project, pinned.view), state.parts.drivers);
  if (!chosen) return chosen.error();
  auto& driver = *chosen->driver;
  auto key = key_of(pinned, *chosen, plain, question.by);
  const auto generation = pinned.view->generation;
  const auto kept = state.capacity_answers.find(key, generation,
                                                [&pinned](std::uint64_t since) { return is_as_before(pinned, since); });
  if (kept) {
    if (auto known = json::parse_object(*kept)) return *std::move(known);
  }
  if (spec->group || spec->hint("group") != nullptr) {
    return Error{ErrorCode::invalid_argument,
                 "request_spec: expected no server group, since members depend on each other's hosts; found one",
                 {}};
  }
  const auto name = spec->flavor;
  auto counted = count_rows(pinned, state, driver, *spec, std::chrono::steady_clock::now() + most_time);
  if (!counted) return std::move(counted).error();
  if (state.parts.authority != nullptr) {
    counted->is_exact = false;
    counted->reason = "counted by the driver alone: at most so many fit, for placement has a say in each request";
  }
  auto answer = answer_for(pinned, question.by, *counted, name);
  answer["driver"] = driver.manifest().id;
  if (!chosen->profile.empty()) answer["profile"] = chosen->profile;
  state.capacity_answers.put(key, generation, json::write(answer));
  return answer;
}

Outcome capacity(State& state, const MethodCall& call) {
  auto question = read_question(call.args);
  if (!question) return failed(std::move(question).error());
  auto driver = state.parts.drivers.require("compute");
  if (!driver) return failed(std::move(driver).error());
  auto now = Instant::now(state);
  const auto profiles = now.profiles;
  const PinnedMoment pinned(state, call, "compute", std::move(now));
  if (pinned.view == nullptr) return failed({ErrorCode::internal, "the fleet has no view of topic compute", {}});
  json::array answers;
  bool is_exact = true;
  for (const auto& flavor : question->flavors) {
    const std::chrono::nanoseconds left = pinned.deadline - std::chrono::steady_clock::now();
    const auto share = left / static_cast<std::int64_t>(question->flavors.size() - answers.size() + 1);
    const auto most_time = std::min<std::chrono::nanoseconds>(longest_deciding, share);
    auto answer = count_flavor(state, pinned, *profiles, *question, flavor, most_time);
    if (!answer) {
      const auto name = json::find_string(flavor, "name").value_or("");
      return failed(std::move(answer).error().within("flavor '" + std::string(name) + "'"));
    }
    is_exact = is_exact && json::find_bool(*answer, "exact").value_or(false);
    answers.push_back(*std::move(answer));
  }
  Outcome outcome;
  outcome.reply = json::value(json::object{{"flavors", std::move(answers)},
                                           {"driver", (*driver)->manifest().id},
                                           {"exact", is_exact},
                                           {"generation", pinned.view->generation}});
  return outcome;
}

}  // namespace

std::vector<Method> capacity_methods() {
  using enum ArgumentType;
  return {{.name = "capacity",
           .group = "scheduling",
           .effect = Effect::reads,
           .callers = readers_and_services,
           .summary =
               "How many more instances of each flavor fit: requests for one that would find a host, one after the "
               "other, each claiming what it takes.",
           .args = {required("flavors", any, "A list of flavors, as in a request spec.",
                             R"([{"name":"m1.small","vcpus":1,"memory_mb":2048,"root_gb":20}])"),
                    optional("by", text, "Also counts by availability zone or by aggregate.").one_of("zone|aggregate"),
                    optional("request_spec", object,
                             "What else each request says: availability_zone, image, numa_topology and so on.")},
           .result = "Capacity",
           .handle = capacity,
           .driver = compute_driver}};
}

}  // namespace gantry::scheduling
