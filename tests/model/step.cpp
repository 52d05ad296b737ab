// SPDX-License-Identifier: Apache-2.0
#include "tests/model/step.hpp"

#include <algorithm>

namespace gantry::model {

std::string to_text(const std::vector<Step>& steps) {
  std::string text;
  for (const auto& step : steps) {
    json::object line{{"method", step.method}, {"args", step.args}};
    if (!step.key.empty()) line["key"] = step.key;
    text += json::write(line) + "\n";
  }
  return text;
}

Result<std::vector<Step>> steps_from(std::string_view text) {
  std::vector<Step> steps;
  while (!text.empty()) {
    const auto end = std::min(text.find('\n'), text.size());
    const auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty()) continue;
    const auto object = json::parse_object(line);
    if (!object) return Error(object.error());
    const auto* args = json::find_object(*object, "args");
    steps.push_back({std::string(json::find_string(*object, "method").value_or("")),
                     args == nullptr ? json::object() : *args,
                     std::string(json::find_string(*object, "key").value_or(""))});
  }
  return steps;
}

}  // namespace gantry::model
