// SPDX-License-Identifier: Apache-2.0
//
// Power is lost at a random point of a random life, and of what was not synced only some sectors are there afterwards.
// GANTRY_POWER_LOSSES=n tries n seeds of three losses each, GANTRY_POWER_SEED=n that one alone.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <set>

#include "fault_file_system.hpp"
#include "service.hpp"

namespace gantry::fault {
namespace {

using Answer = RecordingStore::Answer;

std::uint64_t number_from(const char* name, std::uint64_t usual) {
  const char* const given = std::getenv(name);
  return given != nullptr ? std::strtoull(given, nullptr, 10) : usual;
}

class Life {
 public:
  explicit Life(std::uint64_t seed) : random_(seed) {}

  // Starts, lives and ends without power, then what is there must be what was answered, perhaps with more of what was
  // asked for after it.
  void live_until_power_fails() {
    auto& files = FaultFileSystem::installed();
    files.watch_power(1 + random_() % 400);
    const bool started = static_cast<bool>(service_.start());
    if (started) {
      EXPECT_EQ(service_.loaded(), found_) << "what had been found was lost at a start";
      for (int i = 0; i < 60 && !files.has_struck(); ++i) act();
    }
    service_.stop();
    const auto possible = may_be_found(started);
    const auto struck = files.struck();
    files.lose_power(random_);
    const auto files_found = sizes();
    const auto again = service_.start();
    ASSERT_TRUE(again) << again.error().message << "; power failed at: " << struck << "; found: " << files_found;
    ASSERT_NE(std::find(possible.begin(), possible.end(), service_.loaded()), possible.end())
        << "what was found is none of the " << possible.size() << " states that it may be";
    found_ = service_.loaded();
    expect_whole();
    service_.stop();
  }

 private:
  int below(int bound) { return static_cast<int>(random_() % static_cast<std::uint64_t>(bound)); }

  void send(const std::string& method, const std::string& args) {
    service_.send(method, args, [](const Reply&) {});
  }

  void act() {
    const std::string host(1, static_cast<char>('a' + below(3)));
    const auto number = below(12);
    switch (below(8)) {
      case 0: send("service_register", R"({"topic":"compute","host":")" + host + R"("})"); break;
      case 1:
        send("update_resource_stats",
             report(host, R"("padding":")" + std::string(static_cast<std::size_t>(below(9000)), 'p') + '"'));
        break;
      case 2: send("create_group", R"({"name":"g)" + std::to_string(number) + R"(","policy":"affinity"})"); break;
      case 3:
      case 4: send("schedule_run_instance", launch({number, number + 12})); break;
      case 5: send("delete_instance", R"({"instance":")" + uuid_of(number) + R"("})"); break;
      case 6: send("select_destinations", launch({number + 24})); break;
      case 7:
        for (const auto& cast : service_.list("list_casts")) {
          send("acknowledge_cast", R"({"id":")" + std::string(cast.at("id").as_string()) + R"("})");
          break;
        }
        break;
      default: break;
    }
    if (below(3) == 0) service_.flush();
  }

  std::vector<Documents> may_be_found(bool started) const {
    std::vector<Documents> all{found_};
    if (!started) return all;
    for (const auto& submitted : service_.submitted()) {
      auto next = all.back();
      apply(submitted.batch, next);
      if (submitted.answer == Answer::kept) all.clear();
      all.push_back(std::move(next));
    }
    return all;
  }

  std::string sizes() const {
    std::string text;
    const auto directory = std::filesystem::path(service_.settings.path).parent_path();
    for (const auto& entry : std::filesystem::directory_iterator(directory))
      text += entry.path().filename().string() + " of " + std::to_string(entry.file_size()) + " bytes, ";
    return text;
  }

  // A launch that is there is there with its instance, claim and cast.
  void expect_whole() {
    std::set<std::string> instances;
    for (const auto& [key, document] : found_) {
      if (key.first == store::Kind::instance) instances.insert(key.second);
    }
    for (const auto& [key, document] : found_) {
      if (key.first != store::Kind::cast) continue;
      const auto cast = *json::parse_object(document);
      if (cast.at("method").as_string() != "run_instance") continue;
      const std::string consumer(cast.at("consumer").as_string());
      EXPECT_TRUE(instances.contains(consumer)) << "a cast without its instance";
      EXPECT_TRUE(
          found_.contains({store::Kind::claim, consumer + "/compute/" + std::string(cast.at("host").as_string()) + "/" +
                                                   std::string(cast.at("node").as_string())}))
          << "a cast without its claim";
    }
  }

  std::mt19937_64 random_;
  Service service_;
  Documents found_;
};

TEST(PowerLoss, KeepsAnsweredChangesAndLeavesNoHalfChange) {
  const auto only = number_from("GANTRY_POWER_SEED", 0);
  const auto first = only != 0 ? only : 1;
  const auto seeds = only != 0 ? 1 : number_from("GANTRY_POWER_LOSSES", 200);
  for (std::uint64_t seed = first; seed < first + seeds && !testing::Test::HasFailure(); ++seed) {
    Life life(seed);
    for (int losses = 0; losses < 3 && !testing::Test::HasFailure(); ++losses) life.live_until_power_fails();
    if (testing::Test::HasFailure()) ADD_FAILURE() << "again with GANTRY_POWER_SEED=" << seed;
  }
  FaultFileSystem::installed().disarm();
  if (!testing::Test::HasFailure())
    std::cout << "power lost " << 3 * seeds << " times, answered changes lost 0, half changes found 0\n";
}

}  // namespace
}  // namespace gantry::fault
