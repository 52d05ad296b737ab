// SPDX-License-Identifier: Apache-2.0
//
// Replays recorded decisions of real Nova on the filter driver's own code.
//
//   replay [--differing FILE] [--show N] [--coverage] [FILE...]     FILE: JSON lines, plain or .xz; none or -: standard input
//
// Prints, per release, kind and filter or weigher, how many agreed, differed, or do not concern the driver, then the
// first differing cases whole; with --coverage also what of each of Zed's filters and weighers the cases reached. Exit
// status 0: none differed; 1: some did, or --coverage found a filter or weigher not reached from all sides; 2: the call
// or a line made no sense.
#include "tests/parity/replay.hpp"

#include <array>
#include <cstdio>
#include <fstream>
#include <functional>
#include <gantry/driver/failure.hpp>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "python/python_json.hpp"
#include "tests/parity/coverage.hpp"

namespace {

using filter_driver::parity::verdict;
namespace json = boost::json;

using checker = verdict (*)(const json::object&);

const std::map<std::string, checker, std::less<>> checkers = {
    {"filter", filter_driver::parity::check_filter},
    {"extra_specs_match", filter_driver::parity::check_extra_specs_match},
    {"filter_pipeline", filter_driver::parity::check_filter_pipeline},
    {"weigher_raw", filter_driver::parity::check_weigher_raw},
    {"normalize", filter_driver::parity::check_normalize},
    {"weigh_pipeline", filter_driver::parity::check_weigh_pipeline},
    {"numa_fit", filter_driver::parity::check_numa_fit},
    {"numa_usage", filter_driver::parity::check_numa_usage},
    {"pci_support_requests", filter_driver::parity::check_pci_support_requests},
    {"pci_apply_requests", filter_driver::parity::check_pci_apply_requests},
    {"consume", filter_driver::parity::check_consume},
    {"host_state_update", filter_driver::parity::check_host_state_update},
    {"schedule", filter_driver::parity::check_schedule},
};

struct counts {
  std::uint64_t agreed = 0;
  std::uint64_t differed = 0;
  std::uint64_t not_ours = 0;
};

// A record in which the check misses something differs; the rest of the file is looked at all the same.
verdict checked(checker check, const json::object& record) {
  try {
    return check(record);
  } catch (const std::exception& error) {
    return {verdict::differed, std::string("the check failed: ") + error.what()};
  }
}

class tally {
 public:
  tally(const std::string& differing_file, std::size_t shown, bool covers) : shown_(shown), covers_(covers) {
    if (!differing_file.empty()) differing_.open(differing_file);
  }

  void take(const std::string& line) {
    const auto read = filter_driver::read_json(line);
    if (!read.ok()) throw std::invalid_argument(read.error().sentence);
    const auto& record = read.value().as_object();
    const std::string kind(record.at("kind").as_string());
    if (covers_) reached_.take(record);
    std::string what;
    for (const auto* const key : {"filter", "weigher"}) {
      if (const auto* const value = record.if_contains(key); value != nullptr && value->is_string())
        what = value->as_string();
    }
    auto& count = counts_[{std::string(record.at("release").as_string()), kind, what}];
    const auto found = checkers.find(kind);
    const auto result = found == checkers.end() ? verdict{verdict::not_ours} : checked(*found->second, record);
    if (result.what == verdict::agreed) ++count.agreed;
    if (result.what == verdict::not_ours) ++count.not_ours;
    if (result.what != verdict::differed) return;
    ++count.differed;
    if (differing_.is_open()) differing_ << line << '\n';
    if (cases_.size() < shown_) cases_.push_back(line + "\n  " + result.why);
  }

  bool print() const {
    counts all;
    std::printf("%-9s %-22s %-36s %9s %9s %9s\n", "release", "kind", "filter or weigher", "agreed", "differed",
                "not ours");
    for (const auto& [key, count] : counts_) {
      const auto& [release, kind, what] = key;
      std::printf("%-9s %-22s %-36s %9lu %9lu %9lu\n", release.c_str(), kind.c_str(), what.c_str(), count.agreed,
                  count.differed, count.not_ours);
      all.agreed += count.agreed;
      all.differed += count.differed;
      all.not_ours += count.not_ours;
    }
    std::printf("%-9s %-22s %-36s %9lu %9lu %9lu\n", "all", "", "", all.agreed, all.differed, all.not_ours);
    const bool complete = !covers_ || reached_.print();
    for (const auto& text : cases_) std::printf("\n%s\n", text.c_str());
    return all.differed == 0 && complete;
  }

 private:
  std::map<std::tuple<std::string, std::string, std::string>, counts> counts_;
  std::vector<std::string> cases_;
  std::size_t shown_;
  bool covers_;
  filter_driver::parity::coverage reached_;
  std::ofstream differing_;
};

// False: it could not be read to its end.
bool read(const std::string& file, tally& into) {
  const auto take_lines = [&](std::istream& lines) {
    for (std::string line; std::getline(lines, line);) {
      if (!line.empty()) into.take(line);
    }
  };
  if (file == "-") {
    take_lines(std::cin);
    return true;
  }
  if (!file.ends_with(".xz")) {
    std::ifstream lines(file);
    if (!lines) return false;
    take_lines(lines);
    return true;
  }
  // One of packaging/install-packages.
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(("xz --decompress --stdout -- '" + file + "'").c_str(), "r"),
                                                   &pclose);
  if (!pipe || !std::ifstream(file)) return false;
  std::string line;
  std::array<char, 1 << 16> part;
  while (std::fgets(part.data(), part.size(), pipe.get()) != nullptr) {
    line += part.data();
    if (line.back() != '\n') continue;
    line.pop_back();
    into.take(line);
    line.clear();
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> files;
  std::string differing;
  std::size_t shown = 5;
  bool covers = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--differing" && i + 1 < argc)
      differing = argv[++i];
    else if (word == "--show" && i + 1 < argc)
      shown = std::stoul(argv[++i]);
    else if (word == "--coverage")
      covers = true;
    else if (word.starts_with("--")) {
      std::fprintf(stderr, "usage: replay [--differing FILE] [--show N] [--coverage] [FILE...]\n");
      return word == "--help" ? 0 : 2;
    } else {
      files.emplace_back(word);
    }
  }
  if (files.empty()) files.emplace_back("-");
  tally all(differing, shown, covers);
  for (const auto& file : files) {
    try {
      if (!read(file, all)) {
        std::fprintf(stderr, "replay: cannot read %s\n", file.c_str());
        return 2;
      }
    } catch (const std::exception& thrown) {
      std::fprintf(stderr, "replay: %s: %s\n", file.c_str(), thrown.what());
      return 2;
    }
  }
  return all.print() ? 0 : 1;
}
