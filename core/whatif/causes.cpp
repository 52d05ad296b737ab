// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/causes.hpp"

#include <algorithm>
#include <string_view>

namespace gantry::whatif {

namespace {

std::string number_text(double number) {
  auto text = json::write(json::value(number + 0.0));  // -0 becomes 0
  if (text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

std::string absent_in(const std::string& release) {
  return release + " does not ask it";
}

std::string refused(const ToldVerdict& verdict) {
  return verdict.reason.empty() ? "refused" : "refused: " + verdict.reason;
}

// Returns in words how the release judges a host by that filter.
std::string verdict_text(const ToldHost& told, std::string_view filter, const std::string& release) {
  const auto* verdict = told.verdict_of(filter);
  if (verdict == nullptr) return told.rejection() != nullptr ? "refused before it is asked" : absent_in(release);
  return verdict->passed ? "passed" : refused(*verdict);
}

Cause cause_of(const ToldTwice& host, const std::string& filter, const Releases& releases) {
  Cause cause{Cause::Kind::filter, filter, {}, host.host, {}, {}};
  cause.before = verdict_text(*host.before, filter, releases.before);
  cause.after = verdict_text(*host.after, filter, releases.after);
  const bool is_before = host.before->verdict_of(filter) != nullptr;
  const bool is_after = host.after->verdict_of(filter) != nullptr;
  if (is_before != is_after) cause.only_in = is_before ? releases.before : releases.after;
  return cause;
}

// Returns by how much the weigher prefers the first host to the second.
double lead(const ToldHost& first, const ToldHost& second, std::string_view weigher) {
  const auto* one = first.term_of(weigher);
  const auto* other = second.term_of(weigher);
  return (one == nullptr ? 0 : one->value()) - (other == nullptr ? 0 : other->value());
}

std::string term_text(const std::string& host, const ToldTerm& term) {
  return host + " " + number_text(term.value()) + " (" + number_text(term.raw) + ")";
}

std::string terms_text(const ToldTwice& first, const ToldTwice& second, const ToldHost& of_first,
                       const ToldHost& of_second, std::string_view weigher, const std::string& release) {
  const auto* one = of_first.term_of(weigher);
  const auto* other = of_second.term_of(weigher);
  if (one == nullptr || other == nullptr) return absent_in(release);
  return term_text(first.host, *one) + ", " + term_text(second.host, *other);
}

// The weighers of both releases, in their order.
std::vector<std::string> weighers_of(const ToldHost& before, const ToldHost& after) {
  std::vector<std::string> names;
  for (const auto* told : {&before, &after})
    for (const auto& term : told->terms)
      if (std::ranges::find(names, term.weigher) == names.end()) names.push_back(term.weigher);
  return names;
}

std::vector<const scheduling::Step*> steps_of(const std::vector<scheduling::Step>& steps, std::uint32_t instance) {
  std::vector<const scheduling::Step*> own;
  for (const auto& step : steps)
    if (!step.instance || *step.instance == instance) own.push_back(&step);
  return own;
}

const scheduling::Step* named(const std::vector<const scheduling::Step*>& steps, const std::string& name) {
  const auto found = std::ranges::find_if(steps, [&name](const auto* step) { return step->name == name; });
  return found == steps.end() ? nullptr : *found;
}

std::string step_text(const scheduling::Step* step, const std::string& release) {
  if (step == nullptr) return absent_in(release);
  return "leaves " + std::to_string(step->hosts_out) + " of " + std::to_string(step->hosts_in) +
         (step->hosts_in == 1 ? " host" : " hosts");
}

std::uint64_t removed(const scheduling::Step* step) {
  return step == nullptr ? 0 : step->hosts_in - step->hosts_out;
}

}  // namespace

std::optional<Cause> filter_cause(const ToldTwice& host, const Releases& releases) {
  if (!host.before || !host.after) return std::nullopt;
  const auto* against_before = host.before->rejection();
  const auto* against_after = host.after->rejection();
  if ((against_before == nullptr) == (against_after == nullptr)) return std::nullopt;
  return cause_of(host, (against_before != nullptr ? against_before : against_after)->filter, releases);
}

std::optional<Cause> weigher_cause(const ToldTwice& first, const ToldTwice& second, const Releases& releases) {
  if (!first.before || !first.after || !second.before || !second.after) return std::nullopt;
  double greatest = 0;
  std::string strongest;
  for (const auto& weigher : weighers_of(*first.before, *first.after)) {
    const double change = lead(*first.before, *second.before, weigher) - lead(*first.after, *second.after, weigher);
    if (change <= greatest) continue;
    greatest = change;
    strongest = weigher;
  }
  if (strongest.empty()) return std::nullopt;
  Cause cause{Cause::Kind::weigher, strongest, {}, {}, {}, {}};
  cause.before = terms_text(first, second, *first.before, *second.before, strongest, releases.before);
  cause.after = terms_text(first, second, *first.after, *second.after, strongest, releases.after);
  const bool is_before = first.before->term_of(strongest) != nullptr;
  const bool is_after = first.after->term_of(strongest) != nullptr;
  if (is_before != is_after) cause.only_in = is_before ? releases.before : releases.after;
  return cause;
}

std::optional<Cause> step_cause(const std::vector<scheduling::Step>& before, const std::vector<scheduling::Step>& after,
                                std::uint32_t instance, const Releases& releases) {
  const auto was = steps_of(before, instance);
  const auto is = steps_of(after, instance);
  std::vector<std::string> names;
  for (const auto* steps : {&was, &is})
    for (const auto* step : *steps)
      if (std::ranges::find(names, step->name) == names.end()) names.push_back(step->name);
  for (const auto& name : names) {
    const auto* one = named(was, name);
    const auto* other = named(is, name);
    if (removed(one) == removed(other)) continue;
    Cause cause{Cause::Kind::filter, name, {}, {}, step_text(one, releases.before), step_text(other, releases.after)};
    if ((one == nullptr) != (other == nullptr)) cause.only_in = one != nullptr ? releases.before : releases.after;
    return cause;
  }
  return std::nullopt;
}

}  // namespace gantry::whatif
