// SPDX-License-Identifier: Apache-2.0
#include "core/scheduling/decision/accounts.hpp"

#include <cmath>

#include "core/drivers/abi/abi_text.hpp"

namespace gantry::scheduling {

namespace {

void append_number(std::string& out, double number) {
  json::append(out, json::value(number));
}

void append_text(std::string& out, gantry_string text) {
  json::append_string(out, drivers::from_abi(text));
}

void append_verdicts(std::string& out, const gantry_account& account) {
  const gantry_verdict* rejected_by = nullptr;
  out += R"(,"verdicts":[)";
  for (std::uint32_t i = 0; i < account.verdict_count; ++i) {
    const auto& verdict = account.verdicts[i];
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

void append_terms(std::string& out, const gantry_account& account) {
  out += R"(,"weighers":[)";
  for (std::uint32_t i = 0; i < account.term_count; ++i) {
    const auto& term = account.terms[i];
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

gantry_code Accounts::add(const gantry_account& account, std::string_view host, std::string_view node) {
  auto& instance = instances_[account.instance];
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
  append_verdicts(out, account);
  append_terms(out, account);
  out += R"(,"weight":)";
  append_number(out, (account.present & GANTRY_ACCOUNT_WEIGHT) != 0 ? account.weight : NAN);
  out += R"(,"rank":)";
  out += (account.present & GANTRY_ACCOUNT_RANK) != 0 ? std::to_string(account.rank) : "null";
  out += '}';
  bytes_ += out.size() - before;
  if (bytes_ <= most_bytes_) return GANTRY_OK;
  // Nothing smaller that comes later takes its place: what is kept is the front of what the driver told.
  out.resize(before);
  is_full_ = true;
  ++instance.left_out;
  return GANTRY_RESOURCE_EXHAUSTED;
}

void Accounts::append_to(std::string& out) const {
  out += '[';
  for (const auto& instance : instances_) {
    if (out.back() != '[') out += ',';
    out.append(R"({"hosts":[)").append(instance.hosts).append(R"(],"left_out":)");
    out.append(std::to_string(instance.left_out)).append("}");
  }
  out += ']';
}

std::string with_accounts(const json::object& record, const Accounts* accounts) {
  auto text = json::write(record);
  if (accounts == nullptr) return text;
  text.back() = ',';
  text += R"("instances":)";
  accounts->append_to(text);
  text += '}';
  return text;
}

}  // namespace gantry::scheduling
