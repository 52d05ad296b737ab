// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/host_explanations.hpp"

#include <cmath>

#include "core/drivers/abi/abi_text.hpp"

namespace gantry::scheduling {

namespace {

void append_number(std::string& out, double number) {
  json::append(out, json::value(number + 0.0));  // -0 becomes 0
}

void append_text(std::string& out, gantry_string text) {
  json::append_string(out, drivers::from_abi(text));
}

void append_verdicts(std::string& out, const gantry_host_explanation& explanation) {
  const gantry_verdict* rejected_by = nullptr;
  out += R"(,"verdicts":[)";
  for (std::uint32_t i = 0; i < explanation.verdict_count; ++i) {
    const auto& verdict = explanation.verdicts[i];
    if (i != 0) out += ',';
    out += R"({"name":)";
    append_text(out, verdict.name);
    out += verdict.passed != 0 ? R"(,"passed":true)" : R"(,"passed":false)";
    if (verdict.reason.size != 0) {
      out += R"(,"reason":)";
      append_text(out, verdict.reason);
    }
    out += '}';
    if (verdict.passed == 0 && rejected_by == nullptr) rejected_by = &verdict;
  }
  out += R"(],"rejected_by":)";
  if (rejected_by == nullptr)
    out += "null";
  else
    append_text(out, rejected_by->name);
}

void append_terms(std::string& out, const gantry_host_explanation& explanation) {
  out += R"(,"weighers":[)";
  for (std::uint32_t i = 0; i < explanation.term_count; ++i) {
    const auto& term = explanation.terms[i];
    out += i == 0 ? R"({"name":)" : R"(,{"name":)";
    append_text(out, term.name);
    out += R"(,"raw":)";
    append_number(out, term.raw);
    out += R"(,"normalized":)";
    append_number(out, term.normalized);
    out += R"(,"multiplier":)";
    append_number(out, term.multiplier);
    out += '}';
  }
  out += ']';
}

}  // namespace

gantry_code HostExplanations::add(const gantry_host_explanation& explanation, std::string_view host,
                                  std::string_view node) {
  auto& instance = instances_[explanation.instance];
  // A driver spares itself the trouble of explaining further hosts.
  if (only_row_ && explanation.row != *only_row_) return instance.hosts.empty() ? GANTRY_OK : GANTRY_RESOURCE_EXHAUSTED;
  if (is_full_) {
    ++instance.left_out;
    return GANTRY_RESOURCE_EXHAUSTED;
  }
  auto& out = instance.hosts;
  const auto before = out.size();
  out += before == 0 ? R"({"host":)" : R"(,{"host":)";
  json::append_string(out, host);
  out += R"(,"node":)";
  json::append_string(out, node);
  append_verdicts(out, explanation);
  append_terms(out, explanation);
  out += R"(,"weight":)";
  append_number(out, (explanation.present & GANTRY_EXPLANATION_WEIGHT) != 0 ? explanation.weight : NAN);
  out += R"(,"rank":)";
  out += (explanation.present & GANTRY_EXPLANATION_RANK) != 0 ? std::to_string(explanation.rank) : "null";
  out += '}';
  bytes_ += out.size() - before;
  if (bytes_ <= most_bytes_) return GANTRY_OK;
  // Nothing smaller that comes later takes its place: what is kept is the front of what the driver told.
  out.resize(before);
  is_full_ = true;
  ++instance.left_out;
  return GANTRY_RESOURCE_EXHAUSTED;
}

void HostExplanations::append_to(std::string& out) const {
  out += '[';
  for (const auto& instance : instances_) {
    if (out.back() != '[') out += ',';
    out.append(R"({"hosts":[)").append(instance.hosts).append(R"(],"left_out":)");
    out.append(std::to_string(instance.left_out)).append("}");
  }
  out += ']';
}

std::string with_host_explanations(const json::object& record, const HostExplanations* explanations) {
  auto text = json::write(record);
  if (explanations == nullptr) return text;
  text.back() = ',';
  text += R"("instances":)";
  explanations->append_to(text);
  text += '}';
  return text;
}

}  // namespace gantry::scheduling
