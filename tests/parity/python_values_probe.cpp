// SPDX-License-Identifier: Apache-2.0
//
// Answers questions about Python values, one JSON list [function, argument...] a line, for python_values_test.py: a
// line "= " with the repr() of the answer, or "! " with the class and the sentence that Python would have raised.
#include <boost/json.hpp>
#include <functional>
#include <iostream>
#include <map>
#include <string>

#include "plugins/filter/nova/aggregate_values.hpp"
#include "plugins/filter/nova/capability.hpp"
#include "plugins/filter/nova/comma_list.hpp"
#include "plugins/filter/nova/extra_specs_match.hpp"
#include "plugins/filter/nova/image_names.hpp"
#include "plugins/filter/nova/image_properties.hpp"
#include "plugins/filter/nova/ip_network.hpp"
#include "plugins/filter/nova/json_query.hpp"
#include "plugins/filter/nova/pep440_version.hpp"
#include "plugins/filter/nova/version_predicate.hpp"
#include "plugins/filter/python/blanks.hpp"
#include "plugins/filter/python/python_json.hpp"
#include "plugins/filter/python/python_number.hpp"
#include "plugins/filter/python/python_text.hpp"
#include "plugins/filter/python/python_value.hpp"

namespace filter_driver {
namespace {

using arguments = boost::json::array;
using function = std::function<outcome<boost::json::value>(const arguments&)>;

struct dict_attributes final : attributes {
  explicit dict_attributes(const boost::json::object& all) : dict(&all) {}
  const boost::json::value* find(std::string_view name) const override { return dict->if_contains(name); }
  const boost::json::object* dict;
};

template <class T>
outcome<boost::json::value> as_value(const outcome<T>& result) {
  if (!result.ok()) return result.error();
  return boost::json::value(result.value());
}

std::string_view text(const boost::json::value& value) {
  return value.as_string();
}

release release_of(const boost::json::value& name) {
  return name == "icehouse" ? release::icehouse : name == "ocata" ? release::ocata : release::zed;
}

boost::json::value list_of(const std::vector<std::string_view>& parts) {
  boost::json::array list;
  for (const std::string_view part : parts) list.emplace_back(part);
  return list;
}

comparison comparison_of(std::string_view sign) {
  for (int each = 0; each < 5; ++each) {
    if (sign_of(static_cast<comparison>(each)) == sign) return static_cast<comparison>(each);
  }
  return comparison::greater;
}

std::vector<std::string> strings_of(const boost::json::value& list) {
  std::vector<std::string> strings;
  for (const boost::json::value& item : list.as_array()) strings.emplace_back(text(item));
  return strings;
}

outcome<boost::json::value> version(const arguments& given) {
  const outcome<version_predicate> predicate = version_predicate::read(text(given[0]));
  if (!predicate.ok()) return predicate.error();
  return as_value(predicate.value().satisfied_by(text(given[1])));
}

outcome<boost::json::value> pep440(const arguments& given) {
  const outcome<pep440_predicate> predicate = pep440_predicate::read(text(given[0]));
  if (!predicate.ok()) return predicate.error();
  return as_value(predicate.value().satisfied_by(text(given[1])));
}

outcome<boost::json::value> image(const arguments& given) {
  const image_requirements image(given[0].as_object(), std::string(text(given[1])), release_of(given[2]));
  return as_value(image.met_by(given[3], given[4]));
}

outcome<boost::json::value> near_ip(const arguments& given) {
  return as_value(cidr_affinity(&given[0], given[1].is_null() ? nullptr : &given[1]).holds_for(given[2]));
}

outcome<boost::json::value> least(const arguments& given) {
  const std::vector<std::string> values = strings_of(given[0]);
  const number_kind kind = given[1] == "int" ? number_kind::whole : number_kind::real;
  return least_number(values, kind, given[2], release_of(given[3]));
}

outcome<boost::json::value> match(const arguments& given) {
  std::optional<std::string_view> value;
  if (given[0].is_string()) value = text(given[0]);
  return as_value(extra_specs_match(value, text(given[1]), release_of(given[2])));
}

const std::map<std::string, function, std::less<>>& functions() {
  static const std::map<std::string, function, std::less<>> all = {
      {"str", [](const arguments& given) { return boost::json::value(str_of(given[0])); }},
      {"repr", [](const arguments& given) { return boost::json::value(repr_of(given[0])); }},
      {"bool", [](const arguments& given) { return boost::json::value(is_true(given[0])); }},
      {"float", [](const arguments& given) { return as_value(float_of(text(given[0]))); }},
      {"int", [](const arguments& given) { return int_of(text(given[0])); }},
      {"strip", [](const arguments& given) { return boost::json::value(without_blanks(text(given[0]))); }},
      {"words", [](const arguments& given) { return list_of(words_of(text(given[0]))); }},
      {"parts", [](const arguments& given) { return list_of(parts_of(text(given[0]), text(given[1]).front())); }},
      {"json", [](const arguments& given) { return read_json(text(given[0])); }},
      {"compare",
       [](const arguments& given) {
         return as_value(compare_values(comparison_of(text(given[0])), given[1], given[2]));
       }},
      {"match", match},
      {"version", version},
      {"pep440", pep440},
      {"dotted", [](const arguments& given) { return as_value(dotted_version(given[0])); }},
      {"image", image},
      {"architecture", [](const arguments& given) { return as_value(architecture_named(text(given[0]))); }},
      {"hypervisor_type", [](const arguments& given) { return as_value(hypervisor_type_named(text(given[0]))); }},
      {"vm_mode", [](const arguments& given) { return as_value(vm_mode_named(text(given[0]))); }},
      {"near", near_ip},
      {"least", least},
      {"items",
       [](const arguments& given) {
         boost::json::array items;
         any_item(text(given[0]), [&](std::string_view item) {
           items.emplace_back(item);
           return false;
         });
         return boost::json::value(std::move(items));
       }},
      {"capabilities",
       [](const arguments& given) {
         const dict_attributes host(given[0].as_object());
         return as_value(capability_requirements(given[1].as_object(), release_of(given[2])).met_by(host));
       }},
      {"query",
       [](const arguments& given) {
         return as_value(json_query(given[1], release_of(given[2])).holds_for(dict_attributes(given[0].as_object())));
       }},
  };
  return all;
}

int answer_all() {
  std::string line;
  while (std::getline(std::cin, line)) {
    const outcome<boost::json::value> question = read_json(line);
    if (!question.ok()) {
      std::cout << "! unreadable " << question.error().sentence << '\n';
      continue;
    }
    arguments given = question.value().as_array();
    const auto known = functions().find(std::string_view(given.front().as_string()));
    given.erase(given.begin());
    if (known == functions().end()) return 2;
    const outcome<boost::json::value> answer = known->second(given);
    if (answer.ok()) {
      std::cout << "= " << repr_of(answer.value()) << '\n';
    } else {
      std::cout << "! " << answer.error().kind << ' ' << repr_of(std::string_view(answer.error().sentence)) << '\n';
    }
  }
  return 0;
}

}  // namespace
}  // namespace filter_driver

int main() {
  return filter_driver::answer_all();
}
