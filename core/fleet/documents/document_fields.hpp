// SPDX-License-Identifier: Apache-2.0
//
// Typed reading of the members of a fleet document's objects. The reader keeps the first fault of the document and goes
// on. After a fault, the values read are of no use.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/encoding/text_rules.hpp"
#include "core/fleet/records/records.hpp"

namespace gantry::fleet {

// The first fault of a document: where it is, what was expected and what was found. set() ignores further faults.
class Fault {
 public:
  void set(const std::string& place, std::string_view what);
  bool is_set() const { return !text_.empty(); }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Return the place of an object's member, such as "hosts[3].service", and of a list's element, such as "hosts[3]".
std::string member_of(std::string_view place, std::string_view key);
std::string element_of(std::string_view place, std::size_t index);

// The members of one object. `place` says where the object is in the document.
class Fields {
 public:
  Fields(const json::object& object, std::string place, Fault& fault)
      : object_(object), place_(std::move(place)), fault_(fault) {}

  const std::string& place() const { return place_; }
  std::string place_of(std::string_view key) const { return member_of(place_, key); }
  Fault& fault() const { return fault_; }
  // Returns whether the member is there and not null. Marks the key as read, for refuse_others().
  bool has(std::string_view key);

  // Return the value of a member. `otherwise`, or else an empty value, if the member is absent or null. A member of
  // another type is a fault, as is a text against the rule of its kind, a missing required one, a text that one_of does
  // not list, an integer below `least`, and a number outside of `least` to `most`.
  std::string text(std::string_view key, std::string_view otherwise = {}, TextKind kind = TextKind::name);
  std::string required_text(std::string_view key);
  std::string one_of(std::string_view key, std::initializer_list<std::string_view> texts, std::string_view otherwise);
  // Returns the uuid in lower case with hyphens. Empty, with a fault noted, if the member is missing or is not a uuid.
  std::string required_uuid(std::string_view key);
  bool truth(std::string_view key);
  std::int64_t integer(std::string_view key, std::int64_t least);
  std::optional<double> number(std::string_view key, double least, double most);
  Nanoseconds time(std::string_view key, Nanoseconds otherwise = 0);
  json::object object(std::string_view key);
  std::map<std::string, std::string> texts_by_key(std::string_view key);
  std::vector<std::string> texts(std::string_view key);

  // Calls visit(Fields&) with the object of that key, if there is one. Then refuses the keys that `visit` did not read.
  template <class Visit>
  void inner(std::string_view key, const Visit& visit) {
    const auto* value = wanted(key, boost::json::kind::object, "an object");
    if (value == nullptr) return;
    Fields fields(value->get_object(), place_of(key), fault_);
    visit(fields);
    fields.refuse_others();
  }
  // Calls visit(Fields&) with each object of a list, as inner() does. Stops at the first fault.
  template <class Visit>
  void each(std::string_view key, const Visit& visit) {
    const auto* value = wanted(key, boost::json::kind::array, "a list");
    if (value == nullptr) return;
    const auto& list = value->get_array();
    for (std::size_t at = 0; at < list.size(); ++at) {
      auto place = element_of(place_of(key), at);
      if (!list[at].is_object()) return complain(place, "an object", list[at]);
      Fields fields(list[at].get_object(), std::move(place), fault_);
      visit(fields);
      fields.refuse_others();
      if (fault_.is_set()) return;
    }
  }
  // Reports a fault if the object has a key that was not read.
  void refuse_others() const;

 private:
  std::string checked(std::string_view text, const std::string& place, TextKind kind) const;
  const json::value* wanted(std::string_view key, boost::json::kind kind, std::string_view expected);
  void complain(const std::string& place, std::string_view expected, const json::value& found) const;

  const json::object& object_;
  const std::string place_;
  Fault& fault_;
  std::vector<std::string_view> known_;  // the keys that were read
};

}  // namespace gantry::fleet
