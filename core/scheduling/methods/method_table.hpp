// SPDX-License-Identifier: Apache-2.0
//
// Every method of the service: its name, its arguments and its answer, who may call it, and the function that runs it.
// A method's row stands below its function, in the file of its subject. To add a method, write the function and its
// row, and describe the method in sdk/methods.md. The checks of arguments and access and the OpenAPI document read the
// rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/encoding/text_rules.hpp"
#include "core/scheduling/manager.hpp"

namespace gantry::drivers {
class Driver;
}

namespace gantry::scheduling {

struct Outcome;
struct State;
struct Subject;

// The effect of a method on the state of the service.
enum class Effect {
  reads,       // changes nothing
  idempotent,  // changes state, but a repeat changes nothing more: an idempotency key is ignored
  changes,     // changes state, and so does a repeat, unless both calls have the same idempotency key
};

// The roles that may call a method. An admin may call every method.
struct Callers {
  bool reader = false;
  bool service = false;
  bool agent = false;
};
inline constexpr Callers admins{};
inline constexpr Callers services{.service = true};
inline constexpr Callers readers_and_services{.reader = true, .service = true};
inline constexpr Callers services_and_agents{.service = true, .agent = true};
inline constexpr Callers every_role{.reader = true, .service = true, .agent = true};

// The type of an argument. Null means that the argument is not given.
enum class ArgumentType : std::uint8_t {
  any,
  text,
  truth,       // true or false, also as text, since a GET carries text alone
  integer,     // a whole number, also as text
  object,      // an object with any members
  texts,       // a list of texts
  host_name,   // a host as text, or a pair [host, node]
  id_or_name,  // an id as a whole number, or an id or name as text
  time,        // ISO 8601 as text, or seconds since 1970
};

// An argument of a method.
struct Argument {
  std::string_view name;
  ArgumentType type;
  bool required;
  std::string_view meaning;  // a sentence for the documentation
  // A value as JSON text, but without quotes for ArgumentType::text. The examples of all methods are about one
  // fleet: one may use what another creates.
  std::string_view example{};
  std::string_view fallback{};  // the value if the argument is not given, as JSON text; empty: there is no default
  // Texts separated by |, for example "one|other". ArgumentType::text: the allowed values; if empty, every text is
  // allowed. ArgumentType::truth: texts that are allowed beside true and false.
  std::string_view choices{};
  std::int64_t least = std::numeric_limits<std::int64_t>::min();  // the bounds of an integer
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  TextKind kind = TextKind::name;  // the rule for its texts

  // Each of these returns a copy of the argument, with a fallback, with choices, with bounds or with a rule for texts.
  constexpr Argument otherwise(std::string_view json) const {
    auto with = *this;
    with.fallback = json;
    return with;
  }
  constexpr Argument one_of(std::string_view texts) const {
    auto with = *this;
    with.choices = texts;
    return with;
  }
  constexpr Argument between(std::int64_t first, std::int64_t last) const {
    auto with = *this;
    with.least = first;
    with.most = last;
    return with;
  }
  constexpr Argument as(TextKind its_kind) const {
    auto with = *this;
    with.kind = its_kind;
    return with;
  }
};

// Splits Argument::choices into the single texts.
std::vector<std::string_view> choices_of(const Argument& argument);

constexpr Argument required(std::string_view name, ArgumentType type, std::string_view meaning,
                            std::string_view example) {
  return {name, type, true, meaning, example};
}
constexpr Argument optional(std::string_view name, ArgumentType type, std::string_view meaning,
                            std::string_view example = {}) {
  return {name, type, false, meaning, example};
}

// The arguments that every list method has.
inline constexpr auto page_limit =
    optional("limit", ArgumentType::integer, "At most so many items.", "100").between(1, 10'000).otherwise("1000");
inline constexpr auto page_marker =
    optional("marker", ArgumentType::text, "The id of the last item of the page before.").as(TextKind::cursor);

// The longest that a call may ask to wait, in milliseconds.
inline constexpr std::int64_t longest_wait_ms = 60'000;

// Holds the function of a method, which is of one of three kinds.
class Handler {
 public:
  // Reads the call and leaves it unchanged.
  using Reads = Outcome (*)(State& state, const MethodCall& call);
  // Moves parts out of the call's arguments. Keeps nothing in MethodCall::memory beyond the call.
  using TakesApart = Outcome (*)(State& state, MethodCall&& call);
  // A long poll. Changes no facts. Calls `done` once when there is an answer, at once or later.
  using Waits = void (*)(State& state, const MethodCall& call, const Done& done);
  constexpr Handler(Reads function) : reads_(function) {}
  constexpr Handler(TakesApart function) : takes_apart_(function) {}
  constexpr Handler(Waits function) : waits_(function) {}

  constexpr bool takes_apart() const { return takes_apart_ != nullptr; }
  constexpr bool waits() const { return waits_ != nullptr; }
  // Runs a function of the first two kinds. Requires: not waits().
  Outcome operator()(State& state, MethodCall&& call) const;
  // Runs a long poll. Requires: waits().
  void wait(State& state, const MethodCall& call, const Done& done) const { waits_(state, call, done); }

 private:
  Reads reads_ = nullptr;
  TakesApart takes_apart_ = nullptr;
  Waits waits_ = nullptr;
};

// How the audit log tells of a change that somebody makes by hand.
struct Audit {
  std::string_view event = {};   // type of the event; empty: the method is not audited
  std::string_view object = {};  // kind of the object that the call is about: "aggregate"
  // Returns that object as the API shows it, before the call; the reply shows it after the call. Empty: there is none.
  // nullopt: this call is a report, and not audited. nullptr: the call makes its object.
  std::optional<json::object> (*before)(const State& state, const MethodCall& call) = nullptr;
};

// A row of the method table.
struct Method {
  std::string_view name;
  std::string_view group;  // the method's tag in the OpenAPI document
  Effect effect;
  Callers callers;
  std::string_view summary;  // a sentence for the documentation
  std::vector<Argument> args = {};
  std::string_view result;  // the answer's schema in openapi_frame.json: "Instance", or "[Instance]" for a list
  Handler handle;
  // Returns the topic and hosts that a call is about. The access checks then hold a service to its own topics and an
  // agent to its own host. nullptr: neither is limited.
  Subject (*subject)(const State& state, const MethodCall& call) = nullptr;
  // Returns the driver that the call goes to (called_driver.hpp). nullptr: the method calls no driver.
  drivers::Driver* (*driver)(const State& state, const MethodCall& call) = nullptr;
  Audit audit = {};
};

// Returns whether the method is a read whose work and answer grow with what there is: a list, a report, an export.
bool is_long_read(const Method& method);

// Returns all rows, sorted by name.
std::span<const Method> method_table();
// Returns the row of a method. nullptr if no method has that name.
const Method* find_method(std::string_view name);

// Each of these returns the rows of one file in methods/.
std::vector<Method> aggregate_methods();
std::vector<Method> capacity_methods();
std::vector<Method> cast_methods();
std::vector<Method> decision_methods();
std::vector<Method> event_methods();
std::vector<Method> fleet_export_methods();
std::vector<Method> group_methods();
std::vector<Method> host_methods();
std::vector<Method> instance_methods();
std::vector<Method> log_level_methods();
std::vector<Method> restart_methods();
std::vector<Method> nova_import_methods();
std::vector<Method> nova_request_methods();
std::vector<Method> nova_update_methods();
std::vector<Method> recent_decision_methods();
std::vector<Method> reload_methods();
std::vector<Method> report_methods();
std::vector<Method> schedule_methods();
std::vector<Method> schedule_run_instance_methods();
std::vector<Method> select_destinations_methods();
std::vector<Method> service_methods();
std::vector<Method> stats_methods();
std::vector<Method> status_methods();
std::vector<Method> support_methods();
std::vector<Method> token_methods();

}  // namespace gantry::scheduling
