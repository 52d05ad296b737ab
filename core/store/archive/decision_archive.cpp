// SPDX-License-Identifier: Apache-2.0
#include "core/store/archive/decision_archive.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "core/files/errno_text.hpp"
#include "core/files/trusted_directory.hpp"
#include "core/store/archive/archive_reader.hpp"
#include "core/store/archive/archive_writer.hpp"

namespace gantry::store {

namespace {

// A directory holds at most so many segments of a kind, so that one of them is a small part of the whole.
constexpr std::uint64_t segments_of_a_kind = 20;

std::int64_t now_nanoseconds() {
  return std::chrono::nanoseconds(std::chrono::system_clock::now().time_since_epoch()).count();
}

struct FactSegment {
  std::uint64_t bytes = 0;
  std::int64_t last_time = 0;  // the time of its last change
};

}  // namespace

struct DecisionArchive::State {
  State(ArchiveSettings given, std::int64_t run_number) : settings(std::move(given)), run(run_number) {}

  std::string path_of(SegmentKind kind, std::int64_t number) const {
    return settings.directory + "/" + SegmentName{kind, number}.text();
  }
  Result<void> make_directory() const;
  Result<void> find_segments();
  void set_aside(const std::string& path, const Error& error) const;
  Result<void> open_decisions(std::string_view sample);
  Result<void> open_facts();
  Result<void> append_facts(const std::optional<KeptFacts>& whole, const KeptFacts& changes);
  void remove_old();
  void remove(SegmentKind kind, std::int64_t number);
  Result<SegmentReader*> reader_of(SegmentKind kind, std::int64_t number);

  const ArchiveSettings settings;
  const std::int64_t run;

  // ---- of the thread that appends
  std::optional<DecisionWriter> decisions;
  std::optional<FactWriter> facts;
  std::uint64_t changes_since_whole = 0;  // bytes
  std::uint64_t bytes_of_whole = 0;
  bool needs_whole = true;

  // ----
  mutable std::mutex mutex;
  std::map<std::int64_t, DecisionRange> decision_segments;  // by number
  std::map<std::int64_t, FactSegment> fact_segments;        // by number
  std::map<std::pair<SegmentKind, std::int64_t>, SegmentReader> readers;
};

Result<void> DecisionArchive::State::make_directory() const {
  if (::mkdir(settings.directory.c_str(), 0700) == 0 || errno == EEXIST) return check_archive_place(settings.directory);
  return Error{ErrorCode::unavailable,
               "the archive of decisions: " + settings.directory + ": cannot be made: " + files::errno_text(errno),
               {}};
}

void DecisionArchive::State::set_aside(const std::string& path, const Error& error) const {
  std::error_code failed;
  std::filesystem::rename(path, path + ".damaged", failed);
  settings.logger->write(telemetry::Level::warning, "a part of the archive of decisions is not read",
                         {{"file", path}, {"now", failed ? path : path + ".damaged"}, {"reason", error.message}});
}

Result<void> DecisionArchive::State::find_segments() {
  std::error_code failed;
  for (const auto& entry : std::filesystem::directory_iterator(settings.directory, failed)) {
    const auto name = SegmentName::parse(entry.path().filename().string());
    if (!name) continue;
    if (is_unfinished_segment(entry.path())) {
      remove_segment(entry.path());
      continue;
    }
    auto reader = SegmentReader::open(entry.path());
    if (!reader) {
      set_aside(entry.path(), reader.error());
      continue;
    }
    if (name->kind == SegmentKind::facts) {
      struct stat status {};
      ::stat(entry.path().c_str(), &status);
      fact_segments[name->number] = {size_of_segment(entry.path()), std::int64_t{status.st_mtime} * 1'000'000'000};
    } else if (const auto range = reader->range(); range) {
      decision_segments[name->number] = range->empty() ? DecisionRange{name->number, name->number - 1, 0} : *range;
    } else {
      set_aside(entry.path(), range.error());
    }
  }
  if (!failed) return {};
  return Error{ErrorCode::unavailable,
               "the archive of decisions: " + settings.directory + ": cannot be read: " + failed.message(),
               {}};
}

// Goes on with the latest segment, unless that is gone or full.
Result<void> DecisionArchive::State::open_decisions(std::string_view sample) {
  std::int64_t next_id = 1;
  if (!decision_segments.empty()) {
    const auto& [number, range] = *decision_segments.rbegin();
    const auto path = path_of(SegmentKind::decisions, number);
    const bool is_there = size_of_segment(path) != 0;
    if (is_there && range.count() < std::max<std::uint64_t>(1, settings.most_decisions / segments_of_a_kind)) {
      if (decisions) return {};
      auto segment = open_segment(path);
      if (!segment) return std::move(segment).error();
      auto writer = DecisionWriter::open(*std::move(segment), run);
      if (!writer) return std::move(writer).error();
      decisions.emplace(*std::move(writer));
      return {};
    }
    next_id = std::max(number, range.last_id + 1);
    if (!is_there) remove(SegmentKind::decisions, number);
  }
  decisions.reset();
  auto segment = make_segment(path_of(SegmentKind::decisions, next_id), SegmentKind::decisions, sample);
  if (!segment) return std::move(segment).error();
  auto writer = DecisionWriter::open(*std::move(segment), run);
  if (!writer) return std::move(writer).error();
  decisions.emplace(*std::move(writer));
  const std::lock_guard lock(mutex);
  decision_segments[next_id] = {next_id, next_id - 1, 0};
  return {};
}

// Each process begins a segment of its own.
Result<void> DecisionArchive::State::open_facts() {
  const auto number = fact_segments.empty() ? 1 : fact_segments.rbegin()->first + 1;
  facts.reset();
  auto segment = make_segment(path_of(SegmentKind::facts, number), SegmentKind::facts, "");
  if (!segment) return std::move(segment).error();
  auto writer = FactWriter::open(*std::move(segment), run);
  if (!writer) return std::move(writer).error();
  facts.emplace(*std::move(writer));
  const std::lock_guard lock(mutex);
  fact_segments[number] = {0, now_nanoseconds()};
  return {};
}

// A moment's pieces stand in one segment: changes on which a new segment begins stand in both.
Result<void> DecisionArchive::State::append_facts(const std::optional<KeptFacts>& whole, const KeptFacts& changes) {
  if (!whole && changes.first_moment == 0) return {};
  const bool is_there = facts && size_of_segment(path_of(SegmentKind::facts, fact_segments.rbegin()->first)) != 0;
  const bool is_full = is_there && fact_segments.rbegin()->second.bytes > settings.most_fact_bytes / segments_of_a_kind;
  if (!is_there && facts) {
    facts.reset();
    remove(SegmentKind::facts, fact_segments.rbegin()->first);
  }
  const bool begins = whole || changes.begins_whole;
  if (begins && (!is_there || is_full)) {
    if (is_there) {
      const std::array<const KeptFacts*, 1> pieces{&changes};
      if (auto appended = facts->append(pieces); !appended) return std::move(appended).error();
    }
    if (auto opened = open_facts(); !opened) return opened;
  } else if (!is_there) {
    needs_whole = true;  // changes without a beginning cannot be read
    return {};
  }
  const std::array<const KeptFacts*, 2> pieces{whole ? &*whole : nullptr, &changes};
  auto appended = facts->append(pieces);
  if (!appended) return std::move(appended).error();
  if (begins) {
    bytes_of_whole = *appended;
    changes_since_whole = 0;
  } else {
    changes_since_whole += *appended;
  }
  needs_whole = false;
  const std::lock_guard lock(mutex);
  auto& segment = fact_segments.rbegin()->second;
  segment.bytes += *appended;
  segment.last_time = now_nanoseconds();
  return {};
}

void DecisionArchive::State::remove(SegmentKind kind, std::int64_t number) {
  {
    const std::lock_guard lock(mutex);
    readers.erase({kind, number});
    if (kind == SegmentKind::decisions)
      decision_segments.erase(number);
    else
      fact_segments.erase(number);
  }
  remove_segment(path_of(kind, number));
}

void DecisionArchive::State::remove_old() {
  const auto oldest_time = now_nanoseconds() - std::chrono::nanoseconds(settings.most_age).count();
  std::uint64_t kept = 0;
  for (const auto& [number, range] : decision_segments) kept += range.count();
  while (decision_segments.size() > 1) {
    const auto [number, range] = *decision_segments.begin();
    if (kept - range.count() < settings.most_decisions && range.last_time >= oldest_time) break;
    kept -= range.count();
    remove(SegmentKind::decisions, number);
  }
  std::uint64_t bytes = 0;
  for (const auto& [number, segment] : fact_segments) bytes += segment.bytes;
  while (fact_segments.size() > 1) {
    const auto [number, segment] = *fact_segments.begin();
    if (bytes <= settings.most_fact_bytes && segment.last_time >= oldest_time) break;
    bytes -= segment.bytes;
    remove(SegmentKind::facts, number);
  }
}

// Requires: the mutex.
Result<SegmentReader*> DecisionArchive::State::reader_of(SegmentKind kind, std::int64_t number) {
  const auto at = readers.find({kind, number});
  if (at != readers.end()) return &at->second;
  auto reader = SegmentReader::open(path_of(kind, number));
  if (!reader) return std::move(reader).error();
  return &readers.emplace(std::pair(kind, number), *std::move(reader)).first->second;
}

Result<void> check_archive_place(const std::string& directory) {
  return files::check_trusted_directory("the archive of decisions", directory);
}

DecisionArchive::DecisionArchive(std::unique_ptr<State> state) : state_(std::move(state)) {}
DecisionArchive::~DecisionArchive() = default;

Result<std::unique_ptr<DecisionArchive>> DecisionArchive::open(ArchiveSettings settings, std::int64_t run) {
  auto state = std::make_unique<State>(std::move(settings), run);
  auto ready = state->make_directory();
  if (ready) ready = state->find_segments();
  if (!ready) return std::move(ready).error();
  state->remove_old();
  return std::unique_ptr<DecisionArchive>(new DecisionArchive(std::move(state)));
}

bool DecisionArchive::wants_whole_facts() const {
  constexpr std::uint64_t least = std::uint64_t{1} << 20;
  return state_->needs_whole || state_->changes_since_whole > std::max(least, state_->bytes_of_whole);
}

Result<void> DecisionArchive::append(std::span<const DecisionToKeep> decisions, const std::optional<KeptFacts>& whole,
                                     const KeptFacts& changes) {
  auto done = state_->append_facts(whole, changes);
  if (!done) state_->needs_whole = true;
  if (!decisions.empty()) {
    auto opened = state_->open_decisions(decisions.front().record);
    if (!opened) return opened;
    const auto number = state_->decision_segments.rbegin()->first;
    const auto first = state_->decision_segments.rbegin()->second.last_id + 1;
    if (auto appended = state_->decisions->append(decisions, first); !appended) {
      state_->decisions.reset();
      return appended;
    }
    const std::lock_guard lock(state_->mutex);
    auto& range = state_->decision_segments[number];
    range.last_id += static_cast<std::int64_t>(decisions.size());
    range.last_time = decisions.back().time;
  }
  state_->remove_old();
  return done;
}

Result<std::vector<KeptDecision>> DecisionArchive::list(const ArchiveQuery& query) const {
  const std::lock_guard lock(state_->mutex);
  std::vector<KeptDecision> found;
  const auto& segments = state_->decision_segments;
  for (auto at = segments.rbegin(); at != segments.rend() && found.size() < query.limit; ++at) {
    const auto& [number, range] = *at;
    if (range.empty() || (query.before && range.first_id >= *query.before)) continue;
    if (query.since && range.last_time < *query.since) break;
    auto reader = state_->reader_of(SegmentKind::decisions, number);
    if (!reader) return std::move(reader).error();
    if (auto listed = (*reader)->list(query, found); !listed) return std::move(listed).error();
  }
  return found;
}

Result<std::optional<KeptDecision>> DecisionArchive::find(std::int64_t id) const {
  ArchiveQuery query;
  query.before = id + 1;
  query.limit = 1;
  auto found = list(query);
  if (!found) return std::move(found).error();
  if (found->empty() || found->front().id != id) return std::optional<KeptDecision>();
  return std::optional(std::move(found->front()));
}

Result<std::vector<KeptFacts>> DecisionArchive::facts_of(const KeptDecision& decision) const {
  const std::lock_guard lock(state_->mutex);
  const auto& segments = state_->fact_segments;
  for (auto at = segments.rbegin(); at != segments.rend(); ++at) {
    auto reader = state_->reader_of(SegmentKind::facts, at->first);
    if (!reader) continue;  // deleted by hand
    auto facts = (*reader)->facts(decision.run, decision.moment);
    if (!facts || !facts->empty()) return facts;
  }
  return std::vector<KeptFacts>();
}

std::uint64_t DecisionArchive::size() const {
  const std::lock_guard lock(state_->mutex);
  std::uint64_t size = 0;
  for (const auto& [number, range] : state_->decision_segments) size += range.count();
  return size;
}

}  // namespace gantry::store
