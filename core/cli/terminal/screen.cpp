// SPDX-License-Identifier: Apache-2.0
#include "core/cli/terminal/screen.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <ostream>
#include <string_view>
#include <thread>

namespace gantry::cli {

namespace {

constexpr std::string_view begin_view = "\x1b[?1049h\x1b[?25l";  // the other screen, without a cursor
constexpr std::string_view end_view = "\x1b[?25h\x1b[?1049l";
constexpr std::string_view first_line = "\x1b[H";
constexpr std::string_view clear_to_line_end = "\x1b[K";
constexpr std::string_view clear_below = "\x1b[J";

// The lines of the terminal.
std::size_t height() {
  constexpr std::size_t usual = 24;
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row : usual;
}

}  // namespace

Screen::Screen(std::ostream& out) : out_(out) {
  termios mode{};
  if (::tcgetattr(STDIN_FILENO, &mode) == 0) {
    before_ = mode;
    mode.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    ::tcsetattr(STDIN_FILENO, TCSANOW, &mode);
  }
  out_ << begin_view;
  out_.flush();
}

Screen::~Screen() {
  out_ << end_view;
  out_.flush();
  if (before_) ::tcsetattr(STDIN_FILENO, TCSANOW, &*before_);
}

void Screen::draw(const std::string& text) {
  std::string frame(first_line);
  std::string_view rest = text;
  for (auto left = height(); left > 1 && !rest.empty(); --left) {
    const auto end = std::min(rest.find('\n'), rest.size());
    frame.append(rest.substr(0, end)).append(clear_to_line_end).append("\n");
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  out_ << frame << clear_below;
  out_.flush();
}

std::optional<char> Screen::wait_for_key(std::chrono::milliseconds time) {
  pollfd keys{STDIN_FILENO, POLLIN, 0};
  if (::poll(&keys, 1, static_cast<int>(time.count())) <= 0) return std::nullopt;
  char key = 0;
  if (::read(STDIN_FILENO, &key, 1) == 1) return key;
  std::this_thread::sleep_for(time);  // standard input has ended, and would be ready for ever
  return std::nullopt;
}

}  // namespace gantry::cli
