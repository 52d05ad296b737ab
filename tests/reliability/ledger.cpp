// SPDX-License-Identifier: Apache-2.0
#include "tests/reliability/ledger.hpp"

#include <algorithm>

namespace gantry::reliability {

void Ledger::boot_asked(const std::vector<std::string>& uuids, const std::string& group) {
  const std::lock_guard lock(mutex_);
  ++requests_;
  for (const auto& uuid : uuids) {
    Server server;
    server.uuid = uuid;
    server.request = requests_;
    server.group = group;
    content_.servers.emplace(uuid, std::move(server));
  }
}

void Ledger::boot_answered(const json::array& instances) {
  const std::lock_guard lock(mutex_);
  for (const auto& instance : instances) {
    const auto& shown = instance.as_object();
    auto& server = content_.servers.at(std::string(json::find_string(shown, "uuid").value_or("")));
    server.host = json::find_string(shown, "host").value_or("");
    server.boot = server.host.empty() ? Boot::failed : Boot::placed;
    ++(server.host.empty() ? content_.progress.without_host : content_.progress.placed);
  }
}

void Ledger::named_boot_asked(const std::string& name) {
  const std::lock_guard lock(mutex_);
  content_.named[name] = {};
}

void Ledger::named_boot_decided(const std::string& name, const std::string& uuid) {
  const std::lock_guard lock(mutex_);
  content_.named[name] = uuid;
  Server server;
  server.uuid = uuid;
  server.request = ++requests_;
  content_.servers.emplace(uuid, std::move(server));
}

void Ledger::named_boot_never(const std::string& name) {
  const std::lock_guard lock(mutex_);
  content_.named.erase(name);
}

void Ledger::deletion_asked(const std::string& uuid) {
  const std::lock_guard lock(mutex_);
  auto& server = content_.servers.at(uuid);
  server.deletion = Deletion::unanswered;
  server.is_orphan = false;
}

void Ledger::deletion_answered(const std::string& uuid) {
  const std::lock_guard lock(mutex_);
  content_.servers.at(uuid).deletion = Deletion::answered;
  ++content_.progress.deleted;
}

bool Ledger::is_deletion_asked(const std::string& uuid) const {
  const std::lock_guard lock(mutex_);
  const auto found = content_.servers.find(uuid);
  return found != content_.servers.end() && found->second.deletion != Deletion::none;
}

void Ledger::decide(const std::string& uuid, Boot boot, const std::string& host) {
  const std::lock_guard lock(mutex_);
  auto& server = content_.servers.at(uuid);
  server.boot = boot;
  server.host = host;
  server.is_orphan = boot != Boot::never;
}

void Ledger::decide(const std::string& uuid, Deletion deletion) {
  const std::lock_guard lock(mutex_);
  auto& server = content_.servers.at(uuid);
  server.deletion = deletion;
  server.is_orphan = deletion == Deletion::none;
}

bool Ledger::received(const std::string& host, const std::string& id, const std::string& method,
                      const std::string& uuid) {
  const std::lock_guard lock(mutex_);
  if (!cast_ids_.insert(id).second) {
    ++content_.progress.repeats;
    return false;
  }
  ++content_.progress.delivered;
  auto& had = content_.deliveries[uuid];
  for (const auto& other : had) {
    if (other.method != method) continue;
    content_.findings.doubled.push_back(method + " of " + uuid + " reached " + other.host + " as cast " + other.id +
                                        " and " + host + " as cast " + id);
  }
  had.push_back({id, method, host});
  return true;
}

void Ledger::report_answered(const std::string& host, std::int64_t sequence) {
  const std::lock_guard lock(mutex_);
  content_.reports[host] = sequence;
}

void Ledger::fact(const std::string& kind, const std::string& name, std::vector<FactState> may_be) {
  const std::lock_guard lock(mutex_);
  content_.facts[{kind, name}] = {kind, name, std::move(may_be)};
}

void Ledger::complain(std::string what) {
  const std::lock_guard lock(mutex_);
  content_.findings.wrong.push_back(std::move(what));
}

void Ledger::lost(std::string what) {
  const std::lock_guard lock(mutex_);
  content_.findings.lost.push_back(std::move(what));
}

void Ledger::doubled(std::string what) {
  const std::lock_guard lock(mutex_);
  content_.findings.doubled.push_back(std::move(what));
}

Ledger::Content Ledger::content() const {
  const std::lock_guard lock(mutex_);
  return content_;
}

}  // namespace gantry::reliability
