// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/log.hpp"

#include <fcntl.h>
#include <spdlog/logger.h>
#include <spdlog/sinks/sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <system_error>
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

int open_log_file(const std::string& name) {
  check_log_file(name);
  std::error_code ignored;
  std::filesystem::create_directories(std::filesystem::path(name).parent_path(), ignored);
  const int descriptor = ::open(name.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
  if (descriptor < 0) throw spdlog::spdlog_ex(std::generic_category().message(errno));
  return descriptor;
}

bool write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const auto written = ::write(descriptor, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// spdlog's own sink of a file cannot open it anew, and writes under a lock. Here a line is one write: the system appends
// it whole, and gives the descriptor another file between two of them.
class FileSink final : public spdlog::sinks::sink {
 public:
  explicit FileSink(std::string name) : name_(std::move(name)), descriptor_(open_log_file(name_)) {}
  ~FileSink() override { close(descriptor_); }
  FileSink(const FileSink&) = delete;
  FileSink& operator=(const FileSink&) = delete;

  Result<void> reopen() {
    try {
      const int opened = open_log_file(name_);
      const bool replaced = dup3(opened, descriptor_, O_CLOEXEC) >= 0;
      const int why = errno;
      close(opened);
      if (!replaced) throw spdlog::spdlog_ex(std::generic_category().message(why));
      return {};
    } catch (const spdlog::spdlog_ex& failure) {
      return cannot_open(name_, failure);
    }
  }

  void log(const spdlog::details::log_msg& message) override {
    std::string line;
    line.reserve(message.payload.size() + 1);
    line.append(message.payload.data(), message.payload.size()).push_back('\n');
    // A full disk shall not silence what it makes go wrong.
    if (!write_all(descriptor_, line)) write_all(STDERR_FILENO, line);
  }
  void flush() override {}
  void set_pattern(const std::string& /*pattern*/) override {}
  void set_formatter(std::unique_ptr<spdlog::formatter> /*formatter*/) override {}

 private:
  const std::string name_;
  const int descriptor_;
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
