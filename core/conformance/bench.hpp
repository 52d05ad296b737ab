// SPDX-License-Identifier: Apache-2.0
//
// The bench on which a rule drives a unit: the SDK's fake host, which also notes what a driver should not do, and an
// instance of the unit.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/conformance/rule.hpp"
#include "core/conformance/scenes.hpp"
#include "core/conformance/subject.hpp"
#include "core/drivers/load/options.hpp"
#include "gantry/testing/fake_host.hpp"

namespace gantry::conformance {

// A host for the calls of one scene. Not for several threads at a time.
class Host : public testing::fake_host {
 public:
  Host(const Unit& unit, const Subject& subject, std::vector<testing::host_row> rows);

  const gantry_host& table() const { return table_; }
  // Writes `poison` behind the nulls of the main view. 0 leaves the values as the fake host has them.
  void prepare();

  int poison = 0;                     // 1: values that look like much room; 0: as the fake host has them
  bool has_scratch = true;            // false: scratch memory has run out
  gantry_code pick_code = GANTRY_OK;  // another code: each pick and alternate returns the code
  std::function<bool()> loses_claim;  // says of each claim of a method whether the claim is lost; empty: none is
  std::optional<std::uint64_t> polls_until_stop;  // the deadline passes after so many polls; nullopt: never
  std::set<std::string> undeclared;               // columns that were asked for and that the manifest does not name
  std::uint64_t polls = 0;                        // calls of should_stop
  std::uint64_t lines = 0;                        // log lines
  std::string bad_line;                           // a log line without text, with a wrong level or not in UTF-8

 private:
  struct Services;

  void settle_free_amounts();

  std::set<std::string> declared_;
  std::map<std::string, gantry_column> empty_;  // the typed columns, for a view without rows
  testing::services::host_table table_;
};

// An instance of a unit. Its calls may go to any host, because the services of a call belong to the call.
class Instance {
 public:
  // nullptr if create failed: `refusal` then has the code and the sentence.
  static std::unique_ptr<Instance> create(const Unit& unit, const Subject& subject, const OptionValues& options,
                                          testing::outcome* refusal = nullptr);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  // Calls each operation of the unit and returns the answers as text: equal answers have equal texts.
  std::string play(Host& host, const testing::fake_request& request);

  testing::outcome select(Host& host, const testing::fake_request& request);
  testing::outcome schedule(Host& host, const testing::fake_request& request);
  testing::outcome method(Host& host, const std::string& name, const std::string& args);
  std::optional<testing::outcome> capacity(Host& host, const testing::fake_request& request);
  // Calls select_destinations with the struct that `bend` returns. The picks of a failed call stay.
  using Bend = std::function<const gantry_request*(gantry_request& request, gantry_view& view)>;
  testing::outcome select_bent(Host& host, const testing::fake_request& request, const Bend& bend);
  // How long the driver alone takes for select_destinations.
  std::chrono::duration<double, std::nano> time_of_selection(Host& host, const testing::fake_request& request);

  // One run of a filter or a weigher.
  struct OfferRun {
    gantry_code code = GANTRY_OK;
    std::string sentence;
    std::vector<std::uint64_t> rows;  // a filter's rows, or the rows with a score
    std::vector<double> scores;       // by row; empty for a filter
    std::string limits;               // text of a filter's limits
    std::string reason;
    std::uint32_t bounds = 0;
    double minval = 0;
    double maxval = 0;
  };
  // `only`: the rows that go in, all that have the needed values if empty.
  OfferRun offer(Host& host, const testing::fake_request& request, const std::vector<std::uint64_t>& only = {});

  const Unit& unit() const { return unit_; }
  Host& home() { return home_; }

 private:
  Instance(const Unit& unit, const Subject& subject, const OptionValues& options);
  testing::fake_driver on(Host& host);

  const Unit& unit_;
  const Subject& subject_;
  Host home_;
  drivers::Options options_;
  gantry_driver_ops borrowed_{};  // the operations with a destroy that does nothing
  gantry_driver* driver_ = nullptr;
  gantry_offered* offered_ = nullptr;
  bool is_created_ = false;
};

// Returns the outcome as text.
std::string text_of(const testing::outcome& outcome);

// Returns the methods of the driver's first topic that has some.
std::vector<std::string> methods_of(const Subject& subject);
// Arguments with which many methods can do something.
std::string usual_args();

// Returns the failure if the unit's create fails with the options that the user gave.
Verdict can_be_created(const Subject& subject, const Unit& unit);

// These call `check` only if the unit can be created.
// Calls `check` for each unit. Returns the first failure, with the unit's name if the file has several.
Verdict each_unit(Subject& subject, const std::function<Verdict(const Unit&)>& check);
// Calls `check` for the driver. Does not apply to a library, nor to a driver of methods alone.
Verdict each_decider(Subject& subject, const std::function<Verdict(const Unit&)>& check);
// Calls `check` for each offer of a library.
Verdict each_offer(Subject& subject, const std::function<Verdict(const Unit&)>& check);

// Plays all scenes to one new instance and returns the texts, one line for each scene.
std::string play_all(Subject& subject, const Unit& unit, const OptionValues& options, std::uint64_t seed);
// Returns the options of the unit as the user gave them: those of an offer have its name and a dot in front.
OptionValues options_for(const Subject& subject, const Unit& unit);

}  // namespace gantry::conformance
