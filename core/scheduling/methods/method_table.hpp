// SPDX-License-Identifier: Apache-2.0
//
// Every method of the service: its name, what it takes and answers, and the function that does it. One straight read,
// in the files method_table_*.cpp; the checks of arguments, the OpenAPI document and sdk/methods.md's test follow it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

namespace gantry::scheduling {

struct MethodCall;
struct Outcome;
struct State;

enum class Effect {
  reads,       // changes nothing
  idempotent,  // changes state, but twice is the same as once: no idempotency key is kept
  changes,
};

// What an argument may be. Null is as good as not given.
enum class ArgumentType : std::uint8_t {
  any,
  text,
  truth,       // true or false; also as text, since a GET carries text alone
  integer,     // also as text
  object,      // of any members
  texts,       // a list
  host_name,   // text, or a pair [host, node]
  id_or_name,  // a whole number or text
  time,        // ISO 8601 as text, or seconds since 1970
};

struct Argument {
  std::string_view name;
  ArgumentType type;
  bool required;
  std::string_view meaning;     // a sentence
  std::string_view example{};   // JSON text; of a text its characters. Examples of all methods fit together
  std::string_view fallback{};  // JSON text: what holds if it is not given; empty: nothing
  std::string_view choices{};   // of a text: "one|other"; empty: any. Of a truth: these texts too; empty: none
  std::int64_t least = std::numeric_limits<std::int64_t>::min();  // of an integer
  std::int64_t most = std::numeric_limits<std::int64_t>::max();

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
};

constexpr Argument required(std::string_view name, ArgumentType type, std::string_view meaning,
                            std::string_view example) {
  return {name, type, true, meaning, example};
}
constexpr Argument optional(std::string_view name, ArgumentType type, std::string_view meaning,
                            std::string_view example = {}) {
  return {name, type, false, meaning, example};
}

// What every list takes.
inline constexpr auto page_limit =
    optional("limit", ArgumentType::integer, "At most so many items; not given: the whole list.", "100")
        .between(1, 10'000);
inline constexpr auto page_marker =
    optional("marker", ArgumentType::text, "The id of the last item of the page before.");

// What does a method: it reads its call; or it takes the arguments apart, and leaves nothing that lies in their memory.
class Handler {
 public:
  using Reads = Outcome (*)(State& state, const MethodCall& call);
  using TakesApart = Outcome (*)(State& state, MethodCall&& call);
  constexpr Handler(std::nullptr_t) {}
  constexpr Handler(Reads function) : reads_(function) {}
  constexpr Handler(TakesApart function) : takes_apart_(function) {}

  constexpr bool takes_apart() const { return takes_apart_ != nullptr; }
  constexpr explicit operator bool() const { return reads_ != nullptr || takes_apart_ != nullptr; }
  Outcome operator()(State& state, MethodCall&& call) const;

 private:
  Reads reads_ = nullptr;
  TakesApart takes_apart_ = nullptr;
};

struct Method {
  std::string_view name;
  Effect effect;
  std::string_view summary;  // a sentence
  std::vector<Argument> args;
  std::string_view result;   // a shape, as record_table.hpp has it
  Handler handle;            // nullptr: it waits, so the manager does it itself
  std::string_view group{};  // which of the parts below it is of
};

// Sorted by name.
std::span<const Method> method_table();
// nullptr: there is none of that name.
const Method* find_method(std::string_view name);

// The parts of the table, one function a file.
std::vector<Method> scheduling_methods();
std::vector<Method> report_methods();
std::vector<Method> host_methods();
std::vector<Method> aggregate_methods();
std::vector<Method> record_methods();
std::vector<Method> token_methods();

}  // namespace gantry::scheduling
