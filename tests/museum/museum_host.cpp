// SPDX-License-Identifier: Apache-2.0
//
// Plays kept cases to drivers and prints their transcripts. Each driver is loaded as the service loads it.
//
//   museum_host none|process DIRECTORY < CASES    DIRECTORY: where the drivers' libraries are
//
// CASES: a JSON object with fleet (gantry-fleet(5)), drivers, requests and methods: cases.json of a minor, in which
// museum_test.py replaces `drivers` by those that it has unpacked. Exit status
// 0: all cases were played; 1: a driver did not load; 2: the cases made no sense.
#include <chrono>
#include <iostream>
#include <iterator>
#include <memory>
#include <string>

#include "core/drivers/driver_loader.hpp"
#include "core/fleet/cells/cell_memory.hpp"
#include "core/fleet/document_load.hpp"
#include "core/fleet/documents/document.hpp"
#include "core/scheduling/decision/driver_request.hpp"
#include "core/scheduling/service/settings.hpp"
#include "gantry/testing/fake_candidates.hpp"
#include "tests/museum/transcript.hpp"

namespace gantry::museum {
namespace {

constexpr fleet::Nanoseconds now = 1'800'000'000'000'000'000;

std::string text_in(const json::object& object, std::string_view key, const char* otherwise = "") {
  const auto* found = object.if_contains(key);
  return found == nullptr ? otherwise : std::string(found->as_string());
}

std::uint64_t number_in(const json::object& object, std::string_view key) {
  const auto* found = object.if_contains(key);
  return found == nullptr ? 0 : static_cast<std::uint64_t>(found->as_int64());
}

config::OptionValue option_of(const json::value& value) {
  if (value.is_bool()) return value.as_bool();
  if (value.is_int64()) return value.as_int64();
  if (value.is_double()) return value.as_double();
  if (value.is_string()) return std::string(value.as_string());
  if (value.is_object()) {
    std::map<std::string, std::string> table;
    for (const auto& [key, text] : value.as_object()) table.emplace(key, text.as_string());
    return table;
  }
  std::vector<std::string> texts;
  for (const auto& each : value.as_array()) texts.emplace_back(each.as_string());
  return texts;
}

std::string bits_text(const std::vector<std::uint64_t>& rows, std::uint32_t count) {
  std::string text;
  for (std::uint32_t row = 0; row < count; ++row)
    if ((rows[row / 64] >> (row % 64) & 1) != 0) text += " " + std::to_string(row);
  return text;
}

// One driver of the museum on the kept fleet.
class Exhibit {
 public:
  Exhibit(const json::object& told, Transcript& transcript)
      : told_(told), transcript_(transcript), counters_(std::make_shared<telemetry::Counters>()) {}

  Result<void> load(config::Isolation isolation, const std::string& directory, const json::value& fleet_text) {
    const std::string name = text_in(told_, "name");
    config::Settings settings;
    settings.scheduler_driver = {name};
    settings.driver_directories = {directory};
    auto& section = settings.drivers[name];
    section.path = text_in(told_, "path");
    section.isolation = isolation;
    if (const auto* libraries = told_.if_contains("libraries"))
      for (const auto& each : libraries->as_array()) section.libraries.emplace_back(each.as_string());
    if (const auto* options = told_.if_contains("options"))
      for (const auto& [key, value] : options->as_object())
        section.options[std::string(key)] = {option_of(value), "the museum"};
    auto document = fleet::read_document(json::write(fleet_text), "the fleet", now);
    if (!document) return std::move(document).error();
    auto set = drivers::load_drivers(settings, std::make_shared<LogOfDrivers>(transcript_), counters_,
                                     [&](const drivers::Manifest& manifest) {
                                       fleet_.emplace(settings_for(settings, manifest));
                                       return scheduling::declare(*fleet_, manifest, settings);
                                     });
    if (!set) return std::move(set).error();
    set_.emplace(*std::move(set));
    driver_ = set_->all().front();
    fleet::load_document(*document, *fleet_);
    return {};
  }

  void play(const json::object& cases) {
    std::uint64_t seed = 0;
    for (const auto& each : cases.at("requests").as_array()) {
      ++seed;
      const std::string only = text_in(each.as_object(), "only", text_in(told_, "name").c_str());
      if (only == text_in(told_, "name")) play_request(each.as_object(), seed);
    }
    for (const auto& each : cases.at("methods").as_array())
      if (text_in(each.as_object(), "driver") == text_in(told_, "name")) play_method(each.as_object(), ++seed);
    if (!driver_->manifest().topics.empty()) play_optional(++seed);
    set_->end();
    for (const auto& entry : counters_->list())
      if (entry.name.starts_with("driver."))
        transcript_.add("counter " + entry.name + " " + std::to_string(entry.value));
  }

 private:
  // A call on the kept fleet, and its results.
  struct Call {
    Call(Exhibit& exhibit, Operation operation, std::string_view topic, std::uint64_t seed)
        : moment(exhibit.fleet_->pin(now)),
          view(*moment.view(topic)),
          results(exhibit.transcript_, operation, moment, view) {
      settings.moment = moment;
      settings.instance_facts = [](std::string_view uuid) -> std::optional<drivers::InstanceFacts> {
        if (!uuid.ends_with("01")) return std::nullopt;
        return drivers::InstanceFacts{"m1.kept", "project-1", "active", 2, 2048, 12.5};
      };
      settings.context = &context;
      settings.view = &view;
      settings.sink = &results;
      settings.deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
      settings.now = now;
      settings.seed = seed;
      settings.log_is_bounded = false;
      context = {sizeof context,
                 1,
                 drivers::to_abi("req-museum"),
                 drivers::to_abi("user-1"),
                 drivers::to_abi("project-1"),
                 drivers::to_abi("10.0.0.7"),
                 {&role, 1},
                 drivers::to_abi("{}")};
      call.emplace(std::move(settings));
    }

    gantry_string role = drivers::to_abi("member");
    gantry_context context{};
    fleet::Moment moment;
    const gantry_view& view;
    Results results;
    drivers::DriverCallSettings settings;
    std::optional<drivers::DriverCall> call;
  };

  static fleet::FleetSettings settings_for(const config::Settings& settings, const drivers::Manifest& manifest) {
    auto made = scheduling::fleet_settings(settings);
    made.keeps_image_properties = scheduling::reads_image_properties(manifest, settings);
    return made;
  }

  template <class Value>
  void add_end(const Result<Value>& ended) {
    transcript_.add(ended ? "  ends well" : "  ends with " + std::string(name_of(ended.error().code)));
  }

  void play_request(const json::object& told, std::uint64_t seed) {
    if (driver_->manifest().topics.empty() || driver_->manifest().topics.front() != "compute") return;
    auto spec = scheduling::parse_request_spec(told.at("request"), {}, {});
    if (!spec) return transcript_.add(text_in(told, "name") + ": " + spec.error().message);
    for (const char* operation : {"select_destinations", "schedule_run_instance", "count_capacity"}) {
      if (operation == std::string("schedule_run_instance") && !told.contains("schedules")) continue;
      if (operation == std::string("count_capacity") && !told.contains("counts")) continue;
      transcript_.add(std::string(operation) + ", " + text_in(told, "name"));
      Call call(*this, Operation::decision, "compute", seed);
      const auto bounds = bounds_in(told, call.view);
      testing::arena memory;
      if (told.contains("candidates")) call.call->offer(candidates().raw(memory, call.view.rows));
      const auto* const group = spec->group ? &*spec->group : nullptr;
      const auto* const request = scheduling::build_driver_request(
          *call.call, *driver_, *spec, group, static_cast<std::uint32_t>(number_in(told, "alternates")),
          static_cast<std::uint32_t>(number_in(told, "explain_hosts")), bounds ? &*bounds : nullptr);
      if (operation == std::string("select_destinations")) {
        add_end(driver_->select_destinations(*call.call, *request));
      } else if (operation == std::string("schedule_run_instance")) {
        add_end(driver_->schedule_run_instance(*call.call, *request));
      } else {
        std::vector<std::uint64_t> counts(call.view.rows);
        add_end(driver_->count_capacity(*call.call, *request, counts.data()));
        std::string line = "  counts";
        for (const std::uint64_t count : counts) line += " " + std::to_string(count);
        transcript_.add(line);
      }
    }
  }

  void play_method(const json::object& told, std::uint64_t seed) {
    const std::string topic = text_in(told, "topic", "compute");
    const std::string method = text_in(told, "method");
    const std::string args = json::write_canonical(told.at("args"));
    transcript_.add("call_method, " + method + " " + args);
    Call call(*this, Operation::method, topic, seed);
    const gantry_method_call asked = {sizeof asked,
                                      0,
                                      drivers::to_abi(topic),
                                      drivers::to_abi(method),
                                      drivers::to_abi(args),
                                      &call.view,
                                      driver_->complete_rows(*call.call, call.view)};
    add_end(driver_->call_method(*call.call, asked));
  }

  void play_optional(std::uint64_t seed) {
    const std::string& topic = driver_->manifest().topics.front();
    {
      transcript_.add("hosts_up");
      Call call(*this, Operation::question, topic, seed);
      std::vector<std::uint64_t> rows((call.view.rows + 63) / 64 + 1);
      add_end(driver_->hosts_up(*call.call, call.view, rows.data()));
      transcript_.add("  rows" + bits_text(rows, call.view.rows));
    }
    {
      transcript_.add("group_hosts");
      Call call(*this, Operation::question, topic, seed);
      const scheduling::RequestedGroup group{"00000000-0000-4000-8000-0000000000a1",   "kept", "anti-affinity", "{}",
                                             {"00000000-0000-4000-8000-000000000001"}, {}};
      const auto* const built = scheduling::build_driver_group(*call.call, group, {});
      std::vector<std::uint64_t> rows((call.view.rows + 63) / 64 + 1);
      add_end(driver_->group_hosts(*call.call, *built, call.view, rows.data()));
      transcript_.add("  rows" + bits_text(rows, call.view.rows));
    }
    transcript_.add("update_service_capabilities");
    Call call(*this, Operation::capabilities, topic, seed);
    add_end(driver_->update_service_capabilities(*call.call, topic, "host-01", R"({"disks":2})"));
  }

  static std::optional<scheduling::RowBounds> bounds_in(const json::object& told, const gantry_view& view) {
    if (!told.contains("eligible")) return std::nullopt;
    scheduling::RowBounds bounds;
    for (auto* rows : {&bounds.eligible, &bounds.claimable}) rows->resize((view.rows + 63) / 64);
    for (const auto& row : told.at("eligible").as_array()) {
      const auto number = static_cast<std::uint64_t>(row.as_int64());
      bounds.eligible[number / 64] |= std::uint64_t{1} << (number % 64);
      if (number % 4 != 0) bounds.claimable[number / 64] |= std::uint64_t{1} << (number % 64);
    }
    bounds.reason = "the museum left them out";
    return bounds;
  }

  static testing::fake_candidates candidates() {
    testing::fake_candidates candidates;
    candidates.groups = {"port-1", "port-2"};
    const std::string first = "00000000-0000-4000-8000-0000000000f1";
    const std::string second = "00000000-0000-4000-8000-0000000000f2";
    candidates.rows[2] = {{{first}, {second}}, {{second}, {first}}};
    candidates.rows[5] = {{{first}, {first, second}}};
    candidates.rooms[first] = 2;
    return candidates;
  }

  const json::object& told_;
  Transcript& transcript_;
  const std::shared_ptr<telemetry::Counters> counters_;
  std::optional<fleet::Fleet> fleet_;
  std::optional<drivers::DriverSet> set_;
  drivers::Driver* driver_ = nullptr;
};

int run(config::Isolation isolation, const std::string& directory) {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  auto cases = json::parse_object(text, json::stored_depth);
  if (!cases) {
    std::fprintf(stderr, "museum_host: the cases: %s\n", cases.error().message.c_str());
    return 2;
  }
  if (const auto shared = fleet::share_cells(); !shared) {
    std::fprintf(stderr, "museum_host: %s\n", shared.error().message.c_str());
    return 2;
  }
  bool all_load = true;
  for (const auto& told : cases->at("drivers").as_array()) {
    Transcript transcript;
    {
      Exhibit exhibit(told.as_object(), transcript);
      if (const auto loaded = exhibit.load(isolation, directory, cases->at("fleet")); loaded) {
        exhibit.play(*cases);
      } else {
        transcript.add("does not load: " + loaded.error().message);
        all_load = false;
      }
    }
    std::printf("== %s\n", text_in(told.as_object(), "name").c_str());
    transcript.print();
  }
  return all_load ? 0 : 1;
}

}  // namespace
}  // namespace gantry::museum

int main(int argc, char** argv) {
  const std::string mode = argc == 3 ? argv[1] : "";
  if (mode != "none" && mode != "process") {
    std::fprintf(stderr, "usage: museum_host none|process DIRECTORY < CASES\n");
    return 2;
  }
  return gantry::museum::run(mode == "none" ? gantry::config::Isolation::none : gantry::config::Isolation::process,
                             argv[2]);
}
