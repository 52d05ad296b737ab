// SPDX-License-Identifier: Apache-2.0
//
// The bytes of one HTTP connection, read into requests without a server. The requests must not depend on the pieces in
// which the bytes arrive. The outcome is a word for each request, "head" for a request whose body is not complete, and
// a refusal's status: "request-request-400". "none": no head is complete.
#include <algorithm>
#include <vector>

#include "core/drivers/call/seeded_random.hpp"
#include "core/scheduling/state/stable_hash.hpp"
#include "core/transport/session/request_reader.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {
namespace {

using transport::RequestReader;
using Found = RequestReader::Found;

constexpr RequestReader::Limits limits{1024, 2048};

struct Outcome {
  std::vector<std::string> requests;
  unsigned refusal = 0;        // 0: none
  bool is_head_alone = false;  // of the last request
};

void check(const transport::HttpRequest& request) {
  if (request.verb.empty() || request.target.empty()) broken("a request without a verb or a target");
  if (request.verb.size() + request.target.size() > limits.header_bytes) broken("a head above the limit");
  if (request.body.size() > limits.body_bytes) broken("a body above the limit");
  if (!request.has_length && !request.body.empty()) broken("a body that was not announced");
}

std::string text_of(const transport::HttpRequest& request) {
  check(request);
  return request.verb + " " + request.target + " " + request.content_type + " " + request.request_id + " " +
         request.idempotency_key + " " + request.timeout_ms + " " +
         std::to_string(static_cast<int>(request.connection)) + "\n" + request.body;
}

void read(RequestReader& reader, std::string_view bytes, Outcome& outcome) {
  const auto memory = reader.prepare(bytes.size());
  std::copy(bytes.begin(), bytes.end(), memory.begin());
  reader.commit(bytes.size());
  for (auto found = reader.next(); found != Found::nothing; found = reader.next()) {
    outcome.is_head_alone = found == Found::head;
    if (found == Found::head) check(reader.head().request);
    if (found == Found::request) outcome.requests.push_back(text_of(reader.take_request()));
    if (found == Found::refusal) outcome.refusal = reader.take_refusal().status;
    if (found == Found::refusal && !reader.is_empty()) broken("input is left after a refusal");
  }
}

Outcome read_in_pieces(std::string_view text, std::size_t longest) {
  drivers::Random random(scheduling::stable_hash(text));
  RequestReader reader(limits);
  Outcome outcome;
  while (!text.empty() && outcome.refusal == 0) {
    const auto size = std::min<std::size_t>(text.size(), 1 + random.next() % longest);
    read(reader, text.substr(0, size), outcome);
    text.remove_prefix(size);
  }
  return outcome;
}

std::string word_of(const Outcome& outcome) {
  std::string words;
  const auto add = [&words](std::string_view word) { words.append(words.empty() ? "" : "-").append(word); };
  for (std::size_t i = 0; i < outcome.requests.size(); ++i) add("request");
  if (outcome.is_head_alone) add("head");
  if (outcome.refusal != 0) add(std::to_string(outcome.refusal));
  return words.empty() ? "none" : words;
}

}  // namespace

std::string run(std::span<const std::uint8_t> input) {
  const auto text = text_of(input);
  Outcome at_once;
  RequestReader reader(limits);
  read(reader, text, at_once);
  for (const std::size_t longest : {1, 8, 200}) {
    const auto in_pieces = read_in_pieces(text, longest);
    // A refusal of bytes that are no request may come sooner or later, and as 400 or 431.
    if (at_once.requests != in_pieces.requests) broken("bytes in pieces are read otherwise");
  }
  return word_of(at_once);
}

}  // namespace gantry::fuzz
