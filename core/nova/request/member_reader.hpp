// SPDX-License-Identifier: Apache-2.0
//
// Typed reading of the members of a plain RequestSpec. The first fault is kept, and the reading goes on. After a fault,
// the values read are of no use.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/encoding/json.hpp"
#include "core/result.hpp"

namespace gantry::nova {

class MemberReader {
 public:
  // `path` names the object in messages. The reader refers to the object and to `fault`.
  MemberReader(const json::object& object, std::string path, std::optional<Error>& fault)
      : object_(&object), path_(std::move(path)), fault_(&fault) {}

  bool has(std::string_view key) const { return object_->contains(key); }  // null counts
  bool has_value(std::string_view key) const { return json::find(*object_, key) != nullptr; }

  // Return the member, or nothing if it is absent or null.
  std::optional<std::string> text(std::string_view key);
  std::optional<std::int64_t> integer(std::string_view key);  // from -2^53 to 2^53
  std::optional<bool> boolean(std::string_view key);
  std::optional<bool> flexible_boolean(std::string_view key);  // true, or a text that means true
  std::vector<std::string> texts(std::string_view key);
  std::set<std::string> text_set(std::string_view key);
  std::vector<std::vector<std::string>> text_lists(std::string_view key);
  std::vector<std::pair<std::string, std::string>> text_pairs(std::string_view key);  // an object of texts
  std::map<std::string, std::string> amounts(std::string_view key);                   // an object of whole numbers
  std::optional<MemberReader> object(std::string_view key);
  std::vector<MemberReader> objects(std::string_view key);  // a list, or a list object with its list in `objects`

  const json::object& members() const { return *object_; }

 private:
  const json::array* list(std::string_view key);
  std::vector<std::string> texts_in(const json::array& list, const std::string& path);
  void expect(std::string_view what, const std::string& path, const json::value& found);
  std::string path_to(std::string_view key) const { return path_ + "." + std::string(key); }

  const json::object* object_;
  std::string path_;
  std::optional<Error>* fault_;
};

}  // namespace gantry::nova
