// SPDX-License-Identifier: Apache-2.0
#include "core/transport/api/http_answer.hpp"

#include <array>
#include <cstddef>
#include <ctime>

#include "core/encoding/json.hpp"
#include "core/encoding/uuid.hpp"

namespace gantry::transport {

namespace {

std::string_view reason_of(unsigned status) {
  switch (status) {
    case 200: return "OK";
    case 304: return "Not Modified";
    case 308: return "Permanent Redirect";
    case 400: return "Bad Request";
    case 401: return "Unauthorized";
    case 403: return "Forbidden";
    case 404: return "Not Found";
    case 405: return "Method Not Allowed";
    case 408: return "Request Timeout";
    case 409: return "Conflict";
    case 411: return "Length Required";
    case 413: return "Payload Too Large";
    case 415: return "Unsupported Media Type";
    case 421: return "Misdirected Request";
    case 431: return "Request Header Fields Too Large";
    case 500: return "Internal Server Error";
    case 501: return "Not Implemented";
    case 503: return "Service Unavailable";
    case 504: return "Gateway Timeout";
    default: return "Unknown";
  }
}

// "Sun, 06 Nov 1994 08:49:37 GMT", in any locale
std::string date_of(std::time_t time) {
  constexpr std::array<const char*, 7> days{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};
  constexpr std::array<const char*, 12> months{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                               "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  std::tm parts{};
  gmtime_r(&time, &parts);
  const auto two = [](int number) {
    return std::string{static_cast<char>('0' + number / 10), static_cast<char>('0' + number % 10)};
  };
  std::string date = days.at(static_cast<std::size_t>(parts.tm_wday));
  date.append(", ").append(two(parts.tm_mday)).append(" ");
  date.append(months.at(static_cast<std::size_t>(parts.tm_mon))).append(" ");
  date.append(std::to_string(parts.tm_year + 1900)).append(" ").append(two(parts.tm_hour)).append(":");
  return date.append(two(parts.tm_min)).append(":").append(two(parts.tm_sec)).append(" GMT");
}

}  // namespace

unsigned status_of(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument: return 400;
    case ErrorCode::unauthenticated: return 401;
    case ErrorCode::permission_denied: return 403;
    case ErrorCode::not_found:
    case ErrorCode::unsupported: return 404;
    case ErrorCode::already_exists:
    case ErrorCode::failed_precondition:
    case ErrorCode::no_valid_host: return 409;
    case ErrorCode::resource_exhausted:
    case ErrorCode::unavailable: return 503;
    case ErrorCode::deadline_exceeded: return 504;
    case ErrorCode::invalid_configuration:
    case ErrorCode::internal: return 500;
  }
  return 500;
}

HttpAnswer error_answer(const Error& error, std::string_view request_id, unsigned status) {
  HttpAnswer answer;
  answer.status = status;
  answer.request_id = request_id;
  answer.retry_later = status == 503;
  answer.body.append(R"({"error":{"code":")").append(name_of(error.code)).append(R"(","message":)");
  answer.body.append(json::write(json::value(error.message))).append(R"(,"details":)");
  answer.body.append(error.details.empty() ? "{}" : error.details).append(R"(,"request_id":")");
  answer.body.append(request_id).append("\"}}");
  return answer;
}

HttpAnswer error_answer(const Error& error, std::string_view request_id) {
  return error_answer(error, request_id, status_of(error.code));
}

HttpAnswer answer_to(const scheduling::Answer& given, std::string_view request_id) {
  if (!given) return error_answer(given.error(), request_id);
  HttpAnswer answer;
  answer.request_id = request_id;
  constexpr std::size_t usual_size = 2048;
  answer.body.reserve(usual_size);
  answer.body.append(R"({"result":)");
  given.append_to(answer.body);
  answer.body.append(R"(,"request_id":")").append(request_id).append("\"}");
  return answer;
}

std::string new_request_id() {
  return "req-" + to_text(random_uuid());
}

std::string head_of(const HttpAnswer& answer, ConnectionToken token) {
  std::string head;
  head.reserve(512);
  head.append("HTTP/1.1 ").append(std::to_string(answer.status)).append(" ").append(reason_of(answer.status));
  head.append("\r\nDate: ").append(date_of(std::time(nullptr)));
  head.append("\r\nContent-Type: ").append(answer.content_type);
  head.append("\r\nContent-Length: ").append(std::to_string(answer.body.size())).append("\r\n");
  head.append(answer.headers);
  if (!answer.request_id.empty()) {
    head.append("X-Request-Id: ").append(answer.request_id).append("\r\n");
    head.append("X-Openstack-Request-Id: ").append(answer.request_id).append("\r\n");
  }
  if (!answer.allow.empty()) head.append("Allow: ").append(answer.allow).append("\r\n");
  if (answer.retry_later) head.append("Retry-After: 1\r\n");
  if (answer.status == 401) head.append("WWW-Authenticate: Bearer realm=\"gantry\"\r\n");
  if (token == ConnectionToken::close) head.append("Connection: close\r\n");
  if (token == ConnectionToken::keep_alive) head.append("Connection: keep-alive\r\n");
  head.append("\r\n");
  return head;
}

}  // namespace gantry::transport
