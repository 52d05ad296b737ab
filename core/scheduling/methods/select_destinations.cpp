// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include "core/scheduling/decision/instance_decision.hpp"
#include "core/scheduling/decision/selection.hpp"
#include "core/scheduling/methods/called_driver.hpp"
#include "core/scheduling/methods/method_table.hpp"
#include "core/scheduling/request/args.hpp"
#include "core/scheduling/request/explain_wish.hpp"
#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::int64_t most_alternates = 100;

struct Wanted {
  InstanceRequest request;
  bool objects = false;
  bool alternates = false;
  bool explain = false;  // the decision beside the destinations
};

Result<RequestSpec> read_spec(json::object& args) {
  auto spec = args.find("request_spec");
  if (spec == args.end() || spec->value().is_null()) spec = args.find("spec_obj");
  if (spec == args.end() || spec->value().is_null()) {
    return Error{ErrorCode::invalid_argument,
                 "argument 'request_spec': missing; expected Nova's request_spec dictionary or its RequestSpec object",
                 {}};
  }
  auto properties = optional_object(args, "filter_properties");
  if (!properties) return std::move(properties).error();
  auto uuids = optional_texts(args, "instance_uuids");
  if (!uuids) return std::move(uuids).error();
  return parse_request_spec(std::move(spec->value()), *properties, std::move(*uuids));
}

Result<Wanted> read(json::object& args, std::uint32_t max_attempts) {
  auto spec = read_spec(args);
  if (!spec) return std::move(spec).error();
  Wanted wanted{.request = {.spec = std::move(*spec)}};
  bool dry_run = false;
  for (const auto& [name, into] :
       {std::pair{"return_objects", &wanted.objects}, std::pair{"return_alternates", &wanted.alternates},
        std::pair{"dry_run", &dry_run}}) {
    auto value = optional_bool(args, name, false);
    if (!value) return std::move(value).error();
    *into = *value;
  }
  auto explain = read_explain(args);
  if (!explain) return std::move(explain).error();
  wanted.explain = explain->decision;
  wanted.request.explain_hosts = explain->explain_hosts;
  auto count = optional_integer(args, "alternates", wanted.alternates ? max_attempts - 1 : 0, 0, most_alternates);
  if (!count) return std::move(count).error();
  wanted.request.alternates = static_cast<std::uint32_t>(*count);
  wanted.alternates = wanted.alternates || *count > 0;
  wanted.request.operation = Operation::select_destinations;
  wanted.request.mode = dry_run ? ClaimMode::nothing : ClaimMode::in_memory;
  return wanted;
}

void append_choice(std::string& out, const InstanceDecision& decided, const Wanted& wanted, const Choice& choice) {
  const auto& pinned = decided.pinned;
  if (wanted.objects)
    append_selection_object(out, pinned.moment, *pinned.view, choice, wanted.request.spec);
  else
    append_destination(out, pinned.moment, *pinned.view, choice);
}

void append_destinations(std::string& out, const InstanceDecision& decided, const Wanted& wanted) {
  const bool lists = wanted.alternates || wanted.objects;
  out += '[';
  for (const auto& placement : decided.sink->placements()) {
    if (out.back() != '[') out += ',';
    if (lists) out += '[';
    append_choice(out, decided, wanted, *placement.pick);
    const auto count = std::min<std::size_t>(placement.alternates.size(), wanted.request.alternates);
    for (std::size_t i = 0; i < count; ++i) {
      out += ',';
      append_choice(out, decided, wanted, placement.alternates[i]);
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
  auto wanted = read(call.args, state.parts.settings.max_attempts);
  if (!wanted) return failed(std::move(wanted).error());
  auto decided = decide(state, call, wanted->request);
  if (!decided) return failed(std::move(decided).error());

  Outcome outcome;
  std::string text;
  constexpr std::size_t usual_size = 2048;
  text.reserve(usual_size);
  if (wanted->explain) text += R"({"destinations":)";
  append_destinations(text, **decided, *wanted);
  if (wanted->explain) {
    text += R"(,"decision":)";
    text += with_host_explanations((*decided)->record(wanted->request, call), (*decided)->sink->host_explanations());
    text += '}';
  }
  outcome.reply = Answer::of_text(std::move(text));
  outcome.line = (*decided)->line(wanted->request, call);
  auto confirmed = confirm_claims(state, (*decided)->sink->tickets(), outcome);
  return confirmed ? std::move(outcome) : failed(std::move(confirmed).error(), std::move(outcome.line));
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
       .driver = compute_driver}};
}

}  // namespace gantry::scheduling
