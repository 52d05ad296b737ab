// SPDX-License-Identifier: Apache-2.0
//
// A target without libFuzzer:
//   fuzz_<target>_corpus ROUNDS CORPUS [MORE...]
// runs each file of the directories as it is, and ROUNDS times cut and bent by a fixed seed. What is to become of a
// file of CORPUS stands behind the last dot of its name. Exit status 1: it became something else, or there was no file.
// An input that aborts the target is kept as fuzz.finding in the working directory.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "core/drivers/call/seeded_random.hpp"
#include "tests/fuzz/target.hpp"

namespace gantry::fuzz {
namespace {

using Bytes = std::vector<std::uint8_t>;

// What runs now, for the handler of the signal that ends it.
std::span<const std::uint8_t> running;

void keep_running_input(int) {
  const int file = open("fuzz.finding", O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0644);
  if (file >= 0 && write(file, running.data(), running.size()) >= 0) close(file);
}

std::string run_noted(const Bytes& bytes) {
  running = bytes;
  return run(bytes);
}

// Most of what is read is in the header, the tables behind it and the section table at the end.
std::size_t choose_position(drivers::Random& random, std::size_t size) {
  const std::size_t edge = std::min<std::size_t>(size, 4096);
  const std::uint64_t number = random.next();
  switch (number % 3) {
    case 0: return (number >> 8U) % edge;
    case 1: return size - 1 - (number >> 8U) % edge;
    default: return (number >> 8U) % size;
  }
}

void bend(const Bytes& original, int rounds, drivers::Random& random) {
  for (int round = 0; round < rounds; ++round) {
    Bytes bytes = original;
    for (std::uint64_t changes = 1 + random.next() % 4; changes > 0; --changes) {
      const std::uint64_t number = random.next();
      bytes[choose_position(random, bytes.size())] = static_cast<std::uint8_t>(number % 5 == 0 ? 0xff : number >> 8U);
    }
    run_noted(bytes);
    bytes.resize(random.next() % bytes.size());
    run_noted(bytes);
  }
}

std::vector<std::filesystem::path> files_in(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    if (entry.is_regular_file() && !entry.path().filename().string().starts_with('.')) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

// False: it became something else than its name says.
bool run_file(const std::filesystem::path& path, bool is_named, int rounds, drivers::Random& random) {
  std::ifstream file(path, std::ios::binary);
  const Bytes bytes{std::istreambuf_iterator<char>(file), {}};
  const std::string outcome = run_noted(bytes);
  if (!bytes.empty()) bend(bytes, rounds, random);
  const std::string extension = path.extension().string();
  if (!is_named || extension == "." + outcome) return true;
  std::cout << path.string() << ": expected " << (extension.empty() ? "a name with an outcome" : extension.substr(1))
            << ", found " << outcome << "\n";
  return false;
}

}  // namespace
}  // namespace gantry::fuzz

int main(int argument_count, char** arguments) {
  int rounds = 0;
  const std::string_view number = argument_count > 2 ? arguments[1] : "";
  if (std::from_chars(number.data(), number.data() + number.size(), rounds).ec != std::errc()) {
    std::cerr << "usage: " << arguments[0] << " ROUNDS CORPUS [MORE...]\n";
    return 2;
  }
  std::signal(SIGABRT, gantry::fuzz::keep_running_input);
  gantry::drivers::Random random(1);
  std::size_t files = 0;
  std::size_t wrong = 0;
  for (int index = 2; index < argument_count; ++index) {
    for (const auto& path : gantry::fuzz::files_in(arguments[index])) {
      if (!gantry::fuzz::run_file(path, index == 2, rounds, random)) ++wrong;
      ++files;
    }
  }
  std::cout << files << " files run, " << wrong << " with another outcome\n";
  return files == 0 || wrong != 0 ? 1 : 0;
}
