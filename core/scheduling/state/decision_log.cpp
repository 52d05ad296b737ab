// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state/decision_log.hpp"

#include <chrono>
#include <utility>

#include "core/scheduling/state/state.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::chrono::milliseconds interval{200};
constexpr std::size_t most_queued = 100'000;
constexpr std::size_t many = 1'000;  // so many do not wait for the interval
constexpr std::size_t most_history_bytes = std::size_t{64} << 20;
constexpr int idle_rounds = 25;  // after so many the history is written without a decision, so that little is held

store::KeptFacts kept(fleet::FactChunk chunk) {
  return {chunk.first_moment, chunk.last_moment, chunk.begins_whole, std::move(chunk.bytes)};
}

}  // namespace

void DecisionLog::begin(DecisionLogSettings settings) {
  settings_ = std::move(settings);
  fleet_.keep_history(most_history_bytes);
  is_kept_ = true;
  thread_ = std::thread([this] { run(); });
}

void DecisionLog::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    is_ending_ = true;
  }
  work_.notify_one();
  thread_.join();
}

void DecisionLog::begin_hold() {
  const std::lock_guard lock(mutex_);
  is_holding_ = true;
  work_.notify_one();
}

void DecisionLog::wait_until_held() {
  if (!thread_.joinable()) return;
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return is_closed_; });
}

void DecisionLog::release() {
  const std::lock_guard lock(mutex_);
  is_holding_ = false;
  work_.notify_one();
}

void DecisionLog::stand_still(std::unique_lock<std::mutex>& lock) {
  if (!is_holding_ || !queue_.empty()) return;
  archive_.reset();
  is_closed_ = true;
  done_.notify_all();
  work_.wait(lock, [this] { return !is_holding_ || is_ending_; });
  is_closed_ = false;
}

void DecisionLog::add(DecisionNote note) {
  const std::lock_guard lock(mutex_);
  if (queue_.size() >= most_queued) {
    counters_.add("decision_records", "lost", 1);
    return;
  }
  queue_.push_back(std::move(note));
  ++added_;
  if (queue_.size() == many) work_.notify_one();
}

Result<const store::DecisionArchive*> DecisionLog::archive() {
  if (!is_kept())
    return Error{
        ErrorCode::failed_precondition, "decisions are not kept; decisions.keep in the configuration is 0", {}};
  std::unique_lock lock(mutex_);
  const auto wanted = added_;
  is_urgent_ = true;
  work_.notify_one();
  constexpr std::chrono::seconds patience{2};
  done_.wait_for(lock, patience, [&] { return written_ >= wanted && archive_ != nullptr; });
  if (archive_) return archive_.get();
  return Error{ErrorCode::unavailable, trouble_.value_or("the archive of decisions is being opened; try again"), {}};
}

Result<fleet::Moment> DecisionLog::recall(std::int64_t run, std::uint64_t moment) {
  auto opened = archive();
  if (!opened) return std::move(opened).error();
  const std::lock_guard lock(recall_mutex_);
  if (recalled_.run == run && recalled_.number == moment) return recalled_.moment;
  store::KeptDecision decision;
  decision.run = run;
  decision.moment = moment;
  auto pieces = (*opened)->facts_of(decision);
  if (!pieces) return std::move(pieces).error();
  if (pieces->empty()) return Error{ErrorCode::not_found, "the facts of its time are no longer kept", {}};
  fleet::RecalledFleet recalled;
  for (auto& piece : *pieces) {
    const fleet::FactChunk chunk{std::move(piece.bytes), piece.first_moment, piece.last_moment, piece.begins_whole};
    if (auto applied = recalled.apply(chunk, moment); !applied) return std::move(applied).error();
  }
  recalled_ = {run, moment, recalled.moment()};
  return recalled_.moment;
}

std::optional<std::string> DecisionLog::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

bool DecisionLog::wait_for_work(std::unique_lock<std::mutex>& lock) {
  work_.wait_for(lock, interval, [this] { return is_ending_ || is_holding_ || is_urgent_ || queue_.size() >= many; });
  is_urgent_ = false;
  return !is_ending_ || !queue_.empty();
}

void DecisionLog::run() {
  std::unique_lock lock(mutex_);
  int idle = 0;
  while (wait_for_work(lock)) {
    const auto notes = std::exchange(queue_, {});
    const auto reached = added_;
    // Trouble that is over is noticed without a decision.
    const bool is_in_trouble = trouble_.has_value();
    const bool is_work = !notes.empty() || is_in_trouble || !archive_ || ++idle > idle_rounds;
    lock.unlock();
    if (is_work) {
      note_result(write(notes, is_in_trouble), notes.size());
      idle = 0;
    }
    lock.lock();
    written_ = reached;
    done_.notify_all();
    stand_still(lock);
  }
}

Result<void> DecisionLog::open() {
  if (archive_) return {};
  auto opened = store::DecisionArchive::open(settings_.archive, settings_.run);
  if (!opened) return std::move(opened).error();
  const std::lock_guard lock(mutex_);
  archive_ = *std::move(opened);
  return {};
}

// The history is taken after the decisions: it reaches each moment that they saw.
// Whole facts show that the disk takes records again, though no decision is there to be kept.
Result<void> DecisionLog::write(const std::vector<DecisionNote>& notes, bool is_in_trouble) {
  if (auto opened = open(); !opened) return opened;
  std::optional<store::KeptFacts> whole;
  if (archive_->wants_whole_facts() || is_in_trouble)
    whole = kept(fleet::whole_facts(fleet_.pin(steady_nanoseconds())));
  const auto changes = kept(fleet_.take_history());
  if (changes.begins_whole) whole.reset();
  std::vector<store::DecisionToKeep> decisions;
  decisions.reserve(notes.size());
  for (const auto& note : notes) {
    decisions.push_back(
        {note.time, note.moment, static_cast<std::int64_t>(note.outcome), names_of(note), record_of(note)});
  }
  return archive_->append(decisions, whole, changes);
}

void DecisionLog::note_result(const Result<void>& written, std::size_t notes) {
  if (notes != 0) counters_.add("decision_records", written ? "kept" : "lost", notes);
  std::optional<std::string> trouble;
  if (!written) trouble = "decisions are not recorded: " + written.error().message;
  const std::lock_guard lock(mutex_);
  if (trouble.has_value() != trouble_.has_value()) {
    if (trouble)
      logger_->write(telemetry::Level::error, "decisions are not recorded", {{"reason", written.error().message}});
    else
      logger_->write(telemetry::Level::info, "decisions are recorded again");
  }
  trouble_ = std::move(trouble);
}

}  // namespace gantry::scheduling
