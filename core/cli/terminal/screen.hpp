// SPDX-License-Identifier: Apache-2.0
//
// The whole terminal for a view that is drawn again and again. The terminal is as before when the object ends.
#pragma once

#include <termios.h>

#include <chrono>
#include <iosfwd>
#include <optional>
#include <string>

namespace gantry::cli {

class Screen {
 public:
  // Switches to the terminal's other screen. Reads keys one by one if standard input is a terminal.
  explicit Screen(std::ostream& out);
  ~Screen();
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;

  // Draws the text from the first line on, as far as it fits.
  void draw(const std::string& text);
  // Waits for a key. nullopt: none came in time, or standard input has no keys.
  static std::optional<char> wait_for_key(std::chrono::milliseconds time);

 private:
  std::ostream& out_;
  std::optional<termios> before_;  // nullopt: standard input is not a terminal
};

}  // namespace gantry::cli
