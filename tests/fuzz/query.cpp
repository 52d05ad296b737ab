// SPDX-License-Identifier: Apache-2.0
//
// The query string of a request, read into arguments. The outcome is "call" or "refused".
#include <algorithm>

#include "core/encoding/utf8.hpp"
#include "core/transport/api/http_routes.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {

std::string run(std::span<const std::uint8_t> input) {
  static const transport::HttpRoutes routes({{"status", true}}, std::chrono::seconds(30));
  transport::HttpRequest request;
  request.verb = "GET";
  request.target = std::string("/v1/status?").append(text_of(input));
  auto routed = routes.route(std::move(request));
  if (const auto* answer = std::get_if<transport::HttpAnswer>(&routed.outcome)) {
    if (answer->status != 400) broken("a query is refused with another status than 400");
    if (!json::parse_object(answer->body)) broken("a refusal that is no JSON");
    return "refused";
  }
  const auto& args = std::get<scheduling::MethodCall>(routed.outcome).args;
  const auto pairs = static_cast<std::size_t>(std::count(input.begin(), input.end(), '&')) + 1;
  if (args.size() > pairs) broken("more arguments than the query has pairs");
  for (const auto& [name, value] : args) {
    if (!is_utf8(name) || !value.is_string() || !is_utf8(value.get_string())) broken("an argument that is no text");
  }
  return "call";
}

}  // namespace gantry::fuzz
