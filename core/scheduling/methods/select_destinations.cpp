// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <span>

#include "core/scheduling/decision/authorized_decision.hpp"
#include "core/scheduling/decision/avoidance.hpp"
#include "core/scheduling/decision/requested_group.hpp"
#include "core/scheduling/decision/selection.hpp"
#include "core/scheduling/methods/access.hpp"
#include "core/scheduling/methods/called_driver.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/past/relaxations.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/request/asked_spec.hpp"
#include "core/scheduling/request/explain_wish.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::int64_t most_alternates = 100;

// The arguments beside the request spec.
struct Wishes {
  bool objects = false;
  bool alternates = false;
  bool explain = false;  // the decision beside the destinations
  bool is_dry_run = false;
  std::uint32_t explain_hosts = GANTRY_EXPLAIN_NONE;
  std::uint32_t alternate_count = 0;
  ClaimMode mode = ClaimMode::nothing;
};

Result<Wishes> read_wishes(const State& state, const json::object& args) {
  Wishes wishes;
  for (const auto& [name, into] :
       {std::pair{"return_objects", &wishes.objects}, std::pair{"return_alternates", &wishes.alternates},
        std::pair{"dry_run", &wishes.is_dry_run}}) {
    auto value = optional_bool(args, name, false);
    if (!value) return std::move(value).error();
    *into = *value;
  }
  auto explain = read_explain(args);
  if (!explain) return std::move(explain).error();
  wishes.explain = explain->decision;
  wishes.explain_hosts = explain->explain_hosts;
  auto count = optional_integer(args, "alternates", wishes.alternates ? state.changeable.max_attempts - 1 : 0, 0,
                                most_alternates);
  if (!count) return std::move(count).error();
  wishes.alternate_count = static_cast<std::uint32_t>(*count);
  wishes.alternates = wishes.alternates || *count > 0;
  // Claims that an authority holds count once the host reports them: drivers weigh hosts as Nova does.
  const auto claiming = state.parts.authority == nullptr ? ClaimMode::in_memory : ClaimMode::named;
  wishes.mode = wishes.is_dry_run ? ClaimMode::nothing : claiming;
  return wishes;
}

std::unique_ptr<InstanceRequest> make_request(RequestSpec spec, const Wishes& wishes) {
  return std::make_unique<InstanceRequest>(InstanceRequest{.spec = std::move(spec),
                                                           .operation = Operation::select_destinations,
                                                           .mode = wishes.mode,
                                                           .is_question = wishes.is_dry_run,
                                                           .alternates = wishes.alternate_count,
                                                           .explain_hosts = wishes.explain_hosts});
}

// Adds with which changes the request would have found a host, for a caller that wants to know why it found none.
Error with_relaxations(State& state, const MethodCall& call, const RequestSpec& spec, const Wishes& wishes,
                       Error error) {
  const bool is_asked = wishes.explain || wishes.is_dry_run;
  if (error.code != ErrorCode::no_valid_host || !is_asked || state.parts.authority != nullptr) return error;
  auto group = find_requested_group(spec, state.parts.fleet, call);
  if (!group) return error;
  const auto found = relaxations(state, call, spec, *group, Instant::now(state));
  if (found.empty()) return error;
  error.message += ". " + relaxations_text(found);
  // The details are an object, and can be long.
  error.details.pop_back();
  error.details += error.details.size() > 1 ? "," : "";
  error.details += R"("relaxations":)" + json::write(json::value(relaxations_json(found))) + "}";
  return error;
}

Result<AuthorizedDecision> make_decision(State& state, const MethodCall& call, RequestSpec spec, const Wishes& wishes) {
  if (state.parts.authority != nullptr) {
    const auto& uuids = spec.instance_uuids;
    return decide_with_authority(state, call, spec.plain,
                                 [&](json::object changed) -> Result<std::unique_ptr<InstanceRequest>> {
                                   auto parsed = parse_request_spec(std::move(changed), {}, uuids);
                                   if (!parsed) return std::move(parsed).error();
                                   return make_request(*std::move(parsed), wishes);
                                 });
  }
  AuthorizedDecision decided;
  decided.request = make_request(std::move(spec), wishes);
  auto decision = decide_avoiding(state, call, *decided.request);
  if (!decision) return with_relaxations(state, call, decided.request->spec, wishes, std::move(decision).error());
  decided.decision = *std::move(decision);
  return decided;
}

void append_choice(std::string& out, const AuthorizedDecision& decided, const Wishes& wishes, const Choice& choice) {
  const auto& pinned = decided.decision->pinned;
  if (wishes.objects)
    append_selection_object(out, pinned.moment, *pinned.view, choice, decided.request->spec, decided.admission.get());
  else
    append_destination(out, pinned.moment, *pinned.view, choice);
}

void append_destinations(std::string& out, const AuthorizedDecision& decided, const Wishes& wishes) {
  const bool lists = wishes.alternates || wishes.objects;
  out += '[';
  for (const auto& placement : decided.decision->sink->placements()) {
    if (out.back() != '[') out += ',';
    if (lists) out += '[';
    append_choice(out, decided, wishes, *placement.pick);
    const auto count = std::min<std::size_t>(placement.alternates.size(), wishes.alternate_count);
    for (std::size_t i = 0; i < count; ++i) {
      out += ',';
      append_choice(out, decided, wishes, placement.alternates[i]);
    }
    if (lists) out += ']';
  }
  out += ']';
}

Result<void> confirm_claims(State& state, std::span<fleet::ClaimTicket> tickets, Outcome& outcome) {
  if (std::none_of(tickets.begin(), tickets.end(), [](const auto& ticket) { return static_cast<bool>(ticket); }))
    return {};
  outcome.changes_lock = std::unique_lock(state.changes);
  outcome.write_behind = true;
  const auto* ended = confirm_all(tickets, outcome.claims);
  if (ended == nullptr) return {};
  return Error{
      ErrorCode::unavailable, "what was claimed on host " + ended->host + " was ended by another call; try again", {}};
}

Outcome select_destinations(State& state, MethodCall&& call) {
  const auto wishes = read_wishes(state, call.args);
  auto spec = asked_spec(call.args);
  if (!spec) return failed(std::move(spec).error());
  if (!wishes) return failed(wishes.error());
  if (!wishes->is_dry_run && !spec->instance_uuids.empty()) {
    if (auto room = state.parts.fleet.check_room_for_claims(spec->instance_uuids.size()); !room)
      return failed(std::move(room).error());
  }
  auto decided = make_decision(state, call, *std::move(spec), *wishes);
  if (!decided) return failed(std::move(decided).error());
  const auto& [admission, request, decision] = *decided;

  Outcome outcome;
  std::string text;
  constexpr std::size_t usual_size = 2048;
  text.reserve(usual_size);
  if (wishes->explain) text += R"({"destinations":)";
  append_destinations(text, *decided, *wishes);
  if (wishes->explain) {
    text += R"(,"decision":)";
    text += with_host_explanations(decision->record(*request, call), decision->sink->host_explanations());
    text += '}';
  }
  outcome.reply = Answer::of_text(std::move(text));
  outcome.line = decision->line(*request, call);
  auto confirmed = confirm_claims(state, decision->sink->tickets(), outcome);
  if (confirmed) return outcome;
  auto failure = failed(std::move(confirmed).error(), std::move(outcome.line));
  // The authority may take its time: nothing is to be locked meanwhile.
  { const auto dropped = std::move(outcome); }
  if (admission) admission->withdraw(request->spec.instance_uuids);
  return failure;
}

}  // namespace

std::vector<Method> select_destinations_methods() {
  using enum ArgumentType;
  return {
      {.name = "select_destinations",
       .group = "scheduling",
       .effect = Effect::changes,
       .callers = readers_and_services,
       .summary =
           "Destinations for the instances of a request, one each; with instance uuids, picks are claimed for a while.",
       .args =
           {optional("request_spec", object, "Nova's request_spec or its RequestSpec object; this or spec_obj.",
                     R"({"num_instances":1,"flavor":{"name":"m1.small","vcpus":1,"memory_mb":2048,"root_gb":10}})"),
            optional("spec_obj", object, "Nova's RequestSpec object, by its other name."),
            optional("filter_properties", object, "Nova's filter_properties: scheduler_hints, retry and so on.", "{}"),
            optional("instance_uuids", texts, "One for each instance.", R"(["6c8a2f5e-0d53-4f0e-8c43-6f6c1c2f0a02"])"),
            optional("return_objects", truth, "Selection objects in place of dictionaries.").otherwise("false"),
            optional("return_alternates", truth, "A list for each instance, the chosen host first.").otherwise("false"),
            optional("alternates", integer, "How many alternates; with return_alternates max_attempts - 1, else none.")
                .between(0, 100),
            optional("explain", truth,
                     "The decision beside the destinations; hosts: what became of each host, too; all_filters: every "
                     "filter's verdict of it.")
                .one_of("hosts|all_filters")
                .otherwise("false"),
            optional("dry_run", truth, "Claims nothing, though uuids are given.").otherwise("false")},
       .result = "Destinations",
       .handle = select_destinations,
       .subject = compute_topic,
       .driver = deciding_driver}};
}

}  // namespace gantry::scheduling
