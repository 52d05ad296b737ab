// SPDX-License-Identifier: Apache-2.0
//
// Requests at once for the last places of the fleet, while others change the providers that they are claimed of.
#include <algorithm>
#include <atomic>
#include <random>
#include <thread>

#include "tests/nova/serve/served_nova.hpp"

namespace gantry::nova {
namespace {

using ::testing::StartsWith;

// Takes a GB of disk and gives it back without pause, as others do who use placement.
class OtherUser {
 public:
  using Ask = std::function<HttpOutcome(const std::string& verb, const std::string& target, const std::string& body)>;
  OtherUser(Ask ask, std::vector<std::string> providers, std::string consumer)
      : thread_([this, ask = std::move(ask), providers = std::move(providers), consumer = std::move(consumer)] {
          for (std::size_t turn = 0; !is_over_; ++turn) {
            ask("PUT", "/allocations/" + consumer,
                R"({"allocations":{")" + providers[turn % providers.size()] +
                    R"(":{"resources":{"DISK_GB":1}}},"project_id":"p","user_id":"u","consumer_generation":null})");
            ask("DELETE", "/allocations/" + consumer, "");
          }
        }) {}
  ~OtherUser() {
    is_over_ = true;
    thread_.join();
  }
  OtherUser(const OtherUser&) = delete;
  OtherUser& operator=(const OtherUser&) = delete;

 private:
  std::atomic<bool> is_over_ = false;
  std::thread thread_;
};

// Whether Gantry computes the candidates, or asks placement.
class LastPlaces : public ServedNova, public ::testing::WithParamInterface<bool> {
 protected:
  void SetUp() override {
    ServedNova::SetUp();
    mirrors_ = GetParam();
  }

  static constexpr int vcpus = 4;
  static constexpr std::size_t places = 4;

  // Leaves four places: two on one host, one on each of the others.
  std::map<std::string, std::size_t> leave_places() {
    std::vector<std::string> hosts{"h1", "h2", "h3"};
    std::shuffle(hosts.begin(), hosts.end(), dice_);
    occupants_ = {next_uuid(), next_uuid()};
    occupy(hosts[1], vcpus, occupants_[0]);
    occupy(hosts[2], vcpus, occupants_[1]);
    return {{hosts[0], 2}, {hosts[1], 1}, {hosts[2], 1}};
  }

  // Begins six requests, the order of whose arrival is chance, and waits for all answers.
  std::map<std::string, std::size_t> play(std::vector<std::string>& uuids) {
    std::vector<std::future<Heard>> calls;
    for (int i = 0; i < 6; ++i) {
      uuids.push_back(next_uuid());
      calls.push_back(begin(request_for({uuids.back()}, {{"flavor", flavor(vcpus)}})));
      if (dice_() % 2 == 0) std::this_thread::yield();
    }
    std::map<std::string, std::size_t> placed;
    for (auto& call : calls) {
      if (call.wait_for(std::chrono::seconds(120)) != std::future_status::ready) {
        ADD_FAILURE() << "a conductor heard nothing";
        continue;
      }
      const auto host = hosts_of(call.get()).at(0);
      if (host.size() == 2)
        ++placed[host];
      else
        EXPECT_THAT(host, StartsWith("NoValidHost: "));
    }
    return placed;
  }

  void give_back(std::vector<std::string> consumers) {
    consumers.insert(consumers.end(), occupants_.begin(), occupants_.end());
    for (const auto& consumer : consumers) ask_placement("DELETE", "/allocations/" + consumer);
  }

 private:
  std::mt19937 dice_{7};
  std::vector<std::string> occupants_;
};

INSTANTIATE_TEST_SUITE_P(Candidates, LastPlaces, ::testing::Bool(),
                         [](const auto& chosen) { return chosen.param ? "computed" : "asked"; });

TEST_P(LastPlaces, AreAllTakenAtAnyOrderOfRequestsAtOnce) {
  serve();
  const OtherUser other(ask_placement, {uuid_of_host("h1"), uuid_of_host("h2"), uuid_of_host("h3")}, next_uuid());
  for (int round = 0; round < 25 && !HasFailure(); ++round) {
    SCOPED_TRACE("play " + std::to_string(round));
    const auto room = leave_places();
    std::vector<std::string> uuids;
    EXPECT_EQ(play(uuids), room)
        << "a server is refused while a place is free, or a host has more than it has room for";
    std::size_t holding = 0;
    for (const auto& uuid : uuids) holding += held(uuid).size();
    EXPECT_EQ(holding, places);
    give_back(uuids);
  }
}

}  // namespace
}  // namespace gantry::nova
