// SPDX-License-Identifier: Apache-2.0
#include "core/nova/http/http_address.hpp"

#include <boost/url/encode.hpp>
#include <boost/url/grammar/lut_chars.hpp>
#include <boost/url/parse.hpp>
#include <boost/url/url_view.hpp>

namespace gantry::nova {

namespace {

// No dots: a proxy may resolve "..".
constexpr boost::urls::grammar::lut_chars plain("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-");

Error not_an_endpoint(std::string_view url, const std::string& found) {
  return {ErrorCode::invalid_configuration,
          "expected http://HOST[:PORT][/PATH] or https://..., found " + found + " in '" + std::string(url) + "'", ""};
}

}  // namespace

std::string HttpAddress::host_header() const {
  const std::string name = host.find(':') == std::string::npos ? host : "[" + host + "]";
  return port == (is_tls ? "443" : "80") ? name : name + ":" + port;
}

Result<HttpAddress> parse_http_address(std::string_view url) {
  const auto parsed = boost::urls::parse_uri(boost::core::string_view(url.data(), url.size()));
  // A password in it must not reach a message.
  if (parsed.has_value() && parsed->has_userinfo()) {
    return Error{ErrorCode::invalid_configuration, "expected a URL without a user name, found one", ""};
  }
  if (!parsed.has_value()) return not_an_endpoint(url, "no URL");
  const std::string scheme(parsed->scheme());
  if (scheme != "http" && scheme != "https") return not_an_endpoint(url, "the scheme '" + scheme + "'");
  if (parsed->has_query() || parsed->has_fragment()) return not_an_endpoint(url, "a query or fragment");
  HttpAddress address;
  address.is_tls = scheme == "https";
  address.host = parsed->host_address();
  address.port = std::string(parsed->port());
  address.path = std::string(parsed->encoded_path());
  while (address.path.ends_with('/')) address.path.pop_back();
  if (address.host.empty()) return not_an_endpoint(url, "no host");
  if (address.port.empty()) address.port = address.is_tls ? "443" : "80";
  return address;
}

std::string part_of_target(std::string_view text) {
  return boost::urls::encode(boost::core::string_view(text.data(), text.size()), plain);
}

}  // namespace gantry::nova
