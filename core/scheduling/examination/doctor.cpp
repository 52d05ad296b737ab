// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/examination/doctor.hpp"

#include <algorithm>
#include <set>

#include "core/scheduling/examination/invariants.hpp"
#include "core/scheduling/examination/store_comparison.hpp"

namespace gantry::scheduling {

namespace {

constexpr int most_looks = 5;
constexpr std::size_t most_shown = 1000;

// The names of the members that differ. Never their values, which may be secret.
std::string members_that_differ(const Difference& difference) {
  const auto memory = json::parse_object(*difference.memory, json::stored_depth);
  const auto stored = json::parse_object(*difference.stored, json::stored_depth);
  if (!stored) return "cannot be read: " + stored.error().message;
  if (!memory) return "cannot be read";
  std::set<std::string> names;
  for (const auto& [key, value] : *memory) {
    const auto* other = stored->if_contains(key);
    if (other == nullptr || *other != value) names.emplace(key);
  }
  for (const auto& [key, value] : *stored) {
    if (!memory->contains(key)) names.emplace(key);
  }
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return "differs in " + text;
}

Finding finding_of(const Difference& difference) {
  Finding finding;
  finding.rule = "store";
  finding.what = difference.name + " " + difference.key;
  finding.expected = "the same in store and memory";
  finding.found = !difference.memory   ? "in the store alone"
                  : !difference.stored ? "in memory alone"
                                       : members_that_differ(difference);
  finding.more = {{"kind", difference.name}, {"key", difference.key}};
  return finding;
}

// The findings that `before` has too.
std::vector<Finding> still_there(std::vector<Finding> findings, const std::vector<Finding>& before) {
  std::set<std::pair<std::string, std::string>> known;
  for (const auto& finding : before) known.emplace(finding.rule, finding.what);
  std::erase_if(findings, [&](const Finding& finding) { return !known.contains({finding.rule, finding.what}); });
  return findings;
}

json::array shown_all(const std::vector<Finding>& findings) {
  json::array result;
  for (const auto& finding : findings) {
    if (result.size() == most_shown) break;
    result.push_back(shown(finding));
  }
  return result;
}

json::object checked_json(const InvariantReport& report, const StoreComparison& comparison) {
  json::object documents;
  for (const auto& [name, count] : comparison.documents()) documents[name] = count;
  return {{"hosts", report.hosts},
          {"claims", report.claims},
          {"instances", report.instances},
          {"casts", report.casts},
          {"documents", std::move(documents)}};
}

}  // namespace

Doctor::Doctor(State& state, IdempotentAnswers& answers, DoctorHooks hooks)
    : state_(state), answers_(answers), hooks_(std::move(hooks)) {}

Doctor::~Doctor() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Doctor::ask(Done done) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(done));
    if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
  }
  changed_.notify_all();
}

void Doctor::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [this] { return ending_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    const auto asking = std::exchange(waiting_, {});
    lock.unlock();
    Reply reply = json::value(nullptr);
    try {
      reply = examine();
    } catch (const std::exception& thrown) {
      reply = Error{ErrorCode::internal, std::string("doctor failed: ") + thrown.what(), {}};
    }
    for (const auto& done : asking) done(reply);
    lock.lock();
  }
}

Reply Doctor::examine() {
  const auto begun = std::chrono::steady_clock::now();
  hooks_.sweep();
  auto report = check_invariants(state_);
  StoreComparison comparison(state_, answers_);
  const bool compares = state_.parts.store.keeps_everything();
  if (auto looked = compares ? comparison.look() : Result<void>(); !looked) return std::move(looked).error();
  // A broken rule is a finding if three looks see it, a difference if two looks see the same one.
  const int looks_at_rules = report.findings.empty() ? 1 : 3;
  int looks = 1;
  while (looks < most_looks && (looks < looks_at_rules || comparison.undecided() > 0)) {
    if (!hooks_.settle()) break;
    ++looks;
    hooks_.sweep();
    if (looks <= looks_at_rules) {
      auto again = check_invariants(state_);
      again.findings = still_there(std::move(again.findings), report.findings);
      report = std::move(again);
    }
    if (auto looked = compares ? comparison.look_again() : Result<void>(); !looked) return std::move(looked).error();
  }
  const bool decided = looks >= looks_at_rules;
  const auto undecided = comparison.undecided() + (decided ? 0 : report.findings.size());
  auto findings = decided ? std::move(report.findings) : std::vector<Finding>();
  for (const auto& difference : comparison.found()) findings.push_back(finding_of(difference));
  if (const auto fault = state_.parts.store.fault())
    findings.push_back({"store", "the store", "one that keeps changes", "refuses them: " + fault->message});
  const auto count = findings.size() + (comparison.found().empty() ? 0 : comparison.left_out());
  const auto took = std::chrono::steady_clock::now() - begun;
  return json::value(
      json::object{{"sound", count == 0 && undecided == 0},
                   {"checked", checked_json(report, comparison)},
                   {"findings", shown_all(findings)},
                   {"findings_in_all", count},
                   {"remarks", shown_all(report.remarks)},
                   {"undecided", undecided},
                   {"looks", looks},
                   {"milliseconds", std::chrono::duration_cast<std::chrono::milliseconds>(took).count()}});
}

}  // namespace gantry::scheduling
