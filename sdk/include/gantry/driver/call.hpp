// SPDX-License-Identifier: Apache-2.0
//
// One call into a driver, and the services of the host during the call. Use a call only on its own thread and inside
// the operation that received it. Everything that it returns is valid until that operation returns.
#pragma once

#include <gantry/driver.h>
#include <gantry/ext/candidates.h>
#include <gantry/driver/bitmap.hpp>
#include <gantry/driver/failure.hpp>
#include <gantry/driver/host_explanation.hpp>
#include <gantry/driver/text.hpp>
#include <gantry/driver/view.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace gantry {

enum class level : std::int32_t {
  debug = GANTRY_LOG_DEBUG,
  info = GANTRY_LOG_INFO,
  warning = GANTRY_LOG_WARNING,
  error = GANTRY_LOG_ERROR
};

constexpr std::nullopt_t unbounded = std::nullopt;  // a limit that allows any amount
constexpr std::uint32_t all_instances = UINT32_MAX;

// The candidate of a pick: by group an index into gantry_candidates.providers. Empty: the choice is left open.
using chosen_providers = span<const std::uint32_t>;

// Totals that the use of a row may reach, as Nova's filters set them. The limits of a pick.
struct limits {
  std::optional<double> vcpu = unbounded;
  std::optional<double> memory_mb = unbounded;
  std::optional<double> disk_gb = unbounded;
  std::string_view other = {};  // JSON object that the caller gets in the destination's limits, unchanged
};

// The rule of the request's server group. The host checks the rule again when it claims a pick, because other requests
// may have placed members since the view was made. A member is live if it is on a host or claimed.
struct group_bound {
  std::uint32_t most_on_a_host = 0;  // most live members on the host, the new one included; 0: any number
  bool together = false;             // the host must have a live member already, unless the group has none
};

// One step of the decision, e.g. a filter: how many hosts went in, how many were left, and why hosts were removed.
struct step {
  std::string_view name;
  std::uint64_t hosts_in = 0;
  std::uint64_t hosts_out = 0;
  std::string_view reason = {};  // why hosts were removed; may be empty
  std::uint32_t instance = all_instances;
};

// An amount of a named resource to claim, and the total that claims of the resource may reach on the row. Has the
// layout of the ABI's struct.
struct claim_item : gantry_claim_item {
  // cppcheck-suppress uninitDerivedMemberVar ; the base is an aggregate, and given whole
  claim_item(std::string_view resource_name, double wanted, std::optional<double> most = unbounded) noexcept
      : gantry_claim_item{gantry::raw(resource_name), wanted, most.value_or(0),
                          most ? std::uint32_t{GANTRY_CLAIM_LIMIT} : 0, 0} {}
};
static_assert(sizeof(claim_item) == sizeof(gantry_claim_item), "an array of them is one of the ABI's");

// A list of items that are claimed together, all or none. Refers to an array of the caller.
class claim_items {
 public:
  claim_items() noexcept = default;
  claim_items(const claim_item* first, std::size_t count) noexcept
      : data_(first), size_(static_cast<std::uint32_t>(count)) {}
  const claim_item* data() const noexcept { return data_; }
  std::uint32_t size() const noexcept { return size_; }

 private:
  const claim_item* data_ = nullptr;
  std::uint32_t size_ = 0;
};

// [any] The host services that need no call. Valid from the driver's create to its destroy.
class host {
 public:
  explicit host(const gantry_host& raw) noexcept : raw_(&raw) {}

  std::string_view name() const noexcept { return text(raw_->name); }
  std::string_view version() const noexcept { return text(raw_->version); }
  bool logs(level level) const noexcept { return raw_->log_enabled(raw_, static_cast<std::int32_t>(level)) != 0; }
  void log(level level, std::string_view message) const noexcept {
    raw_->log(raw_, nullptr, static_cast<std::int32_t>(level), gantry::raw(message));
  }
  void count(std::string_view counter, std::uint64_t amount = 1) const noexcept {
    raw_->count(raw_, gantry::raw(counter), amount);
  }
  // Returns the table of the extension with this id ("gantry.<name>/<revision>"). nullptr if the host does not offer
  // the extension.
  const void* extension(std::string_view id) const noexcept { return raw_->extension(raw_, gantry::raw(id)); }
  const gantry_host& raw() const noexcept { return *raw_; }

 private:
  const gantry_host* raw_;
};

// One call of an operation, with the host services that need it.
class call {
 public:
  call(const gantry_host& host, gantry_call* raw) noexcept : host_(host), api_(&host), raw_(raw) {}
  call(const call&) = delete;
  call& operator=(const call&) = delete;

  const gantry::host& host() const noexcept { return host_; }
  gantry_call* raw() const noexcept { return raw_; }

  // ---- reporting
  // Sets the sentence of a failure, for people. A later sentence replaces an earlier one. Returns `code`.
  code fail(code code, std::string_view sentence) noexcept {
    failed_ = code;
    return static_cast<gantry::code>(api_->fail(raw_, static_cast<gantry_code>(code), gantry::raw(sentence)));
  }
  code failed() const noexcept { return failed_; }  // the code of the last fail; ok if there was none
  bool logs(level level) const noexcept { return host_.logs(level); }
  void log(level level, std::string_view message) noexcept {
    api_->log(api_, raw_, static_cast<std::int32_t>(level), gantry::raw(message));
  }
  // Records one step of the decision. A NoValidHost answer shows the steps in the order of these calls.
  void explain(const step& step) noexcept {
    const gantry_step raw_step = {sizeof(gantry_step), step.instance,  gantry::raw(step.name),
                                  step.hosts_in,       step.hosts_out, gantry::raw(step.reason)};
    api_->explain(raw_, &raw_step);
  }
  // Explains one host. Call it at most once for each instance and row, for the best hosts first. Returns
  // resource_exhausted if there is no room for more explanations.
  code explain_host(const gantry::host_explanation& explanation) noexcept {
    gantry_host_explanation raw_explanation = {};
    raw_explanation.struct_size = sizeof(gantry_host_explanation);
    raw_explanation.instance = explanation.instance;
    raw_explanation.row = explanation.row;
    raw_explanation.present = (explanation.weight ? std::uint32_t{GANTRY_EXPLANATION_WEIGHT} : 0) |
                              (explanation.rank ? std::uint32_t{GANTRY_EXPLANATION_RANK} : 0);
    raw_explanation.verdicts = explanation.verdicts.data();
    raw_explanation.verdict_count = static_cast<std::uint32_t>(explanation.verdicts.size());
    raw_explanation.verdict_stride = sizeof(gantry_verdict);
    raw_explanation.terms = explanation.terms.data();
    raw_explanation.term_count = static_cast<std::uint32_t>(explanation.terms.size());
    raw_explanation.term_stride = sizeof(gantry_term);
    raw_explanation.weight = explanation.weight.value_or(0);
    raw_explanation.rank = explanation.rank.value_or(0);
    if (explain_ == nullptr) explain_ = extension<gantry_explain>(GANTRY_EXPLAIN_EXTENSION);
    return explain_ == nullptr ? code::unsupported : static_cast<code>(explain_->explain_host(raw_, &raw_explanation));
  }

  // ---- the input of the call
  const gantry_context& context() const noexcept { return *api_->context(raw_); }
  bool should_stop() const noexcept { return api_->should_stop(raw_) != 0; }
  std::int64_t time_left_ns() const noexcept { return api_->time_left_ns(raw_); }
  std::int64_t now() const noexcept { return api_->now(raw_); }  // nanoseconds since 1970 UTC, constant in a call
  gantry::view view_of(const gantry_view& view) const noexcept { return {*api_, raw_, view}; }
  // Returns the view of another topic at the same moment. nullopt if the topic is unknown.
  std::optional<gantry::view> view_of_topic(std::string_view topic) const noexcept {
    const gantry_view* found = api_->view(raw_, gantry::raw(topic));
    if (found == nullptr) return std::nullopt;
    return view_of(*found);
  }
  // Returns the allocation candidates of the request. nullptr: there is nothing to choose.
  const gantry_candidates* candidates() const noexcept {
    const auto* const table = extension<gantry_candidate_services>(GANTRY_CANDIDATES_EXTENSION);
    return table == nullptr ? nullptr : table->of(raw_);
  }
  // Finds the row of an instance, which may be a claimed one. nullopt if the instance is on no host.
  std::optional<gantry_location> locate(std::string_view instance_uuid) const noexcept {
    gantry_location found = {};
    found.struct_size = sizeof(gantry_location);
    if (api_->locate(raw_, gantry::raw(instance_uuid), &found) != GANTRY_OK) return std::nullopt;
    return found;
  }

  // ---- random numbers, the same numbers for the same seed of the call
  // Returns 64 random bits.
  std::uint64_t random() noexcept { return api_->random(raw_); }

  // Returns a number from 0 to bound-1, each with equal probability. Requires bound >= 1. Uses Lemire's method: the
  // upper half of the 128-bit product random() * bound, drawn again while the lower half is below 2^64 mod bound.
  std::uint64_t random_below(std::uint64_t bound) noexcept {
    __extension__ using wide = unsigned __int128;
    wide product = wide{random()} * bound;
    if (static_cast<std::uint64_t>(product) < bound) {
      const std::uint64_t uneven = (0 - bound) % bound;  // 2^64 mod bound
      while (static_cast<std::uint64_t>(product) < uneven) product = wide{random()} * bound;
    }
    return static_cast<std::uint64_t>(product >> 64);
  }

  // ---- memory that is released when the operation returns
  // Returns `count` uninitialised elements. Throws std::bad_alloc if memory has run out, which ends the operation with
  // resource_exhausted.
  template <class Element>
  span<Element> scratch(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<Element> && std::is_trivially_destructible_v<Element>,
                  "scratch memory is released without running destructors");
    constexpr std::uint64_t align = alignof(Element) > 64 ? alignof(Element) : 64;
    static_assert(align == 64, "the host aligns up to 64");
    void* memory = api_->scratch(raw_, count * sizeof(Element), align);
    if (memory == nullptr) throw std::bad_alloc();
    return {static_cast<Element*>(memory), count};
  }
  // Returns a set of rows that is empty. Throws std::bad_alloc.
  bitmap empty_bitmap(std::uint32_t rows) {
    const span<std::uint64_t> words = scratch<std::uint64_t>((std::size_t{rows} + 64) / 64);
    std::memset(words.data(), 0, words.size() * sizeof(std::uint64_t));
    return {words.data(), rows};
  }

  // ---- derived views: copies of a view into which a driver writes what the instances that it has placed consume
  // Returns a copy of a view for writing. A column is copied only when it is written. Throws std::bad_alloc.
  gantry::view derive(const gantry::view& view) {
    const gantry_view* derived = api_->derive(raw_, &view.raw());
    if (derived == nullptr) throw std::bad_alloc();
    return view_of(*derived);
  }
  // Returns the derived view's own copy of a column of std::int64_t, double or gantry_json, for writing. The first call
  // for a column makes the copy. Throws gantry::failure if the view has no such column.
  template <class Value>
  span<Value> write(const gantry::view& derived, std::string_view name) {
    if (!derived.find<column<Value>>(name)) throw failure(code::internal, "no such column: " + std::string(name));
    gantry_writable writable = {};
    writable.struct_size = sizeof(gantry_writable);
    expect_ok(api_->write(raw_, &derived.raw(), gantry::raw(name), &writable), "write", name);
    return {static_cast<Value*>(writable.values), derived.rows()};
  }
  // Adds an element to a row's list in a derived view: a gantry_uuid to "instances", an index for view::aggregate to
  // "aggregates". A column object that was read before is out of date afterwards: find the column again.
  void append(const gantry::view& derived, std::string_view name, std::uint32_t row, const gantry_uuid& element) {
    expect_ok(api_->append(raw_, &derived.raw(), gantry::raw(name), row, &element), "append", name);
  }
  void append(const gantry::view& derived, std::string_view name, std::uint32_t row, std::uint32_t element) {
    expect_ok(api_->append(raw_, &derived.raw(), gantry::raw(name), row, &element), "append", name);
  }

  // ---- deciding
  // Chooses a row for an instance, and in the same step claims the instance's resources and `items`. On claim_lost try
  // the next choice. On any other code than ok return that code. `weight` is only shown in the decision record.
  [[nodiscard]] code pick(std::uint32_t instance, std::uint32_t row, const limits& limits = {},
                          std::optional<double> weight = std::nullopt, const claim_items& items = {},
                          const group_bound& bound = {}, const chosen_providers& providers = {}) noexcept {
    gantry_pick pick = raw_pick(instance, row, limits, weight, items);
    if (const code chosen = choose(pick, providers); chosen != code::ok) return chosen;
    pick.group_limit = bound.most_on_a_host;
    if (bound.most_on_a_host != 0) pick.present |= GANTRY_PICK_APART;
    if (bound.together) pick.present |= GANTRY_PICK_TOGETHER;
    return static_cast<code>(api_->pick(raw_, &pick));
  }
  // Names a further choice for an instance. The order of the calls is the order of preference. Claims nothing.
  [[nodiscard]] code alternate(std::uint32_t instance, std::uint32_t row, const limits& limits = {},
                               std::optional<double> weight = std::nullopt,
                               const chosen_providers& providers = {}) noexcept {
    gantry_pick pick = raw_pick(instance, row, limits, weight, {});
    if (const code chosen = choose(pick, providers); chosen != code::ok) return chosen;
    return static_cast<code>(api_->alternate(raw_, &pick));
  }
  // Says why this instance gets no row. For schedule_run_instance.
  [[nodiscard]] code refuse(std::uint32_t instance, std::string_view reason) noexcept {
    return static_cast<code>(api_->refuse(raw_, instance, gantry::raw(reason)));
  }

  // ---- custom methods
  // Claims named resources of a row for a consumer, all or none, beside all that the consumer holds already. `consumer`
  // is an id: a report of the host that lists the id ends the claim. Returns claim_lost if a limit would be exceeded.
  [[nodiscard]] code claim(std::uint32_t row, std::string_view consumer, const claim_items& items) noexcept {
    const gantry_claim claim = {sizeof(gantry_claim), row,          gantry::raw(consumer),
                                items.data(),         items.size(), sizeof(gantry_claim_item)};
    return static_cast<code>(api_->claim(raw_, &claim));
  }
  // Example: call.claim(row, consumer, {{"gpu", 1, 4}, {"fpga", 1}})
  [[nodiscard]] code claim(std::uint32_t row, std::string_view consumer,
                           std::initializer_list<claim_item> items) noexcept {
    return claim(row, consumer, claim_items(items.begin(), items.size()));
  }
  // Gives the answer of the operation, as JSON. Call it at most once.
  [[nodiscard]] code reply(std::string_view json) noexcept {
    return static_cast<code>(api_->reply(raw_, gantry::raw(json)));
  }
  // Queues a message to the service of a row. `args` is a JSON object. If `consumer` names a claim of this call, the
  // claim does not expire before the message is acknowledged.
  [[nodiscard]] code cast(std::uint32_t row, std::string_view method, std::string_view args,
                          std::string_view consumer = {}) noexcept {
    const gantry_cast cast = {sizeof(gantry_cast), row, gantry::raw(consumer), gantry::raw(method), gantry::raw(args)};
    return static_cast<code>(api_->cast(raw_, &cast));
  }

 private:
  static void expect_ok(gantry_code answer, const char* service, std::string_view name) {
    if (answer != GANTRY_OK)
      throw host_failure(static_cast<code>(answer), std::string(service) + " " + std::string(name));
  }

  template <class Table>
  const Table* extension(const char* id) const noexcept {
    return static_cast<const Table*>(api_->extension(api_, gantry::raw(id)));
  }

  code choose(const gantry_pick& pick, const chosen_providers& providers) const noexcept {
    if (providers.empty()) return code::ok;
    const auto* const table = extension<gantry_candidate_services>(GANTRY_CANDIDATES_EXTENSION);
    if (table == nullptr) return code::unsupported;
    return static_cast<code>(
        table->choose(raw_, pick.instance, pick.row, providers.data(), static_cast<std::uint32_t>(providers.size())));
  }

  static gantry_pick raw_pick(std::uint32_t instance, std::uint32_t row, const limits& limits,
                              std::optional<double> weight, const claim_items& items) noexcept {
    gantry_pick pick = {};
    pick.struct_size = sizeof(gantry_pick);
    pick.instance = instance;
    pick.row = row;
    const auto set = [&pick](double& number, std::optional<double> value, std::uint32_t bit) {
      if (!value) return;
      number = *value;
      pick.present |= bit;
    };
    set(pick.weight, weight, GANTRY_PICK_WEIGHT);
    set(pick.limits.vcpu, limits.vcpu, GANTRY_LIMIT_VCPU);
    set(pick.limits.memory_mb, limits.memory_mb, GANTRY_LIMIT_MEMORY_MB);
    set(pick.limits.disk_gb, limits.disk_gb, GANTRY_LIMIT_DISK_GB);
    pick.limits.other = gantry::raw(limits.other);
    pick.items = items.data();
    pick.item_count = items.size();
    pick.item_stride = sizeof(gantry_claim_item);
    return pick;
  }

  gantry::host host_;
  const gantry_host* api_;
  gantry_call* raw_;
  code failed_ = code::ok;
  const gantry_explain* explain_ = nullptr;  // once a host was explained
};

}  // namespace gantry
