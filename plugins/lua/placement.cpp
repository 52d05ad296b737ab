// SPDX-License-Identifier: Apache-2.0
#include "placement.hpp"

#include <algorithm>
#include <limits>

#include "column_operations.hpp"

namespace lua_driver {

namespace {

std::uint64_t mixed(std::uint64_t value) {
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9u;
  value = (value ^ (value >> 27)) * 0x94d049bb133111ebu;
  return value ^ (value >> 31);
}

std::string counted(std::uint64_t count, const char* what) {
  return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

}  // namespace

placement::placement(policy& policy, gantry::call& call, const gantry::request& request, bool checks_room)
    : policy_(policy),
      call_(call),
      request_(request),
      group_(request),
      found_(gantry::candidates(call, request)),
      taken_(call, request),
      seed_(call.random()),
      passed_(call.empty_bitmap(request.view().rows())),
      weights_(policy.numbers(0, (std::size_t{request.view().rows()} + 64) / 64 * 64)) {
  if (checks_room) room_.emplace(request.view(), request);
  keep_zone();
  if (group_.binds()) {
    group_.narrow(call_, found_.rows());
    found_.step(group_.name(), group_.reason());
  }
  if (room_) keep_room();
  policy_.begin(call, request, group_);
  filter(0);
  weigh(0);
  fitting_hosts_ = passed_.count();
  if (found_.explains_hosts()) explain_hosts();
  if (const auto claimable = request.claimable()) passed_.keep(*claimable);
}

// Says which zones there are if no host is in the zone.
void placement::keep_zone() {
  const std::string_view zone = request_.availability_zone();
  if (zone.empty()) return;
  const gantry::bitmap before = copy_of(found_.rows());
  const gantry::text_column zones = request_.view().texts("availability_zone");
  zones.keep_equal(found_.rows(), zone);
  std::string why = "zone " + gantry::quoted(zone) + " wanted";
  if (found_.rows().none()) why += ", " + gantry::texts_of(before, request_.view(), "availability_zone") + " there";
  found_.step("availability_zone", why);
}

void placement::keep_room() {
  for (std::size_t at = 0; at < resources.size(); ++at) {
    const gantry::bitmap before = copy_of(found_.rows());
    room_->keep(at, found_.rows());
    const std::string why = found_.rows().none() ? room_->lack(at, before) : "less than wanted is free";
    found_.step(resources[at].name, why, [this, at](std::uint32_t row) { return room_->lack(at, row); });
  }
}

gantry::bitmap placement::copy_of(const gantry::bits& rows) const {
  gantry::bitmap copy = call_.empty_bitmap(rows.rows());
  copy.assign(rows);
  return copy;
}

std::uint64_t placement::seed_of(std::uint32_t instance, std::size_t rule) const {
  return mixed(seed_ + mixed((std::uint64_t{instance} << 32) + rule + 1));
}

// Sets passed_ to the rows that pass each filter.
void placement::filter(std::uint32_t instance) {
  passed_.assign(found_.rows());
  std::uint64_t left = found_.left();
  for (std::size_t index = 0; index < policy_.filters().size() && left != 0; ++index) {
    const rule& filter = policy_.filters()[index];
    std::string reason;
    passed_.remove(lacking(filter.needs, passed_, reason));
    ask(filter, index, passed_, instance);
    const std::uint64_t asked = passed_.count();
    passed_.keep(filters_[index].said.passed);
    const std::uint64_t now = passed_.count();
    if (now != asked || reason.empty()) {
      const std::string& said = filters_[index].said.reason;
      reason += (reason.empty() ? "" : "; ") + (said.empty() ? std::string("the policy rejects them") : said);
    }
    if (instance == 0) tell_step(filter, left, reason);
    if (now == 0) emptied_by_ = filter.name + ": " + reason;
    left = now;
  }
}

// Returns the rows among `rows` that lack a value in one of the columns, and says which.
gantry::bitmap placement::lacking(const std::vector<std::string>& needs, const gantry::bits& rows,
                                  std::string& reason) const {
  gantry::bitmap found = call_.empty_bitmap(rows.rows());
  for (const std::string& name : needs) {
    const gantry_column* column = policy_.column_of(name);
    if (column != nullptr && column->validity == nullptr) continue;
    bool lacks = false;
    for (std::size_t word = 0; word < rows.word_count(); ++word) {
      const std::uint64_t missing = rows.word(word) & ~(column == nullptr ? 0 : column->validity[word]);
      found.words()[word] |= missing;
      lacks = lacks || missing != 0;
    }
    if (lacks) reason += (reason.empty() ? "never reported " : ", ") + name;
  }
  return found;
}

// Asks a filter about the rows whose verdict is not known.
void placement::ask(const rule& filter, std::size_t index, const gantry::bits& rows, std::uint32_t instance) {
  if (filters_.size() == index)
    filters_.push_back({call_.empty_bitmap(rows.rows()), {call_.empty_bitmap(rows.rows()), "", {}}});
  filtered& of = filters_[index];
  gantry::bitmap asked = copy_of(rows);
  if (!filter.whole) asked.remove(of.known);
  if (asked.none()) return;
  if (of.said.reason.empty()) of.said.reason = filter.reason;
  policy_.judge(filter, asked, found_.explains_hosts(), seed_of(instance, index), of.said);
  if (filter.whole) of.known.assign(found_.rows());
  for (std::size_t word = 0; word < asked.word_count(); ++word) of.known.words()[word] |= asked.word(word);
}

void placement::tell_step(const rule& filter, std::uint64_t before, const std::string& reason) {
  const std::uint64_t left = passed_.count();
  call_.explain({filter.name, before, left, left < before ? std::string_view(reason) : std::string_view()});
}

// Sets the weights of the rows in passed_.
void placement::weigh(std::uint32_t instance) {
  std::fill(weights_.begin(), weights_.end(), 0.0);
  order_ = seed_of(instance, ~std::uint32_t{0});
  if (passed_.none()) return;
  for (std::size_t index = 0; index < policy_.weighers().size(); ++index)
    score(policy_.weighers()[index], index, instance);
}

void placement::score(const rule& weigher, std::size_t index, std::uint32_t instance) {
  const std::uint32_t rows = request_.view().rows();
  if (weighers_.size() == index) {
    weighers_.push_back(
        {call_.empty_bitmap(rows), call_.empty_bitmap(rows), policy_.numbers(index + 1, weights_.size())});
    std::fill(weighers_.back().scores.begin(), weighers_.back().scores.end(), 0.0);
  }
  weighed& of = weighers_[index];
  gantry::bitmap asked = copy_of(passed_);
  if (!weigher.whole) asked.remove(of.known);
  for (std::size_t word = 0; word < asked.word_count(); ++word) {
    of.known.words()[word] |= asked.word(word);
    of.scored.words()[word] &= ~asked.word(word);
  }
  std::string reason;
  asked.remove(lacking(weigher.needs, asked, reason));
  if (!asked.none())
    policy_.weigh(weigher, asked, seed_of(instance, policy_.filters().size() + index), of.scores.data());
  for (std::size_t word = 0; word < asked.word_count(); ++word) of.scored.words()[word] |= asked.word(word);
  gantry::bitmap with_score = copy_of(passed_);
  with_score.keep(of.scored);
  const auto [least, greatest] = extremes_of(of.scores.data(), with_score.words(), rows);
  of.least = least;
  of.range = greatest > least ? greatest - least : 0;
  add_scores(weigher, of);
}

// A row without a score gets the worst one.
double placement::weighed::normalized(std::uint32_t row, double multiplier) const {
  if (!scored.test(row)) return multiplier < 0 ? 1 : 0;
  return range > 0 ? (scores[row] - least) / range : 0;
}

void placement::add_scores(const rule& weigher, const weighed& of) {
  const double range = of.range > 0 ? of.range : 1;
  for (std::size_t word = 0; word < passed_.word_count(); ++word) {
    const std::uint64_t wanted = passed_.word(word);
    double* const weights = weights_.data() + word * 64;
    if (wanted == 0) continue;
    if ((wanted & ~of.scored.word(word)) == 0) {
      const double* const scores = of.scores.data() + word * 64;
      for (std::size_t at = 0; at < 64; ++at) weights[at] += (scores[at] - of.least) / range * weigher.multiplier;
      continue;
    }
    for (std::uint64_t rest = wanted; rest != 0; rest &= rest - 1) {
      const auto at = static_cast<std::uint32_t>(__builtin_ctzll(rest));
      weights[at] += of.normalized(static_cast<std::uint32_t>(word * 64) + at, weigher.multiplier) * weigher.multiplier;
    }
  }
}

std::uint64_t placement::order_of(std::uint32_t row) const {
  return mixed(order_ + (std::uint64_t{row} + 1) * 0x9e3779b97f4a7c15u);
}

// Finds the row of the greatest weight, among equals the first in the order of the seed.
bool placement::best(std::uint32_t& row) const {
  const double greatest = extremes_of(weights_.data(), passed_.words(), passed_.rows()).greatest;
  std::uint64_t order = 0;
  bool found = false;
  for (std::size_t word = 0; word < passed_.word_count(); ++word) {
    std::uint64_t equal = passed_.word(word);
    if (equal != 0) equal &= marks_of_equal(weights_.data() + word * 64, greatest);
    for (; equal != 0; equal &= equal - 1) {
      const std::uint32_t each =
          static_cast<std::uint32_t>(word * 64) + static_cast<std::uint32_t>(__builtin_ctzll(equal));
      const std::uint64_t own = order_of(each);
      if (found && own >= order) continue;
      found = true;
      order = own;
      row = each;
    }
  }
  return found;
}

gantry::limits placement::limits(std::uint32_t row) const {
  return room_ ? room_->limits(row) : gantry::limits{};
}

gantry::code placement::place(std::uint32_t instance) {
  if (instance != 0) {
    filter(instance);
    weigh(instance);
    if (const auto claimable = request_.claimable()) passed_.keep(*claimable);
  }
  std::uint32_t row = 0;
  while (best(row)) {
    if (call_.should_stop())
      return call_.fail(gantry::code::deadline_exceeded, "the deadline passed while hosts were tried");
    const gantry::code code = call_.pick(instance, row, limits(row), weights_[row], {}, group_.bound());
    if (code == gantry::code::claim_lost) {
      ++lost_claims_;
      drop(row);
      continue;
    }
    if (code != gantry::code::ok) return code;
    ++placed_;
    const gantry::code offered = offer_alternates(instance, row);
    if (offered == gantry::code::ok && instance + 1 < request_.instances()) took(instance, row);
    return offered;
  }
  say_none_left(instance);
  return gantry::code::no_valid_host;
}

// A row whose claim was lost is not tried again in the request.
void placement::drop(std::uint32_t row) {
  passed_.clear(row);
  found_.rows().clear(row);
}

void placement::took(std::uint32_t instance, std::uint32_t row) {
  taken_.take(instance, row);
  policy_.show(taken_.view());
  group_.placed(row);
  group_.narrow(call_, found_.rows());
  if (room_) {
    room_.emplace(taken_.view(), request_);
    if (!room_->has(row)) found_.rows().clear(row);
  }
  for (filtered& each : filters_) {
    each.known.clear(row);
    each.said.passed.clear(row);
  }
  for (weighed& each : weighers_) each.known.clear(row);
}

gantry::code placement::offer_alternates(std::uint32_t instance, std::uint32_t chosen) {
  passed_.clear(chosen);
  std::uint32_t row = 0;
  for (std::uint32_t wanted = request_.alternates(); wanted != 0 && best(row);) {
    const gantry::code code = call_.alternate(instance, row, limits(row), weights_[row]);
    if (code == gantry::code::ok)
      --wanted;
    else if (code != gantry::code::claim_lost)
      return code;
    passed_.clear(row);
  }
  return gantry::code::ok;
}

void placement::say_none_left(std::uint32_t instance) {
  if (fitting_hosts_ == 0) {
    reason_ = emptied_by_.empty() ? found_.emptied_by() : emptied_by_;
    return;
  }
  reason_ = counted(fitting_hosts_, "host") + " could take an instance, none is left";
  if (placed_ != 0) reason_ += " after " + counted(placed_, "instance") + " of this request";
  if (placed_ != 0 && !emptied_by_.empty()) reason_ += " (" + emptied_by_ + ")";
  if (lost_claims_ != 0) {
    reason_ += request_.eligible() ? "; claims were refused on " : "; other requests were faster on ";
    reason_ += (lost_claims_ == 1 ? "" : "each of ") + counted(lost_claims_, "host");
  }
  call_.explain({"room", fitting_hosts_, 0, reason_, instance});
}

}  // namespace lua_driver
