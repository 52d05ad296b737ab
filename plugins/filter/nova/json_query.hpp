// SPDX-License-Identifier: Apache-2.0
//
// The query of JsonFilter, from the scheduler hint "query": nested lists [operator, argument...] in a JSON text.
// Arguments that begin with $ name attributes of the host (nova/scheduler/filters/json_filter.py).
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

// A query, read once and checked against many hosts. The first holds_for() reports errors in the query.
class json_query {
 public:
  // `hint`: the value of the hint, a JSON text. None, "" and [] require nothing. Before Zed, values of different types
  // are ordered as in Python 2.
  json_query(const boost::json::value& hint, release release);

  // Returns true if the query is true for every host.
  bool empty() const { return root_.what == node::constant; }

  // Returns whether the query is true for the host. All parts are evaluated, without short-circuiting. Arguments that
  // are None are dropped. A comparison is true if it holds between the first argument and each other argument. `in` is
  // true if the first argument equals one of the others. Both are false with fewer than two arguments. `not` gives a
  // list with the negation of each argument. As the outermost operator, this list is true if one of its items is true.
  // Inside the query, the list is true if it is not empty. Raises ValueError for invalid JSON, KeyError for an unknown
  // operator, TypeError for ordering different types and AttributeError for a path through a value that is not a dict.
  outcome<bool> holds_for(const attributes& host) const;

  // Returns the names of the attributes that the verdict depends on, without duplicates.
  std::vector<std::string> reads() const;

 private:
  enum class operation { compare, in, negate, any, all };
  struct node {
    enum kind { constant, attribute, call, failing } what = constant;
    boost::json::value value = true;  // for a constant
    std::vector<std::string> path;    // for an attribute
    operation does = operation::compare;
    comparison compares = comparison::equal;
    std::vector<node> arguments;  // for a call
    raised error;                 // for a failing node
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
