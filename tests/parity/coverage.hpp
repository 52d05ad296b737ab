// SPDX-License-Identifier: Apache-2.0
//
// Counts, over the records of a run, how often each filter of the release passed a host, rejected one, or raised, and how
// many different numbers each weigher gave.
#pragma once

#include <boost/json.hpp>
#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace filter_driver::parity {

class coverage {
 public:
  void take(const boost::json::object& record);
  // False: a filter that can do both was not seen both passing and rejecting, or a weigher not giving two numbers.
  bool print() const;

 private:
  struct verdicts {
    std::uint64_t passes = 0;
    std::uint64_t rejections = 0;
    std::map<std::string, std::uint64_t> raises;  // by the exception's class
  };
  struct numbers {
    std::set<std::string> different;  // up to a few
    std::uint64_t raises = 0;
  };

  std::string release_ = "zed";  // of the records
  std::map<std::string, verdicts, std::less<>> filters_;
  std::map<std::string, numbers, std::less<>> weighers_;
};

}  // namespace filter_driver::parity
