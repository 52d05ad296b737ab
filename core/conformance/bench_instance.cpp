// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include "core/conformance/bench.hpp"
#include "gantry/ext/filter.h"
#include "gantry/ext/weigher.h"

namespace gantry::conformance {
namespace {

using testing::fake_call;
using testing::fake_request;
using testing::outcome;

std::string number_text(double number) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", number);
  return text;
}

std::string picks_text(const char* title, const std::vector<testing::picked>& picks) {
  std::string text;
  for (const testing::picked& pick : picks) {
    text += std::string(" ") + title + std::to_string(pick.instance) + "@" + pick.host;
    for (const double limit : {pick.limit_vcpu, pick.limit_memory_mb, pick.limit_disk_gb})
      text += "," + number_text(limit);
    for (const testing::claimed_item& item : pick.items) text += "," + item.resource + number_text(item.amount);
    text += pick.other_limits;
  }
  return text;
}

std::unique_ptr<fake_call> start(Host& host) {
  auto call = std::make_unique<fake_call>(host.seed++);
  host.prepare();
  call->host = &host;
  call->view = host.view(host.topic());
  call->context = host.context.raw(call->memory);
  return call;
}

// A request that has no spec of its own gets the one that the core would write.
fake_request with_spec(fake_request request) {
  if (request.spec == "{}") request.spec = whole_spec(request);
  return request;
}

const gantry_offer_ops& common(const Unit& unit) {
  return *static_cast<const gantry_offer_ops*>(unit.offer);
}

}  // namespace

std::string text_of(const outcome& outcome) {
  std::string text =
      std::to_string(outcome.code) + picks_text("p", outcome.picks) + picks_text("a", outcome.alternates);
  for (const testing::refused& refusal : outcome.refusals) text += " r" + std::to_string(refusal.instance);
  for (const testing::claimed& claim : outcome.claims)
    text += " c" + claim.host + "," + claim.resource + "," + number_text(claim.amount);
  for (const testing::casted& cast : outcome.casts) text += " m" + cast.host + "," + cast.method + cast.args;
  for (const std::string& reply : outcome.replies) text += " " + reply;
  for (const std::string& row : outcome.rows) text += " " + row;
  for (const std::uint64_t count : outcome.counts) text += " " + std::to_string(count);
  return text;
}

Instance::Instance(const Unit& unit, const Subject& subject, const OptionValues& options)
    : unit_(unit), subject_(subject), home_(unit, subject, {}), options_(unit.options, options) {}

std::unique_ptr<Instance> Instance::create(const Unit& unit, const Subject& subject, const OptionValues& options,
                                           outcome* refusal) {
  std::unique_ptr<Instance> made(new Instance(unit, subject, options));
  fake_call call(made->home_.seed++);
  call.host = &made->home_;
  call.context = made->home_.context.raw(call.memory);
  const gantry_options* const table = made->options_.table();
  call.result.code = unit.driver != nullptr
                         ? unit.driver->create(&made->home_.table(), call.raw(), table, &made->driver_)
                         : common(unit).create(&made->home_.table(), call.raw(), table, &made->offered_);
  if (call.result.code != GANTRY_OK) {
    if (refusal != nullptr) *refusal = std::move(call.result);
    return nullptr;
  }
  made->is_created_ = true;
  if (unit.driver != nullptr) {
    made->borrowed_ = *unit.driver;
    made->borrowed_.destroy = [](gantry_driver*) {};
  }
  return made;
}

Instance::~Instance() {
  if (!is_created_) return;
  if (unit_.driver != nullptr)
    unit_.driver->destroy(driver_);
  else
    common(unit_).destroy(offered_);
}

testing::fake_driver Instance::on(Host& host) {
  host.prepare();
  return {host, borrowed_, driver_};
}

outcome Instance::select(Host& host, const fake_request& request) {
  return on(host).select_destinations(with_spec(request));
}
outcome Instance::schedule(Host& host, const fake_request& request) {
  return on(host).schedule_run_instance(with_spec(request));
}
outcome Instance::method(Host& host, const std::string& name, const std::string& args) {
  return on(host).call_method(name, args);
}
outcome Instance::select_bent(Host& host, const fake_request& request, const Bend& bend) {
  const auto call = start(host);
  const std::vector<std::uint64_t> complete = call->view->complete(host.needs);
  const fake_request whole = with_spec(request);
  call->request = &whole;
  gantry_request raw = whole.raw(call->memory, call->view->raw(), complete.data());
  call->result.code =
      unit_.driver->select_destinations(driver_, call->raw(), bend(raw, const_cast<gantry_view&>(call->view->raw())));
  return std::move(call->result);
}
std::chrono::duration<double, std::nano> Instance::time_of_selection(Host& host, const fake_request& request) {
  std::chrono::steady_clock::time_point begin;
  select_bent(host, request, [&begin](gantry_request& raw, gantry_view&) {
    begin = std::chrono::steady_clock::now();
    return &raw;
  });
  return std::chrono::steady_clock::now() - begin;
}
std::optional<outcome> Instance::capacity(Host& host, const fake_request& request) {
  // ext/capacity.h: a count is for an instance without a uuid and without a group.
  fake_request counted = request;
  counted.instances = 1;
  counted.instance_uuids.clear();
  counted.group.reset();
  counted.explain_hosts = GANTRY_EXPLAIN_NONE;
  return on(host).count_capacity(with_spec(counted));
}

std::string Instance::play(Host& host, const fake_request& request) {
  if (unit_.driver == nullptr) {
    const OfferRun run = offer(host, request);
    std::string text = std::to_string(run.code) + run.limits;
    for (const std::uint64_t word : run.rows) text += " " + std::to_string(word);
    for (std::size_t row = 0; row < run.scores.size(); ++row)
      if ((run.rows[row / 64] >> (row % 64) & 1) != 0) text += " " + number_text(run.scores[row]);
    return text;
  }
  std::string text;
  if (unit_.driver->select_destinations != nullptr) {
    if (const auto counts = capacity(host, request)) text += text_of(*counts) + ";";
    text += text_of(select(host, request)) + ";";
    fake_request second = request;
    for (std::string& uuid : second.instance_uuids) uuid[0] = '1';
    text += text_of(schedule(host, second));
  }
  for (const std::string& name : methods_of(subject_)) text += ";" + text_of(method(host, name, usual_args()));
  return text;
}

Instance::OfferRun Instance::offer(Host& host, const fake_request& request, const std::vector<std::uint64_t>& only) {
  const auto call = start(host);
  const std::vector<std::uint64_t> complete = call->view->complete(host.needs);
  OfferRun result;
  result.rows = only.empty() ? complete : only;
  const std::vector<std::uint64_t> before = result.rows;
  const gantry_request raw_request = with_spec(request).raw(call->memory, call->view->raw(), complete.data());
  const gantry_view& view = call->view->raw();
  if (unit_.is_filter()) {
    const auto& table = *static_cast<const gantry_filter_ops*>(unit_.offer);
    const gantry_filter_run run = {sizeof run, 0, 0, 0, &raw_request, &view, result.rows.data()};
    result.code = table.keep(offered_, call->raw(), &run);
    std::vector<std::uint64_t> removed = before;
    for (std::size_t word = 0; word < removed.size(); ++word) removed[word] &= ~result.rows[word];
    for (std::uint32_t row = 0; row < view.rows && table.limits != nullptr && result.code == GANTRY_OK; ++row) {
      if ((result.rows[row / 64] >> (row % 64) & 1) == 0) continue;
      gantry_filter_limits limits = {};
      limits.struct_size = sizeof limits;
      if (table.limits(offered_, call->raw(), &run, row, &limits) != GANTRY_OK || limits.present == 0) continue;
      result.limits += " " + std::to_string(row) + ":" + number_text(limits.limits.vcpu) + "," +
                       number_text(limits.limits.memory_mb) + "," + number_text(limits.limits.disk_gb);
    }
    gantry_filter_reason reason = {};
    reason.struct_size = sizeof reason;
    if (table.reason != nullptr && result.code == GANTRY_OK &&
        table.reason(offered_, call->raw(), &run, removed.data(), &reason) == GANTRY_OK)
      result.reason = gantry::text(reason.text);
  } else {
    const auto& table = *static_cast<const gantry_weigher_ops*>(unit_.offer);
    gantry_weigher_run run = {};
    run.struct_size = sizeof run;
    run.request = &raw_request;
    run.view = &view;
    run.rows = before.data();
    run.raw = call->memory.array<double>((std::size_t{view.rows} + 63) / 64 * 64 + 64);
    run.present = result.rows.data();
    result.code = table.weigh(offered_, call->raw(), &run);
    result.scores.assign(run.raw, run.raw + view.rows);
    result.bounds = run.bounds;
    result.minval = run.minval;
    result.maxval = run.maxval;
  }
  result.sentence = call->result.sentence;
  return result;
}

std::vector<std::string> methods_of(const Subject& subject) {
  const auto& methods = subject.manifest().methods;
  const auto found = methods.find(subject.topic());
  return found == methods.end() ? std::vector<std::string>() : found->second;
}

std::string usual_args() {
  return R"({"amount":1,"count":1,"host":"dev-0","id":"a","name":"a","size":1,"volume_id":"a"})";
}

OptionValues options_for(const Subject& subject, const Unit& unit) {
  OptionValues values;
  const std::string prefix = unit.declared == nullptr ? "" : unit.name + ".";
  for (const auto& [name, value] : subject.options())
    if (name.starts_with(prefix)) values[name.substr(prefix.size())] = value;
  return values;
}

std::string play_all(Subject& subject, const Unit& unit, const OptionValues& options, std::uint64_t seed) {
  const auto instance = Instance::create(unit, subject, options);
  if (instance == nullptr) return "create failed";
  std::string text;
  int count = 0;
  for (const Scene& scene : scenes(unit, seed)) {
    Host host(unit, subject, scene.rows);
    if (++count % 2 == 0) host.context.remote_address = "192.0.2.1";
    text += instance->play(host, scene.request) + "\n";
  }
  return text;
}

Verdict can_be_created(const Subject& subject, const Unit& unit) {
  outcome refusal;
  if (Instance::create(unit, subject, options_for(subject, unit), &refusal) != nullptr) return {};
  return failed("a create that succeeds", "code " + std::to_string(refusal.code) + " " + refusal.sentence);
}

namespace {

Verdict over_units(Subject& subject, const std::function<Verdict(const Unit&)>& check) {
  Verdict last;
  for (const Unit& unit : subject.units()) {
    Verdict verdict = can_be_created(subject, unit);
    if (verdict.state != State::failed) verdict = check(unit);
    if (verdict.state == State::failed && subject.units().size() > 1) verdict.found = unit.name + ": " + verdict.found;
    if (verdict.state == State::failed) return verdict;
    last = verdict;
  }
  return last;
}

}  // namespace

Verdict each_unit(Subject& subject, const std::function<Verdict(const Unit&)>& check) {
  return over_units(subject, check);
}

Verdict each_decider(Subject& subject, const std::function<Verdict(const Unit&)>& check) {
  if (subject.is_library()) return not_applicable("a library does not decide");
  const auto& units = subject.units();
  if (subject.is_methods_alone()) return not_applicable("the driver has methods alone");
  const Unit& unit = units.front();
  if (Verdict created = can_be_created(subject, unit); created.state == State::failed) return created;
  const auto instance = Instance::create(unit, subject, options_for(subject, unit));
  if (instance == nullptr) return failed("a second create that succeeds", "a failure");
  Host host(unit, subject, fleet(unit, subject.seed(), 70));
  if (instance->select(host, small_request()).code == GANTRY_UNSUPPORTED && !subject.manifest().methods.empty())
    return not_applicable("the driver places nothing but by its methods");
  return check(unit);
}

Verdict each_offer(Subject& subject, const std::function<Verdict(const Unit&)>& check) {
  if (!subject.is_library()) return not_applicable("the file is a driver");
  return over_units(subject, check);
}

}  // namespace gantry::conformance
