// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/finding.hpp"

#include <cstdio>

namespace gantry::nova {

std::string_view word_of(Level level) {
  switch (level) {
    case Level::ok: return "ok";
    case Level::warning: return "warning";
    case Level::failed: break;
  }
  return "failed";
}

void Report::ok(std::string subject, std::string sentence) const {
  say_({std::move(subject), Level::ok, std::move(sentence), ""});
}

void Report::warn(std::string subject, std::string sentence) const {
  say_({std::move(subject), Level::warning, std::move(sentence), ""});
}

void Report::fail(std::string subject, std::string sentence) const {
  say_({std::move(subject), Level::failed, std::move(sentence), ""});
}

void Report::lacks(std::string subject, std::string sentence, std::string grant) const {
  say_({std::move(subject), Level::failed, std::move(sentence), std::move(grant)});
}

std::string count_of(std::size_t count, std::string_view what) {
  return std::to_string(count) + " " + std::string(what) + (count == 1 ? "" : "s");
}

std::string time_text(std::chrono::steady_clock::duration time) {
  char text[32];
  const std::chrono::duration<double, std::milli> took = time;
  std::snprintf(text, sizeof(text), "%.1f ms", took.count());
  return text;
}

std::string took_since(std::chrono::steady_clock::time_point began) {
  return time_text(std::chrono::steady_clock::now() - began);
}

}  // namespace gantry::nova
