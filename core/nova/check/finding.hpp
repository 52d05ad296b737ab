// SPDX-License-Identifier: Apache-2.0
//
// The findings of a check of a deployment: sentences for the operator. None holds a password or a token.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "core/result.hpp"

namespace gantry::nova {

enum class Level : std::uint8_t {
  ok,
  warning,  // Gantry works; somebody should look
  failed,   // Gantry cannot work like this
};

std::string_view word_of(Level level);

struct Finding {
  std::string subject;  // "queue scheduler"
  Level level = Level::ok;
  std::string sentence;
  std::string grant;  // the SQL statement that would mend it; empty: none
};

using SayFinding = std::function<void(Finding finding)>;

// Says findings about subjects.
class Report {
 public:
  explicit Report(SayFinding say) : say_(std::move(say)) {}

  void ok(std::string subject, std::string sentence) const;
  void warn(std::string subject, std::string sentence) const;
  void fail(std::string subject, std::string sentence) const;
  void fail(std::string subject, const Error& error) const { fail(std::move(subject), error.message); }
  void lacks(std::string subject, std::string sentence, std::string grant) const;

 private:
  SayFinding say_;
};

// How long a step of the check may take.
inline constexpr std::chrono::seconds step_limit{10};

// Returns "3 hosts", "1 host".
std::string count_of(std::size_t count, std::string_view what);
// Returns "2.5 ms".
std::string time_text(std::chrono::steady_clock::duration time);
// Returns the text for the time since `began`.
std::string took_since(std::chrono::steady_clock::time_point began);

}  // namespace gantry::nova
