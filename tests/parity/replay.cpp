// SPDX-License-Identifier: Apache-2.0
//
// Replays recorded decisions of real Nova on the filter driver's own code, and on the core's where it asks placement.
//
//   replay [--differing FILE] [--show N] [--coverage] [--judge-all] [FILE...]
//
// FILE: JSON lines, plain or .xz; none or -: standard input. Prints, per release, kind and filter or weigher, how many
// agreed, differed, do not concern the driver, or cannot be judged, for example because the record lacks a field. Then
// come the reasons why records cannot be judged, and the first differing cases whole; with --coverage also what of each
// of Zed's filters and weighers the cases reached. Exit status 0: none differed; 1: some did, or --coverage found a
// filter or weigher not reached from all sides, or --judge-all a record that cannot be judged; 2: the call or a line
// made no sense.
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
#include "tests/parity/judgeable.hpp"

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
    {"placement_client", filter_driver::parity::check_placement_client},
    {"request_filter", filter_driver::parity::check_request_filter},
    {"resource_request", filter_driver::parity::check_resource_request},
    {"resources_from_request_spec", filter_driver::parity::check_resources_from_request_spec},
};

struct counts {
  std::uint64_t agreed = 0;
  std::uint64_t differed = 0;
  std::uint64_t not_ours = 0;
  std::uint64_t not_judged = 0;
};

// A check throws one of these where the record lacks something inside, or holds something of another kind.
verdict not_judged(const std::exception& error) {
  return {verdict::not_judged, std::string("holds something else than a record of its kind does: ") + error.what()};
}

verdict checked(checker check, const json::object& record) {
  if (auto why = filter_driver::parity::why_not_judged(record); !why.empty())
    return {verdict::not_judged, std::move(why)};
  verdict result;
  try {
    result = check(record);
  } catch (const std::logic_error& error) {
    return not_judged(error);
  } catch (const boost::system::system_error& error) {
    return not_judged(error);
  } catch (const std::exception& error) {
    result = {verdict::differed, std::string("the check failed: ") + error.what()};
  }
  if (result.what != verdict::differed) return result;
  const auto lacking = filter_driver::parity::what_is_lacking(record);
  return lacking.empty() ? result : verdict{verdict::not_judged, "lacks " + lacking};
}

std::string text_in(const json::object& record, std::string_view name) {
  const auto* const value = record.if_contains(name);
  return value == nullptr || !value->is_string() ? "?" : std::string(value->get_string());
}

class tally {
 public:
  tally(const std::string& differing_file, std::size_t shown, bool covers, bool judges_all)
      : shown_(shown), covers_(covers), judges_all_(judges_all) {
    if (!differing_file.empty()) differing_.open(differing_file);
  }

  void take(const std::string& line) {
    const auto read = filter_driver::read_json(line);
    if (!read.ok()) throw std::invalid_argument(read.error().sentence);
    if (!read.value().is_object()) throw std::invalid_argument("expected an object in each line, found " + line);
    const auto& record = read.value().get_object();
    const auto kind = text_in(record, "kind");
    std::string what;
    for (const auto* const key : {"filter", "weigher", "request_filter"}) {
      if (const auto* const value = record.if_contains(key); value != nullptr && value->is_string())
        what = value->as_string();
    }
    auto& count = counts_[{text_in(record, "release"), kind, what}];
    const auto found = checkers.find(kind);
    const auto result = kind == "?"               ? verdict{verdict::not_judged, "lacks kind"}
                        : found == checkers.end() ? verdict{verdict::not_ours}
                                                  : checked(*found->second, record);
    if (covers_ && (result.what == verdict::agreed || result.what == verdict::differed)) reached_.take(record);
    if (result.what == verdict::agreed) ++count.agreed;
    if (result.what == verdict::not_ours) ++count.not_ours;
    if (result.what == verdict::not_judged) {
      ++count.not_judged;
      ++reasons_[result.why];
    }
    if (result.what != verdict::differed) return;
    ++count.differed;
    if (differing_.is_open()) differing_ << line << '\n';
    if (cases_.size() < shown_) cases_.push_back(line + "\n  " + result.why);
  }

  bool print() const {
    counts all;
    std::printf("%-9s %-27s %-36s %9s %9s %9s %10s\n", "release", "kind", "filter or weigher", "agreed", "differed",
                "not ours", "not judged");
    for (const auto& [key, count] : counts_) {
      const auto& [release, kind, what] = key;
      std::printf("%-9s %-27s %-36s %9lu %9lu %9lu %10lu\n", release.c_str(), kind.c_str(), what.c_str(), count.agreed,
                  count.differed, count.not_ours, count.not_judged);
      all.agreed += count.agreed;
      all.differed += count.differed;
      all.not_ours += count.not_ours;
      all.not_judged += count.not_judged;
    }
    std::printf("%-9s %-27s %-36s %9lu %9lu %9lu %10lu\n", "all", "", "", all.agreed, all.differed, all.not_ours,
                all.not_judged);
    for (const auto& [reason, times] : reasons_) std::printf("%lu cannot be judged: %s\n", times, reason.c_str());
    const bool complete = !covers_ || reached_.print();
    for (const auto& text : cases_) std::printf("\n%s\n", text.c_str());
    return all.differed == 0 && complete && (!judges_all_ || all.not_judged == 0);
  }

 private:
  std::map<std::tuple<std::string, std::string, std::string>, counts> counts_;
  std::vector<std::string> cases_;
  std::size_t shown_;
  bool covers_;
  bool judges_all_;
  std::map<std::string, std::uint64_t> reasons_;
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
  bool judges_all = false;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--differing" && i + 1 < argc)
      differing = argv[++i];
    else if (word == "--show" && i + 1 < argc)
      shown = std::stoul(argv[++i]);
    else if (word == "--coverage")
      covers = true;
    else if (word == "--judge-all")
      judges_all = true;
    else if (word.starts_with("--")) {
      std::fprintf(stderr, "usage: replay [--differing FILE] [--show N] [--coverage] [--judge-all] [FILE...]\n");
      return word == "--help" ? 0 : 2;
    } else {
      files.emplace_back(word);
    }
  }
  if (files.empty()) files.emplace_back("-");
  tally all(differing, shown, covers, judges_all);
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
