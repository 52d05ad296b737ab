// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/state.hpp"

#include <cstdio>
#include <ctime>

#include "core/encoding/name_path.hpp"
#include "core/encoding/uuid.hpp"

namespace gantry::scheduling {

namespace {

constexpr std::int64_t second = 1'000'000'000;

}  // namespace

State::State(Parts given) : parts(std::move(given)), run_id(to_text(random_uuid()).substr(0, 8)) {}

void say_progress(const Parts& parts, std::string_view doing, const std::string& text) {
  parts.logger->write(telemetry::Level::info, doing, {{"so_far", text}});
  if (parts.progress) parts.progress(std::string(doing) + ": " + text);
}

std::int64_t now_nanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

json::value time_json(std::int64_t nanoseconds) {
  if (nanoseconds == 0) return nullptr;
  const std::time_t seconds = nanoseconds / second;
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char text[48];
  const auto size = std::snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d.%06dZ", parts.tm_year + 1900,
                                  parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                                  static_cast<int>(nanoseconds % second / 1000));
  return json::value(std::string_view(text, static_cast<std::size_t>(size)));
}

std::optional<std::int64_t> parse_time(std::string_view text) {
  const std::string terminated(text);
  std::tm parts{};
  int used = 0;
  if (std::sscanf(terminated.c_str(), "%4d-%2d-%2d%*1[T ]%2d:%2d:%2d%n", &parts.tm_year, &parts.tm_mon, &parts.tm_mday,
                  &parts.tm_hour, &parts.tm_min, &parts.tm_sec, &used) != 6 ||
      used == 0) {
    return std::nullopt;
  }
  if (parts.tm_year < 1970 || parts.tm_year > 2200 || parts.tm_mon < 1 || parts.tm_mon > 12 || parts.tm_mday < 1 ||
      parts.tm_mday > 31 || parts.tm_hour > 23 || parts.tm_min > 59 || parts.tm_sec > 60) {
    return std::nullopt;
  }
  parts.tm_year -= 1900;
  parts.tm_mon -= 1;
  std::int64_t fraction = 0;
  auto rest = text.substr(static_cast<std::size_t>(used));
  if (!rest.empty() && rest.front() == '.') {
    rest.remove_prefix(1);
    for (auto unit = second / 10; !rest.empty() && rest.front() >= '0' && rest.front() <= '9'; unit /= 10) {
      fraction += unit * (rest.front() - '0');
      rest.remove_prefix(1);
    }
  }
  if (!rest.empty() && rest != "Z" && rest != "+00:00") return std::nullopt;
  return static_cast<std::int64_t>(timegm(&parts)) * second + fraction;
}

namespace {

std::string joined(std::initializer_list<std::string_view> names) {
  return join_names({names.begin(), names.size()});
}

}  // namespace

std::string key_of(const fleet::Claim& claim) {
  return joined({claim.consumer, claim.topic, claim.host, claim.node});
}

std::string compute_node_key(std::string_view topic, std::string_view host, std::string_view node) {
  return joined({topic, host, node});
}

std::string service_key(std::string_view topic, std::string_view host) {
  return joined({topic, host});
}

}  // namespace gantry::scheduling
