// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/load/fatal_requests.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "core/files/write_all.hpp"

namespace gantry::drivers {
namespace {

constexpr std::size_t longest_name = 200;

// A line of the file: the seconds since 1970, the driver, the request's id, its instance. "-": there is none.
struct Line {
  FatalRequests::Clock::time_point when;
  std::string driver;
  std::string id;
  std::string instance;
};

// A name as it stands in the file: without spaces and control characters, cut at its end. [signal handler]
template <class Put>
void put_name(std::string_view name, const Put& put) noexcept {
  for (const char c : name.substr(0, longest_name)) put(c > ' ' && c < 0x7f ? c : '?');
}

std::string as_in_file(std::string_view name) {
  std::string text;
  put_name(name, [&text](char c) { text += c; });
  return text;
}

std::string key_of(std::string_view driver, std::string_view name) {
  return as_in_file(driver) + ' ' + as_in_file(name);
}

std::optional<Line> parse(const std::string& text) {
  std::istringstream words(text);
  Line line;
  std::int64_t seconds = 0;
  if (!(words >> seconds >> line.driver >> line.id >> line.instance)) return std::nullopt;
  line.when = FatalRequests::Clock::time_point(std::chrono::seconds(seconds));
  for (auto* name : {&line.id, &line.instance})
    if (*name == "-") name->clear();
  return line;
}

// The lines that still count.
std::vector<std::string> lines_of(const std::string& file) {
  constexpr std::size_t most = 10'000;
  const auto now = FatalRequests::Clock::now();
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string text; lines.size() < most && std::getline(in, text);) {
    const auto line = parse(text);
    if (line && now - line->when < FatalRequests::memory) lines.push_back(std::move(text));
  }
  return lines;
}

}  // namespace

FatalRequests::FatalRequests(const std::string& file) {
  if (file.empty()) return;
  for (const auto& text : lines_of(file)) {
    const auto line = parse(text);
    note(line->driver, {line->id, line->instance}, line->when);
  }
}

void FatalRequests::add(std::string_view driver, std::string_view name, Clock::time_point when) {
  constexpr std::size_t most = 10'000;
  if (name.empty()) return;
  std::erase_if(ends_, [when](const auto& known) { return when - known.second.back() >= memory; });
  if (ends_.size() < most) ends_[key_of(driver, name)].push_back(when);
}

void FatalRequests::note(std::string_view driver, const RequestNames& request, Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  add(driver, request.id, now);
  add(driver, request.instance, now);
  is_empty_ = ends_.empty();
}

std::string FatalRequests::refused_name(std::string_view driver, const RequestNames& request,
                                        Clock::time_point now) const {
  if (is_empty_.load(std::memory_order_relaxed)) return {};
  const std::lock_guard lock(mutex_);
  const auto is_refused = [&](std::string_view name) {
    const auto known = ends_.find(key_of(driver, name));
    if (name.empty() || known == ends_.end()) return false;
    const auto counts = [now](Clock::time_point end) { return now - end < memory; };
    return static_cast<std::size_t>(std::ranges::count_if(known->second, counts)) >= most_ends;
  };
  if (is_refused(request.id)) return "request " + std::string(request.id);
  if (is_refused(request.instance)) return "instance " + std::string(request.instance);
  return {};
}

void note_crash(const char* file, std::string_view driver, const RequestNames& request) noexcept {
  std::array<char, 1024> line;
  std::size_t size = 0;
  const auto put = [&](char c) {
    if (size < line.size()) line[size++] = c;
  };
  std::array<char, 24> digits;
  const auto seconds = static_cast<std::int64_t>(::time(nullptr));
  const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), seconds).ptr;
  for (const char* at = digits.data(); at != end; ++at) put(*at);
  for (const auto name : {driver, request.id, request.instance}) {
    put(' ');
    put_name(name.empty() ? std::string_view("-") : name, put);
  }
  put('\n');
  const int opened = ::open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (opened < 0) return;
  files::write_all(opened, {line.data(), size});
  ::close(opened);
}

void forget_old_crashes(const std::string& file) {
  std::error_code none;
  if (!std::filesystem::exists(file, none)) return;
  const auto lines = lines_of(file);
  std::filesystem::remove(file, none);
  if (lines.empty()) return;
  const int opened = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (opened < 0) return;
  for (const auto& line : lines) files::write_all(opened, line + '\n');
  ::close(opened);
}

}  // namespace gantry::drivers
