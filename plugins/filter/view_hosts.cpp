// SPDX-License-Identifier: Apache-2.0
#include "view_hosts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include "claimed_documents.hpp"
#include "python/python_json.hpp"
#include "wide.hpp"

namespace filter_driver {

namespace {

namespace json = boost::json;

using reals = gantry::column<double>;
using integers = gantry::column<std::int64_t>;

json::value as_it_is(json::value value) {
  return value;
}

// cpu_info is a text of JSON in Nova, whatever it was reported as.
json::value as_text(json::value value) {
  if (value.is_null() || value.is_string()) return value;
  value = json::serialize(value);
  return value;
}

// Percentages are reported as fractions; all readings are whole numbers, cut off.
json::value reading_of(std::string_view name, const json::value& reported) {
  constexpr std::array fractions{"cpu.user.percent", "cpu.kernel.percent", "cpu.idle.percent", "cpu.iowait.percent",
                                 "cpu.percent"};
  if (!reported.is_number()) return reported;
  double value = reported.to_number<double>();
  if (std::find(fractions.begin(), fractions.end(), name) != fractions.end()) value *= 100;
  constexpr double beyond = 9e18;
  if (!(std::fabs(value) < beyond)) return value;
  return static_cast<std::int64_t>(value);
}

// Of a list of metrics the last of a name counts. One that has a reading for each NUMA node has none of its own.
json::value as_metrics(json::value value) {
  if (value.is_string()) {
    auto read = read_json(value.get_string());
    value = read.ok() ? std::move(read.value()) : json::value(nullptr);
  }
  const auto* const list = value.if_array();
  if (list == nullptr) return value;
  json::object by_name;
  for (const auto& each : *list) {
    const auto* const metric = each.if_object();
    const auto* const name = metric == nullptr ? nullptr : metric->if_contains("name");
    if (name == nullptr || !name->is_string()) continue;
    const auto* const reading = metric->if_contains("value");
    by_name[name->as_string()] = reading == nullptr ? json::value(nullptr) : reading_of(name->as_string(), *reading);
  }
  return by_name;
}

// The pools of Nova's PciDevicePoolList, each flat: its tags beside its own fields.
json::value as_pools(json::value value) {
  const auto data = [](json::value& object) -> json::value& {
    auto* const whole = object.if_object();
    auto* const inner = whole == nullptr ? nullptr : whole->if_contains("nova_object.data");
    return inner == nullptr ? object : *inner;
  };
  json::value& list = data(value);
  auto* const object = list.if_object();
  auto* const objects = object == nullptr ? &list : object->if_contains("objects");
  if (objects == nullptr || !objects->is_array()) return nullptr;
  json::array pools;
  for (auto& each : objects->as_array()) {
    auto* const pool = data(each).if_object();
    if (pool == nullptr) continue;
    json::object flat;
    for (const auto& [key, member] : *pool) {
      if (key != "tags") flat[key] = member;
    }
    if (const auto* const tags = pool->if_contains("tags"); tags != nullptr && tags->is_object())
      for (const auto& [key, member] : tags->as_object()) flat[key] = member;
    pools.push_back(std::move(flat));
  }
  return pools;
}

class cells final : public document_column {
  using documents = std::array<document_cache::document, block_rows>;

 public:
  cells(std::optional<gantry::column<gantry_json>> column, std::uint32_t rows, document_cache& cache,
        document_cache::form form, json::value nothing)
      : column_(column), rows_(rows), cache_(cache), form_(form), nothing_(std::move(nothing)) {}

  const json::value& at(std::uint32_t row) const override {
    if (!column_ || !column_->has(row)) return nothing_;
    if (seen_.empty()) seen_.resize(rows_ / block_rows + 1);
    auto& near = seen_[row / block_rows];
    if (near == nullptr) near = std::make_unique<documents>();
    auto& seen = (*near)[row % block_rows];
    if (!seen) seen = cache_.find((*column_)[row], form_);
    return *seen;
  }
  std::uint64_t identity(std::uint32_t row) const override {
    return column_ && column_->has(row) ? (*column_)[row].version : no_document;
  }
  void identities(std::uint32_t first, std::uint32_t count, std::uint64_t* into) const override {
    if (!column_ || !all_set(column_->validity_words(), first, count))
      return document_column::identities(first, count, into);
    run_wide([ into, count, values = column_->data() + first ]() __attribute__((always_inline)) {
      for (std::uint32_t i = 0; i < count; ++i) into[i] = values[i].version;
    });
  }

 private:
  static constexpr std::uint64_t no_document = UINT64_MAX;

  std::optional<gantry::column<gantry_json>> column_;
  std::uint32_t rows_;
  document_cache& cache_;
  document_cache::form form_;
  const json::value nothing_;
  mutable std::vector<std::unique_ptr<documents>> seen_;  // by blocks, made when one of its rows is asked for
};

int digit(char letter) {
  if (letter >= '0' && letter <= '9') return letter - '0';
  if (letter >= 'a' && letter <= 'f') return letter - 'a' + 10;
  if (letter >= 'A' && letter <= 'F') return letter - 'A' + 10;
  return -1;
}

std::string text_of(const gantry_uuid& uuid) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += hex[uuid.bytes[i] >> 4];
    text += hex[uuid.bytes[i] & 15];
  }
  return text;
}

class placed_instances final : public instance_column {
 public:
  placed_instances(gantry::call& call, std::optional<gantry::uuid_column> column,
                   const std::vector<placed_here>& placed)
      : call_(call), column_(column), placed_(placed) {}

  bool holds(std::uint32_t row, std::string_view uuid) const override {
    const auto wanted = uuid_in(uuid);
    if (!column_ || !wanted) return false;
    const auto here = (*column_)[row];
    return std::any_of(here.begin(), here.end(), [&](const gantry_uuid& each) {
      return std::equal(std::begin(each.bytes), std::end(each.bytes), std::begin(wanted->bytes));
    });
  }

  std::vector<std::uint32_t> rows_of(std::span<const std::string> uuids) const override {
    std::vector<std::uint32_t> rows;
    for (const auto& uuid : uuids) {
      const auto here =
          std::find_if(placed_.begin(), placed_.end(), [&](const placed_here& each) { return each.uuid == uuid; });
      if (here != placed_.end()) rows.push_back(here->row);
      // One that moves is on its old host as well.
      const auto found = call_.locate(uuid);
      if (found && found->row != UINT32_MAX && (here == placed_.end() || found->row != here->row))
        rows.push_back(found->row);
    }
    return rows;
  }

  void for_each(std::uint32_t row, const visitor& visit) const override {
    if (!column_) return;
    for (const auto& each : (*column_)[row]) {
      const auto uuid = text_of(each);
      const auto known = call_.locate(uuid);
      visit(uuid, {std::nullopt, known ? gantry::text(known->flavor) : std::string_view(), is_placed_here(uuid)});
    }
  }

 private:
  bool is_placed_here(std::string_view uuid) const {
    return std::any_of(placed_.begin(), placed_.end(), [uuid](const placed_here& each) { return each.uuid == uuid; });
  }

  gantry::call& call_;
  std::optional<gantry::uuid_column> column_;
  const std::vector<placed_here>& placed_;
};

// Of what the view has by itself: asked by name, the host would make a column of zeros of what nothing claims.
std::optional<reals> find_real(const gantry::view& view, std::string_view name) {
  const auto& raw = view.raw();
  const auto* at = reinterpret_cast<const char*>(raw.columns);
  for (std::uint32_t index = 0; index < raw.column_count; ++index, at += raw.column_stride) {
    const auto& column = *reinterpret_cast<const gantry_column*>(at);
    if (column.type == GANTRY_TYPE_F64 && gantry::text(column.name) == name) return reals(column, view.rows());
  }
  return std::nullopt;
}

template <class Column>
double value_or_zero(const Column& column, std::uint32_t row) {
  return column.has(row) ? static_cast<double>(column[row]) : 0.0;
}
template <class Column>
double value_or_zero(const std::optional<Column>& column, std::uint32_t row) {
  return column ? value_or_zero(*column, row) : 0.0;
}

// Each of the rows has a value. One row alone may be any.
template <class Column>
bool is_dense(const Column& column, std::uint32_t first, std::uint32_t count) {
  return count != 1 && all_set(column.validity_words(), first, count);
}

// What is free as reported; of a host that reports no such number, what it does not use.
double left_of(const std::optional<reals>& free, const std::optional<integers>& total, const std::optional<reals>& used,
               std::uint32_t row) {
  if (free && free->has(row)) return (*free)[row];
  return value_or_zero(total, row) - value_or_zero(used, row);
}

}  // namespace

std::optional<gantry_uuid> uuid_in(std::string_view text) {
  gantry_uuid uuid{};
  std::size_t digits = 0;
  for (const char letter : text) {
    if (letter == '-') continue;
    const int value = digit(letter);
    if (value < 0 || digits == 32) return std::nullopt;
    uuid.bytes[digits / 2] = static_cast<std::uint8_t>(uuid.bytes[digits / 2] * 16 + value);
    ++digits;
  }
  if (digits != 32) return std::nullopt;
  return uuid;
}

struct view_hosts::columns {
  columns(gantry::call& call, const gantry::view& shown, document_cache& cache, const std::vector<placed_here>& placed)
      : view(shown), documents(cache), instances(call, shown.find<gantry::uuid_column>("instances"), placed) {}

  number_column real(std::string_view name) const {
    const auto column = view.find<reals>(name);
    if (!column) return zeros();
    return number_column(column->data(), column->validity_words());
  }
  number_column integer(std::string_view name) const {
    const auto column = view.find<integers>(name);
    if (!column) return zeros();
    return number_column(column->data(), column->validity_words());
  }
  static number_column zeros() {
    return number_column([](auto, auto count, double* into) { std::fill_n(into, count, 0.0); });
  }
  // As reported, or else under the other name, and what claims hold that no report has told of yet.
  number_column with_claims(std::string_view name, std::string_view otherwise) const {
    const auto reported = view.find<integers>(name);
    const auto instead = view.find<integers>(otherwise);
    const auto claims = view.find<reals>("claims.instances");
    return number_column([=](std::uint32_t first, std::uint32_t count, double* into) {
      if (reported && claims && is_dense(*reported, first, count) && is_dense(*claims, first, count)) {
        run_wide([ into, a = reported->data() + first, b = claims->data() + first, count = std::size_t{count} ]()
                     __attribute__((always_inline)) {
                       for (std::size_t i = 0; i < count; ++i) into[i] = static_cast<double>(a[i]) + b[i];
                     });
        return;
      }
      for (std::uint32_t i = 0; i < count; ++i) {
        const bool is_reported = reported && reported->has(first + i);
        into[i] = value_or_zero(is_reported ? reported : instead, first + i) + value_or_zero(claims, first + i);
      }
    });
  }
  number_column gigabytes_in_mb(std::string_view name) const {
    return number_column([column = real(name)](std::uint32_t first, std::uint32_t count, double* into) {
      const double* const gigabytes = column.read(first, count, into);
      for (std::uint32_t i = 0; i < count; ++i) into[i] = gigabytes[i] * 1024;
    });
  }
  number_column free_memory() const {
    const auto free = view.find<reals>("free_ram_mb");
    const auto total = view.find<integers>("memory_mb");
    const auto used = view.find<reals>("memory_mb_used");
    number_column::fill made = [free, total, used](std::uint32_t first, std::uint32_t count, double* into) {
      for (std::uint32_t i = 0; i < count; ++i) into[i] = left_of(free, total, used, first + i);
    };
    return free ? number_column(free->data(), free->validity_words(), std::move(made)) : number_column(std::move(made));
  }
  // The lesser of what is free and what the disk has really got.
  number_column free_disk() const {
    const auto free = view.find<reals>("free_disk_gb");
    const auto least = view.find<integers>("disk_available_least");
    const auto total = view.find<integers>("local_gb");
    const auto used = view.find<reals>("local_gb_used");
    return number_column([=](std::uint32_t first, std::uint32_t count, double* into) {
      if (free && least && is_dense(*free, first, count) && is_dense(*least, first, count)) {
        run_wide([ into, a = free->data() + first, b = least->data() + first, count = std::size_t{count} ]()
                     __attribute__((always_inline)) {
                       for (std::size_t i = 0; i < count; ++i) {
                         const auto available = static_cast<double>(b[i]);
                         into[i] = (available < a[i] ? available : a[i]) * 1024;
                       }
                     });
        return;
      }
      for (std::uint32_t i = 0; i < count; ++i) {
        double free_gb = left_of(free, total, used, first + i);
        if (least && least->has(first + i)) free_gb = std::min(free_gb, static_cast<double>((*least)[first + i]));
        into[i] = free_gb * 1024;
      }
    });
  }
  text_codes texts(std::string_view name) const {
    const auto column = view.find<gantry::text_column>(name);
    if (!column) return {};
    const auto dictionary = column->dictionary();
    return {column->codes(), column->validity_words(), {dictionary.data(), dictionary.size()}};
  }
  // `nothing`: of hosts that reported none.
  const document_column* json_of(std::string_view name, document_cache::form form = as_it_is,
                                 json::value nothing = nullptr) {
    return &kept.emplace_back(view.find<gantry::column<gantry_json>>(name), view.rows(), documents, form,
                              std::move(nothing));
  }
  // What a host has reported, and what claims hold that no report has told of yet.
  const document_column* with_claims(const document_column* reported, std::string_view count,
                                     claimed_documents::change change) {
    const auto counts = find_real(view, count);
    if (!counts) return reported;
    return &claimed.emplace_back(*reported, view, *counts, change);
  }
  const std::uint64_t* flags(std::string_view name) const { return view.flags(name).values().data(); }

  aggregate_sets aggregates() const {
    std::vector<aggregate> all;
    all.reserve(view.aggregate_count());
    for (std::size_t index = 0; index < view.aggregate_count(); ++index) {
      const auto& raw = view.aggregate(index);
      all.push_back({raw.id, gantry::text(raw.uuid), gantry::text(raw.name), text_pairs(raw.metadata)});
    }
    const auto column = view.find<gantry::set_column>("aggregates");
    if (!column) return {};
    const auto sets = column->slices();
    return {column->codes(), column->validity_words(), {sets.data(), sets.size()}, column->elements(), std::move(all)};
  }

  const gantry::view view;
  document_cache& documents;
  placed_instances instances;
  std::deque<cells> kept;
  std::deque<claimed_documents> claimed;
};

view_hosts::~view_hosts() = default;

view_hosts::view_hosts(gantry::call& call, const gantry::view& view, document_cache& documents,
                       const std::vector<placed_here>& placed)
    : columns_(std::make_unique<columns>(call, view, documents, placed)) {
  auto& from = *columns_;
  table_.rows = view.rows();
  table_.host = from.texts("host");
  table_.service_host = table_.host;
  table_.nodename = from.texts("hypervisor_hostname");
  table_.host_ip = from.texts("host_ip");
  table_.hypervisor_type = from.texts("hypervisor_type");
  table_.availability_zone = from.texts("availability_zone");
  table_.hypervisor_hostname = table_.nodename;
  table_.uuid = from.texts("uuid");
  table_.cell_uuid = from.texts("stats.cell_uuid");
  table_.free_ram_mb = from.free_memory();
  table_.total_usable_ram_mb = from.integer("memory_mb");
  table_.free_disk_mb = from.free_disk();
  table_.total_usable_disk_gb = from.integer("local_gb");
  table_.disk_mb_used = from.gigabytes_in_mb("local_gb_used");
  table_.vcpus_total = from.integer("vcpus");
  table_.vcpus_used = from.real("vcpus_used");
  table_.num_instances = from.with_claims("stats.num_instances", "running_vms");
  table_.num_io_ops = from.with_claims("stats.io_workload", "current_workload");
  table_.failed_builds = from.integer("stats.failed_builds");
  table_.cpu_allocation_ratio = from.real("cpu_allocation_ratio");
  table_.ram_allocation_ratio = from.real("ram_allocation_ratio");
  table_.disk_allocation_ratio = from.real("disk_allocation_ratio");
  table_.hypervisor_version = from.integer("hypervisor_version");
  table_.service_disabled = from.flags("disabled");
  table_.service_up = from.flags("up");
  table_.cpu_info = from.json_of("cpu_info", as_text);
  table_.supported_instances = from.json_of("supported_instances", as_it_is, json::array());
  table_.stats = from.json_of("stats", as_it_is, json::object());
  table_.capabilities = from.json_of("capabilities");
  table_.metrics = from.json_of("metrics", as_metrics, json::object());
  table_.numa_topology = from.with_claims(from.json_of("numa_topology"), "claims.numa", topology_with_claims);
  table_.pci_stats =
      from.with_claims(from.json_of("pci_stats", as_pools, json::array()), "claims.pci", pools_with_claims);
  table_.aggregates = from.aggregates();
  table_.instances = &from.instances;
}

}  // namespace filter_driver
