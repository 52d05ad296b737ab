// SPDX-License-Identifier: Apache-2.0
#include "core/nova/placement/adoption.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <utility>

namespace gantry::nova {

namespace {

class ConsumerLookUp : public std::enable_shared_from_this<ConsumerLookUp> {
 public:
  using Done = std::function<void(Result<HeldAllocations>)>;

  ConsumerLookUp(Attempt attempt, std::string consumer, std::string request_id, Done done)
      : attempt_(std::move(attempt)),
        consumer_(std::move(consumer)),
        request_id_(std::move(request_id)),
        done_(std::move(done)) {}

  void start() {
    PlacementCall call{"GET", allocations_path(consumer_), std::string(microversion::allocations), "", request_id_, {}};
    attempt_.call(std::move(call), [self = shared_from_this()](const HttpOutcome& outcome) { self->take(outcome); });
  }

 private:
  void take(const HttpOutcome& outcome) {
    const bool is_absent = !outcome.is_answered() || outcome.status >= 500;
    if (is_absent && attempt_.may_retry()) return attempt_.retry([self = shared_from_this()] { self->start(); });
    if (is_absent || outcome.status != 200) return done_(Error{ErrorCode::unavailable, words_of(outcome), ""});
    done_(read_held_allocations(outcome.body));
  }

  Attempt attempt_;
  std::string consumer_;
  std::string request_id_;
  Done done_;
};

bool is_part_of(const json::object& part, const json::object& whole) {
  return std::all_of(part.begin(), part.end(), [&whole](const auto& entry) {
    const auto* const found = whole.if_contains(entry.key());
    return found != nullptr && are_same_allocations({{"one", entry.value()}}, {{"one", *found}});
  });
}

}  // namespace

void look_up_consumer(Attempt attempt, const std::string& consumer, const std::string& request_id,
                      std::function<void(Result<HeldAllocations>)> done) {
  std::make_shared<ConsumerLookUp>(std::move(attempt), consumer, request_id, std::move(done))->start();
}

std::optional<std::string_view> find_held_candidate(const Candidates& candidates, const json::object& allocations) {
  std::set<std::string_view> found;
  for (const auto& allocation : allocations) {
    const std::string_view provider = allocation.key();
    for (const auto request : candidates.requests_of(provider)) {
      const auto parsed = json::parse_object(request);
      if (parsed && is_part_of(parsed->at("allocations").get_object(), allocations)) found.insert(request);
    }
  }
  if (found.size() != 1) return std::nullopt;
  return *found.begin();
}

}  // namespace gantry::nova
