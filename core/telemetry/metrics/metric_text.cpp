// SPDX-License-Identifier: Apache-2.0
#include "core/telemetry/metrics/metric_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "core/encoding/utf8.hpp"

namespace gantry::telemetry {

namespace {

constexpr double nanoseconds_of_second = 1e9;

std::string_view name_of(MetricType type) {
  switch (type) {
    case MetricType::counter: return "counter";
    case MetricType::gauge: return "gauge";
    case MetricType::histogram: return "histogram";
  }
  return "untyped";
}

template <class Number>
std::string number_text(Number value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value).ptr;
  return {text.data(), end};
}

std::string value_text(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  return number_text(value);
}

// Bytes that are not UTF-8 become "?": the whole text would be refused otherwise.
void append_escaped(std::string& out, std::string_view text, bool is_label) {
  while (!text.empty()) {
    const auto length = utf8_front_length(text);
    const auto character = text.substr(0, length == 0 ? 1 : length);
    text.remove_prefix(character.size());
    if (length == 0)
      out += '?';
    else if (character == "\\")
      out += "\\\\";
    else if (character == "\n")
      out += "\\n";
    else if (is_label && character == "\"")
      out += "\\\"";
    else
      out += character;
  }
}

}  // namespace

MetricFamily::MetricFamily(std::string_view name, MetricType type, std::string_view help)
    : name_(name), type_(type), help_(help) {}

void MetricFamily::begin(std::string_view suffix, MetricLabels labels, MetricLabel last) {
  lines_.append(name_).append(suffix);
  char separator = '{';
  const auto append = [&](const MetricLabel& label) {
    lines_.append(1, separator).append(label.name).append("=\"");
    append_escaped(lines_, label.value, true);
    lines_ += '"';
    separator = ',';
  };
  for (const auto& label : labels) append(label);
  if (!last.name.empty()) append(last);
  if (separator == ',') lines_ += '}';
  lines_ += ' ';
}

void MetricFamily::end(std::string_view value) {
  lines_.append(value).append(1, '\n');
}

void MetricFamily::add(MetricLabels labels, std::uint64_t value) {
  begin({}, labels);
  end(number_text(value));
}

void MetricFamily::add(MetricLabels labels, std::int64_t value) {
  begin({}, labels);
  end(number_text(value));
}

void MetricFamily::add(MetricLabels labels, double value) {
  begin({}, labels);
  end(value_text(value));
}

void MetricFamily::add(MetricLabels labels, const Histogram::Reading& reading) {
  constexpr double microseconds_of_second = 1e6;
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < Histogram::bounds.size(); ++i) {
    count += reading.counts[i];
    begin("_bucket", labels, {"le", value_text(static_cast<double>(Histogram::bounds[i]) / microseconds_of_second)});
    end(number_text(count));
  }
  count += reading.counts.back();
  begin("_bucket", labels, {"le", "+Inf"});
  end(number_text(count));
  begin("_sum", labels);
  end(value_text(static_cast<double>(reading.sum.count()) / nanoseconds_of_second));
  begin("_count", labels);
  end(number_text(count));
}

std::string MetricFamily::text() const {
  std::string text = "# HELP " + name_ + ' ';
  append_escaped(text, help_, false);
  text.append("\n# TYPE ").append(name_).append(1, ' ').append(name_of(type_)).append(1, '\n').append(lines_);
  return text;
}

MetricFamily& MetricText::family(std::string_view name, MetricType type, std::string_view help) {
  const auto found = families_.find(name);
  if (found != families_.end()) return found->second;
  return families_.try_emplace(std::string(name), name, type, help).first->second;
}

std::string MetricText::text() const {
  std::string text;
  for (const auto& [name, family] : families_) {
    if (!family.is_empty()) text += family.text();
  }
  return text;
}

std::string metric_name(std::string_view text) {
  std::string name(text);
  for (auto& c : name) {
    const bool is_digit = c >= '0' && c <= '9';
    if (!is_digit && !(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') && c != '_') c = '_';
  }
  if (name.empty() || (name.front() >= '0' && name.front() <= '9')) name.insert(0, 1, '_');
  return name;
}

}  // namespace gantry::telemetry
