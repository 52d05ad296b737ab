// SPDX-License-Identifier: Apache-2.0
#include "core/whatif/whatif.hpp"

#include <memory>

#include "core/drivers/driver.hpp"
#include "core/drivers/driver_set.hpp"
#include "core/drivers/isolated/isolated_driver.hpp"
#include "core/drivers/load/crash_report.hpp"
#include "core/drivers/load/exit_report.hpp"
#include "core/encoding/uuid.hpp"
#include "core/fleet/document_load.hpp"
#include "core/fleet/documents/document.hpp"
#include "core/fleet/fleet.hpp"
#include "core/scheduling/service/service_manager.hpp"
#include "core/scheduling/service/settings.hpp"
#include "core/store/no_store.hpp"
#include "core/whatif/loading.hpp"

namespace gantry::whatif {

namespace {

scheduling::MethodCall call_of(Question& question) {
  scheduling::MethodCall call;
  call.method = "select_destinations";
  call.args = std::move(question.args);
  call.args["dry_run"] = true;
  call.context = std::move(question.context);
  call.request_id = "req-" + to_text(random_uuid());
  call.peer = "whatif";
  call.deadline = std::chrono::steady_clock::now() + question.timeout;
  return call;
}

// Nothing is stored, so the answer comes before handle returns.
scheduling::Reply decide(scheduling::Manager& manager, const drivers::DriverSet& drivers, Question& question) {
  const auto* const driver = drivers.for_topic("compute");
  const std::string decides = driver == nullptr ? "" : "driver '" + driver->manifest().id + "', ";
  const TimeLimit limit(question.timeout, decides + "select_destinations", question.give_up);
  scheduling::Reply reply = Error{ErrorCode::internal, "the decision was not answered", {}};
  manager.handle(call_of(question), [&reply](const scheduling::Answer& answer) { reply = answer; });
  return reply;
}

}  // namespace

Result<Answer> ask(Question question) {
  auto document = fleet::read_document(question.fleet, question.fleet_source, scheduling::now_nanoseconds());
  if (!document) return std::move(document).error();
  auto logger = logger_of(question.logs);
  if (!logger) return std::move(logger).error();
  drivers::install_crash_report({});
  const drivers::ExitIsACrash exit_is_a_crash;
  std::optional<TimeLimit> limit_of_end;  // outlives the drivers, whose destroy it watches
  const auto counters = std::make_shared<telemetry::Counters>();
  if (auto prepared = drivers::isolated::prepare_isolation(question.settings); !prepared)
    return std::move(prepared).error();
  fleet::Fleet fleet(scheduling::fleet_settings(question.settings));
  auto drivers = load_drivers({question.settings, question.timeout, question.give_up}, *logger, counters,
                              [&fleet, &question](const drivers::Manifest& manifest) {
                                return scheduling::declare(fleet, manifest, question.settings);
                              });
  if (!drivers) return std::move(drivers).error();
  fleet::load_document(*document, fleet);

  store::NoStore store;
  auto settings = scheduling::manager_settings(question.settings);
  settings.decides_at = document->now;
  settings.seed = question.seed;
  settings.housekeeping = std::chrono::hours(24);  // nothing ends but by the file's own time
  auto manager = scheduling::make_manager({fleet, store, *drivers, *logger, counters, settings});
  if (!manager) return std::move(manager).error();
  scheduling::Reply reply = decide(**manager, *drivers, question);
  limit_of_end.emplace(question.timeout, names_of(question.settings) + ", destroy", question.give_up);
  return Answer{std::move(reply), std::move(document->warnings)};
}

}  // namespace gantry::whatif
