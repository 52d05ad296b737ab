// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/log.hpp"

#include <fcntl.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <deque>
#include <filesystem>
#include <mutex>
#include <system_error>
#include <utility>

#include "core/files/descriptor.hpp"
#include "core/files/errno_text.hpp"
#include "core/files/write_access.hpp"
#include "core/files/write_all.hpp"
#include "core/telemetry/journal.hpp"
#include "core/telemetry/log_line.hpp"
#include "core/telemetry/log_link.hpp"

namespace gantry::telemetry {

namespace {

spdlog::level::level_enum spdlog_level(Level level) {
  switch (level) {
    case Level::debug: return spdlog::level::debug;
    case Level::info: return spdlog::level::info;
    case Level::warning: return spdlog::level::warn;
    case Level::error: return spdlog::level::err;
  }
  return spdlog::level::err;
}

Level from_spdlog(spdlog::level::level_enum level) {
  switch (level) {
    case spdlog::level::trace:
    case spdlog::level::debug: return Level::debug;
    case spdlog::level::info: return Level::info;
    case spdlog::level::warn: return Level::warning;
    default: return Level::error;
  }
}

// The newest lines that ask for attention, for who looks at the service later.
class KeptLines {
 public:
  void add(const std::string& line) {
    const std::lock_guard lock(mutex_);
    if (lines_.size() >= most) lines_.pop_front();
    lines_.push_back(line.substr(0, longest));
  }
  std::vector<std::string> list() const {
    const std::lock_guard lock(mutex_);
    return {lines_.begin(), lines_.end()};
  }

 private:
  static constexpr std::size_t most = 200;
  static constexpr std::size_t longest = 2000;  // bytes

  mutable std::mutex mutex_;
  std::deque<std::string> lines_;
};

Error cannot_open(const std::string& file, const spdlog::spdlog_ex& failure) {
  return Error{ErrorCode::invalid_configuration,
               "log file " + file + ": cannot be opened for writing (" + failure.what() +
                   "); name a file in a directory that the daemon may write, or none for standard error",
               {}};
}

// A fifo would block the start until a reader comes. Another user's link may lead to any file.
void check_log_file(const std::string& name) {
  struct stat status {};
  if (lstat(name.c_str(), &status) != 0) return;
  if (S_ISLNK(status.st_mode) && !files::has_trusted_owner(status))
    throw spdlog::spdlog_ex("a symbolic link that belongs to user " + std::to_string(status.st_uid));
  if (S_ISLNK(status.st_mode) && log_link_flag(name) != 0)
    throw spdlog::spdlog_ex("a symbolic link in a directory that others may write");
  if (stat(name.c_str(), &status) == 0 &&
      (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || S_ISBLK(status.st_mode)))
    throw spdlog::spdlog_ex("expected a regular file, found another kind");
}

// Returns the file, or the nearest directory above that is there: the missing ones would be made.
std::filesystem::path nearest_there(const std::filesystem::path& file) {
  struct stat status {};
  std::filesystem::path path = file;
  while (stat(path.c_str(), &status) != 0 && errno == ENOENT && path.has_relative_path()) path = path.parent_path();
  return path;
}

void check_may_write(const std::string& name) {
  check_log_file(name);
  const auto there = nearest_there(name);
  const bool is_log = there == std::filesystem::path(name);
  if (faccessat(AT_FDCWD, there.c_str(), is_log ? W_OK : W_OK | X_OK, AT_EACCESS) != 0)
    throw spdlog::spdlog_ex((is_log ? "" : there.string() + ": ") + files::errno_text(errno));
  std::error_code ignored;
  if (std::filesystem::is_directory(there, ignored) == is_log)
    throw spdlog::spdlog_ex(there.string() + (is_log ? " is a directory" : " is no directory"));
}

files::Descriptor open_log_file(const std::string& name) {
  check_log_file(name);
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(name).parent_path(), ignored);
  const int no_follow = log_link_flag(name);
  files::Descriptor file(::open(name.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | no_follow, 0640));
  if (!file.is_open() && errno == ELOOP && no_follow != 0)
    throw spdlog::spdlog_ex("a symbolic link in a directory that others may write");
  if (!file.is_open()) throw spdlog::spdlog_ex(files::errno_text(errno));
  return file;
}

// spdlog's own file sink cannot reopen its file, and writes under a lock. This sink writes each line with one call: the
// kernel appends the line whole, and dup3 exchanges the file between two lines.
class FileSink final : public spdlog::sinks::sink {
 public:
  explicit FileSink(std::string name) : name_(std::move(name)), file_(open_log_file(name_)) {}

  Result<void> reopen() {
    try {
      const auto opened = open_log_file(name_);
      if (dup3(opened.number(), file_.number(), O_CLOEXEC) < 0) throw spdlog::spdlog_ex(files::errno_text(errno));
      return {};
    } catch (const spdlog::spdlog_ex& failure) {
      return cannot_open(name_, failure);
    }
  }

  void log(const spdlog::details::log_msg& message) override {
    std::string line;
    line.reserve(message.payload.size() + 1);
    line.append(message.payload.data(), message.payload.size()).push_back('\n');
    // On a full disk the line goes to standard error, so that the failures it causes are seen.
    if (!files::write_all(file_.number(), line)) files::write_all(STDERR_FILENO, line);
  }
  void flush() override {}
  void set_pattern(const std::string& /*pattern*/) override {}
  void set_formatter(std::unique_ptr<spdlog::formatter> /*formatter*/) override {}

 private:
  const std::string name_;
  const files::Descriptor file_;
};

class SpdlogLogger final : public Logger {
 public:
  SpdlogLogger(std::shared_ptr<spdlog::sinks::sink> sink, Level level, LineForm form, FileSink* file = nullptr)
      : logger_("gantry", std::move(sink)), form_(form), file_(file) {
    logger_.set_pattern("%v");
    logger_.set_level(spdlog_level(level));
    // A buffered line would be lost in the crash that it explains.
    logger_.flush_on(spdlog::level::trace);
  }

  bool enabled(Level level) const override { return logger_.should_log(spdlog_level(level)); }
  Level level() const override { return from_spdlog(logger_.level()); }
  void set_level(Level level) override { logger_.set_level(spdlog_level(level)); }
  std::vector<std::string> kept_lines() const override { return kept_.list(); }

  using Logger::write;
  void write(Level level, std::string_view message, std::span<const Field> fields) override {
    if (!enabled(level)) return;
    const std::string line = log_line(form_, std::chrono::system_clock::now(), level, message, fields);
    logger_.log(spdlog_level(level), spdlog::string_view_t(line.data(), line.size()));
    if (level >= Level::warning) kept_.add(line);
  }

  Result<void> reopen() override { return file_ == nullptr ? Result<void>() : file_->reopen(); }

 private:
  spdlog::logger logger_;
  LineForm form_;
  KeptLines kept_;
  FileSink* file_;  // owned by logger_; nullptr: standard error
};

class NoLogger final : public Logger {
 public:
  bool enabled(Level) const override { return false; }
  using Logger::write;
  void write(Level, std::string_view, std::span<const Field>) override {}
  Result<void> reopen() override { return {}; }
};

}  // namespace

std::string_view name_of(Level level) {
  switch (level) {
    case Level::debug: return "debug";
    case Level::info: return "info";
    case Level::warning: return "warning";
    case Level::error: return "error";
  }
  return "error";
}

std::optional<Level> level_of(std::string_view name) {
  for (const auto level : {Level::debug, Level::info, Level::warning, Level::error})
    if (name_of(level) == name) return level;
  return std::nullopt;
}

LogFormat format_of(std::string_view name) {
  if (name == "json") return LogFormat::json;
  return name == "logfmt" ? LogFormat::logfmt : LogFormat::text;
}

Result<std::shared_ptr<Logger>> Logger::open(const LogSettings& settings) {
  LineForm form{settings.format, false};
  if (settings.file.empty()) {
    form.journal = standard_error_is_the_journal();
    return std::shared_ptr<Logger>(
        std::make_shared<SpdlogLogger>(std::make_shared<spdlog::sinks::stderr_sink_mt>(), settings.level, form));
  }
  try {
    auto sink = std::make_shared<FileSink>(settings.file);
    return std::shared_ptr<Logger>(std::make_shared<SpdlogLogger>(sink, settings.level, form, sink.get()));
  } catch (const spdlog::spdlog_ex& failure) {
    return cannot_open(settings.file, failure);
  }
}

Result<void> Logger::check(const LogSettings& settings) {
  if (settings.file.empty()) return {};
  try {
    check_may_write(settings.file);
    return {};
  } catch (const spdlog::spdlog_ex& failure) {
    return cannot_open(settings.file, failure);
  }
}

std::shared_ptr<Logger> Logger::none() {
  return std::make_shared<NoLogger>();
}

}  // namespace gantry::telemetry
