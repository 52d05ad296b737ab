// SPDX-License-Identifier: Apache-2.0
#include "core/encoding/json_repeated_key.hpp"

#include <boost/json/basic_parser_impl.hpp>
#include <set>
#include <utility>
#include <vector>

#include "core/encoding/json.hpp"

namespace gantry::json {

namespace {

using boost::json::error_code;
using boost::json::string_view;

class KeyWatcher {
 public:
  static constexpr std::size_t max_object_size = boost::json::object::max_size();
  static constexpr std::size_t max_array_size = boost::json::array::max_size();
  static constexpr std::size_t max_key_size = boost::json::string::max_size();
  static constexpr std::size_t max_string_size = boost::json::string::max_size();

  const std::string& repeated() const { return repeated_; }

  bool on_document_begin(error_code&) { return true; }
  bool on_document_end(error_code&) { return true; }
  bool on_object_begin(error_code&) { return open_.emplace_back(), true; }
  bool on_object_end(std::size_t, error_code&) { return open_.pop_back(), true; }
  bool on_array_begin(error_code&) { return true; }
  bool on_array_end(std::size_t, error_code&) { return true; }
  bool on_key_part(string_view part, std::size_t, error_code&) { return key_.append(part.data(), part.size()), true; }
  bool on_key(string_view rest, std::size_t, error_code& code) {
    key_.append(rest.data(), rest.size());
    const auto [where, is_new] = open_.back().insert(std::exchange(key_, {}));
    if (is_new) return true;
    append_string(repeated_, *where);
    code = boost::json::error::extra_data;
    return false;
  }
  bool on_string_part(string_view, std::size_t, error_code&) { return true; }
  bool on_string(string_view, std::size_t, error_code&) { return true; }
  bool on_number_part(string_view, error_code&) { return true; }
  bool on_int64(std::int64_t, string_view, error_code&) { return true; }
  bool on_uint64(std::uint64_t, string_view, error_code&) { return true; }
  bool on_double(double, string_view, error_code&) { return true; }
  bool on_bool(bool, error_code&) { return true; }
  bool on_null(error_code&) { return true; }
  bool on_comment_part(string_view, error_code&) { return true; }
  bool on_comment(string_view, error_code&) { return true; }

 private:
  std::vector<std::set<std::string>> open_;  // the keys seen in each object that is still open
  std::string key_;
  std::string repeated_;
};

}  // namespace

RepeatedKey first_repeated_key(std::string_view text, std::size_t depth) {
  boost::json::parse_options options;
  options.max_depth = depth;
  boost::json::basic_parser<KeyWatcher> parser(options);
  error_code code;
  const std::size_t at = parser.write_some(false, text.data(), text.size(), code);
  return {at, parser.handler().repeated()};
}

}  // namespace gantry::json
