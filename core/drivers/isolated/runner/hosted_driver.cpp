// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/isolated/runner/hosted_driver.hpp"

#include <chrono>
#include <limits>
#include <span>
#include <utility>

#include "core/drivers/abi/abi_text.hpp"
#include "core/drivers/call/call_state.hpp"
#include "core/drivers/call/view_rows.hpp"
#include "core/drivers/isolated/runner/readable_files.hpp"
#include "core/drivers/isolated/runner/remote_sink.hpp"
#include "core/drivers/load/crash_report.hpp"
#include "core/drivers/load/create_call.hpp"
#include "core/drivers/load/entry.hpp"
#include "core/drivers/load/library.hpp"
#include "gantry/ext/capacity.h"

namespace gantry::drivers::isolated {
namespace {

using std::chrono::steady_clock;

DriverCallSettings settings_of(const CallInput& input, Sink& sink, Asker& asker) {
  DriverCallSettings settings;
  settings.context = input.context;
  settings.view = input.view;
  settings.sink = input.takes_results != 0 ? &sink : nullptr;
  settings.asker = &asker;  // the service knows which calls may ask
  if (input.deadline != std::numeric_limits<std::int64_t>::max())
    settings.deadline = steady_clock::time_point(std::chrono::nanoseconds(input.deadline));
  settings.now = input.now;
  settings.seed = input.seed;
  settings.memory_limit = input.memory_limit;
  settings.log_is_bounded = false;  // the service bounds the lines that it gets, and counts those that it leaves out
  return settings;
}

const gantry_capacity* capacity_of(const gantry_driver_ops& ops, gantry_driver* object) {
  if (ops.extension == nullptr) return nullptr;
  const auto* const table =
      static_cast<const gantry_capacity*>(ops.extension(object, to_abi(GANTRY_CAPACITY_EXTENSION)));
  const bool has_count = table != nullptr && GANTRY_HAS(table, gantry_capacity, count) && table->count != nullptr;
  return has_count ? table : nullptr;
}

std::string_view name_of(const CallInput& input) {
  switch (input.operation) {
    case Operation::select_destinations: return "select_destinations";
    case Operation::schedule_run_instance: return "schedule_run_instance";
    case Operation::hosts_up: return "hosts_up";
    case Operation::group_hosts: return "group_hosts";
    case Operation::update_service_capabilities: return "update_service_capabilities";
    case Operation::call_method: return from_abi(input.method->method);
    case Operation::count_capacity: return "count_capacity";
    case Operation::destroy: return "destroy";
    case Operation::start: break;
  }
  return "create";
}

}  // namespace

HostedDriver::HostedDriver(std::shared_ptr<RunnerLogger> logger, bool is_confined)
    : logger_(std::move(logger)), counters_(std::make_shared<telemetry::Counters>()), is_confined_(is_confined) {}

Result<void> HostedDriver::open(const RunnerStart& start) {
  section_ = start.section;
  for (const auto& file : start.files) {
    const bool is_driver = &file == &start.files.front();
    auto opened = reopen_driver_file(files::Descriptor(file.descriptor), file.path, file.sha256,
                                     is_driver ? FileKind::driver : FileKind::library);
    if (!opened) return std::move(opened).error();
    if (is_driver) {
      file_ = *std::move(opened);
      if (file_.manifest.id != start.driver) file_.manifest.kind = std::exchange(file_.manifest.id, start.driver);
    } else {
      file_.offer_libraries.push_back(*std::move(opened));
    }
  }
  return {};
}

// Returns false where the kernel has no means for that.
bool HostedDriver::give_up_other_files(const RunnerStart& start) const {
  std::vector<const DriverFile*> files{&file_};
  for (const auto& library : file_.offer_libraries) files.push_back(&library);
  std::vector<int> descriptors;
  descriptors.reserve(files.size());
  for (const DriverFile* file : files) descriptors.push_back(file->descriptor.number());
  return read_nothing_but(readable_paths(start, files), descriptors);
}

Result<void> HostedDriver::load() {
  // The descriptors are sealed copies already, or a kernel gives none.
  const auto library = load_library(file_, false, *logger_);
  if (!library) return library.error();
  const auto ops = check_entry(file_, **library);
  if (!ops) return ops.error();
  ops_ = *ops;
  return {};
}

Result<RunnerTraits> HostedDriver::create(const RunnerStart& start) {
  if (Result<void> opened = open(start); !opened) return std::move(opened).error();
  has_given_up_files_ = is_confined_ && give_up_other_files(start);
  if (Result<void> loaded = load(); !loaded) return std::move(loaded).error();
  const std::string& id = file_.manifest.id;
  host_ = std::make_unique<HostServices>(id, logger_, counters_);
  options_ = std::make_unique<Options>(file_.manifest, section_);
  auto offers = LoadedOffers::load(file_, {section_, start.timeout, false, telemetry::Logger::none(), counters_});
  if (!offers) return std::move(offers).error();
  offers_ = *std::move(offers);
  host_->set_offers(offers_->table());
  CreateCall call(start.timeout);
  const CrashNote note(id, "create", {}, file_.path);
  const auto run = [&]() noexcept { return ops_.create(host_->table(), call.handle(), options_->table(), &object_); };
  const gantry_code code = run();
  if (Result<void> created = call.outcome(code, id, "create", file_.path); !created) return std::move(created).error();
  return traits();
}

RunnerTraits HostedDriver::traits() const {
  RunnerTraits traits;
  traits.decides = ops_.select_destinations != nullptr;
  traits.hosts_up = ops_.hosts_up != nullptr;
  traits.group_hosts = ops_.group_hosts != nullptr;
  traits.update_service_capabilities = ops_.update_service_capabilities != nullptr;
  traits.call_method = ops_.call_method != nullptr;
  traits.counts_capacity = capacity_of(ops_, object_) != nullptr;
  traits.reads_only_its_files = has_given_up_files_;
  return traits;
}

void HostedDriver::destroy() {
  const CrashNote note(file_.manifest.id, "destroy", {});
  ops_.destroy(object_);
  offers_.reset();
}

// The bitmap or the counts of the operation lie in `result`.
gantry_code HostedDriver::run(const CallInput& input, gantry_call* call, std::vector<std::uint64_t>& result) {
  switch (input.operation) {
    case Operation::select_destinations: return ops_.select_destinations(object_, call, input.request);
    case Operation::schedule_run_instance: return ops_.schedule_run_instance(object_, call, input.request);
    case Operation::hosts_up:
      result.resize(bitmap_words(input.shown->rows));
      return ops_.hosts_up(object_, call, input.shown, result.data());
    case Operation::group_hosts:
      result.resize(bitmap_words(input.shown->rows));
      return ops_.group_hosts(object_, call, input.group, input.shown, result.data());
    case Operation::update_service_capabilities:
      return ops_.update_service_capabilities(object_, call, input.service, input.host, input.capabilities);
    case Operation::call_method: return ops_.call_method(object_, call, input.method);
    case Operation::count_capacity:
      result.resize(input.request->view->rows);
      return capacity_of(ops_, object_)->count(object_, call, input.request, result.data());
    case Operation::start:
    case Operation::destroy: break;
  }
  return GANTRY_UNSUPPORTED;
}

void HostedDriver::run(const CallInput& input, RunnerLane& lane) {
  const RunnerLogger::CallOfThread lines_of_this_thread(lane);
  logger_->set_level(static_cast<telemetry::Level>(input.log_level));
  RemoteSink sink(lane);
  RemoteFleet fleet(lane);
  RemoteAsker asker(lane);
  DriverCall call(settings_of(input, sink, asker));
  call.offer(input.candidates);
  DriverCall::State::of(call.handle())->distant = &fleet;
  std::vector<std::uint64_t> result;
  const CrashNote note(file_.manifest.id, name_of(input),
                       input.context == nullptr ? std::string_view{} : from_abi(input.context->request_id));
  // noexcept: what leaves a driver in spite of the ABI ends the process here.
  const auto run_it = [&]() noexcept { return run(input, call.handle(), result); };
  const gantry_code code = run_it();
  lane.end(Record::done,
           [&](MessageWriter& to) { write_end(to, code, call, added_counts(), std::as_bytes(std::span(result))); });
}

// The counts since the last call's end.
std::vector<telemetry::Counters::Entry> HostedDriver::added_counts() {
  const std::lock_guard lock(sent_mutex_);
  auto added = counters_->list();
  for (auto& entry : added) {
    const auto before = std::exchange(sent_[entry.name], entry.value);
    entry.value -= before;
  }
  std::erase_if(added, [](const auto& entry) { return entry.value == 0; });
  return added;
}

}  // namespace gantry::drivers::isolated
