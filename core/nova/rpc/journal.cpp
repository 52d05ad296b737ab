// SPDX-License-Identifier: Apache-2.0
#include "core/nova/rpc/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "core/files/errno_text.hpp"
#include "core/files/write_all.hpp"

namespace gantry::nova {

namespace {

// Lines of closed requests may fill so much of the file before it is written again.
constexpr std::size_t most_closed_bytes = std::size_t{4} * 1024 * 1024;
// The same while nothing is under way.
constexpr std::size_t most_idle_bytes = std::size_t{256} * 1024;
// The broker delivers no more messages at a time than the consumers' prefetch.
constexpr std::size_t most_closed_ids = 1024;
constexpr std::size_t most_bytes = std::size_t{1024} * 1024 * 1024;

Result<std::string> contents_of(const files::Descriptor& file) {
  std::string text;
  std::array<char, 64 * 1024> part{};
  for (;;) {
    const auto size = ::read(file.number(), part.data(), part.size());
    if (size < 0 && errno == EINTR) continue;
    if (size < 0) return Error{ErrorCode::internal, files::errno_text(errno), ""};
    if (size == 0) return text;
    text.append(part.data(), static_cast<std::size_t>(size));
    if (text.size() > most_bytes)
      return Error{ErrorCode::internal, "expected at most " + std::to_string(most_bytes) + " bytes", ""};
  }
}

}  // namespace

Journal::Journal(std::string path, files::Descriptor lock, std::shared_ptr<telemetry::Logger> logger)
    : path_(std::move(path)), lock_(std::move(lock)), logger_(std::move(logger)) {}

Error Journal::failed(const std::string& what) const {
  return {ErrorCode::invalid_configuration, "journal " + path_ + ": " + what + ": " + files::errno_text(errno), ""};
}

Result<std::shared_ptr<Journal>> Journal::open(const std::string& path, std::shared_ptr<telemetry::Logger> logger) {
  const std::string lock_path = path + ".lock";
  files::Descriptor lock(::open(lock_path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!lock.is_open())
    return Error{ErrorCode::invalid_configuration,
                 "journal " + path + ": cannot make " + lock_path + ": " + files::errno_text(errno), ""};
  if (::flock(lock.number(), LOCK_EX | LOCK_NB) != 0)
    return Error{ErrorCode::already_exists,
                 "journal " + path + ": used by another process; a journal serves one gantryd at a time", ""};
  std::shared_ptr<Journal> journal(new Journal(path, std::move(lock), std::move(logger)));
  if (auto loaded = journal->load(); !loaded) return std::move(loaded).error();
  return journal;
}

Result<void> Journal::load() {
  const files::Descriptor found(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!found.is_open() && errno != ENOENT) return failed("cannot be opened");
  if (!found.is_open()) return write_anew();
  auto text = contents_of(found);
  auto read = text ? read_journal(*text) : Result<JournalContents>(text.error());
  if (!read) {
    set_aside(read.error());
    return write_anew();
  }
  last_number_ = read->last_number;
  for (const auto& unique_id : read->closed) remember(unique_id);
  for (auto& [number, story] : read->open) {
    // The ack may have left before its mark was written, so the request is taken up without the mark, too. If the broker
    // delivers it again, its id tells. A request without an id is left to the broker.
    if (!story.entry.is_acked && story.entry.caller.unique_id.empty()) continue;
    live_bytes_ += story.lines.size();
    open_[number] = {story.entry.caller.unique_id, std::move(story.lines), story.entry.claims};
    left_.push_back(std::move(story.entry));
  }
  if (read->is_torn)
    logger_->write(telemetry::Level::info, "the journal's last line was cut off by the end of the process",
                   {{"journal", path_}});
  return write_anew();
}

void Journal::set_aside(const Error& fault) {
  const std::string aside = path_ + ".damaged";
  const bool is_kept = ::rename(path_.c_str(), aside.c_str()) == 0;
  logger_->write(telemetry::Level::error,
                 "the journal is damaged; requests that were under way when the last process ended are not answered",
                 {{"journal", path_},
                  {"reason", fault.message},
                  {"kept_as", is_kept ? aside : "not kept: " + files::errno_text(errno)}});
}

Result<void> Journal::write_anew() {
  const std::string fresh_path = path_ + ".new";
  ::unlink(fresh_path.c_str());
  files::Descriptor fresh(
      ::open(fresh_path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
  if (!fresh.is_open()) return failed("cannot make " + fresh_path);
  std::string text = journal_head();
  if (!closed_.empty()) text += recent_line(closed_);
  for (const auto& [number, request] : open_) text += request.lines;
  if (!files::write_all(fresh.number(), text)) return failed("cannot write " + fresh_path);
  if (::rename(fresh_path.c_str(), path_.c_str()) != 0) return failed("cannot rename " + fresh_path);
  file_ = std::move(fresh);
  size_ = text.size();
  return {};
}

void Journal::compact() {
  const auto most = open_.empty() ? most_idle_bytes : 2 * live_bytes_ + most_closed_bytes;
  if (size_ < most) return;
  if (const auto written = write_anew(); !written) complain(errno);
}

void Journal::append(std::uint64_t number, const std::string& line) {
  const auto found = open_.find(number);
  if (found == open_.end()) return;
  found->second.lines += line;
  live_bytes_ += line.size();
  if (files::write_all(file_.number(), line)) {
    size_ += line.size();
    is_failing_ = false;
    return;
  }
  complain(errno);
  // A line that is there in part would spoil the next one.
  if (::ftruncate(file_.number(), static_cast<off_t>(size_)) != 0) complain(errno);
}

void Journal::complain(int number) {
  if (std::exchange(is_failing_, true)) return;
  logger_->write(telemetry::Level::error,
                 "the journal cannot be written; requests under way are lost if the process is killed",
                 {{"journal", path_}, {"reason", files::errno_text(number)}});
}

std::vector<JournalEntry> Journal::take_left() {
  const std::lock_guard lock(mutex_);
  return std::exchange(left_, {});
}

std::uint64_t Journal::take(JournalEntry& entry) {
  const std::lock_guard lock(mutex_);
  entry.number = ++last_number_;
  open_[entry.number].unique_id = entry.caller.unique_id;
  append(entry.number, taken_line(entry));
  return entry.number;
}

void Journal::ack(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  append(number, acked_line(number));
}

void Journal::hear(std::uint64_t number, std::int64_t at) {
  const std::lock_guard lock(mutex_);
  append(number, heard_line(number, at));
}

void Journal::claim(std::uint64_t number, std::string_view claim) {
  const std::lock_guard lock(mutex_);
  const auto found = open_.find(number);
  if (found == open_.end()) return;
  found->second.claims.emplace_back(claim);
  append(number, claimed_line(number, claim));
}

void Journal::answer(std::uint64_t number, std::string_view body) {
  const std::lock_guard lock(mutex_);
  append(number, answered_line(number, body));
}

void Journal::give_back(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  append(number, given_back_line(number));
  if (const auto found = open_.find(number); found != open_.end()) found->second.claims.clear();
}

void Journal::take_up(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  append(number, taken_up_line(number));
}

void Journal::close(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  append(number, closed_line(number));
  if (const auto found = open_.find(number); found != open_.end()) {
    live_bytes_ -= found->second.lines.size();
    remember(found->second.unique_id);
    open_.erase(found);
  }
  compact();
}

void Journal::remember(const std::string& unique_id) {
  if (unique_id.empty()) return;
  closed_.push_back(unique_id);
  if (closed_.size() > most_closed_ids) closed_.pop_front();
}

std::vector<std::string> Journal::closed_ids() const {
  const std::lock_guard lock(mutex_);
  return {closed_.begin(), closed_.end()};
}

std::vector<std::string> Journal::claims_of(std::uint64_t number) const {
  const std::lock_guard lock(mutex_);
  const auto found = open_.find(number);
  return found == open_.end() ? std::vector<std::string>() : found->second.claims;
}

}  // namespace gantry::nova
