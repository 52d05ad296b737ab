// SPDX-License-Identifier: Apache-2.0
#include "core/store/archive/archive_reader.hpp"

namespace gantry::store {

namespace {

// The conditions of a query as SQL, and their values in order.
class Conditions {
 public:
  explicit Conditions(const ArchiveQuery& query) {
    for (const auto& name : query.names) {
      add(" AND d.id IN (SELECT id FROM names WHERE name = ?)");
      names_.push_back(&name);
    }
    add_number(" AND d.time >= ?", query.since);
    add_number(" AND d.time <= ?", query.until);
    add_number(" AND d.outcome = ?", query.outcome);
    add_number(" AND d.id < ?", query.before);
  }
  const std::string& sql() const { return sql_; }
  int count() const { return static_cast<int>(names_.size() + numbers_.size()); }

  Result<void> bind(Statement& statement) const {
    int at = 0;
    Result<void> done;
    for (const auto* name : names_) {
      if (done) done = statement.bind(++at, *name);
    }
    for (const auto number : numbers_) {
      if (done) done = statement.bind_integer(++at, number);
    }
    return done;
  }

 private:
  void add(const char* sql) { sql_ += sql; }
  void add_number(const char* sql, const std::optional<std::int64_t>& number) {
    if (!number) return;
    add(sql);
    numbers_.push_back(*number);
  }

  std::string sql_;
  std::vector<const std::string*> names_;
  std::vector<std::int64_t> numbers_;
};

}  // namespace

Result<SegmentReader> SegmentReader::open(const std::string& path) {
  auto segment = open_segment_to_read(path);
  if (!segment) return std::move(segment).error();
  auto sample = sample_of(*segment);
  if (!sample) return std::move(sample).error();
  return SegmentReader(*std::move(segment), TextPacker(*sample));
}

Result<DecisionRange> SegmentReader::range() {
  auto find =
      segment_.prepare("SELECT (SELECT min(id) FROM decisions), id, time FROM decisions ORDER BY id DESC LIMIT 1");
  if (!find) return std::move(find).error();
  const auto row = find->step();
  if (!row) return row.error();
  if (!*row) return DecisionRange();
  return DecisionRange{find->integer(0), find->integer(1), find->integer(2)};
}

Result<void> SegmentReader::list(const ArchiveQuery& query, std::vector<KeptDecision>& out) {
  const Conditions conditions(query);
  auto find = segment_.prepare("SELECT d.id, d.time, d.run, d.moment, d.record FROM decisions d WHERE 1" +
                               conditions.sql() + " ORDER BY d.id DESC LIMIT ?");
  if (!find) return std::move(find).error();
  auto bound = conditions.bind(*find);
  if (bound) bound = find->bind_integer(conditions.count() + 1, static_cast<std::int64_t>(query.limit - out.size()));
  if (!bound) return bound;
  for (;;) {
    const auto row = find->step();
    if (!row) return row.error();
    if (!*row) return {};
    auto record = packer_.unpack(find->bytes(4));
    if (!record) return std::move(record).error();
    out.push_back({find->integer(0), find->integer(1), find->integer(2), static_cast<std::uint64_t>(find->integer(3)),
                   *std::move(record)});
  }
}

Result<std::vector<KeptFacts>> SegmentReader::facts(std::int64_t run, std::uint64_t moment) {
  const auto at = static_cast<std::int64_t>(moment);
  auto begin = segment_.prepare(
      "SELECT number FROM facts WHERE run = ?1 AND begins_whole = 1 AND first <= ?2 ORDER BY first DESC, number DESC"
      " LIMIT 1");
  if (!begin) return std::move(begin).error();
  auto find = segment_.prepare(
      "SELECT first, last, begins_whole, bytes FROM facts WHERE run = ?1 AND number >= ?3 AND first <= ?2"
      " ORDER BY number");
  if (!find) return std::move(find).error();
  auto bound = begin->bind_integer(1, run);
  if (bound) bound = begin->bind_integer(2, at);
  if (!bound) return std::move(bound).error();
  const auto whole = begin->step();
  if (!whole) return whole.error();
  std::vector<KeptFacts> pieces;
  if (!*whole) return pieces;
  bound = find->bind_integer(1, run);
  if (bound) bound = find->bind_integer(2, at);
  if (bound) bound = find->bind_integer(3, begin->integer(0));
  if (!bound) return std::move(bound).error();
  for (;;) {
    const auto row = find->step();
    if (!row) return row.error();
    if (!*row) break;
    auto bytes = packer_.unpack(find->bytes(3));
    if (!bytes) return std::move(bytes).error();
    pieces.push_back({static_cast<std::uint64_t>(find->integer(0)), static_cast<std::uint64_t>(find->integer(1)),
                      find->integer(2) != 0, *std::move(bytes)});
  }
  if (pieces.empty() || pieces.back().last_moment < moment) return std::vector<KeptFacts>();
  return pieces;
}

}  // namespace gantry::store
