// SPDX-License-Identifier: Apache-2.0
#include "tests/nova/rpc/captured.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace gantry::nova {

namespace {

json::value read(const std::string& name) {
  std::ifstream file(std::string(GANTRY_TEST_DATA "/") + name);
  std::ostringstream text;
  text << file.rdbuf();
  auto value = json::parse(text.str(), json::stored_depth);
  if (!value) throw std::runtime_error(name + ": " + value.error().message);
  return *value;
}

}  // namespace

json::array wire_events() {
  return read("oslo_wire_capture.json").as_array();
}

std::vector<json::object> wire_events(std::string_view phase, std::string_view op) {
  std::vector<json::object> found;
  for (const auto& event : wire_events()) {
    const auto& object = event.as_object();
    if (object.at("phase").as_string() == phase && object.at("op").as_string() == op) found.push_back(object);
  }
  return found;
}

json::object zed_messages() {
  return read("nova_rpc_zed.json").as_object().at("messages").as_object();
}

json::object inner_of(const json::value& body) {
  return *json::parse_object(body.as_object().at("oslo.message").as_string());
}

}  // namespace gantry::nova
