// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/crash_log.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "core/encoding/utf8.hpp"
#include "core/files/write_all.hpp"
#include "core/telemetry/journal.hpp"
#include "core/telemetry/log_link.hpp"
#include "core/telemetry/utc_text.hpp"

namespace gantry::telemetry {

namespace {

constexpr std::size_t longest_message = 1024;
constexpr std::size_t longest_value = 512;

// A line in memory of its own. The bound on each text leaves room for what follows it.
class CrashLine {
 public:
  void put(char c) {
    if (size_ + 1 < line_.size()) line_[size_++] = c;
  }
  void put(std::string_view text) {
    for (const char c : text) put(c);
  }
  void put_escaped(std::string_view text, std::size_t longest, bool quoted) {
    text = text.substr(0, longest);
    while (!text.empty()) {
      const std::size_t length = std::max<std::size_t>(1, utf8_front_length(text));
      const std::string_view character = text.substr(0, length);
      text.remove_prefix(length);
      if (!is_printable(character)) {
        put('?');
      } else {
        if (quoted && (character == "\"" || character == "\\")) put('\\');
        put(character);
      }
    }
  }
  std::string_view ended() {
    line_[size_] = '\n';
    return {line_.data(), size_ + 1};
  }

 private:
  static bool is_printable(std::string_view character) {
    const auto first = static_cast<unsigned char>(character[0]);
    if (character.size() == 1) return first >= 0x20 && first < 0x7f;
    return first != 0xc2 || static_cast<unsigned char>(character[1]) >= 0xa0;
  }

  std::array<char, 8192> line_;
  std::size_t size_ = 0;
};

using Fields = std::initializer_list<CrashLog::Field>;

void put_field(CrashLine& line, std::string_view key, std::string_view value, std::size_t longest) {
  const bool quoted = value.find_first_of(" \"\\=") != std::string_view::npos;
  line.put(key);
  line.put(quoted ? "=\"" : "=");
  line.put_escaped(value, longest, quoted);
  if (quoted) line.put('"');
}

void put_fields(CrashLine& line, Fields fields) {
  for (const auto& [key, value] : fields) {
    if (value.empty()) continue;
    line.put(' ');
    put_field(line, key, value, longest_value);
  }
}

void put_text(CrashLine& line, std::string_view message, Fields fields) {
  line.put("ERROR ");
  line.put_escaped(message, longest_message, false);
  put_fields(line, fields);
}

void put_logfmt(CrashLine& line, std::string_view clock, std::string_view message, Fields fields) {
  if (!clock.empty()) {
    put_field(line, "time", clock, longest_value);
    line.put(' ');
  }
  line.put("level=error ");
  put_field(line, "msg", message, longest_message);
  put_fields(line, fields);
}

void put_member(CrashLine& line, std::string_view key, std::string_view value, std::size_t longest) {
  line.put('"');
  line.put(key);
  line.put("\":\"");
  line.put_escaped(value, longest, true);
  line.put('"');
}

void put_json(CrashLine& line, std::string_view clock, std::string_view message, Fields fields) {
  line.put('{');
  if (!clock.empty()) {
    put_member(line, "time", clock, longest_value);
    line.put(',');
  }
  line.put(R"("level":"error",)");
  put_member(line, "message", message, longest_message);
  for (const auto& [key, value] : fields) {
    if (value.empty()) continue;
    line.put(',');
    put_member(line, key, value, longest_value);
  }
  line.put('}');
}

void put_line(CrashLine& line, const LineForm& form, std::string_view message, Fields fields) {
  const UtcText now = utc_text(std::chrono::system_clock::now());
  const std::string_view clock = form.journal ? std::string_view{} : std::string_view(now.data(), now.size());
  if (form.journal) line.put("<3>");
  if (form.format == LogFormat::json) return put_json(line, clock, message, fields);
  if (form.format == LogFormat::logfmt) return put_logfmt(line, clock, message, fields);
  line.put(clock);
  if (!clock.empty()) line.put(' ');
  put_text(line, message, fields);
}

bool are_the_same(int one, int other) {
  struct stat first {};
  struct stat second {};
  if (::fstat(one, &first) != 0 || ::fstat(other, &second) != 0) return false;
  return first.st_dev == second.st_dev && first.st_ino == second.st_ino;
}

std::string absolute(const std::string& file) {
  std::error_code ignored;
  return file.empty() ? file : std::filesystem::absolute(file, ignored).string();
}

}  // namespace

CrashLog::CrashLog(const LogSettings& settings)
    : on_standard_error_{settings.format, standard_error_is_the_journal()},
      in_file_{settings.format, false},
      file_(absolute(settings.file)),
      link_flag_(log_link_flag(file_)) {}

void CrashLog::write(std::string_view message, std::initializer_list<Field> fields) const noexcept {
  CrashLine first;
  put_line(first, on_standard_error_, message, fields);
  const bool is_written = files::write_all(STDERR_FILENO, first.ended());
  if (file_.empty()) return;
  const int flags = link_flag_ | O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
  const int file = ::open(file_.c_str(), flags, 0640);
  if (file < 0) return;
  if (!is_written || !are_the_same(file, STDERR_FILENO)) {
    CrashLine line;
    put_line(line, in_file_, message, fields);
    files::write_all(file, line.ended());
  }
  ::close(file);
}

}  // namespace gantry::telemetry
