// SPDX-License-Identifier: Apache-2.0
//
// Random forests of providers and random questions, answered by the real placement and by the mirror.
//
// GANTRY_MIRROR_FIRST_SEED, GANTRY_MIRROR_FORESTS (of each part) and GANTRY_MIRROR_QUESTIONS (of each forest) choose other
// ones.
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/nova/mirror/candidate_search.hpp"

namespace gantry::nova {
namespace {

constexpr int not_installed = 77;
constexpr int most_reported = 5;

int setting(const char* name, int otherwise) {
  const char* const value = std::getenv(name);
  return value == nullptr ? otherwise : std::atoi(value);
}

// The lines that the oracle prints.
class Oracle {
 public:
  Oracle(int first_seed, int forests, int questions) {
    const auto command = "exec /usr/bin/python3 -B " + std::string(PLACEMENT_ORACLE) + " " +
                         std::to_string(first_seed) + " " + std::to_string(forests) + " " + std::to_string(questions);
    output_ = popen(command.c_str(), "r");
  }
  ~Oracle() {
    if (output_ != nullptr) pclose(output_);
  }
  Oracle(const Oracle&) = delete;
  Oracle& operator=(const Oracle&) = delete;

  bool read(json::object& line) {
    const auto length = getline(&buffer_, &size_, output_);
    if (length <= 0) return false;
    auto parsed = json::parse_object(std::string_view(buffer_, static_cast<std::size_t>(length)));
    EXPECT_TRUE(parsed) << parsed.error().message;
    if (!parsed) return false;
    line = *std::move(parsed);
    return true;
  }
  int end() {
    const int status = pclose(std::exchange(output_, nullptr));
    std::free(std::exchange(buffer_, nullptr));
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  std::FILE* output_ = nullptr;
  char* buffer_ = nullptr;
  std::size_t size_ = 0;
};

std::string text_of(const json::value& value) {
  return std::string(value.as_string());
}

double number_of(const json::value& value) {
  const auto text = text_of(value);
  double number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

NameFacts names_of(const json::value& list) {
  NameFacts names;
  for (const auto& entry : list.as_array()) names.emplace_back(entry.at(0).as_int64(), text_of(entry.at(1)));
  return names;
}

InventoryFact inventory_of(const json::array& row) {
  const auto integer = [&row](std::size_t at) { return row.at(at).as_int64(); };
  return {integer(0), integer(1), integer(2), number_of(row.at(3)), number_of(row.at(4)), integer(5),
          integer(6), integer(7), integer(8)};
}

ProviderFact provider_of(const json::value& row) {
  ProviderFact fact;
  fact.id = row.at("id").as_int64();
  fact.uuid = text_of(row.at("uuid"));
  if (!row.at("parent").is_null()) fact.parent = row.at("parent").as_int64();
  fact.root = row.at("root").as_int64();
  for (const auto& inventory : row.at("inventories").as_array())
    fact.inventories.push_back(inventory_of(inventory.as_array()));
  for (const auto& trait : row.at("traits").as_array()) fact.traits.push_back(trait.as_int64());
  for (const auto& aggregate : row.at("aggregates").as_array()) fact.aggregates.push_back(aggregate.as_int64());
  return fact;
}

// The canonical text of an allocation request: the order of its mappings makes no difference.
std::string canonical(json::object request) {
  for (auto& group : request.at("mappings").as_object()) {
    auto& uuids = group.value().as_array();
    std::ranges::sort(uuids, {}, text_of);
  }
  return json::write_canonical(request);
}

struct Answer {
  std::set<std::string> requests;
  std::set<std::string> summaries;
};

Answer answer_of(const json::object& line) {
  Answer answer;
  for (const auto& request : line.at("requests").as_array()) answer.requests.insert(canonical(request.as_object()));
  for (const auto& uuid : line.at("summaries").as_array()) answer.summaries.insert(text_of(uuid));
  return answer;
}

Answer answer_of(const MirrorCandidates& candidates) {
  Answer answer;
  for (const auto& text : candidates.write_requests()) answer.requests.insert(canonical(*json::parse_object(text)));
  candidates.seen().each(
      [&](std::size_t row) { answer.summaries.insert(candidates.shape().uuid(static_cast<ProviderRow>(row))); });
  return answer;
}

// Adds to `chosen` each way to choose a provider for the groups from chosen.size() on, and calls `visit` with all.
template <class Visit>
void choose(const MirrorCandidates::Choices& choices, std::vector<ProviderRow>& chosen, Visit visit) {
  if (chosen.size() == choices.size()) return visit(chosen);
  for (const auto& [row, room] : choices[chosen.size()]) {
    if (std::ranges::count(chosen, row) >= room) continue;
    chosen.push_back(row);
    choose(choices, chosen, visit);
    chosen.pop_back();
  }
}

// The requests that open groups stand for, one for each way to choose the devices' providers. Returns how many sets of
// choices there were.
int add_choices(const MirrorCandidates& candidates, std::set<std::string>& requests) {
  const std::vector<std::string> all{"_device0", "_device1", "_device2", "_device3"};
  int sets = 0;
  candidates.claimable().each([&](std::size_t at) {
    const auto provider = candidates.shape().uuid(static_cast<ProviderRow>(at));
    for (std::size_t groups = 2; groups <= 2 * all.size(); ++groups) {
      const auto devices = static_cast<std::ptrdiff_t>((groups + 1) / 2);
      std::vector<std::string> suffixes(all.begin(), all.begin() + devices);
      if (groups % 2 == 0) suffixes.emplace_back("_other");
      candidates.each_choices(provider, suffixes, [&](const MirrorCandidates::Choices& choices) {
        if (std::ranges::all_of(choices, [](const auto& group) { return group.size() == 1; })) return;
        ++sets;
        std::vector<ProviderRow> chosen;
        choose(choices, chosen, [&](const std::vector<ProviderRow>& rows) {
          std::vector<std::pair<std::string, std::string>> by_group;
          for (std::size_t group = 0; group < rows.size(); ++group)
            by_group.emplace_back(suffixes[group], candidates.shape().uuid(rows[group]));
          const auto request = candidates.request_of(provider, by_group);
          requests.insert(request.empty() ? "none" : canonical(*json::parse_object(request)));
        });
      });
    }
  });
  return sets;
}

std::string listed(const std::set<std::string>& texts) {
  std::string list;
  for (const auto& text : texts) list += "\n    " + text;
  return list;
}

// Counts of the comparison.
struct Tally {
  int questions = 0;
  int with_candidates = 0;
  int refused = 0;
  int asked = 0;              // the mirror left the question to placement
  int asked_of_answered = 0;  // left to placement, and placement answered
  int open = 0;               // requests with open groups
  int differences = 0;
  std::map<std::string, int> reasons;
};

class MirrorComparison {
 public:
  void take_names(const json::object& line) {
    names_.resource_classes = names_of(line.at("classes"));
    names_.traits = names_of(line.at("traits"));
  }
  void take_forest(const json::object& line);
  void take_use(const json::object& line);
  void take_question(const json::object& line);
  const Tally& tally() const { return tally_; }

 private:
  void compare(const json::object& line, const MirrorAnswer& answer);
  void report(const std::string& what);

  ProviderChanges names_;
  ProviderState state_;
  std::vector<std::int64_t> ids_;
  std::int64_t seed_ = 0;
  std::string query_;
  Tally tally_;
};

// Every second forest takes the place of the one before, provider by provider; the others begin with an empty state.
void MirrorComparison::take_forest(const json::object& line) {
  seed_ = line.at("seed").as_int64();
  ProviderChanges changes;
  if (seed_ % 2 == 0) {
    state_ = ProviderState();
  } else {
    changes.removed = ids_;
  }
  if (state_.shape().size() == 0) changes = names_;
  ids_.clear();
  changes.aggregates = names_of(line.at("aggregates"));
  for (const auto& row : line.at("providers").as_array()) {
    changes.providers.push_back(provider_of(row));
    ids_.push_back(changes.providers.back().id);
  }
  std::erase_if(changes.removed, [this](auto id) { return std::ranges::find(ids_, id) != ids_.end(); });
  const auto done = state_.apply(std::move(changes));
  ASSERT_TRUE(done) << done.error().message;
}

void MirrorComparison::take_use(const json::object& line) {
  for (const auto& change : line.at("used").as_array()) {
    const auto done = state_.set_used(change.at(0).as_int64(), change.at(1).as_int64(), change.at(2).as_int64());
    ASSERT_TRUE(done) << done.error().message;
  }
}

void MirrorComparison::take_question(const json::object& line) {
  query_ = text_of(line.at("q"));
  ++tally_.questions;
  const auto status = line.at("status").as_int64();
  const auto answer = find_candidates(state_, query_);
  if (answer.kind == MirrorAnswer::Kind::ask) {
    ++tally_.asked;
    tally_.asked_of_answered += status == 200;
    ++tally_.reasons[(status == 200 ? "answered: " : "not answered: ") +
                     answer.reason.substr(0, answer.reason.find('='))];
    return;
  }
  if (answer.kind == MirrorAnswer::Kind::refused) {
    ++tally_.refused;
    if (status != 400)
      report("placement's status is " + std::to_string(status) + ", the mirror refuses: " + answer.reason);
    return;
  }
  if (status != 200) return report("placement's status is " + std::to_string(status) + ", the mirror answers");
  compare(line, answer);
}

void MirrorComparison::compare(const json::object& line, const MirrorAnswer& answer) {
  const auto expected = answer_of(line);
  auto found = answer_of(answer.candidates);
  if (found.requests.size() != answer.candidates.request_count()) report("the mirror has a request twice");
  tally_.open += add_choices(answer.candidates, found.requests);
  tally_.with_candidates += !expected.requests.empty();
  if (expected.requests != found.requests)
    report("allocation requests\n  placement:" + listed(expected.requests) + "\n  mirror:" + listed(found.requests));
  if (expected.summaries != found.summaries)
    report("provider summaries\n  placement:" + listed(expected.summaries) + "\n  mirror:" + listed(found.summaries));
  std::size_t requested = 0;
  for (const auto& uuid : found.summaries) {
    const auto& candidates = answer.candidates;
    const auto own = candidates.requests_of(uuid);
    requested += own.empty() ? 0 : 1;
    if (candidates.is_claimable(uuid) == own.empty() || !candidates.is_seen(uuid) ||
        candidates.request_of(uuid) != (own.empty() ? "" : own.front()))
      report("provider " + uuid + " contradicts itself");
  }
  if (requested != answer.candidates.claimable().size()) report("a provider is claimable and not seen");
}

void MirrorComparison::report(const std::string& what) {
  if (++tally_.differences <= most_reported)
    ADD_FAILURE() << "seed " << seed_ << ", question " << query_ << ": " << what;
}

void print(const Tally& tally) {
  std::cout << tally.questions << " questions: " << tally.with_candidates << " with candidates, " << tally.refused
            << " refused, " << tally.asked << " left to placement, of which it answered " << tally.asked_of_answered
            << ", " << tally.open << " choices of devices; " << tally.differences << " differ\n";
  for (const auto& [reason, count] : tally.reasons) std::cout << "  " << count << " " << reason << "\n";
}

// The forests are cut into parts, for several processors.
class PlacementDifferential : public ::testing::TestWithParam<int> {};

TEST_P(PlacementDifferential, MirrorAnswersAsPlacementDoes) {
  const int forests = setting("GANTRY_MIRROR_FORESTS", 250);
  const int questions = setting("GANTRY_MIRROR_QUESTIONS", 20);
  Oracle oracle(setting("GANTRY_MIRROR_FIRST_SEED", 1) + GetParam() * forests, forests, questions);
  MirrorComparison comparison;
  json::object line;
  while (oracle.read(line)) {
    if (line.contains("classes"))
      comparison.take_names(line);
    else if (line.contains("seed"))
      comparison.take_forest(line);
    else if (line.contains("used"))
      comparison.take_use(line);
    else
      comparison.take_question(line);
  }
  const int status = oracle.end();
  if (status == not_installed) GTEST_SKIP() << "python3-placement is not installed: packaging/install-packages --nova";
  ASSERT_EQ(status, 0) << "the oracle failed; its words are above";
  const auto& tally = comparison.tally();
  print(tally);
  EXPECT_EQ(tally.questions, forests * questions);
  EXPECT_EQ(tally.differences, 0);
  // The mirror answers itself what it can.
  EXPECT_LE(tally.asked_of_answered, tally.questions / 20 + 5);
  EXPECT_GE(tally.with_candidates, tally.questions / 5);
  if (forests >= 100) {
    EXPECT_GT(tally.open, 0) << "no question had more than 64 ways to choose devices";
  }
}

INSTANTIATE_TEST_SUITE_P(Part, PlacementDifferential, ::testing::Range(0, 4));

}  // namespace
}  // namespace gantry::nova
