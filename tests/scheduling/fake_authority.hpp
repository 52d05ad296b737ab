// SPDX-License-Identifier: Apache-2.0
//
// An authority whose word a test sets, and that remembers what it was asked.
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/scheduling/authority.hpp"

namespace gantry::scheduling {

class FakeAuthority final : public Authority {
 public:
  // ---- the word, by uuids of rows
  std::set<std::string, std::less<>> eligible;
  std::set<std::string, std::less<>> claimable;
  std::set<std::string, std::less<>> claimable_anew;  // for a second question; empty: as claimable
  bool is_bounded = true;
  bool is_anew = true;                                    // the first answer rests on new facts
  std::set<std::pair<std::string, std::string>> refused;  // (instance, row)
  std::set<std::pair<std::string, std::string>> failing;  // (instance, row)
  bool stops_at_a_refusal = false;                        // picks behind one that is refused are not tried
  std::function<void(json::object& spec)> change = [](json::object&) {};
  std::vector<std::string> groups;  // the groups whose providers may be chosen
  // By row its candidates: by group the providers of the choice.
  std::map<std::string, std::vector<std::vector<std::vector<std::string>>>, std::less<>> candidates;

  // ---- what was asked
  std::vector<bool> questions;                              // whether only new facts will do
  std::vector<std::pair<std::string, std::string>> claims;  // (instance, row), in their order
  std::map<std::string, std::string> held;                  // instance -> row
  std::vector<GroupProviders> providers;                    // the providers of each claim
  bool is_paused = false;

  Result<std::unique_ptr<Admission>> admit(const AuthorityQuestion& question) override;
  std::string refusal() const override { return "hosts of topic compute come from a test"; }
  Result<void> prepare(Manager& /*manager*/) override { return {}; }
  void begin() override {}
  bool leave(std::chrono::steady_clock::time_point /*deadline*/) override { return true; }
  bool end(std::chrono::steady_clock::time_point /*deadline*/) override { return true; }
  json::object status() const override { return {{"host", "a test"}}; }
  Result<json::object> set_paused(bool paused) override {
    is_paused = paused;
    return json::object();
  }

 private:
  class Rows;
};

class FakeAuthority::Rows final : public Admission {
 public:
  Rows(FakeAuthority& authority, json::object spec, bool is_anew)
      : authority_(authority), spec_(std::move(spec)), is_anew_(is_anew) {}

  const json::object& spec() const override { return spec_; }
  bool is_bounded() const override { return authority_.is_bounded; }
  bool is_eligible(std::string_view row) const override { return authority_.eligible.contains(row); }
  bool is_claimable(std::string_view row) const override { return claimable().contains(row); }
  std::vector<std::string> groups_to_choose() const override { return authority_.groups; }
  void add_candidates(std::string_view row, RowOfCandidates& to) const override {
    const auto found = authority_.candidates.find(row);
    if (found == authority_.candidates.end()) return;
    for (const auto& candidate : found->second) {
      std::vector<RowOfCandidates::Provider> providers;
      std::vector<gantry_slice> groups;
      for (const auto& choice : candidate) {
        groups.push_back({static_cast<std::uint32_t>(providers.size()), static_cast<std::uint32_t>(choice.size())});
        for (const auto& each : choice) providers.push_back({each});
      }
      to.add(providers, groups);
    }
  }
  std::string why_not_eligible() const override { return "they are no candidates"; }
  std::optional<Error> refusal() const override {
    if (!authority_.is_bounded || !claimable().empty()) return std::nullopt;
    return Error{ErrorCode::no_valid_host, "No valid host was found. Nobody has room.", {}};
  }
  bool is_anew() const override { return is_anew_; }
  json::object record() const override { return {{"candidates", {{"claimable", claimable().size()}}}}; }
  std::string claim_text(std::string_view row, const GroupProviders& providers) const override {
    if (!authority_.is_bounded) return "null";
    auto text = "claim of " + std::string(row);
    for (const auto& [group, provider] : providers) text += ", " + group + " by " + provider;
    return text;
  }
  std::string_view claim_version() const override { return authority_.is_bounded ? "1.36" : ""; }

  std::vector<AuthorityVerdict> confirm(std::span<const AuthorityPick> picks) override {
    std::vector<AuthorityVerdict> verdicts;
    bool was_refused = false;
    for (const auto& pick : picks) {
      const auto asked = std::pair(pick.instance_uuid, pick.row);
      authority_.claims.push_back(asked);
      authority_.providers.push_back(pick.providers);
      if (authority_.stops_at_a_refusal && was_refused) {
        verdicts.push_back({AuthorityVerdict::Kind::untried, {}});
      } else if (authority_.refused.contains(asked)) {
        was_refused = true;
        verdicts.push_back({AuthorityVerdict::Kind::refused, {}});
      } else if (authority_.failing.contains(asked)) {
        verdicts.push_back({AuthorityVerdict::Kind::failed, {ErrorCode::unavailable, "it cannot be asked", {}}});
      } else {
        authority_.held[pick.instance_uuid] = pick.row;
        verdicts.push_back({AuthorityVerdict::Kind::held, {}});
      }
    }
    return verdicts;
  }
  void withdraw(std::span<const std::string> instance_uuids) override {
    for (const auto& uuid : instance_uuids) authority_.held.erase(uuid);
  }

 private:
  const std::set<std::string, std::less<>>& claimable() const {
    return is_anew_ && !authority_.claimable_anew.empty() ? authority_.claimable_anew : authority_.claimable;
  }

  FakeAuthority& authority_;
  json::object spec_;
  bool is_anew_;
};

inline Result<std::unique_ptr<Admission>> FakeAuthority::admit(const AuthorityQuestion& question) {
  questions.push_back(question.anew);
  auto spec = question.spec;
  change(spec);
  return std::unique_ptr<Admission>(std::make_unique<Rows>(*this, std::move(spec), question.anew || is_anew));
}

}  // namespace gantry::scheduling
