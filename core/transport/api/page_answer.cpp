// SPDX-License-Identifier: Apache-2.0
#include "core/transport/api/page_answer.hpp"

#include "core/transport/api/http_answer.hpp"
#include "core/transport/page/page.hpp"

namespace gantry::transport {

HttpAnswer page_answer(const HttpRequest& request, std::string_view path, std::string_view request_id) {
  const PageFile* file = page_file(path);
  const bool leads_on = path == "/ui";
  if (file == nullptr && !leads_on) {
    auto missing = error_answer(
        {ErrorCode::not_found, "path " + in_quotes(path) + ": the page has no such file; it begins at /ui/", ""},
        request_id);
    missing.without_body = request.verb == "HEAD";
    return missing;
  }
  HttpAnswer answer;
  answer.request_id = request_id;
  answer.without_body = request.verb == "HEAD";
  if (leads_on) {
    answer.status = 308;
    answer.headers = page_location;
    answer.content_type = "text/plain; charset=utf-8";
    return answer;
  }
  answer.content_type = file->content_type;
  answer.headers = file->headers;
  answer.body = file->content;
  if (has_page_file(request.if_none_match, *file)) {
    answer.status = 304;
    answer.without_body = true;
  }
  return answer;
}

}  // namespace gantry::transport
