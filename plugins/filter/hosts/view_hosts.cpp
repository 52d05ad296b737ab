// SPDX-License-Identifier: Apache-2.0
#include "hosts/view_hosts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <list>
#include <optional>
#include <string>
#include <vector>

#include "hosts/claimed_documents.hpp"
#include "hosts/document_forms.hpp"
#include "hosts/wide.hpp"
#include "python/python_json.hpp"

namespace filter_driver {

namespace {

namespace json = boost::json;

using reals = gantry::column<double>;
using integers = gantry::column<std::int64_t>;

std::string uuid_text(const gantry_uuid& uuid) {
  constexpr std::string_view hex = "0123456789abcdef";
  std::string text;
  for (std::size_t i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += hex[uuid.bytes[i] >> 4];
    text += hex[uuid.bytes[i] & 15];
  }
  return text;
}

// The view's own column of that name. nullptr if the view has none.
const gantry_column* own_column(const gantry::view& view, std::string_view name) {
  const auto& raw = view.raw();
  for (std::size_t index = 0; index < raw.column_count; ++index) {
    const auto* const columns = reinterpret_cast<const char*>(raw.columns);
    const auto* const column = reinterpret_cast<const gantry_column*>(columns + index * raw.column_stride);
    if (gantry::text(column->name) == name) return column;
  }
  return nullptr;
}

template <class Column>
double value_or_zero(const Column& column, std::uint32_t row) {
  return column.has(row) ? static_cast<double>(column[row]) : 0.0;
}
template <class Column>
double value_or_zero(const std::optional<Column>& column, std::uint32_t row) {
  return column ? value_or_zero(*column, row) : 0.0;
}

// Returns true if each of the rows has a value. Returns false for a single row, since `first` may then be any row.
template <class Column>
bool is_dense(const Column& column, std::uint32_t first, std::uint32_t count) {
  return count != 1 && all_set(column.validity_words(), first, count);
}

}  // namespace

constexpr std::uint64_t no_document = UINT64_MAX;

class document_cells final : public document_column {
  using documents = std::array<document_cache::document, block_rows>;

 public:
  document_cells(std::optional<gantry::column<gantry_json>> column, std::uint32_t rows, document_cache& cache,
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
  std::optional<gantry::column<gantry_json>> column_;
  std::uint32_t rows_;
  document_cache& cache_;
  document_cache::form form_;
  json::value nothing_;
  mutable std::vector<std::unique_ptr<documents>> seen_;  // by block, filled when a row of the block is read
};

// Cells that change with each instance. They are parsed when they are read, which a reader does once for each change, and
// not kept beyond the call.
class passing_cells final : public document_column {
 public:
  explicit passing_cells(gantry::column<gantry_json> column) : column_(column) {}

  const json::value& at(std::uint32_t row) const override {
    if (!column_.has(row)) return nothing_;
    auto read = read_json(gantry::text(column_[row].text));
    return read.ok() ? parsed_.emplace_back(std::move(read.value())) : nothing_;
  }
  std::uint64_t identity(std::uint32_t row) const override {
    return column_.has(row) ? column_[row].version : no_document;
  }

 private:
  gantry::column<gantry_json> column_;
  const json::value nothing_ = nullptr;
  mutable std::deque<json::value> parsed_;
};

class placed_instances final : public instance_column {
 public:
  placed_instances(gantry::call& call, std::optional<gantry::uuid_column> column,
                   const std::vector<placed_here>& placed)
      : call_(call), column_(column), placed_(placed) {}

  bool holds(std::uint32_t row, std::string_view uuid) const override {
    const auto wanted = gantry::parse_uuid(uuid);
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
      // An instance that moves is on its old host too.
      const auto found = call_.locate(uuid);
      if (found && found->row != UINT32_MAX && (here == placed_.end() || found->row != here->row))
        rows.push_back(found->row);
    }
    return rows;
  }

  void for_each(std::uint32_t row, const visitor& visit) const override {
    if (!column_) return;
    for (const auto& each : (*column_)[row]) {
      const auto uuid = uuid_text(each);
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

// A count that the host reports, under its first name or else under the other one, plus the claims that no report
// includes yet.
struct reported_count {
  std::optional<integers> reported;
  std::optional<integers> instead;
  std::optional<reals> claims;

  void fill(std::uint32_t first, std::uint32_t count, double* into) const {
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
  }
};

// The free amount of a resource: as reported, or else the total minus the used amount.
struct left_over {
  std::optional<reals> free;
  std::optional<integers> total;
  std::optional<reals> used;
  std::optional<integers> least;  // disk only: the really available amount, which counts if it is less

  double of(std::uint32_t row) const {
    if (free && free->has(row)) return (*free)[row];
    return value_or_zero(total, row) - value_or_zero(used, row);
  }
  void fill(std::uint32_t first, std::uint32_t count, double* into) const {
    for (std::uint32_t i = 0; i < count; ++i) into[i] = of(first + i);
  }
  void fill_disk(std::uint32_t first, std::uint32_t count, double* into) const {
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
      double free_gb = of(first + i);
      if (least && least->has(first + i)) free_gb = std::min(free_gb, static_cast<double>((*least)[first + i]));
      into[i] = free_gb * 1024;
    }
  }
  // Disk only: the total minus the used amount, or the free amount where no use is reported.
  void fill_unallocated_disk(std::uint32_t first, std::uint32_t count, double* into) const {
    if (total && used && is_dense(*total, first, count) && is_dense(*used, first, count)) {
      run_wide([ into, a = total->data() + first, b = used->data() + first, count = std::size_t{count} ]()
                   __attribute__((always_inline)) {
                     for (std::size_t i = 0; i < count; ++i) into[i] = (static_cast<double>(a[i]) - b[i]) * 1024;
                   });
      return;
    }
    for (std::uint32_t row = first; row < first + count; ++row) {
      const bool has_use = used && used->has(row);
      into[row - first] = 1024 * (has_use ? value_or_zero(total, row) - (*used)[row] : of(row));
    }
  }
};

struct view_hosts::columns {
  columns(gantry::call& call, const gantry::view& shown, document_cache& known, const std::vector<placed_here>& placed)
      : view(shown), documents(known), instances(call, find<gantry::uuid_column>("instances"), placed) {
    kept.reserve(8);  // more than json_of() adds, so that no element moves
  }

  // Finds a column that the view itself has.
  template <class Column>
  std::optional<Column> find_own(std::string_view name) {
    const auto* const raw = own_column(view, name);
    if (raw == nullptr || raw->type != Column::type) return std::nullopt;
    return Column(*raw, view.rows());
  }
  // Finds a column by name. The core has more columns than the view lists: zeros for a resource without claims.
  template <class Column>
  std::optional<Column> find(std::string_view name) {
    auto found = find_own<Column>(name);
    return found ? found : view.find<Column>(name);
  }

  number_column real(std::string_view name) {
    const auto column = find<reals>(name);
    if (!column) return zeros();
    return number_column(column->data(), column->validity_words());
  }
  number_column integer(std::string_view name) {
    const auto column = find<integers>(name);
    if (!column) return zeros();
    return number_column(column->data(), column->validity_words());
  }
  static number_column zeros() {
    return number_column([](auto, auto count, double* into) { std::fill_n(into, count, 0.0); });
  }
  // `parts` must outlive the column. The function captures only a reference, so std::function does not allocate memory.
  number_column with_claims(reported_count& parts, std::string_view name, std::string_view otherwise) {
    parts = {find<integers>(name), find<integers>(otherwise), find<reals>("claims.instances")};
    return number_column([&parts](auto first, auto count, double* into) { parts.fill(first, count, into); });
  }
  number_column gigabytes_in_mb(std::string_view name) {
    gigabytes = real(name);
    return number_column([this](std::uint32_t first, std::uint32_t count, double* into) {
      const double* const values = gigabytes.read(first, count, into);
      for (std::uint32_t i = 0; i < count; ++i) into[i] = values[i] * 1024;
    });
  }
  number_column free_memory() {
    memory_left = {find<reals>("free_ram_mb"), find<integers>("memory_mb"), find<reals>("memory_mb_used"), {}};
    number_column::fill made = [this](auto first, auto count, double* into) { memory_left.fill(first, count, into); };
    const auto& free = memory_left.free;
    return free ? number_column(free->data(), free->validity_words(), std::move(made)) : number_column(std::move(made));
  }
  number_column free_disk() {
    disk_left = {find<reals>("free_disk_gb"), find<integers>("local_gb"), find<reals>("local_gb_used"),
                 find<integers>("disk_available_least")};
    return number_column([this](auto first, auto count, double* into) { disk_left.fill_disk(first, count, into); });
  }
  number_column unallocated_disk() {  // after free_disk()
    return number_column(
        [this](auto first, auto count, double* into) { disk_left.fill_unallocated_disk(first, count, into); });
  }
  text_codes texts(std::string_view name) {
    const auto column = find<gantry::text_column>(name);
    if (!column) return {};
    const auto dictionary = column->dictionary();
    return {column->codes(), column->validity_words(), {dictionary.data(), dictionary.size()}};
  }
  // `nothing` is the value of hosts that did not report the column.
  const document_column* json_of(std::string_view name, document_cache::form form = as_it_is,
                                 json::value nothing = nullptr) {
    return &kept.emplace_back(find<gantry::column<gantry_json>>(name), view.rows(), documents, form,
                              std::move(nothing));
  }
  // Adds the claims that no report includes yet to the reported documents.
  const document_column* with_claims(const document_column* reported, std::string_view count,
                                     claimed_documents::change change) {
    const auto counts = find_own<reals>(count);
    if (!counts) return reported;
    return &claimed.emplace_back(*reported, view, *counts, change);
  }
  const document_column* images() {
    const auto column = find_own<gantry::column<gantry_json>>("image_properties");
    return column ? &images_of_hosts.emplace(*column) : nullptr;
  }
  const std::uint64_t* flags(std::string_view name) const { return view.flags(name).values().data(); }

  aggregate_sets aggregates() {
    const auto column = find<gantry::set_column>("aggregates");
    if (!column) return {};
    std::vector<aggregate> all;
    all.reserve(view.aggregate_count());
    for (std::size_t index = 0; index < view.aggregate_count(); ++index) {
      const auto& raw = view.aggregate(index);
      all.push_back({raw.id, gantry::text(raw.uuid), gantry::text(raw.name), text_pairs(raw.metadata)});
    }
    const auto sets = column->slices();
    return {column->codes(), column->validity_words(), {sets.data(), sets.size()}, column->elements(), std::move(all)};
  }

  const gantry::view view;
  document_cache& documents;
  placed_instances instances;
  reported_count instance_count;
  reported_count io_ops;
  left_over documents_left;
  left_over memory_left;
  left_over disk_left;
  number_column gigabytes;
  std::vector<document_cells> kept;  // elements must not move: the table points to them
  std::list<claimed_documents> claimed;
  std::optional<passing_cells> images_of_hosts;
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
  table_.unallocated_disk_mb = from.unallocated_disk();
  table_.total_usable_disk_gb = from.integer("local_gb");
  table_.disk_mb_used = from.gigabytes_in_mb("local_gb_used");
  table_.vcpus_total = from.integer("vcpus");
  table_.vcpus_used = from.real("vcpus_used");
  table_.num_instances = from.with_claims(from.instance_count, "stats.num_instances", "running_vms");
  table_.num_io_ops = from.with_claims(from.io_ops, "stats.io_workload", "current_workload");
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
  table_.image_properties = from.images();
  table_.aggregates = from.aggregates();
  table_.instances = &from.instances;
}

}  // namespace filter_driver
