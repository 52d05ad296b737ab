// SPDX-License-Identifier: Apache-2.0
#include <charconv>

#include "core/scheduling/methods/called_driver.hpp"
#include "core/scheduling/methods/list_page.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/past/past_decision.hpp"
#include "core/scheduling/past/relaxations.hpp"
#include "core/scheduling/past/why_not.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/request/explain_wish.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::int64_t usual_page = 100;
constexpr std::int64_t greatest_page = 1000;

Result<std::optional<std::int64_t>> read_time(const json::object& args, std::string_view name) {
  const auto* given = json::find(args, name);
  if (given == nullptr) return std::optional<std::int64_t>();
  constexpr std::int64_t nanoseconds = 1'000'000'000;
  if (given->is_number()) return std::optional(static_cast<std::int64_t>(given->to_number<double>() * nanoseconds));
  if (given->is_string()) {
    if (const auto time = parse_time(given->get_string())) return time;
  }
  return wrong_type(name, "a time in ISO 8601, or seconds since 1970", *given);
}

Result<store::ArchiveQuery> read_query(const json::object& args) {
  auto filters = read_filters(args, {"instance_uuid", "host", "project_id", "request_id", "outcome"});
  if (!filters) return std::move(filters).error();
  if (auto checked = check_choice(*filters, "outcome", {"placed", "no_valid_host", "failed"}); !checked)
    return std::move(checked).error();
  store::ArchiveQuery query;
  if (const auto uuid = filters->wanted("instance_uuid")) query.names.push_back(instance_name(*uuid));
  if (const auto host = filters->wanted("host")) query.names.push_back(host_name(*host));
  if (const auto project = filters->wanted("project_id")) query.names.push_back(project_name(*project));
  if (const auto request = filters->wanted("request_id")) query.names.push_back(request_name(*request));
  if (const auto outcome = filters->wanted("outcome"))
    query.outcome = static_cast<std::int64_t>(*decision_outcome(*outcome));
  for (const auto& [name, into] : {std::pair{"since", &query.since}, std::pair{"until", &query.until}}) {
    auto time = read_time(args, name);
    if (!time) return std::move(time).error();
    *into = *time;
  }
  auto limit = optional_integer(args, "limit", usual_page, 1, greatest_page);
  if (!limit) return std::move(limit).error();
  query.limit = static_cast<std::size_t>(*limit);
  return query;
}

Outcome list_decisions(State& state, const MethodCall& call) {
  auto query = read_query(call.args);
  if (!query) return failed(std::move(query).error());
  auto wish = read_page(call.args);
  if (!wish) return failed(std::move(wish).error());
  if (wish->marker) {
    std::int64_t before = 0;
    const auto& text = *wish->marker;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), before);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return failed(no_such_marker(text));
    query->before = before;
  }
  auto archive = state.decisions.archive();
  if (!archive) return failed(std::move(archive).error());
  auto found = (*archive)->list(*query);
  if (!found) return failed(std::move(found).error());
  PageText page(query->limit);
  for (auto kept = found->begin(); kept != found->end() && !page.is_full(); ++kept) {
    auto past = read_past(*kept);
    if (!past) return failed(std::move(past).error());
    page.add(summary_of(*past));
  }
  return std::move(page).outcome();
}

Result<PastDecision> asked_decision(State& state, const json::object& args) {
  auto uuid = optional_text(args, "instance_uuid");
  if (!uuid) return std::move(uuid).error();
  std::optional<std::int64_t> id;
  if (json::find(args, "id") != nullptr) {
    auto given = optional_integer(args, "id", 0, 1, std::numeric_limits<std::int64_t>::max());
    if (!given) return std::move(given).error();
    id = *given;
  }
  if (id.has_value() == uuid->has_value())
    return Error{ErrorCode::invalid_argument, "expected one of the arguments 'id' and 'instance_uuid'", {}};
  return find_past(state, id, uuid->value_or(""));
}

// Returns which of the decision's instances the argument `instance` names, or else the argument `otherwise`. nullopt:
// none is named.
Result<std::optional<std::uint32_t>> asked_instance(const PastDecision& past, const json::object& args,
                                                    std::string_view otherwise = {}) {
  auto named = optional_text(args, "instance");
  if (!named) return std::move(named).error();
  if (!*named && !otherwise.empty()) {
    named = optional_text(args, otherwise);
    if (!named) return std::move(named).error();
  }
  if (!*named) return std::optional<std::uint32_t>();
  const auto* uuids = json::find_array(past.record, "instance_uuids");
  const auto count = uuids == nullptr ? 0 : uuids->size();
  for (std::size_t at = 0; at < count; ++at)
    if ((*uuids)[at] == json::value(**named)) return std::optional(static_cast<std::uint32_t>(at));
  return Error{
      ErrorCode::not_found, "decision " + std::to_string(past.id) + " is about no instance '" + **named + "'", {}};
}

// Returns those members of a list that are about one instance: by their number or uuid, or about all.
json::array of_instance(json::array list, const PastDecision& past, std::uint32_t instance) {
  const auto* uuids = json::find_array(past.record, "instance_uuids");
  json::array kept;
  for (auto& item : list) {
    const auto& object = item.get_object();
    const auto number = json::find_integer(object, "instance");
    const auto* uuid = json::find(object, "instance_uuid");
    if (number && *number != static_cast<std::int64_t>(instance)) continue;
    if (uuid != nullptr && uuids != nullptr && *uuid != (*uuids)[instance]) continue;
    kept.push_back(std::move(item));
  }
  return kept;
}

// The explanations of hosts stand as text in the decision, or in the details of a refusal.
std::string explanations_of(const Again& again) {
  if (again.decision) {
    std::string text;
    if (const auto* explanations = again.decision->sink->host_explanations()) explanations->append_to(text);
    return text;
  }
  auto details = json::parse_object(again.refusal->details, json::stored_depth);
  const auto* instances = details ? json::find(*details, "instances") : nullptr;
  return instances != nullptr ? json::write(*instances) : std::string();
}

// The best hosts of one instance with their weights, as the explanations name them. Empty: the driver explains no hosts.
json::array leaders_in(const std::string& explanations, std::size_t instance) {
  constexpr std::size_t most = 10;
  json::array leaders;
  const auto instances = json::parse(explanations, json::stored_depth);
  if (!instances || !instances->is_array() || instances->get_array().size() <= instance) return leaders;
  const auto* hosts = json::find_array(instances->get_array()[instance].get_object(), "hosts");
  for (std::size_t i = 0; hosts != nullptr && i < hosts->size() && leaders.size() < most; ++i) {
    const auto& host = (*hosts)[i].get_object();
    if (!json::find_integer(host, "rank")) continue;
    json::object leader{{"host", host.at("host")}, {"node", host.at("node")}};
    if (const auto* weight = json::find(host, "weight")) leader["weight"] = *weight;
    leaders.push_back(std::move(leader));
  }
  return leaders;
}

// The list of explanations with that instance's alone.
std::string only_instance(const std::string& explanations, std::size_t instance) {
  auto instances = json::parse(explanations, json::stored_depth);
  if (!instances || !instances->is_array() || instances->get_array().size() <= instance) return explanations;
  return json::write(json::value(json::array{std::move(instances->get_array()[instance])}));
}

std::vector<Relaxation> relaxations_of(State& state, const PastDecision& past, const PastInput& input,
                                       const InstanceRequest& request) {
  // The rows that an authority leaves to another request are not known.
  if (past.text("outcome") != "no_valid_host" || request.bounds) return {};
  return relaxations(state, input.call, request.spec, request.group_before, input.at);
}

Outcome show_decision(State& state, const MethodCall& call) {
  auto past = asked_decision(state, call.args);
  if (!past) return failed(std::move(past).error());
  auto wish = read_explain(call.args);
  if (!wish) return failed(std::move(wish).error());
  auto instance = asked_instance(*past, call.args);
  if (!instance) return failed(std::move(instance).error());
  auto shown = shown_past(*past);
  const bool tells_hosts = wish->explain_hosts != GANTRY_EXPLAIN_NONE;
  AgainWish again_wish{.explain_hosts = wish->explain_hosts};
  constexpr std::size_t enough_for_leaders = std::size_t{32} << 10;
  if (!tells_hosts) again_wish = {.explain_hosts = GANTRY_EXPLAIN_HOSTS, .most_explained_bytes = enough_for_leaders};
  std::string explanations;
  bool has_leaders = false;
  json::object facts{{"known", true}, {"reason", ""}};
  const auto unknown = [&facts](const Error& error) { facts = {{"known", false}, {"reason", error.message}}; };
  auto input = recall(state, call, *past);
  if (!input) {
    unknown(input.error());
  } else if (auto again = decide_again(state, *past, *input, again_wish); !again) {
    unknown(again.error());
  } else {
    explanations = explanations_of(*again);
    auto leaders = leaders_in(explanations, instance->value_or(0));
    has_leaders = !leaders.empty();
    if (has_leaders) shown["leaders"] = std::move(leaders);
    shown["relaxations"] = relaxations_json(relaxations_of(state, *past, *input, *again->request));
  }
  if (*instance) {
    if (!has_leaders) shown["leaders"] = of_instance(shown["destinations"].as_array(), *past, **instance);
    for (const auto* list : {"destinations", "steps", "claims_lost"})
      shown[list] = of_instance(std::move(shown[list].as_array()), *past, **instance);
    if (tells_hosts) explanations = only_instance(explanations, **instance);
  }
  shown["facts"] = std::move(facts);
  if (!shown.contains("relaxations")) shown["relaxations"] = json::array();
  auto text = json::write(shown);
  if (tells_hosts && !explanations.empty()) {
    text.pop_back();
    text.append(R"(,"instances":)").append(explanations).append("}");
  }
  Outcome outcome;
  outcome.reply = Answer::of_text(std::move(text));
  return outcome;
}

Outcome why_not(State& state, const MethodCall& call) {
  auto host = required_text(call.args, "host");
  if (!host) return failed(std::move(host).error());
  auto node = optional_text(call.args, "node");
  if (!node) return failed(std::move(node).error());
  auto past = asked_decision(state, call.args);
  if (!past) return failed(std::move(past).error());
  auto input = recall(state, call, *past);
  if (!input) return failed(std::move(input).error());
  const auto row = row_of(*input, *host, node->value_or(""));
  json::object shown{{"id", past->id}, {"time", time_json(past->time)}, {"host", *host}, {"node", node->value_or("")}};
  shown["chosen"] = summary_of(*past)["destinations"];
  auto instance = asked_instance(*past, call.args, "instance_uuid");
  if (!instance) return failed(std::move(instance).error());
  if (*instance) shown["chosen"] = of_instance(std::move(shown["chosen"].as_array()), *past, **instance);
  WhyNot answer{"not_there", "there was no such host at that time"};
  json::value explanations;
  if (row) {
    auto again = decide_again(
        state, *past, *input,
        {.explain_hosts = GANTRY_EXPLAIN_ALL_FILTERS, .only_host = *host, .only_node = node->value_or("")});
    if (!again) return failed(std::move(again).error());
    if (auto parsed = json::parse(explanations_of(*again), json::stored_depth)) explanations = *std::move(parsed);
    answer = why_not_chosen(state.parts.fleet, {*past, *again->request, *row, *instance, explanations});
    for (const auto* key : {"verdicts", "weighers", "weight", "rank"}) {
      const auto* value = answer.explanation != nullptr ? json::find(*answer.explanation, key) : nullptr;
      if (value != nullptr) shown[key] = *value;
    }
  }
  shown["outcome"] = answer.outcome;
  shown["sentence"] = answer.sentence;
  Outcome outcome;
  outcome.reply = json::value(std::move(shown));
  return outcome;
}

}  // namespace

std::vector<Method> decision_methods() {
  using enum ArgumentType;
  const auto id = optional("id", integer, "The decision's id; this or instance_uuid.", "1");
  const auto uuid = optional("instance_uuid", text, "The latest decision about this instance.");
  const auto only = optional("instance", text, "The uuid of the one instance of the decision to tell of.");
  return {
      {.name = "list_decisions",
       .group = "decisions",
       .effect = Effect::reads,
       .callers = readers_and_services,
       .summary = "The decisions that are kept, the latest first.",
       .args = {uuid, optional("host", text, "Decisions that chose this host."),
                optional("project_id", text, "Decisions for this project."),
                optional("request_id", text, "Decisions of this request."),
                optional("since", time, "Decisions from this time on."),
                optional("until", time, "Decisions up to this time."),
                optional("outcome", text, "How the decision ended.").one_of("placed|no_valid_host|failed"),
                optional("limit", integer, "At most so many.").between(1, greatest_page).otherwise("100"), page_marker},
       .result = "[DecisionSummary]",
       .handle = list_decisions},
      {.name = "show_decision",
       .group = "decisions",
       .effect = Effect::reads,
       .callers = readers_and_services,
       .summary = "One decision: what was asked, seen and chosen; for a refusal, with which changes it would fit.",
       .args = {id, uuid, only,
                optional("explain", truth, "hosts: what became of each host, too; all_filters: every verdict.")
                    .one_of("hosts|all_filters")
                    .otherwise("false")},
       .result = "KeptDecision",
       .handle = show_decision,
       .driver = compute_driver},
      {.name = "why_not",
       .group = "decisions",
       .effect = Effect::reads,
       .callers = readers_and_services,
       .summary = "Why a decision did not choose a host, decided again on the facts as they were.",
       .args = {required("host", text, "The host.", "node1"), optional("node", text, "Its node, if it has several."),
                id, uuid, only},
       .result = "WhyNot",
       .handle = why_not,
       .driver = compute_driver}};
}

}  // namespace gantry::scheduling
