// SPDX-License-Identifier: Apache-2.0
//
// The base classes of weighers. One for whole columns derives from gantry::weigher and is offered by
// gantry::offer_weigher<Class>("Name"); one that looks at a host at a time derives from gantry::host_weigher, or is a
// lambda given to gantry::offer_host_weigher. offers.hpp shows a whole library, filter.hpp says how a class gets its
// options.
#pragma once

#include <gantry/ext/weigher.h>
#include <gantry/offers.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gantry {

// What a weigher is asked, and where its scores go. Lives as long as the question.
class weigher_run {
 public:
  weigher_run(const call& call, gantry_weigher_run& raw) noexcept
      : raw_(&raw), request_(call, *raw.request), view_(call.view_of(*raw.view)) {}

  const gantry::request& request() const noexcept { return request_; }
  // What to read: the request's view, or one that shows the instances placed before.
  const gantry::view& view() const noexcept { return view_; }
  bits rows() const noexcept { return {raw_->rows, raw_->view->rows}; }  // those to score
  std::uint32_t instance() const noexcept { return raw_->instance; }     // all_instances: the whole request
  bool is_rebuild() const noexcept { return (raw_->flags & GANTRY_RUN_REBUILD) != 0; }

  // A finite score for each of rows(): by row, or all of them at once.
  void score(std::uint32_t row, double score) const noexcept { raw_->raw[row] = score; }
  double* scores() const noexcept { return raw_->raw; }  // 64-byte aligned, view().rows() of them
  // The row has no score: it weighs 0.
  void no_score(std::uint32_t row) const noexcept { bitmap(raw_->present, raw_->view->rows).clear(row); }
  // The ends of the scale; without them the least and the greatest score.
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

class weigher {
 public:
  // To be hidden by a class's own: what a score counts, and the option and key of aggregates' metadata that say so
  // instead (ext/weigher.h).
  static constexpr double multiplier = 1.0;
  static constexpr std::string_view multiplier_name = {};

  weigher() = default;
  weigher(const weigher&) = delete;
  weigher& operator=(const weigher&) = delete;
  virtual ~weigher() = default;

  // [worker] Scores each of run.rows(); more is better.
  virtual code weigh(call& call, const weigher_run& run) = 0;
};

// A score for single hosts; none: the host weighs 0.
class host_weigher : public weigher {
 public:
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

// For GANTRY_OFFERS: a weigher that is a class.
template <class Class>
gantry_offer offer_weigher(std::string_view name) noexcept {
  static_assert(std::is_base_of_v<weigher, Class>, "offer_weigher takes a class that derives from gantry::weigher");
  return {raw(GANTRY_WEIGHER_KIND), raw(name), &detail::weigher_table<Class>};
}

// For GANTRY_OFFERS: a weigher that is a lambda without captures, double or std::optional<double>(const host_row_view&,
// const request&). What its scores count is 1.
template <class Score>
gantry_offer offer_host_weigher(std::string_view name, Score score) noexcept {
  detail::kept_function<Score>::value.emplace(std::move(score));
  return offer_weigher<detail::function_weigher<Score>>(name);
}

}  // namespace gantry
