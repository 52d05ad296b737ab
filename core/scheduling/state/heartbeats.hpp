// SPDX-License-Identifier: Apache-2.0
//
// The times of heartbeats, and of reports that say nothing new. Memory has a time at once. The store gets the times of
// all hosts together, every few seconds, each in a small document of its own: an idle fleet costs next to nothing, and
// a store that refuses changes takes no host down. After a kill, a host counts as heard at the last of these batches.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <string_view>

#include "core/encoding/json.hpp"
#include "core/fleet/fleet.hpp"
#include "core/fleet/records/records.hpp"
#include "core/result.hpp"
#include "core/store/store.hpp"

namespace gantry::scheduling {

// Every member but end_change is called under State::changes. The members for the start are called before there are
// other threads.
class Heartbeats {
 public:
  // Documents by key.
  using Documents = std::map<std::string, std::string>;

  // begin_change: a change of the record is submitted to the store. end_change [any thread]: it is committed or undone.
  template <class Record>
  void begin_change(const Record& record) {
    const std::lock_guard lock(mutex_);
    changing_.insert(key_of_times(record));
  }
  template <class Record>
  void end_change(const Record& record) {
    const std::lock_guard lock(mutex_);
    changing_.extract(key_of_times(record));
  }
  // Returns whether a change of the record is on its way: one who says the same again must wait for it.
  template <class Record>
  bool is_changing(const Record& record) const {
    const std::lock_guard lock(mutex_);
    return changing_.contains(key_of_times(record));
  }

  // Remembers the record's times until the next batch.
  void note(const fleet::Service& service);
  void note(const fleet::ComputeNode& node);
  void note(const fleet::Capabilities& capabilities);
  // Forgets the times of a record that is removed or replaced. Returns the change that erases them from the store.
  store::Change forget(const fleet::Service& service);
  store::Change forget(const fleet::ComputeNode& node);
  store::Change forget(const fleet::Capabilities& capabilities);

  // Moves at most `most` of the remembered times to the caller, who stores them.
  Documents take(std::size_t most);
  // Returns times that could not be stored. Times noted meanwhile are newer and stay.
  void put_back(const Documents& documents);
  std::size_t waiting() const { return waiting_.size(); }

  // ---- the start
  // Reads a stored document, or forgets one that the store does not have any more.
  Result<void> load(std::string_view key, std::string_view document);
  void unload(std::string_view key);
  // Brings the times of a stored record up to those that were loaded.
  void bring_up_to_date(fleet::Service& service) const;
  void bring_up_to_date(fleet::ComputeNode& node) const;
  void bring_up_to_date(fleet::Capabilities& capabilities) const;
  // Brings a loaded record up to the times of the document with this key. Returns the newest time of a heartbeat or
  // report that the document has.
  fleet::Nanoseconds bring_up_to_date(fleet::Fleet& fleet, std::string_view key) const;
  // Call when all records are loaded.
  void end_loading() { loaded_.clear(); }

 private:
  store::Change forget_key(std::string key);

  static std::string key_of_times(const fleet::Service& service);
  static std::string key_of_times(const fleet::ComputeNode& node);
  static std::string key_of_times(const fleet::Capabilities& capabilities);

  Documents waiting_;
  mutable std::mutex mutex_;                                 // guards changing_
  std::multiset<std::string> changing_;                      // keys
  std::map<std::string, json::object, std::less<>> loaded_;  // used during the start alone
};

// Removes the times that are written behind from a record's document.
void remove_times(store::Kind kind, json::object& document);

}  // namespace gantry::scheduling
