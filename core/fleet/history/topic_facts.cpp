// SPDX-License-Identifier: Apache-2.0
#include "core/fleet/history/topic_facts.hpp"

#include <bit>
#include <cmath>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

#include "core/fleet/history/fact_bytes.hpp"
#include "core/fleet/history/topic_facts_form.hpp"

namespace gantry::fleet {

// Writes one entry about one copy.
class TopicWriter {
 public:
  TopicWriter(std::string& out, const TableCopy& copy) : to_(out), copy_(copy), last_texts_(copy.columns_.size()) {}

  void put_columns(std::uint32_t known) {
    const auto& columns = copy_.schema_->columns();
    to_.put_count(columns.size() - known);
    for (auto position = known; position < columns.size(); ++position) {
      to_.put_text(columns[position].name);
      to_.put_integer(columns[position].type);
      to_.put_byte(columns[position].nullable ? 1 : 0);
    }
  }

  void put_aggregates() {
    const auto& items = copy_.aggregates_->items();
    to_.put_count(items.size());
    for (const auto& item : items) put_aggregate(item);
  }

  // Puts the ids of aggregates that are gone, then the aggregates that came or changed.
  void put_changed_aggregates(const std::set<std::int64_t>& changed) {
    std::vector<const gantry_aggregate*> there;
    std::vector<std::int64_t> gone;
    const auto& items = copy_.aggregates_->items();
    for (const auto id : changed) {
      const auto at = copy_.aggregates_->index_of(id);
      if (at < items.size() && items[at].id == id)
        there.push_back(&items[at]);
      else
        gone.push_back(id);
    }
    to_.put_count(gone.size());
    for (const auto id : gone) to_.put_integer(id);
    to_.put_count(there.size());
    for (const auto* item : there) put_aggregate(*item);
  }

  void put_changed_rows(const TableChanges& changes) {
    to_.put_count(copy_.rows_);
    std::size_t there = 0;
    for (const auto row : changes.rows) there += row < copy_.rows_ ? 1 : 0;
    to_.put_count(there);
    for (const auto row : changes.rows) {
      if (row < copy_.rows_) put_row(row, changes.columns_of_row[row]);
    }
  }

  void put_all_rows() {
    to_.put_count(copy_.rows_);
    to_.put_count(copy_.rows_);
    for (std::uint32_t row = 0; row < copy_.rows_; ++row) put_row(row, ~std::uint64_t{0});
  }

  void put_changed_places(const TableChanges& changes) {
    if (changes.every_placement) return put_all_places();
    to_.put_byte(0);
    to_.put_count(changes.placements.size());
    for (const auto& instance : changes.placements) {
      const auto place = copy_.placements_.find(instance);
      put_place(instance, place == copy_.placements_.end() ? 0 : std::uint64_t{place->second} + 1);
    }
  }

  void put_all_places() {
    to_.put_byte(1);
    to_.put_count(copy_.placements_.size());
    for (const auto& [instance, slot] : copy_.placements_) put_place(instance, std::uint64_t{slot} + 1);
  }

 private:
  void put_aggregate(const gantry_aggregate& item) {
    to_.put_integer(item.id);
    to_.put_text(view_of(item.uuid));
    to_.put_text(view_of(item.name));
    to_.put_count(item.metadata.count);
    for (std::uint32_t i = 0; i < item.metadata.count; ++i) {
      to_.put_text(view_of(item.metadata.items[i].key));
      to_.put_text(view_of(item.metadata.items[i].value));
    }
  }

  void put_place(const gantry_uuid& instance, std::uint64_t slot_and_one) {
    to_.put_raw(instance);
    to_.put_count(slot_and_one);
  }

  void put_row(std::uint32_t row, std::uint64_t columns) {
    constexpr std::uint64_t further = std::uint64_t{1} << 63;
    const auto count = static_cast<std::uint32_t>(copy_.columns_.size());
    std::uint64_t own = columns & ~further;
    if (count < 63) own &= (std::uint64_t{1} << count) - 1;
    const auto behind = (columns & further) != 0 && count > 63 ? count - 63 : 0;
    to_.put_count(row);
    to_.put_count(copy_.entities_[row].slot);
    to_.put_count(static_cast<std::uint64_t>(std::popcount(own)) + behind);
    for (; own != 0; own &= own - 1) put_cell(row, static_cast<std::uint32_t>(std::countr_zero(own)));
    for (std::uint32_t position = 63; position < 63 + behind; ++position) put_cell(row, position);
  }

  void put_cell(std::uint32_t row, std::uint32_t position) {
    const auto& column = copy_.columns_[position];
    const auto put_kind = [&](CellKind kind) {
      to_.put_count(std::uint64_t{position} << cell_kind_bits | static_cast<std::uint64_t>(kind));
    };
    if (!column.valid(row)) return put_kind(CellKind::null);
    if (column.type() == GANTRY_TYPE_F64) {
      const auto number = column.at<double>(row);
      if (is_small_integer(number)) {
        put_kind(CellKind::integer);
        return to_.put_integer(static_cast<std::int64_t>(number));
      }
    }
    if (column.type() == GANTRY_TYPE_JSON) {
      const auto text = view_of(column.text(row));
      auto& last = last_texts_[position];
      if (last && *last == text) return put_kind(CellKind::same);
      last = text;
    }
    if (column.type() == GANTRY_TYPE_SET) {
      const auto code = column.at<std::uint32_t>(row);
      if (last_set_ == code) return put_kind(CellKind::same);
      last_set_ = code;
    }
    put_kind(CellKind::value);
    switch (column.type()) {
      case GANTRY_TYPE_BOOL: return to_.put_byte(column.bit(row) ? 1 : 0);
      case GANTRY_TYPE_I64: return to_.put_integer(column.at<std::int64_t>(row));
      case GANTRY_TYPE_F64: return to_.put_raw(column.at<double>(row));
      case GANTRY_TYPE_STRING:
        return to_.put_text(view_of(copy_.dictionaries_[position].array->strings[column.at<std::uint32_t>(row)]));
      case GANTRY_TYPE_JSON: return to_.put_text(view_of(column.text(row)));
      case GANTRY_TYPE_SET: return put_set(column.at<std::uint32_t>(row));
      case GANTRY_TYPE_UUIDS: return put_uuids(copy_.instances_.list(column, row));
      default: return;
    }
  }

  // -0.0 stays a double, or its sign would be lost.
  static bool is_small_integer(double number) {
    constexpr double most = 1LL << 52;
    return std::abs(number) < most && number == std::trunc(number) && !(number == 0 && std::signbit(number));
  }

  void put_set(std::uint32_t code) {
    const auto& arrays = *copy_.sets_.arrays;
    const auto slice = arrays.slices[code];
    to_.put_count(slice.count);
    for (std::uint32_t i = 0; i < slice.count; ++i)
      to_.put_integer(copy_.aggregates_->items()[arrays.elements[slice.begin + i]].id);
  }

  void put_uuids(std::span<const gantry_uuid> uuids) {
    to_.put_count(uuids.size());
    for (const auto& uuid : uuids) to_.put_raw(uuid);
  }

  FactWriter to_;
  const TableCopy& copy_;
  std::vector<std::optional<std::string_view>> last_texts_;  // by position: of JSON columns
  std::optional<std::uint32_t> last_set_;                    // code; one column has sets
};

namespace {

template <class Body>
void append_entry(std::string& out, std::uint64_t moment, const TableCopy& copy, bool is_whole, Body write_body) {
  FactWriter head(out);
  head.put_count(moment);
  head.put_text(copy.topic());
  head.put_byte(is_whole ? 1 : 0);
  // The body's size stands before the body, in a fixed width so that it can be filled in afterwards.
  const auto at = out.size();
  head.put_raw(std::uint32_t{0});
  TopicWriter writer(out, copy);
  write_body(writer);
  const auto size = static_cast<std::uint32_t>(out.size() - at - sizeof(std::uint32_t));
  out.replace(at, sizeof size, reinterpret_cast<const char*>(&size), sizeof size);
}

}  // namespace

void append_changes(std::string& out, std::uint64_t moment, const TableCopy& copy, const TableChanges& changes,
                    std::uint32_t known_columns) {
  append_entry(out, moment, copy, false, [&](TopicWriter& writer) {
    writer.put_columns(known_columns);
    FactWriter flag(out);
    flag.put_byte(
        static_cast<std::uint8_t>(changes.aggregates.empty() ? ToldAggregates::none : ToldAggregates::changed));
    if (!changes.aggregates.empty()) writer.put_changed_aggregates(changes.aggregates);
    writer.put_changed_rows(changes);
    writer.put_changed_places(changes);
  });
}

void append_whole(std::string& out, std::uint64_t moment, const TableCopy& copy) {
  append_entry(out, moment, copy, true, [&](TopicWriter& writer) {
    writer.put_columns(core_column_count);
    FactWriter flag(out);
    flag.put_byte(static_cast<std::uint8_t>(ToldAggregates::all));
    writer.put_aggregates();
    writer.put_all_rows();
    writer.put_all_places();
  });
}

EntryHead read_entry(FactReader& reader) {
  EntryHead head;
  head.moment = reader.count();
  head.topic = reader.text();
  head.is_whole = reader.byte() != 0;
  head.body = reader.bytes(reader.raw<std::uint32_t>());
  return head;
}

}  // namespace gantry::fleet
