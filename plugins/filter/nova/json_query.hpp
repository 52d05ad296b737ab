// SPDX-License-Identifier: Apache-2.0
//
// JsonFilter's query, the scheduler hint "query": nested lists [operator, argument...] in a JSON text, arguments that
// begin with $ naming attributes of the host (nova/scheduler/filters/json_filter.py).
#pragma once

#include <boost/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "nova/attributes.hpp"
#include "nova/release.hpp"
#include "python/outcome.hpp"
#include "python/python_value.hpp"

namespace filter_driver {

// A query read once, to be asked of many hosts. Nothing that is wrong with it shows before it is asked.
class json_query {
 public:
  // The hint as it came; None, "" and [] ask nothing. Before Zed Python orders values of unlike types (Python 2).
  json_query(const boost::json::value& hint, release release);

  // Whether it holds for every host.
  bool empty() const { return root_.what == node::constant; }

  // Whether it holds for the host. Everything is evaluated, whatever the outcome of a part is; None is dropped from
  // arguments; a comparison, or `in`, of fewer than two is false and compares the first with each other one; `not`
  // gives a list of negations, which holds at the top if one of them does and inside if it is not empty. Raises
  // ValueError for no JSON, KeyError for an unknown operator, TypeError for an order of unlike types and
  // AttributeError for a path through what is no dict.
  outcome<bool> holds_for(const attributes& host) const;

  // The attributes that the verdict depends on, each once.
  std::vector<std::string> reads() const;

 private:
  enum class operation { compare, in, negate, any, all };
  struct node {
    enum kind { constant, attribute, call, failing } what = constant;
    boost::json::value value = true;  // of a constant
    std::vector<std::string> path;    // of an attribute
    operation does = operation::compare;
    comparison compares = comparison::equal;
    std::vector<node> arguments;  // of a call
    raised error;                 // of what fails
  };

  static node failed(std::string kind, std::string sentence);
  static node compiled(const boost::json::value& query);
  static node compiled_call(const boost::json::value& name, const std::vector<boost::json::value>& arguments);
  static node compiled_argument(const boost::json::value& argument);
  outcome<boost::json::value> evaluated(const node& part, const attributes& host) const;
  outcome<boost::json::value> applied(const node& call, const std::vector<boost::json::value>& arguments) const;
  static void collect(const node& part, std::vector<std::string>& names);

  bool orders_unlike_types_;
  node root_;
};

}  // namespace filter_driver
