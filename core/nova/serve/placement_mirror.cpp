// SPDX-License-Identifier: Apache-2.0
#include "core/nova/serve/placement_mirror.hpp"

#include <algorithm>
#include <utility>

#include "core/nova/facts/start_check.hpp"
#include "core/nova/mirror/candidate_search.hpp"
#include "core/nova/mirror/database/placement_tables.hpp"
#include "core/nova/mirror/joint_room.hpp"

namespace gantry::nova {

namespace {

constexpr const char* option = "[placement_database] connection";

class MirroredSet final : public CandidateSet {
 public:
  explicit MirroredSet(MirrorCandidates candidates) : candidates_(std::move(candidates)) {}

  bool is_seen(std::string_view provider) const override { return candidates_.is_seen(provider); }
  bool is_claimable(std::string_view provider) const override { return candidates_.is_claimable(provider); }
  std::string request_of(std::string_view provider) const override { return candidates_.request_of(provider); }
  std::string request_of(std::string_view provider, const ChosenProviders& chosen) const override {
    return candidates_.request_of(provider, chosen);
  }
  void each_choices(std::string_view provider, const std::vector<std::string>& groups,
                    const std::function<void(const CandidateChoices&)>& visit) const override {
    candidates_.each_choices(provider, groups, [&](const MirrorCandidates::Choices& found) {
      CandidateChoices choices;
      for (std::size_t at = 0; at < found.size(); ++at) {
        if (at != 0 && std::ranges::equal(found[at], found[at - 1])) {
          choices.groups.push_back(choices.groups.back());
          continue;
        }
        choices.groups.push_back(
            {static_cast<std::uint32_t>(choices.providers.size()), static_cast<std::uint32_t>(found[at].size())});
        for (const auto& each : found[at]) choices.providers.push_back({candidates_.shape().uuid(each.row), each.room});
      }
      visit(choices);
    });
  }
  std::size_t seen_count() const override { return candidates_.seen().size(); }
  std::size_t claimable_count() const override { return candidates_.claimable().size(); }
  bool is_empty() const override { return candidates_.is_empty(); }
  std::vector<std::string> seen_providers() const override {
    std::vector<std::string> uuids;
    candidates_.seen().each(
        [&](std::size_t row) { uuids.push_back(candidates_.shape().uuid(static_cast<ProviderRow>(row))); });
    return uuids;
  }
  std::string_view source() const override { return "mirror"; }

 private:
  MirrorCandidates candidates_;
};

bool changes_something(const ProviderRead& read) {
  const auto& changes = read.changes;
  return read.is_whole || !changes.providers.empty() || !changes.removed.empty() || changes.traits ||
         changes.resource_classes || changes.aggregates;
}

}  // namespace

Result<std::unique_ptr<PlacementMirror>> PlacementMirror::start(const std::string& database_url, Timeouts timeouts,
                                                                const std::shared_ptr<telemetry::Logger>& logger,
                                                                telemetry::Counters& counters) {
  const auto url = parse_database_url(database_url);
  if (!url) return Error(url.error()).within(option);
  std::unique_ptr<PlacementMirror> mirror(new PlacementMirror(logger, counters));
  DatabaseFeed::Setup setup;
  setup.name = "placement database";
  setup.url = *url;
  setup.timeouts = timeouts;
  setup.read = [self = mirror.get()](Connection& connection, Depth depth) { return self->read(connection, depth); };
  setup.logger = logger;
  setup.counters = &counters;
  mirror->feed_ = std::make_unique<DatabaseFeed>(std::move(setup));
  auto connection = Connection::open(*url, timeouts);
  const auto check = connection ? check_database(*connection, placement_tables::all, "placement") : connection.error();
  if (check && !check->failures.empty())
    return Error{ErrorCode::failed_precondition, std::string(option) + ": " + check->failures.front(), {}};
  auto done = check ? mirror->feed_->read_first(*std::move(connection)) : Result<void>(check.error());
  const bool is_away =
      !done && (done.error().code == ErrorCode::unavailable || done.error().code == ErrorCode::deadline_exceeded);
  if (!done && !is_away) return std::move(done).error().within(option);
  if (is_away) mirror->feed_->set_away(done.error());
  mirror->feed_->begin();
  return mirror;
}

Result<void> PlacementMirror::read(Connection& connection, Depth depth) {
  std::vector<std::string> marked;
  {
    const std::lock_guard lock(mutex_);
    marked.assign(marked_.begin(), marked_.end());
    marked_.clear();
  }
  auto done = read_into_state(connection, marked, depth);
  if (!done) {
    const std::lock_guard lock(mutex_);
    marked_.insert(marked.begin(), marked.end());
  }
  return done;
}

Result<void> PlacementMirror::read_into_state(Connection& connection, const std::vector<std::string>& marked,
                                              Depth depth) {
  auto read = is_loaded_ ? reader_.refresh(connection, marked, depth) : reader_.load(connection);
  if (!read) return std::move(read).error();
  auto done = take(*std::move(read));
  is_loaded_ = static_cast<bool>(done);
  return done;
}

Result<void> PlacementMirror::take(ProviderRead read) {
  if (!changes_something(read)) return {};
  if (!read.is_whole) {
    const std::lock_guard lock(mutex_);
    ++version_;
    return state_->apply(std::move(read.changes));
  }
  auto state = std::make_unique<ProviderState>();
  if (auto done = state->apply(std::move(read.changes)); !done) return done;
  const std::lock_guard lock(mutex_);
  ++version_;
  state_ = std::move(state);
  return {};
}

bool PlacementMirror::wait(std::uint64_t refresh, Clock::time_point deadline) {
  return feed_->wait(refresh, deadline) && feed_->has_read(refresh);
}

std::shared_ptr<const CandidateSet> PlacementMirror::find(const std::string& query) {
  const std::lock_guard lock(mutex_);
  if (!stepped_down_.empty()) return nullptr;
  auto answer = find_candidates(*state_, query);
  counters_.add("nova_mirror", answer.kind == MirrorAnswer::Kind::answered ? "answered" : "asked", 1);
  if (answer.kind != MirrorAnswer::Kind::answered) return nullptr;
  return std::make_shared<MirroredSet>(std::move(answer.candidates));
}

bool PlacementMirror::has_room_for(std::span<const std::string> allocation_requests) const {
  const std::lock_guard lock(mutex_);
  return have_room_together(*state_, allocation_requests);
}

void PlacementMirror::mark(const std::string& root) {
  const std::lock_guard lock(mutex_);
  marked_.insert(root);
}

std::uint64_t PlacementMirror::version() const {
  const std::lock_guard lock(mutex_);
  return version_;
}

void PlacementMirror::step_down(std::string reason) {
  logger_->write(telemetry::Level::error, "placement is asked from now on, and not its mirror", {{"reason", reason}});
  const std::lock_guard lock(mutex_);
  stepped_down_ = std::move(reason);
}

json::object PlacementMirror::status() const {
  const auto feed = feed_->status();
  json::object status{{"connected", feed.is_connected}, {"last_refresh_ms", nullptr}, {"trouble", trouble()}};
  if (feed.last_refresh) status["last_refresh_ms"] = feed.last_refresh->count();
  const std::lock_guard lock(mutex_);
  status["providers"] = state_->shape().size();
  return status;
}

std::string PlacementMirror::trouble() const {
  auto trouble = feed_->trouble();
  if (!trouble.empty()) return trouble + "; placement is asked meanwhile";
  const std::lock_guard lock(mutex_);
  return stepped_down_.empty() ? "" : "placement is asked, and not its mirror: " + stepped_down_;
}

}  // namespace gantry::nova
