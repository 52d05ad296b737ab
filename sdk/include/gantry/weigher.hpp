// SPDX-License-Identifier: Apache-2.0
//
// The base classes of weighers. offers.hpp shows a whole library. filter.hpp says how a class gets its options.
//   - A weigher that reads whole columns derives from gantry::weigher. Offer it by
//     gantry::offer_weigher<Class>("Name").
//   - A weigher that looks at one host at a time derives from gantry::host_weigher and is offered in the same way, or
//     is a lambda given to gantry::offer_host_weigher.
#pragma once

#include <gantry/ext/weigher.h>
#include <gantry/offers.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gantry {

// The input of one run of a weigher, and the place of its scores. Valid during the run.
class weigher_run {
 public:
  weigher_run(const call& call, gantry_weigher_run& raw) noexcept
      : raw_(&raw), request_(call, *raw.request), view_(call.view_of(*raw.view)) {}

  const gantry::request& request() const noexcept { return request_; }
  // The view to read: the request's view, or a derived view that shows the instances placed before.
  const gantry::view& view() const noexcept { return view_; }
  bits rows() const noexcept { return {raw_->rows, raw_->view->rows}; }  // the rows to score
  std::uint32_t instance() const noexcept { return raw_->instance; }     // all_instances: the whole request
  bool is_rebuild() const noexcept { return (raw_->flags & GANTRY_RUN_REBUILD) != 0; }

  // Sets the score of one of rows(). A score is finite. Every row of rows() gets a score or no_score.
  void score(std::uint32_t row, double score) const noexcept { raw_->raw[row] = score; }
  double* scores() const noexcept { return raw_->raw; }  // array of all scores: view().rows() elements, 64-byte aligned
  // Says that the row has no score. The row weighs 0.
  void no_score(std::uint32_t row) const noexcept { bitmap(raw_->present, raw_->view->rows).clear(row); }
  // Set the ends of the scale: minval is the score that is normalized to 0, maxval the score that is normalized to 1.
  // The defaults are the lowest and the highest score among the rows.
  void minval(double score) const noexcept {
    raw_->minval = score;
    raw_->bounds |= GANTRY_WEIGHER_MINVAL;
  }
  void maxval(double score) const noexcept {
    raw_->maxval = score;
    raw_->bounds |= GANTRY_WEIGHER_MAXVAL;
  }

 private:
  gantry_weigher_run* raw_;
  gantry::request request_;
  gantry::view view_;
};

// The base class of a weigher.
class weigher {
 public:
  // A derived class defines a constant of the same name to change it. multiplier: the factor of the normalized score in
  // the host's weight. multiplier_name: the name of an option, and of a key in the metadata of aggregates, that replace
  // the multiplier (ext/weigher.h).
  static constexpr double multiplier = 1.0;
  static constexpr std::string_view multiplier_name = {};

  weigher() = default;
  weigher(const weigher&) = delete;
  weigher& operator=(const weigher&) = delete;
  virtual ~weigher() = default;

  // [worker] Mandatory. Gives each of run.rows() a score or no_score. A higher score is better.
  virtual code weigh(call& call, const weigher_run& run) = 0;
};

// A weigher that looks at one host at a time.
class host_weigher : public weigher {
 public:
  // [worker] Mandatory. Returns the score of a host. nullopt: the host has no score and weighs 0.
  virtual std::optional<double> score(const host_row_view& host, const request& request) const = 0;

  code weigh(call& call, const weigher_run& run) final {
    host_columns columns(run.view());
    std::uint32_t asked = 0;
    run.rows().for_each([&](std::uint32_t row) {
      detail::stop_at_deadline(call, asked);
      const host_row_view host(columns, row);
      const std::optional<double> found = score(host, run.request());
      if (!found) return run.no_score(row);
      if (!std::isfinite(*found)) {
        throw failure(code::internal, "expected a finite score, found " + std::to_string(*found) + " for host '" +
                                          std::string(host.host()) + "'");
      }
      run.score(row, *found);
    });
    return code::ok;
  }
};

namespace detail {

inline gantry_code weigher_weigh(gantry_offered* opaque, gantry_call* raw_call, gantry_weigher_run* run) noexcept {
  auto& weigher = offered_as<gantry::weigher>(opaque);
  return guarded(*weigher.host, raw_call,
                 [&](call& call) { return weigher.self->weigh(call, weigher_run(call, *run)); });
}

template <class Class>
inline constexpr gantry_weigher_ops weigher_table = {sizeof(gantry_weigher_ops),
                                                     0,
                                                     create_offered<weigher, Class>,
                                                     destroy_offered<weigher>,
                                                     weigher_weigh,
                                                     raw(Class::multiplier_name),
                                                     Class::multiplier};

template <class Function>
class function_weigher final : public host_weigher {
 public:
  std::optional<double> score(const host_row_view& host, const request& request) const override {
    return (*kept_function<Function>::value)(host, request);
  }
};

}  // namespace detail

// Returns the offer of a weigher class, for GANTRY_OFFERS.
template <class Class>
gantry_offer offer_weigher(std::string_view name) noexcept {
  static_assert(std::is_base_of_v<weigher, Class>, "offer_weigher takes a class that derives from gantry::weigher");
  return {raw(GANTRY_WEIGHER_KIND), raw(name), &detail::weigher_table<Class>};
}

// Returns the offer of a weigher that is a lambda, for GANTRY_OFFERS. The lambda has no captures, takes
// (const host_row_view&, const request&), and returns the score as double or std::optional<double>. The weigher's
// multiplier is 1. `multiplier_name` is the one of gantry::weigher.
template <class Score>
gantry_offer offer_host_weigher(std::string_view name, Score score, std::string_view multiplier_name = {}) noexcept {
  detail::kept_function<Score>::value.emplace(std::move(score));
  static gantry_weigher_ops table = detail::weigher_table<detail::function_weigher<Score>>;
  table.multiplier_name = raw(multiplier_name);
  return {raw(GANTRY_WEIGHER_KIND), raw(name), &table};
}

}  // namespace gantry
