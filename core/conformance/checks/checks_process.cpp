// SPDX-License-Identifier: Apache-2.0
//
// Rules about the process that a unit runs in.
#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cfenv>
#include <clocale>
#include <csignal>
#include <string>

#include "core/conformance/bench.hpp"
#include "core/conformance/checks/checks.hpp"

extern char** environ;

namespace gantry::conformance {
namespace {

std::size_t entries_of(const char* directory) {
  DIR* const opened = ::opendir(directory);
  if (opened == nullptr) return 0;
  std::size_t count = 0;
  while (::readdir(opened) != nullptr) ++count;
  ::closedir(opened);
  return count;
}

std::string descriptors() {
  return std::to_string(entries_of("/proc/self/fd"));
}
std::string threads() {
  // A thread that was joined may take a moment to leave /proc.
  std::size_t count = entries_of("/proc/self/task");
  for (int wait = 0; wait < 100 && count > 3; ++wait) {
    ::usleep(5000);
    count = entries_of("/proc/self/task");
  }
  return std::to_string(count);
}
std::string printed() {
  std::string sizes;
  for (const int number : {STDOUT_FILENO, STDERR_FILENO}) {
    struct stat facts {};
    if (::fstat(number, &facts) == 0) sizes += std::to_string(facts.st_size) + " bytes ";
  }
  return sizes;
}
std::string signals() {
  std::string text;
  for (int number = 1; number < 32; ++number) {
    struct sigaction action {};
    if (::sigaction(number, nullptr, &action) == 0)
      text += std::to_string(reinterpret_cast<std::uintptr_t>(action.sa_handler)) + " ";
  }
  return text;
}
std::string signal_mask() {
  sigset_t blocked{};
  ::sigprocmask(SIG_BLOCK, nullptr, &blocked);
  std::string text;
  for (int number = 1; number < 32; ++number) text += ::sigismember(&blocked, number) == 1 ? '1' : '0';
  return text;
}
std::string locale() {
  return std::setlocale(LC_ALL, nullptr);
}
std::string places() {
  std::array<char, 4096> path{};
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return std::string(::getcwd(path.data(), path.size()) == nullptr ? "" : path.data()) + " " + std::to_string(mask);
}
std::string environment() {
  std::string text;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable)
    text += std::string(*variable) + "\n";
  return text;
}
std::string rounding() {
  return std::to_string(std::fegetround());
}
std::string children() {
  std::string text;
  const std::string path = "/proc/self/task/" + std::to_string(::getpid()) + "/children";
  if (FILE* const file = std::fopen(path.c_str(), "r")) {
    for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) text += static_cast<char>(c);
    std::fclose(file);
  }
  return text;
}

// Plays the matrix and compares what `fact` says before and afterwards, when the instance is gone.
Verdict leaves(Subject& subject, std::string (*fact)(), const char* expected, bool tells = true) {
  return each_unit(subject, [&](const Unit& unit) {
    const OptionValues options = options_for(subject, unit);
    play_all(subject, unit, options, subject.seed());  // a library may keep its first work
    const std::string before = fact();
    play_all(subject, unit, options, subject.seed());
    const std::string after = fact();
    if (before == after) return Verdict{};
    return failed(expected, tells ? before + " became " + after : "a change");
  });
}

// The same from before the file is loaded.
Verdict never(Subject& subject, std::string (*fact)(), const char* expected, bool tells = true) {
  const std::string before = fact();
  for (const Unit& unit : subject.units()) play_all(subject, unit, options_for(subject, unit), subject.seed());
  const std::string after = fact();
  return before == after ? Verdict{} : failed(expected, tells ? before + " became " + after : "a change");
}

Verdict prints_nothing(Subject& subject) {
  return never(subject, printed, "nothing on standard output and standard error");
}
Verdict leaves_no_descriptors(Subject& subject) {
  return leaves(subject, descriptors, "as many open descriptors as before");
}
Verdict leaves_no_threads(Subject& subject) {
  return leaves(subject, threads, "as many threads as before, after destroy");
}
Verdict leaves_signal_handlers(Subject& subject) {
  return never(subject, signals, "the signal handlers of the host", false);
}
Verdict leaves_signal_mask(Subject& subject) {
  return never(subject, signal_mask, "the signal mask of the host");
}
Verdict leaves_locale(Subject& subject) {
  return never(subject, locale, "the locale of the host");
}
Verdict leaves_places(Subject& subject) {
  return never(subject, places, "the working directory and the umask of the host");
}
Verdict leaves_environment(Subject& subject) {
  return never(subject, environment, "the environment of the host", false);
}
Verdict leaves_rounding(Subject& subject) {
  return never(subject, rounding, "the rounding of the host");
}
Verdict leaves_no_children(Subject& subject) {
  return never(subject, children, "no process of the driver's");
}

}  // namespace

std::vector<Rule> process_rules() {
  const char* const clause = "driver.h, convention 8";
  return {
      {"prints-nothing", Grade::silver, "Nothing is written to standard output and standard error",
       "These belong to the service: a line may end in a log or in a client's answer.", "printf(\"chose %s\\n\", host)",
       clause, prints_nothing},
      {"leaves-no-descriptors", Grade::silver, "No descriptor stays open",
       "A leak of one descriptor a call ends the service in hours.", "open() in create without close()", clause,
       leaves_no_descriptors},
      {"leaves-no-threads", Grade::silver, "Threads end before destroy returns",
       "A thread of a destroyed instance reads freed memory.", "thread.detach()", clause, leaves_no_threads},
      {"leaves-signal-handlers", Grade::silver, "Signal handlers stay as they are",
       "The host's handlers write the crash report and stop the service.", "signal(SIGTERM, stop)", clause,
       leaves_signal_handlers},
      {"leaves-the-signal-mask", Grade::silver, "The signal mask stays as it is",
       "A blocked signal is not delivered to the service's thread any more.", "sigprocmask(SIG_BLOCK, ...)",
       "driver.h, convention 6", leaves_signal_mask},
      {"leaves-the-locale", Grade::silver, "The locale stays as it is",
       "A decimal comma breaks JSON in the whole process.", "setlocale(LC_ALL, \"\")", clause, leaves_locale},
      {"leaves-directory-and-umask", Grade::silver, "Working directory and umask stay as they are",
       "The service makes files with modes that it relies on.", "chdir(\"/\")", clause, leaves_places},
      {"leaves-the-environment", Grade::silver, "The environment stays as it is",
       "setenv is not safe beside other threads.", "setenv(\"TZ\", \"UTC\", 1)", clause, leaves_environment},
      {"leaves-the-rounding", Grade::silver, "The rounding of numbers stays as it is",
       "Other drivers would compute other weights.", "fesetround(FE_UPWARD)", "driver.h, convention 6",
       leaves_rounding},
      {"leaves-no-children", Grade::silver, "No process is started", "The service never forks with a driver loaded.",
       "system(\"ipmitool ...\")", clause, leaves_no_children},
  };
}

}  // namespace gantry::conformance
