// SPDX-License-Identifier: Apache-2.0
//
// Who holds a slot of which host, as those who were answered know it. A slot counts from its answer until its release
// is asked for, so that there are never more holders than slots unless one was given twice.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace gantry::reliability {

struct Holder {
  std::string uuid;
  bool is_instance = false;  // by schedule_run_instance; otherwise by select_destinations
};

// [any thread]
class Truth {
 public:
  // Forgets everything; host -> slots.
  void begin(std::map<std::string, std::size_t> slots);

  void holds(const Holder& holder, const std::string& host);
  void gives_up(const std::string& uuid);
  // Some holder, who has given up by that; one that no report has listed, if that is asked for.
  std::optional<Holder> take_any(bool unlisted, std::mt19937_64& random);
  // Some holder that no report has listed, to be asked for again: nobody takes it meanwhile, and no report lists what
  // it has until then.
  std::optional<Holder> borrow_any(bool is_instance, std::mt19937_64& random);
  void give_back(const std::string& uuid);

  struct Sample {
    double sampled_at = 0;  // seconds since 1970
    std::vector<std::string> uuids;
  };
  // What the host runs: its holders, of which a few more each time. They are listed from now on.
  Sample sample(const std::string& host, std::mt19937_64& random);

  std::size_t holders_of(const std::string& host) const;
  std::size_t slots_of(const std::string& host) const;
  std::size_t holders() const;
  std::size_t slots() const;
  std::vector<Holder> all() const;
  // Answers that gave a slot which was not there.
  const std::vector<std::string>& over_limits() const { return over_limits_; }

 private:
  struct Entry {
    Holder holder;
    std::set<std::string> hosts;  // a selection that is made again may hold two
    bool is_listed = false;
    bool is_borrowed = false;
    bool was_borrowed = false;
  };
  void remove(const std::string& uuid);

  mutable std::mutex mutex_;
  std::map<std::string, std::size_t> slots_;
  std::map<std::string, std::size_t> counts_;
  std::map<std::string, Entry> entries_;
  std::vector<std::string> over_limits_;
};

}  // namespace gantry::reliability
