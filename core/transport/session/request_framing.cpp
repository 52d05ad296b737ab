// SPDX-License-Identifier: Apache-2.0
#include "core/transport/session/request_framing.hpp"

#include <algorithm>
#include <array>
#include <boost/beast/core/string.hpp>
#include <vector>

#include "core/transport/api/http_answer.hpp"

namespace gantry::transport {

namespace {

namespace http = boost::beast::http;
using boost::beast::iequals;

// Fields that mean one value: with two, it is unknown which one another recipient takes.
constexpr std::array<std::string_view, 12> single_fields{
    "Host",   "Content-Length", "Transfer-Encoding", "Authorization", "Content-Type", "Content-Encoding",
    "Origin", "Expect",         "Idempotency-Key",   "X-Timeout-Ms",  "X-Request-Id", "X-Openstack-Request-Id"};

std::vector<std::string_view> parts_of(std::string_view list) {
  std::vector<std::string_view> parts;
  for (;;) {
    const auto end = std::min(list.find(','), list.size());
    auto part = list.substr(0, end);
    while (part.starts_with(' ') || part.starts_with('\t')) part.remove_prefix(1);
    while (part.ends_with(' ') || part.ends_with('\t')) part.remove_suffix(1);
    parts.push_back(part);
    if (end == list.size()) return parts;
    list.remove_prefix(end + 1);
  }
}

bool is_token(std::string_view text) {
  constexpr std::string_view marks = "!#$%&'*+-.^_`|~";
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           marks.find(c) != std::string_view::npos;
  });
}

// A coding before the final chunked may be one of the standard's: only then is the end of the body certain.
std::optional<FramingFault> fault_of_coding(std::string_view coding, unsigned version) {
  if (version < 11)
    return FramingFault{400, "header Transfer-Encoding: expected none in HTTP/1.0, found " + in_quotes(coding)};
  if (iequals(coding, "chunked")) return std::nullopt;
  const auto codings = parts_of(coding);
  const bool is_unknown = iequals(codings.back(), "chunked") && std::ranges::all_of(codings, is_token) &&
                          std::ranges::count_if(codings, [](auto each) { return iequals(each, "chunked"); }) == 1;
  return FramingFault{is_unknown ? 501U : 400U,
                      "header Transfer-Encoding: expected chunked alone, found " + in_quotes(coding)};
}

std::optional<FramingFault> fault_of_length(std::string_view length) {
  constexpr std::size_t most_digits = 19;
  const bool is_number = !length.empty() && length.size() <= most_digits &&
                         length.find_first_not_of("0123456789") == std::string_view::npos;
  if (is_number && (length.size() == 1 || length.front() != '0')) return std::nullopt;
  return FramingFault{400, "header Content-Length: expected a decimal number, found " + in_quotes(length)};
}

// The characters of names and addresses, and of a port behind one colon.
bool is_host(std::string_view host) {
  constexpr std::string_view of_names = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-._~%!$&'()*+;=";
  const bool is_address = host.starts_with('[');
  const auto end = is_address ? std::min(host.find(']'), host.size()) : std::min(host.find(':'), host.size());
  if (is_address && end == host.size()) return false;
  const auto name = is_address ? host.substr(1, end - 1) : host.substr(0, end);
  const auto allowed = is_address ? "0123456789ABCDEFabcdef:." : of_names;
  if (name.find_first_not_of(allowed) != std::string_view::npos) return false;
  const auto port = host.substr(is_address ? end + 1 : end);
  return port.empty() || (port.front() == ':' && port.find_first_not_of("0123456789", 1) == std::string_view::npos);
}

}  // namespace

std::optional<FramingFault> framing_fault_of(const http::fields& head, unsigned version) {
  for (const auto name : single_fields) {
    if (head.count(name) > 1)
      return FramingFault{400, "header " + std::string(name) + ": expected it once, found it twice"};
  }
  const auto coding = head.find(http::field::transfer_encoding);
  const auto length = head.find(http::field::content_length);
  if (coding != head.end() && length != head.end())
    return FramingFault{400, "expected Content-Length or Transfer-Encoding, found both"};
  if (coding != head.end()) {
    if (auto fault = fault_of_coding(coding->value(), version)) return fault;
  }
  if (length != head.end()) {
    if (auto fault = fault_of_length(length->value())) return fault;
  }
  const auto host = head.find(http::field::host);
  if (host == head.end()) {
    if (version < 11) return std::nullopt;
    return FramingFault{400, "expected the header Host, which HTTP/1.1 demands, found none"};
  }
  if (is_host(host->value())) return std::nullopt;
  return FramingFault{
      400, "header Host: expected a name or an address, perhaps with a port, found " + in_quotes(host->value())};
}

bool has_folded_line(std::string_view bytes, std::size_t from) {
  if (bytes.starts_with('\r')) return false;  // the empty line at the end of the head
  for (auto end = bytes.find('\n', from); end < bytes.size() - 1; end = bytes.find('\n', end + 1)) {
    // `from` may lie within the empty line, whose end is the head's.
    if (bytes.substr(0, end + 1).ends_with("\n\r\n")) return false;
    const char next = bytes[end + 1];
    if (next == ' ' || next == '\t') return true;
    if (next == '\r') return false;
  }
  return false;
}

}  // namespace gantry::transport
