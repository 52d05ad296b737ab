// SPDX-License-Identifier: Apache-2.0
//
// The bytes of one HTTP connection to a server. The answers must be well-formed, and must not depend on the pieces in
// which the bytes arrive. The outcome is the answers' statuses, "200-400". "none": there is no answer.
#include <algorithm>
#include <array>
#include <charconv>

#include "core/drivers/call/seeded_random.hpp"
#include "core/encoding/json.hpp"
#include "core/scheduling/state/stable_hash.hpp"
#include "tests/fuzz/http_connection.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {
namespace {

constexpr std::string_view request_id = "req-00000000-0000-4000-8000-000000000000";

// Whether the text begins with an id. An answer may quote a client's text that looks like the beginning of an id.
bool begins_with_id(std::string_view text) {
  if (text.size() < request_id.size()) return false;
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return std::equal(request_id.begin(), request_id.end(), text.begin(), [is_hex](char model, char found) {
    return model == '0' || model == '4' || model == '8' ? is_hex(found) : model == found;
  });
}

// Replaces the ids, which differ from run to run.
std::string without_ids(std::string text) {
  for (auto at = text.find("req-"); at != std::string::npos; at = text.find("req-", at + 1)) {
    if (begins_with_id(std::string_view(text).substr(at))) text.replace(at, request_id.size(), request_id);
  }
  return text;
}

std::string_view value_of(std::string_view head, std::string_view name) {
  const auto at = head.find(name);
  if (at == std::string_view::npos) return {};
  const auto from = at + name.size();
  return head.substr(from, head.find("\r\n", from) - from);
}

// Takes one answer off the front.
struct Answer {
  std::string status;
  bool closes = false;
  std::string_view body;
  bool operator==(const Answer&) const = default;
};

Answer take_answer(std::string_view& answers) {
  constexpr std::array<std::string_view, 13> known{"100", "200", "400", "404", "405", "408", "411",
                                                   "413", "415", "421", "431", "501", "503"};
  const auto end = answers.find("\r\n\r\n");
  if (end == std::string_view::npos || !answers.starts_with("HTTP/1.1 ")) broken("an answer without a head");
  const auto head = answers.substr(0, end + 2);
  answers.remove_prefix(end + 4);
  Answer answer{std::string(head.substr(9, 3)), head.find("\r\nConnection: close\r\n") != std::string_view::npos, {}};
  if (std::find(known.begin(), known.end(), answer.status) == known.end()) broken("a status that nobody expects");
  if (answer.status == "100") return answer;
  const auto length = value_of(head, "\r\nContent-Length: ");
  std::size_t size = 0;
  if (std::from_chars(length.data(), length.data() + length.size(), size).ec != std::errc()) broken("no length");
  if (!answers.starts_with('{')) return answer;  // to a HEAD
  if (answers.size() < size) broken("a body shorter than its length");
  answer.body = answers.substr(0, size);
  if (!json::parse_object(answer.body, json::stored_depth)) broken("a body that is not JSON");
  answers.remove_prefix(size);
  return answer;
}

std::vector<Answer> answers_in(std::string_view text) {
  std::vector<Answer> answers;
  while (!text.empty()) {
    if (!answers.empty() && answers.back().closes) broken("an answer behind one that closes the connection");
    answers.push_back(take_answer(text));
  }
  return answers;
}

// The last answer may be a refusal of bytes that are not a request: the library decides how much of a head it needs for
// that. All answers before must be the same.
bool are_alike(std::vector<Answer> left, std::vector<Answer> right) {
  const auto drop_refusal = [](std::vector<Answer>& answers) {
    if (!answers.empty() && answers.back().closes && (answers.back().status == "400" || answers.back().status == "431"))
      answers.pop_back();
  };
  if (left == right) return true;
  drop_refusal(left);
  drop_refusal(right);
  return left == right;
}

std::string statuses_of(const std::vector<Answer>& answers) {
  std::string statuses;
  for (const auto& answer : answers) statuses.append(statuses.empty() ? "" : "-").append(answer.status);
  return statuses.empty() ? "none" : statuses;
}

std::vector<std::string_view> in_pieces(std::string_view text) {
  drivers::Random random(scheduling::stable_hash(text));
  const std::size_t longest = random.next() % 2 == 0 ? 8 : 200;
  constexpr std::size_t most_pieces = 40;
  std::vector<std::string_view> pieces;
  while (!text.empty() && pieces.size() < most_pieces) {
    const auto size = std::min<std::size_t>(text.size(), 1 + random.next() % longest);
    pieces.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  if (!text.empty()) pieces.push_back(text);
  return pieces;
}

}  // namespace

std::string run(std::span<const std::uint8_t> input) {
  static HttpEndpoint endpoint;
  const auto text = text_of(input);
  const auto at_once = without_ids(endpoint.exchange({text}));
  const auto in_parts = without_ids(endpoint.exchange(in_pieces(text)));
  const auto answers = answers_in(at_once);
  // Whether "100 Continue" is said, or the connection kept after a refusal, depends on whether the body is there yet.
  const bool may_differ = text.find("100-") != std::string_view::npos;
  const auto others = answers_in(in_parts);
  if (!may_differ && !are_alike(answers, others))
    broken("bytes in pieces are answered otherwise:\n" + at_once + "\n---\n" + in_parts);
  return statuses_of(answers);
}

}  // namespace gantry::fuzz
