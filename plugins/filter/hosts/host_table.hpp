// SPDX-License-Identifier: Apache-2.0
//
// The hosts of one decision as Nova's filters and weighers see them. Each attribute of HostState is a column. Each host
// is a row, in the order in which Nova would list the hosts. Numbers are doubles, and NaN stands for Python's None.
#pragma once

#include <bitset>
#include <boost/json.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gantry/driver.h>
#include <gantry/driver/text.hpp>

namespace filter_driver {

inline constexpr double none = std::numeric_limits<double>::quiet_NaN();

// Number of rows that go through all filters together. A block is small, so that the data that one filter reads is
// still in the CPU cache for the next filter.
inline constexpr std::uint32_t block_rows = 1024;

// Returns true if rows first to first + count - 1 are all set in the bitmap, or if the bitmap is nullptr. `first` must
// be a multiple of 64.
inline bool all_set(const std::uint64_t* bitmap, std::uint32_t first, std::uint32_t count) {
  if (bitmap == nullptr) return true;
  std::uint64_t missing = 0;
  for (std::uint32_t word = 0; word < count / 64; ++word) missing |= ~bitmap[first / 64 + word];
  if (count % 64 != 0) missing |= ~bitmap[(first + count) / 64] & ((std::uint64_t{1} << (count % 64)) - 1);
  return missing == 0;
}

// One numeric attribute, read block by block. Nothing is copied if the view has a column of exactly these doubles.
class number_column {
 public:
  using fill = std::function<void(std::uint32_t first, std::uint32_t count, double* into)>;

  // Every row is None.
  number_column() = default;
  // `values` has one number for each row. Rows that are not set in the bitmap `validity` read as 0. If `validity` is
  // nullptr, all rows are set. Both must outlive this object.
  explicit number_column(const double* values, const std::uint64_t* validity = nullptr)
      : values_(values), validity_(validity) {}
  // `otherwise` computes all values of a block in which not all rows are set in `validity`.
  number_column(const double* values, const std::uint64_t* validity, fill otherwise)
      : values_(values), validity_(validity), make_(std::move(otherwise)) {}
  // The same for integers: read() converts the values to doubles, and whole() returns them as integers.
  explicit number_column(const std::int64_t* values, const std::uint64_t* validity)
      : integers_(values), validity_(validity) {}
  // Each read computes the values: `make` writes `count` doubles, for the rows from `first` on.
  explicit number_column(fill make) : make_(std::move(make)) {}

  // Returns the values of `count` rows, from `first` on: either a pointer into the column itself, or `room`, filled
  // with the values. `room` has space for block_rows doubles. `first` must be a multiple of 64, unless `count` is 1.
  const double* read(std::uint32_t first, std::uint32_t count, double* room) const;
  // Returns a pointer to the rows' values in the column. nullptr if the column has no integers or if one of the rows is
  // not set.
  const std::int64_t* whole(std::uint32_t first, std::uint32_t count) const {
    return integers_ != nullptr && all_set(validity_, first, count) ? integers_ + first : nullptr;
  }
  double operator[](std::uint32_t row) const;

 private:
  void fill_valid(std::uint32_t first, std::uint32_t count, double* into) const;

  const double* values_ = nullptr;
  const std::int64_t* integers_ = nullptr;
  const std::uint64_t* validity_ = nullptr;
  fill make_;
};

// One text attribute. Equal texts have equal codes.
class text_codes {
 public:
  // Every row is None.
  text_codes() = default;
  // `codes` has one code for each row, the index of its text in `dictionary`. Rows that are not set in `validity` are
  // None. If `validity` is nullptr, no row is None. `codes`, `validity` and `dictionary` must outlive this object.
  text_codes(const std::uint32_t* codes, const std::uint64_t* validity, std::span<const gantry_string> dictionary)
      : codes_(codes), validity_(validity), dictionary_(dictionary) {}

  // Returns a number below code_count(). The greatest code stands for None.
  std::uint32_t code(std::uint32_t row) const {
    const bool has_text = codes_ != nullptr && (validity_ == nullptr || ((validity_[row / 64] >> (row % 64)) & 1) != 0);
    return has_text ? codes_[row] : static_cast<std::uint32_t>(dictionary_.size());
  }
  std::size_t code_count() const { return dictionary_.size() + 1; }
  // Returns the text of a code. Empty for the code of None.
  std::optional<std::string_view> text_of(std::uint32_t code) const {
    if (code >= dictionary_.size()) return std::nullopt;
    return gantry::text(dictionary_[code]);
  }
  std::optional<std::string_view> operator[](std::uint32_t row) const { return text_of(code(row)); }
  // Returns a pointer to the codes of `count` rows, from `first` on. nullptr if one of these rows is None. `first` must
  // be a multiple of 64.
  const std::uint32_t* codes(std::uint32_t first, std::uint32_t count) const {
    return codes_ != nullptr && all_set(validity_, first, count) ? codes_ + first : nullptr;
  }
  // Returns for each code whether its text is one of `texts`. False for the code of None.
  std::vector<bool> is_one_of(std::span<const std::string> texts) const;

 private:
  const std::uint32_t* codes_ = nullptr;
  const std::uint64_t* validity_ = nullptr;
  std::span<const gantry_string> dictionary_;
};

// One attribute that is a nested value. The identity of a row stands for its value: rows with equal identities have
// equal values. Identity 0 is the exception. It means that the value is known by no number, so two rows with identity 0
// may have different values.
class document_column {
 public:
  virtual ~document_column() = default;
  // Returns the value of the row. Python's None is null. The reference is valid as long as the table.
  virtual const boost::json::value& at(std::uint32_t row) const = 0;
  virtual std::uint64_t identity(std::uint32_t row) const = 0;
  // Writes the identities of `count` rows, from `first` on.
  virtual void identities(std::uint32_t first, std::uint32_t count, std::uint64_t* into) const {
    for (std::uint32_t i = 0; i < count; ++i) into[i] = identity(first + i);
  }
};

// A range of pairs of texts: (key, value).
class text_pairs {
 public:
  class iterator {
   public:
    explicit iterator(const gantry_pair* at) : at_(at) {}
    std::pair<std::string_view, std::string_view> operator*() const {
      return {gantry::text(at_->key), gantry::text(at_->value)};
    }
    iterator& operator++() {
      ++at_;
      return *this;
    }
    friend bool operator==(iterator a, iterator b) { return a.at_ == b.at_; }
    friend bool operator!=(iterator a, iterator b) { return a.at_ != b.at_; }

   private:
    const gantry_pair* at_;
  };

  text_pairs() = default;
  explicit text_pairs(const gantry_pairs& raw) : raw_(raw) {}

  iterator begin() const { return iterator(raw_.items); }
  iterator end() const { return iterator(raw_.items + raw_.count); }
  std::size_t size() const { return raw_.count; }
  bool empty() const { return raw_.count == 0; }

 private:
  gantry_pairs raw_{};
};

// A host aggregate: a named group of hosts with metadata.
struct aggregate {
  std::int64_t id = 0;
  std::string_view uuid;
  std::string_view name;
  text_pairs metadata;

  // Returns the metadata value of the key. Empty if the aggregate does not have the key.
  std::optional<std::string_view> find(std::string_view key) const;
};

// The set of aggregates of each row. Equal sets have equal codes, so most rules run only once for each code.
class aggregate_sets {
 public:
  // Every row has the empty set.
  aggregate_sets() = default;
  // `codes` has one code for each row, the index of its set in `sets`. Rows that are not set in `validity` have the
  // empty set. If `validity` is nullptr, all rows are set. Each set is a slice of `elements`, and each element is an
  // index into `aggregates`. All arguments but `aggregates` must outlive this object.
  aggregate_sets(const std::uint32_t* codes, const std::uint64_t* validity, std::span<const gantry_slice> sets,
                 const std::uint32_t* elements, std::vector<aggregate> aggregates)
      : codes_(codes), validity_(validity), sets_(sets), elements_(elements), aggregates_(std::move(aggregates)) {
    for (const auto& each : aggregates_) {
      for (const auto& [key, value] : each.metadata) keys_.set(place_of(key));
    }
  }

  // Returns a number below code_count(). The greatest code stands for the rows that are not set in `validity`.
  std::uint32_t code(std::uint32_t row) const {
    const bool has_set = codes_ != nullptr && (validity_ == nullptr || ((validity_[row / 64] >> (row % 64)) & 1) != 0);
    return has_set ? codes_[row] : static_cast<std::uint32_t>(sets_.size());
  }
  std::size_t code_count() const { return sets_.size() + 1; }
  // Returns a pointer to the codes of `count` rows, from `first` on. nullptr if one of these rows is not set in
  // `validity`. `first` must be a multiple of 64.
  const std::uint32_t* codes(std::uint32_t first, std::uint32_t count) const {
    return codes_ != nullptr && all_set(validity_, first, count) ? codes_ + first : nullptr;
  }
  // Returns the aggregates in the set of this code.
  std::vector<const aggregate*> of_code(std::uint32_t code) const;
  // Returns the aggregates of all hosts.
  const std::vector<aggregate>& all() const { return aggregates_; }
  // Returns false only if no aggregate has the key in its metadata. May return true if no aggregate has the key, too.
  // Call it before a search through all aggregates: it is fast, and most keys that rules look up are set nowhere.
  bool may_have(std::string_view key) const { return keys_.test(place_of(key)); }

 private:
  static std::size_t place_of(std::string_view key) {
    const auto letter = [key](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(key[at])); };
    return key.empty() ? 0
                       : (key.size() * 37 + letter(0) * 11 + letter(key.size() / 2) * 5 + letter(key.size() - 1)) % 256;
  }

  const std::uint32_t* codes_ = nullptr;
  const std::uint64_t* validity_ = nullptr;
  std::span<const gantry_slice> sets_;
  const std::uint32_t* elements_ = nullptr;
  std::vector<aggregate> aggregates_;
  std::bitset<256> keys_;  // by place_of
};

// The known facts of the flavor of an instance on a host.
struct instance_type {
  std::optional<std::int64_t> id;  // empty if unknown
  std::string_view name;           // empty if unknown
  bool is_the_requests = false;    // true if this request has placed the instance
};

// The instances on each row.
class instance_column {
 public:
  using visitor = std::function<void(std::string_view uuid, const instance_type& type)>;

  virtual ~instance_column() = default;
  // Returns true if the instance is on the row.
  virtual bool holds(std::uint32_t row, std::string_view uuid) const = 0;
  // Returns the rows of the instances in `uuids`, in any order. An instance that is on no host adds no row. An instance
  // that moves from one host to another may add both rows.
  virtual std::vector<std::uint32_t> rows_of(std::span<const std::string> uuids) const = 0;
  // Calls visit(uuid, type) for each instance on the row.
  virtual void for_each(std::uint32_t row, const visitor& visit) const = 0;
};

struct host_table {
  std::uint32_t rows = 0;

  text_codes host;      // the service's host name
  text_codes nodename;  // HostState.nodename. In a view it equals hypervisor_hostname
  text_codes host_ip;
  text_codes hypervisor_type;
  text_codes availability_zone;  // as the core computes it: from the aggregates, or the configured default
  text_codes hypervisor_hostname;
  text_codes cell_uuid;
  text_codes uuid;  // the uuid of the compute node

  number_column free_ram_mb;
  number_column total_usable_ram_mb;
  number_column free_disk_mb;
  number_column unallocated_disk_mb;  // local_gb less local_gb_used; disk_available_least does not count
  number_column total_usable_disk_gb;
  number_column disk_mb_used;
  number_column vcpus_total;
  number_column vcpus_used;
  number_column num_instances;
  number_column num_io_ops;
  number_column failed_builds;
  number_column cpu_allocation_ratio;
  number_column ram_allocation_ratio;
  number_column disk_allocation_ratio;
  number_column hypervisor_version;

  // Bitmaps: row r is bit r % 64 of word r / 64. nullptr: not known, so no service is disabled, and none is up.
  const std::uint64_t* service_disabled = nullptr;
  const std::uint64_t* service_up = nullptr;
  text_codes service_host;  // the host name in the service's own record

  // nullptr: the attribute is None on each row.
  const document_column* cpu_info = nullptr;  // a JSON text, as Nova keeps it
  const document_column* supported_instances = nullptr;
  const document_column* stats = nullptr;
  const document_column* capabilities = nullptr;
  const document_column* metrics = nullptr;        // {name: value}, or null
  const document_column* numa_topology = nullptr;  // the versioned object, or null
  const document_column* pci_stats = nullptr;      // [pool, ...], or null
  // The images of the host's instances: [[count, {property: value}], ...], or null. nullptr: the core does not keep them.
  const document_column* image_properties = nullptr;

  aggregate_sets aggregates;
  const instance_column* instances = nullptr;  // nullptr: the instances are not known

  std::string name_of(std::uint32_t row) const;  // "host.node", or "host" without a node, for errors
};

}  // namespace filter_driver
