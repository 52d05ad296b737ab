// SPDX-License-Identifier: Apache-2.0
#include "volume_request.hpp"

#include <array>
#include <boost/json/object.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <cmath>
#include <cstdint>

namespace volume_driver {

namespace {

namespace json = boost::json;

// Returns a text member. Empty if the member is absent or null. Another type or a text that is too long for an id is
// recorded in `error`.
std::string read_text(const json::object& object, std::string_view key, std::string& error) {
  const json::value* value = object.if_contains({key.data(), key.size()});
  if (value == nullptr || value->is_null()) return {};
  if (value->is_string() && value->get_string().size() > GANTRY_MOST_NAME_BYTES) {
    error = "create_volume: '" + std::string(key) + "': expected at most " + std::to_string(GANTRY_MOST_NAME_BYTES) +
            " bytes, found " + std::to_string(value->get_string().size());
    return {};
  }
  if (value->is_string() && !value->get_string().empty()) return value->get_string().c_str();
  error =
      "create_volume: '" + std::string(key) + "': expected a text that is not empty, found " + json::serialize(*value);
  return {};
}

double read_size(const json::object& object, std::string& error) {
  const json::value* value = object.if_contains("size");
  double size = 0;
  if (value != nullptr && value->is_number()) size = value->to_number<double>();
  if (std::isfinite(size) && size > 0) return size;
  error = "create_volume: 'size': expected a number of GiB above 0, found " +
          (value == nullptr ? std::string("none") : std::string(json::serialize(*value)));
  return 0;
}

// Writes whole numbers without an exponent: 10, not 1E1.
json::value number(double value) {
  if (value == std::floor(value) && std::fabs(value) < 9e15) return static_cast<std::int64_t>(value);
  return value;
}

}  // namespace

volume_request read_volume_request(std::string_view args) {
  volume_request request;
  boost::system::error_code error;
  const json::value parsed = json::parse({args.data(), args.size()}, error);
  if (error || !parsed.is_object()) {
    request.error = "create_volume: expected the arguments as a JSON object";
    return request;
  }
  const json::object& object = parsed.get_object();
  request.volume_id = read_text(object, "volume_id", request.error);
  request.near_instance = read_text(object, "near_instance", request.error);
  const json::value* hints = object.if_contains("scheduler_hints");
  if (request.near_instance.empty() && hints != nullptr && hints->is_object()) {
    request.near_instance = read_text(hints->get_object(), "near_instance", request.error);
  }
  if (request.error.empty()) request.size_gb = read_size(object, request.error);
  return request;
}

std::string random_uuid(gantry::call& call) {
  const std::uint64_t high = (call.random() & ~std::uint64_t{0xf000}) | 0x4000;
  const std::uint64_t low = (call.random() & ~(std::uint64_t{3} << 62)) | (std::uint64_t{2} << 62);
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (unsigned digit = 0; digit < 32; ++digit) {
    if (digit == 8 || digit == 12 || digit == 16 || digit == 20) text += '-';
    const std::uint64_t half = digit < 16 ? high : low;
    text += digits[(half >> (60 - digit % 16 * 4)) & 15];
  }
  return text;
}

std::string reply_json(std::string_view volume_id, std::string_view host, double free_capacity_gb) {
  return json::serialize(json::object{{"volume_id", json::string_view(volume_id.data(), volume_id.size())},
                                      {"host", json::string_view(host.data(), host.size())},
                                      {"free_capacity_gb", number(free_capacity_gb)}});
}

std::string cast_json(std::string_view volume_id, double size_gb) {
  return json::serialize(
      json::object{{"volume_id", json::string_view(volume_id.data(), volume_id.size())}, {"size", number(size_gb)}});
}

}  // namespace volume_driver
