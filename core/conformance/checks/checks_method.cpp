// SPDX-License-Identifier: Apache-2.0
//
// Rules about custom methods.
#include <functional>
#include <set>

#include "core/conformance/bench.hpp"
#include "core/conformance/checks/checks.hpp"

namespace gantry::conformance {
namespace {

using testing::outcome;

Verdict each_method(Subject& subject, const std::vector<std::string>& all_args, std::size_t hosts,
                    const std::function<Verdict(const outcome&)>& judge) {
  if (subject.is_library() || methods_of(subject).empty()) return not_applicable("the driver has no methods");
  const Unit& unit = subject.units().front();
  const auto instance = Instance::create(unit, subject, options_for(subject, unit));
  for (const std::string& name : methods_of(subject)) {
    for (const std::string& args : all_args) {
      Host host(unit, subject, fleet(unit, subject.seed(), hosts));
      const outcome result = instance->method(host, name, args);
      Verdict verdict =
          result.misuse.empty() ? judge(result) : failed("results as driver.h has them", result.misuse.front());
      if (verdict.state == State::failed) {
        verdict.found = name + "(" + args.substr(0, 80) + "): " + verdict.found;
        return verdict;
      }
    }
  }
  return {};
}

Verdict has_a_sentence(const outcome& outcome) {
  if (outcome.code == GANTRY_OK || outcome.code == GANTRY_NO_VALID_HOST || !outcome.sentence.empty()) return {};
  return failed("a sentence with each failure", "code " + std::to_string(outcome.code) + " alone");
}

Verdict is_no_fault(const outcome& outcome) {
  if (outcome.code != GANTRY_INTERNAL) return has_a_sentence(outcome);
  return failed("GANTRY_INVALID_ARGUMENT for arguments that make no sense", "GANTRY_INTERNAL: " + outcome.sentence);
}

Verdict missing_args(Subject& subject) {
  return each_method(subject, {"{}"}, 5, is_no_fault);
}

Verdict odd_args(Subject& subject) {
  std::vector<std::string> all;
  for (const std::string& text : odd_texts()) {
    const std::string quoted = json_string(text);
    all.push_back("{\"amount\":1,\"count\":1,\"host\":" + quoted + ",\"id\":" + quoted + ",\"name\":" + quoted +
                  ",\"size\":1,\"text\":" + quoted + ",\"volume_id\":" + quoted + "}");
    all.push_back("{" + quoted + ":" + quoted + "}");
  }
  return each_method(subject, all, 5, is_no_fault);
}

Verdict args_of_other_types(Subject& subject) {
  std::vector<std::string> all;
  for (const char* value : {"null", "true", "[]", "{}", "-1", "1e300", "[[[[]]]]", "\"a\""}) {
    std::string args;
    for (const char* key : {"amount", "count", "host", "id", "name", "size", "text", "volume_id"})
      args += (args.empty() ? "{\"" : ",\"") + std::string(key) + "\":" + value;
    all.push_back(args + "}");
  }
  return each_method(subject, all, 5, is_no_fault);
}

Verdict method_without_hosts(Subject& subject) {
  return each_method(subject, {usual_args()}, 0, is_no_fault);
}

Verdict unknown_method(Subject& subject) {
  if (subject.is_library() || methods_of(subject).empty()) return not_applicable("the driver has no methods");
  const Unit& unit = subject.units().front();
  const auto instance = Instance::create(unit, subject, options_for(subject, unit));
  Host host(unit, subject, fleet(unit, subject.seed(), 5));
  const outcome result = instance->method(host, "no_such_method", "{}");
  if (result.code != GANTRY_OK) return {};
  return failed("a failure for a method that the manifest does not name", "GANTRY_OK");
}

// Calls each method as usual, with what `bend` changes of the host.
Verdict each_usual_call(Subject& subject, const std::function<void(Host&)>& bend,
                        const std::function<Verdict(Instance&, const std::string& name, const outcome&)>& judge) {
  if (subject.is_library() || methods_of(subject).empty()) return not_applicable("the driver has no methods");
  const Unit& unit = subject.units().front();
  for (const std::string& name : methods_of(subject)) {
    const auto instance = Instance::create(unit, subject, options_for(subject, unit));
    Host host(unit, subject, fleet(unit, subject.seed(), 20));
    bend(host);
    Verdict verdict = judge(*instance, name, instance->method(host, name, usual_args()));
    if (verdict.state == State::failed) verdict.found.insert(0, name + ": ");
    if (verdict.state == State::failed) return verdict;
  }
  return {};
}

Verdict casts_where_it_claims(Subject& subject) {
  return each_usual_call(
      subject, [](Host&) {},
      [](Instance&, const std::string&, const outcome& outcome) {
        std::set<std::string> hosts;
        for (const testing::casted& cast : outcome.casts) hosts.insert(cast.host);
        for (const testing::claimed& claim : outcome.claims)
          if (!hosts.empty() && !hosts.contains(claim.host))
            return failed("a cast to each host on which room is claimed", "a claim on " + claim.host + " without one");
        return Verdict{};
      });
}

Verdict lost_claims_cast_nothing(Subject& subject) {
  bool claims = false;
  Verdict verdict = each_usual_call(
      subject, [&claims](Host& host) { host.loses_claim = [&claims] { return claims = true; }; },
      [&claims](Instance&, const std::string&, const outcome& outcome) {
        if (!claims || outcome.code != GANTRY_OK || outcome.casts.empty()) return has_a_sentence(outcome);
        return failed("no cast where each claim is lost", "a cast to " + outcome.casts.front().host);
      });
  return verdict.state == State::passed && !claims ? not_applicable("no method claims for the usual arguments")
                                                   : verdict;
}

Verdict method_goes_on(Subject& subject) {
  std::uint64_t claims = 0;
  Verdict verdict = each_usual_call(
      subject, [&claims](Host& host) { host.loses_claim = [&claims] { return ++claims == 1; }; },
      [&claims](Instance&, const std::string&, const outcome& outcome) {
        if (claims == 0 || (outcome.code == GANTRY_OK && claims > 1)) return Verdict{};
        return failed("the next choice after a lost claim", "code " + std::to_string(outcome.code));
      });
  return verdict.state == State::passed && claims == 0 ? not_applicable("no method claims for the usual arguments")
                                                       : verdict;
}

// The host takes back what a failed call claimed and cast: the instance must not remember them.
Verdict failed_method_leaves_nothing(Subject& subject) {
  const bool remembers = subject.manifest().decides_from == drivers::DecidesFrom::history;
  if (remembers) return not_applicable("the manifest says decides_from = 'history'");
  return each_usual_call(
      subject, [](Host& host) { host.loses_claim = [] { return true; }; },
      [&subject](Instance& instance, const std::string& name, const outcome&) {
        const Unit& unit = instance.unit();
        std::string texts[2];
        const auto fresh = Instance::create(unit, subject, options_for(subject, unit));
        for (Instance* const each : {fresh.get(), &instance}) {
          Host host(unit, subject, fleet(unit, subject.seed(), 20));
          texts[each == &instance ? 1 : 0] = text_of(each->method(host, name, usual_args()));
        }
        return texts[0] == texts[1] ? Verdict{} : failed("an answer as of a new instance: " + texts[0], texts[1]);
      });
}

}  // namespace

std::vector<Rule> method_rules() {
  const char* const clause = "driver.h, gantry_driver_ops.call_method";
  return {
      {"missing-arguments", Grade::silver, "Missing arguments are refused with a sentence",
       "Callers make mistakes and need to read which.", "args[\"size\"] without a look", clause, missing_args},
      {"odd-arguments", Grade::bronze, "Odd and quoted arguments come out as sound JSON",
       "A reply that is built by hand breaks at the first quote, or lets a caller inject members.",
       "sprintf(json, \"{\\\"id\\\":\\\"%s\\\"}\", id)", "driver.h, gantry_host.reply", odd_args},
      {"arguments-of-other-types", Grade::silver, "Arguments of another type are refused",
       "A list in the place of a number must not end the service.", "value.as_int64() without a look", clause,
       args_of_other_types},
      {"method-without-hosts", Grade::silver, "A method works on a view without rows", "A new site has no hosts yet.",
       "rows[0]", clause, method_without_hosts},
      {"casts-where-it-claims", Grade::bronze, "A method that claims and casts does both on the same hosts",
       "Room that nothing uses stays taken until the claim is too old.", "cast(first row) after a claim on the second",
       "driver.h, gantry_host.claim", casts_where_it_claims},
      {"lost-claims-cast-nothing", Grade::bronze, "Where each claim is lost, a method casts nothing",
       "The host that gets the cast has no room.", "claim(...); cast(...); without a look at the code",
       "driver.h, gantry_host.claim", lost_claims_cast_nothing},
      {"method-goes-on-after-a-lost-claim", Grade::silver, "A method's lost claim is followed by the next choice",
       "Two requests at once often want the same host.", "if (claim(...) != GANTRY_OK) return GANTRY_NO_VALID_HOST;",
       "driver.h, gantry_host.claim", method_goes_on},
      {"failed-method-leaves-nothing", Grade::silver, "A failed method does not change the next call",
       "The host takes back the claims of a failed call.", "self->taken += size before the claim",
       "driver.h, convention 5", failed_method_leaves_nothing},
      {"unknown-method", Grade::gold, "A method that the manifest does not name is refused",
       "One function serves all methods: the last `else` must fail.", "if/else without a last else", clause,
       unknown_method},
  };
}

}  // namespace gantry::conformance
