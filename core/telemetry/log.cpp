// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/log.hpp"

#include <spdlog/details/file_helper.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <utility>

#include "core/telemetry/log_line.hpp"

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

// The variable is inherited; only the device and inode that it holds tell whether standard error still is the journal.
bool standard_error_is_the_journal() {
  const char* const announced = std::getenv("JOURNAL_STREAM");
  struct stat status {};
  if (announced == nullptr || fstat(STDERR_FILENO, &status) != 0) return false;
  return std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino) == announced;
}

Error cannot_open(const std::string& file, const spdlog::spdlog_ex& failure) {
  return Error{ErrorCode::invalid_configuration,
               "log file " + file + ": cannot be opened for writing (" + failure.what() +
                   "); name a file in a directory that the daemon may write, or none for standard error",
               {}};
}

// A fifo would hold the start until somebody reads; a link that somebody else made may lead anywhere.
void check_log_file(const std::string& name) {
  struct stat status {};
  if (lstat(name.c_str(), &status) != 0) return;
  if (S_ISLNK(status.st_mode) && status.st_uid != 0 && status.st_uid != geteuid())
    throw spdlog::spdlog_ex("a symbolic link that belongs to user " + std::to_string(status.st_uid));
  if (stat(name.c_str(), &status) == 0 &&
      (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode) || S_ISBLK(status.st_mode)))
    throw spdlog::spdlog_ex("expected a regular file, found another kind");
}

// spdlog's own sink of a file cannot open it anew.
class FileSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit FileSink(std::string name) : name_(std::move(name)), file_(open()) {}

  Result<void> reopen() {
    try {
      auto opened = open();
      const std::lock_guard lock(mutex_);
      file_.swap(opened);
      return {};
    } catch (const spdlog::spdlog_ex& failure) {
      return cannot_open(name_, failure);
    }
  }

 private:
  std::unique_ptr<spdlog::details::file_helper> open() const {
    check_log_file(name_);
    auto file = std::make_unique<spdlog::details::file_helper>();
    file->open(name_);
    return file;
  }
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    formatter_->format(message, line);
    file_->write(line);
  }
  void flush_() override { file_->flush(); }

  const std::string name_;
  std::unique_ptr<spdlog::details::file_helper> file_;
};

class SpdlogLogger final : public Logger {
 public:
  SpdlogLogger(std::shared_ptr<spdlog::sinks::sink> sink, Level level, LineForm form, FileSink* file = nullptr)
      : logger_("gantry", std::move(sink)), form_(form), file_(file) {
    logger_.set_pattern("%v");
    logger_.set_level(spdlog_level(level));
    // A line that waits in a buffer is lost in the crash that it would explain.
    logger_.flush_on(spdlog::level::trace);
  }

  bool enabled(Level level) const override { return logger_.should_log(spdlog_level(level)); }

  void write(Level level, std::string_view message, std::initializer_list<Field> fields) override {
    if (!enabled(level)) return;
    const std::string line = log_line(form_, std::chrono::system_clock::now(), level, message, fields);
    logger_.log(spdlog_level(level), spdlog::string_view_t(line.data(), line.size()));
  }

  Result<void> reopen() override { return file_ == nullptr ? Result<void>() : file_->reopen(); }

 private:
  spdlog::logger logger_;
  LineForm form_;
  FileSink* file_;  // of logger_'s; nullptr: standard error
};

class NoLogger final : public Logger {
 public:
  bool enabled(Level) const override { return false; }
  void write(Level, std::string_view, std::initializer_list<Field>) override {}
  Result<void> reopen() override { return {}; }
};

}  // namespace

Result<std::shared_ptr<Logger>> Logger::open(const LogSettings& settings) {
  LineForm form{settings.json, false};
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

std::shared_ptr<Logger> Logger::none() {
  return std::make_shared<NoLogger>();
}

}  // namespace gantry::telemetry
