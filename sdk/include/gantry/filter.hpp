// SPDX-License-Identifier: Apache-2.0
//
// The base classes of filters. offers.hpp shows a whole library.
//   - A filter that reads whole columns derives from gantry::filter. Offer it by gantry::offer_filter<Class>("Name").
//   - A filter that looks at one host at a time derives from gantry::host_filter and is offered in the same way, or is
//     a lambda given to gantry::offer_host_filter.
//
// A class that needs its options has a constructor that takes `const gantry::options&`. A class that may fail to start has
// a function
//   static std::unique_ptr<Class> create(gantry::call& call, const gantry::options& options);
// To fail, create calls call.fail and returns nullptr. A class without both is default-constructed. An exception that
// leaves a constructor or a function of a filter becomes a failure of the driver's call.
#pragma once

#include <gantry/ext/filter.h>
#include <gantry/driver/growth.hpp>
#include <gantry/offers.hpp>

#include <optional>
#include <string_view>
#include <utility>

namespace gantry {

// The input of one run of a filter: a call of keep, limits or reason. Valid during the run.
class filter_run {
 public:
  filter_run(const call& call, const gantry_filter_run& raw) noexcept
      : raw_(&raw), request_(call, *raw.request), view_(call.view_of(*raw.view)) {}

  const gantry::request& request() const noexcept { return request_; }
  // The view to read: the request's view, or a derived view that shows the instances placed before.
  const gantry::view& view() const noexcept { return view_; }
  // The rows to check. A filter clears the rows that do not pass.
  bitmap rows() const noexcept { return {raw_->rows, raw_->view->rows}; }
  std::uint32_t instance() const noexcept { return raw_->instance; }  // all_instances: the whole request
  bool is_rebuild() const noexcept { return (raw_->flags & GANTRY_RUN_REBUILD) != 0; }
  const gantry_filter_run& raw() const noexcept { return *raw_; }

 private:
  const gantry_filter_run* raw_;
  gantry::request request_;
  gantry::view view_;
};

// Why rows did not pass, for people. The texts must outlive the function: use call.scratch or members of the filter.
struct filter_reason {
  std::string_view text = {};
  std::string_view resource = {};  // the resource that ran short, with its unit, e.g. "power_w"; may be empty
  std::optional<double> need = std::nullopt;  // the amount that the request needs
  std::optional<double> best = std::nullopt;  // the largest amount among the removed rows; nullopt: no row has any
};

// The base class of a filter.
class filter {
 public:
  // A derived class defines a constant of the same name to change it. once_per_request: the filter runs for the first
  // instance only, and the result holds for all instances. on_rebuild: the filter also runs for a rebuild.
  static constexpr bool once_per_request = false;
  static constexpr bool on_rebuild = false;

  filter() = default;
  filter(const filter&) = delete;
  filter& operator=(const filter&) = delete;
  virtual ~filter() = default;

  // [worker] Mandatory. Clears the rows of run.rows() that do not pass.
  virtual code keep(call& call, const filter_run& run) = 0;
  // [worker] Optional. Returns the limits for a row that passed, the last argument.
  virtual gantry::limits limits(call&, const filter_run&, std::uint32_t) { return {}; }
  // [worker] Optional. Returns why rows did not pass. The last argument is the set of the rows that keep has removed.
  virtual filter_reason reason(call&, const filter_run&, const bits&) { return {}; }
};

// A filter that looks at one host at a time.
class host_filter : public filter {
 public:
  // [worker] Mandatory. Returns whether the host passes.
  virtual bool passes(const host_row_view& host, const request& request) const = 0;

  code keep(call& call, const filter_run& run) final {
    host_columns columns(run.view());
    std::uint32_t asked = 0;
    run.rows().keep_if([&](std::uint32_t row) {
      detail::stop_at_deadline(call, asked);
      return passes(host_row_view(columns, row), run.request());
    });
    return code::ok;
  }
};

namespace detail {

inline gantry_code filter_keep(gantry_offered* opaque, gantry_call* raw_call, const gantry_filter_run* run) noexcept {
  auto& filter = offered_as<gantry::filter>(opaque);
  return guarded(*filter.host, raw_call, [&](call& call) { return filter.self->keep(call, filter_run(call, *run)); });
}

inline gantry_code filter_limits(gantry_offered* opaque, gantry_call* raw_call, const gantry_filter_run* run,
                                 std::uint32_t row, gantry_filter_limits* out) noexcept {
  auto& filter = offered_as<gantry::filter>(opaque);
  return guarded(*filter.host, raw_call, [&](call& call) {
    const limits found = filter.self->limits(call, filter_run(call, *run), row);
    gantry_filter_limits set = {};
    set.present = flag_if(found.vcpu.has_value(), GANTRY_LIMIT_VCPU) |
                  flag_if(found.memory_mb.has_value(), GANTRY_LIMIT_MEMORY_MB) |
                  flag_if(found.disk_gb.has_value(), GANTRY_LIMIT_DISK_GB);
    set.limits = {found.vcpu.value_or(0), found.memory_mb.value_or(0), found.disk_gb.value_or(0), raw(found.other)};
    fill_in(*out, set);
    return code::ok;
  });
}

inline gantry_code filter_reason_of(gantry_offered* opaque, gantry_call* raw_call, const gantry_filter_run* run,
                                    const std::uint64_t* removed, gantry_filter_reason* out) noexcept {
  auto& filter = offered_as<gantry::filter>(opaque);
  return guarded(*filter.host, raw_call, [&](call& call) {
    const filter_reason found = filter.self->reason(call, filter_run(call, *run), bits(removed, run->view->rows));
    gantry_filter_reason why = {};
    why.present =
        flag_if(found.need.has_value(), GANTRY_REASON_NEED) | flag_if(found.best.has_value(), GANTRY_REASON_BEST);
    why.text = raw(found.text);
    why.resource = raw(found.resource);
    why.need = found.need.value_or(0);
    why.best = found.best.value_or(0);
    fill_in(*out, why);
    return code::ok;
  });
}

template <class Class>
inline constexpr gantry_filter_ops filter_table = {sizeof(gantry_filter_ops),
                                                   flag_if(Class::once_per_request, GANTRY_FILTER_ONCE_PER_REQUEST) |
                                                       flag_if(Class::on_rebuild, GANTRY_FILTER_ON_REBUILD),
                                                   create_offered<filter, Class>,
                                                   destroy_offered<filter>,
                                                   filter_keep,
                                                   if_overridden(&Class::limits, &filter::limits, filter_limits),
                                                   if_overridden(&Class::reason, &filter::reason, filter_reason_of)};

template <class Function>
class function_filter final : public host_filter {
 public:
  static inline std::string_view why;  // a host does not pass

  bool passes(const host_row_view& host, const request& request) const override {
    return (*kept_function<Function>::value)(host, request);
  }
  filter_reason reason(call&, const filter_run&, const bits&) override { return {why}; }
};

}  // namespace detail

// Returns the offer of a filter class, for GANTRY_OFFERS.
template <class Class>
gantry_offer offer_filter(std::string_view name) noexcept {
  static_assert(std::is_base_of_v<filter, Class>, "offer_filter takes a class that derives from gantry::filter");
  return {raw(GANTRY_FILTER_KIND), raw(name), &detail::filter_table<Class>};
}

// Returns the offer of a filter that is a lambda, for GANTRY_OFFERS. The lambda has no captures and the form
// bool(const host_row_view&, const request&). It returns whether the host passes. `reason` is a literal that says why
// hosts do not pass, e.g. "their rack differs".
template <class Passes>
gantry_offer offer_host_filter(std::string_view name, Passes passes, std::string_view reason = {}) noexcept {
  detail::kept_function<Passes>::value.emplace(std::move(passes));
  detail::function_filter<Passes>::why = reason;
  return offer_filter<detail::function_filter<Passes>>(name);
}

}  // namespace gantry
