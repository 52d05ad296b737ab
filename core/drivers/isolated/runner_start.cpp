// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/runner_start.hpp"

#include <type_traits>
#include <utility>
#include <variant>

#include "core/drivers/isolated/message.hpp"

namespace gantry::drivers::isolated {
namespace {

using config::OptionValue;
using Options = std::map<std::string, config::OptionSource>;

void write_value(MessageWriter& to, const OptionValue& value) {
  to.number(static_cast<std::uint32_t>(value.index()));
  std::visit(
      [&to]<class T>(const T& held) {
        if constexpr (std::is_arithmetic_v<T>) {
          to.number(held);
        } else if constexpr (std::is_same_v<T, std::string>) {
          to.text(held);
        } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
          to.number(static_cast<std::uint64_t>(held.size()));
          for (const auto& text : held) to.text(text);
        } else {
          to.number(static_cast<std::uint64_t>(held.size()));
          for (const auto& [key, text] : held) {
            to.text(key);
            to.text(text);
          }
        }
      },
      value);
}

template <class T>
OptionValue read_alternative(MessageReader& from) {
  if constexpr (std::is_arithmetic_v<T>) {
    return OptionValue(from.number<T>());
  } else if constexpr (std::is_same_v<T, std::string>) {
    return OptionValue(std::string(from.text()));
  } else if constexpr (std::is_same_v<T, std::vector<std::string>>) {
    T texts;
    for (auto left = from.number<std::uint64_t>(); left != 0 && from.is_sound(); --left)
      texts.emplace_back(from.text());
    return OptionValue(std::move(texts));
  } else {
    T texts;
    for (auto left = from.number<std::uint64_t>(); left != 0 && from.is_sound(); --left) {
      const std::string key(from.text());
      texts.emplace(key, from.text());
    }
    return OptionValue(std::move(texts));
  }
}

template <std::size_t... At>
OptionValue read_value(MessageReader& from, std::index_sequence<At...> /*alternatives*/) {
  const auto index = from.number<std::uint32_t>();
  OptionValue value;
  const auto read_if = [&]<std::size_t Which>(std::integral_constant<std::size_t, Which> /*one*/) {
    if (index == Which) value = read_alternative<std::variant_alternative_t<Which, OptionValue>>(from);
  };
  (read_if(std::integral_constant<std::size_t, At>()), ...);
  return value;
}

void write_options(MessageWriter& to, const Options& options) {
  to.number(static_cast<std::uint64_t>(options.size()));
  for (const auto& [name, option] : options) {
    to.text(name);
    to.text(option.origin);
    write_value(to, option.value);
  }
}

Options read_options(MessageReader& from) {
  Options options;
  for (auto left = from.number<std::uint64_t>(); left != 0 && from.is_sound(); --left) {
    const std::string name(from.text());
    config::OptionSource option;
    option.origin = from.text();
    option.value = read_value(from, std::make_index_sequence<std::variant_size_v<OptionValue>>());
    options.emplace(name, std::move(option));
  }
  return options;
}

void write_start(MessageWriter& to, const RunnerStart& start) {
  to.text(start.driver);
  to.number(static_cast<std::int64_t>(start.timeout.count()));
  to.number(static_cast<std::uint64_t>(start.files.size()));
  for (const auto& file : start.files) {
    to.text(file.path);
    to.text(file.sha256);
    to.number(static_cast<std::int32_t>(file.descriptor));
  }
  write_options(to, start.section.options);
  to.number(static_cast<std::uint64_t>(start.section.offers.size()));
  for (const auto& [name, offer] : start.section.offers) {
    to.text(name);
    write_options(to, offer.options);
  }
}

}  // namespace

std::vector<std::byte> encode(const RunnerStart& start) {
  std::vector<std::byte> bytes(4096);
  for (;;) {
    MessageWriter to(bytes);
    write_start(to, start);
    if (to.fits()) {
      bytes.resize(to.used());
      return bytes;
    }
    bytes.resize(2 * bytes.size());
  }
}

std::optional<RunnerStart> decode(std::span<const std::byte> bytes) {
  MessageReader from(bytes);
  RunnerStart start;
  start.driver = from.text();
  start.timeout = std::chrono::milliseconds(from.number<std::int64_t>());
  for (auto left = from.number<std::uint64_t>(); left != 0 && from.is_sound(); --left) {
    RunnerStart::File file;
    file.path = from.text();
    file.sha256 = from.text();
    file.descriptor = from.number<std::int32_t>();
    start.files.push_back(std::move(file));
  }
  start.section.options = read_options(from);
  for (auto left = from.number<std::uint64_t>(); left != 0 && from.is_sound(); --left) {
    const std::string name(from.text());
    start.section.offers[name].options = read_options(from);
  }
  if (!from.is_sound() || !from.is_at_end() || start.files.empty()) return std::nullopt;
  return start;
}

}  // namespace gantry::drivers::isolated
