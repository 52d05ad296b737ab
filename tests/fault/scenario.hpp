// SPDX-License-Identifier: Apache-2.0
//
// A short life of the service, of which every step is checked: what is answered as done is shown, what is answered
// with an error has changed nothing, and what the store holds at the next start is what was answered.
#pragma once

#include <functional>
#include <string>

#include "service.hpp"

namespace gantry::fault {

class Scenario {
 public:
  // lasts: what fails once goes on failing; else a second try must succeed.
  explicit Scenario(bool lasts) : lasts_(lasts) {}

  // The whole of it; `end` ends the fault.
  void run(const std::function<void()>& end);

 private:
  bool start();
  void first_day();
  void second_day();
  void burst();
  // True: done, in the end.
  bool change(const std::string& method, const std::string& args, const std::string& key = {});
  void check_refusal(const std::string& method, const Error& error) const;
  void check_start(const Documents& before, const std::string& shown_before);
  void stop_and_check(const std::function<void()>& end);

  const bool lasts_;
  bool failed_ = false;  // something has, so that later steps may find less than they expect
  Service service_;
  Documents kept_;  // by what was answered
};

}  // namespace gantry::fault
