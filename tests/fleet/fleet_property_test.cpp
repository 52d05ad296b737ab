// SPDX-License-Identifier: Apache-2.0
//
// Random histories, compared with FleetModel row by row and column by column after each pin. Amounts are whole, so that
// sums are exact in any order.
#include <gtest/gtest.h>

#include <deque>
#include <random>

#include "core/encoding/uuid.hpp"
#include "core/fleet/document_load.hpp"
#include "core/fleet/tables/row_json.hpp"
#include "fleet_model.hpp"
#include "snapshot.hpp"

namespace gantry::fleet::testing {
namespace {

constexpr std::uint64_t instance_count = 12;

class History {
 public:
  explicit History(std::uint64_t seed) : random_(seed), fleet_(settings()), model_(settings()) {
    EXPECT_TRUE(fleet_.declare_column({"stats.load", GANTRY_TYPE_I64, "test"}));
    EXPECT_TRUE(fleet_.declare_column({"stats.rack", GANTRY_TYPE_STRING, "test"}));
    fleet_.keep_history(std::size_t{1} << 20);
  }

  void step() {
    switch (below(12)) {
      case 0: put_service(); break;
      case 1: remove_service(); break;
      case 2:
      case 3: put_node(); break;
      case 4: remove_node(); break;
      case 5: put_capabilities(); break;
      case 6: change_aggregate(); break;
      case 7:
      case 8: change_instance(); break;
      case 9: claim_something(); break;
      case 10: release_something(); break;
      default: pass_time(); break;
    }
  }

  void check() {
    const auto moment = fleet_.pin(now_);
    model_.expire(now_);
    const auto shown = snapshot(moment);
    const auto expected = model_.rows(now_);
    ASSERT_EQ(shown.size(), expected.size());
    for (const auto& [place, row] : expected) {
      ASSERT_TRUE(shown.contains(place)) << place.first << "/" << place.second;
      ASSERT_EQ(json::write_canonical(shown.at(place)), json::write_canonical(row));
    }
    check_locations(moment);
    check_dictionaries(moment);
    ASSERT_EQ(fleet_.claims().size(), model_.claims.size());
    check_changes(moment);
    keep(moment, shown);
    remember(moment);
  }

  // A moment whose history was not lost can be recalled, and shows what it showed then.
  void check_recalled() {
    std::size_t recalled_moments = 0;
    for (const auto& [number, shown] : moments_) {
      RecalledFleet recalled;
      // From the latest moment before it whose whole content was written.
      const auto behind = wholes_.upper_bound(number);
      if (behind == wholes_.begin()) continue;
      ASSERT_TRUE(recalled.apply(std::prev(behind)->second, number));
      bool is_known = true;
      for (const auto& chunk : chunks_) {
        if (const auto applied = recalled.apply(chunk, number); !applied) {
          ASSERT_EQ(applied.error().code, ErrorCode::failed_precondition) << applied.error().message;
          is_known = false;
          break;
        }
      }
      if (!is_known || recalled.number() != number) continue;
      ++recalled_moments;
      ASSERT_EQ(content_of(recalled.moment()), shown) << "moment " << number;
    }
    EXPECT_GT(recalled_moments, moments_.size() / 2);
    EXPECT_LT(recalled_moments, moments_.size()) << "no history was lost";
  }

  // Written to a file and read from it, it is the same fleet: every row, in the same order, and the same file again.
  void check_document() {
    const auto text = write_document(fleet_.document(now_));
    const auto document = read_document(text, "written", now_);
    ASSERT_TRUE(document) << document.error().message;
    Fleet again(settings());
    ASSERT_TRUE(again.declare_column({"stats.load", GANTRY_TYPE_I64, "test"}));
    ASSERT_TRUE(again.declare_column({"stats.rack", GANTRY_TYPE_STRING, "test"}));
    again.declare_claims_resource("gpu");
    load_document(*document, again);
    const auto moment = fleet_.pin(now_);
    const auto same = again.pin(now_);
    const auto& view = *moment.view("compute");
    ASSERT_EQ(same.view("compute")->rows, view.rows);
    for (std::uint32_t row = 0; row < view.rows; ++row) {
      auto had = row_to_json(moment, view, row);
      had.emplace("claims.gpu", 0.0);  // a resource has a column once it was claimed
      ASSERT_EQ(json::write_canonical(row_to_json(same, *same.view("compute"), row)), json::write_canonical(had));
    }
    ASSERT_EQ(write_document(again.document(now_)), text);
  }

  // How often it was told which rows had changed.
  std::size_t told_changes() const { return told_changes_; }

 private:
  static FleetSettings settings() {
    FleetSettings settings;
    settings.service_down_time = 60 * second;
    settings.claim_max_age = 100 * second;
    return settings;
  }
  std::uint64_t below(std::uint64_t bound) { return random_() % bound; }
  std::string any_host() { return "h" + std::to_string(below(6)); }
  std::string any_node() { return below(4) == 0 ? "" : "n" + std::to_string(below(3)); }

  void put_service() {
    auto made = service(any_host(), now_ - static_cast<Nanoseconds>(below(90)) * second);
    if (below(10) == 0) made.last_seen_up = 0;
    made.disabled = below(3) == 0;
    if (made.disabled) made.disabled_reason = "reason " + std::to_string(below(3));
    made.forced_down = below(8) == 0;
    fleet_.put_service(made);
    model_.services[made.host] = made;
  }
  void remove_service() {
    const auto host = any_host();
    ASSERT_EQ(fleet_.remove_service("compute", host).has_value(), model_.services.erase(host) == 1);
    if (below(2) == 0) {
      ASSERT_EQ(fleet_.remove_capabilities("compute", host).has_value(), model_.capabilities.erase(host) == 1);
    }
  }
  void put_capabilities() {
    const auto host = any_host();
    const json::object said{{"free", below(3)}};
    fleet_.put_capabilities({"compute", host, said, now_});
    model_.capabilities[host] = *json::parse_object(json::write(said));
  }
  void put_node() {
    ComputeNode made = testing::report(any_host(), any_node(), "{}", now_);
    for (const auto* key : {"vcpus", "memory_mb", "local_gb", "vcpus_used", "memory_mb_used", "local_gb_used",
                            "free_ram_mb", "free_disk_gb"}) {
      if (below(2) == 0) made.stats[key] = static_cast<std::int64_t>(below(100));
      if (below(10) == 0) made.stats[key] = nullptr;
    }
    if (below(2) == 0) made.stats["hypervisor_type"] = "type " + std::to_string(below(3));
    if (below(2) == 0) made.stats["host_ip"] = "ip " + std::to_string(below(1000));
    if (below(2) == 0) made.stats["cpu_info"] = {{"model", static_cast<std::int64_t>(below(3))}};
    if (below(4) == 0) made.stats["cpu_info"] = nullptr;
    if (below(2) == 0) made.stats["stats"] = {{"load", static_cast<std::int64_t>(below(3))}};
    if (below(2) == 0) made.stats["rack"] = "rack " + std::to_string(below(3));
    if (below(3) == 0) made.stats["instances"] = {text_of(below(instance_count)), text_of(below(instance_count))};
    testing::put(fleet_, made);
    model_.report(made);
  }
  void remove_node() {
    const Place place{any_host(), any_node()};
    const bool removed = fleet_.remove_compute_node("compute", place.first, place.second).has_value();
    ASSERT_EQ(removed, model_.nodes.erase(place) == 1);
  }
  void change_aggregate() {
    const auto id = static_cast<std::int64_t>(below(4)) + 1;
    if (below(3) == 0) {
      ASSERT_EQ(fleet_.remove_aggregate(id).has_value(), model_.aggregates.erase(id) == 1);
      return;
    }
    Aggregate made;
    made.id = id;
    made.name = "aggregate " + std::to_string(below(5));
    if (below(2) == 0) made.metadata["availability_zone"] = "zone " + std::to_string(below(3));
    for (std::uint64_t at = below(4); at > 0; --at) made.hosts.push_back(any_host());
    fleet_.put_aggregate(made);
    model_.aggregates[id] = made;
  }
  void change_instance() {
    auto made = instance(below(instance_count), below(5) == 0 ? "" : any_host(), any_node());
    if (below(5) == 0) {
      ASSERT_EQ(fleet_.remove_instance(made.uuid).has_value(), model_.instances.erase(made.uuid) == 1);
      return;
    }
    if (below(5) == 0) made.vm_state = "deleted";
    if (below(3) == 0) made.active_at = now_;
    fleet_.put_instance(made);
    model_.instances[made.uuid] = made;
  }
  void claim_something() {
    const auto moment = fleet_.pin(now_);
    model_.expire(now_);
    const auto& view = *moment.view("compute");
    if (view.rows == 0) return;
    Claim made;
    made.consumer = below(5) == 0 ? "volume " + std::to_string(below(3)) : text_of(below(instance_count));
    made.items = {{"vcpu", static_cast<double>(below(20)), 150}, {"memory_mb", static_cast<double>(below(20)), 150}};
    if (below(2) == 0) made.items.push_back({"gpu", 1, 3});
    made.cast_waits = below(6) == 0;
    if (below(4) == 0) made.id = "further " + std::to_string(++further_claims_);
    made.created_at = now_ - static_cast<Nanoseconds>(below(50)) * second;
    const auto row = static_cast<std::uint32_t>(below(view.rows));
    const auto name = moment.row_name(view, row);
    const Place place{name.host, name.node};
    const bool admitted = model_.admits(place, made);
    const auto outcome = claim(fleet_, moment, row, made);
    ASSERT_EQ(outcome, admitted ? ClaimOutcome::held : ClaimOutcome::lost);
    if (admitted) model_.add_claim(made);
  }
  void release_something() {
    if (model_.claims.empty()) return;
    const auto claim = model_.claims[below(model_.claims.size())];
    if (below(2) == 0) {
      release_all(fleet_, claim.consumer, &claim);
      std::erase_if(model_.claims, [&](const Claim& other) {
        return other.consumer == claim.consumer && other.id.empty() &&
               (other.host != claim.host || other.node != claim.node);
      });
    } else {
      release_all(fleet_, claim.consumer);
      std::erase_if(model_.claims, [&](const Claim& other) { return other.consumer == claim.consumer; });
    }
  }
  void pass_time() {
    now_ += static_cast<Nanoseconds>(below(30)) * second;
    if (below(4) != 0) return;
    const auto consumer = text_of(below(instance_count));
    acknowledge_cast(fleet_, consumer, now_);
    for (auto& claim : model_.claims) {
      if (claim.consumer != consumer || !claim.cast_waits) continue;
      claim.cast_waits = false;
      claim.created_at = now_;
    }
  }

  void check_locations(const Moment& moment) {
    for (std::uint64_t number = 0; number < instance_count; ++number) {
      const auto expected = model_.locate(text_of(number));
      const auto row = moment.locate(*parse_uuid(text_of(number)));
      ASSERT_EQ(row.has_value(), expected.has_value()) << number;
      if (!row) continue;
      const auto name = moment.row_name(*moment.view("compute"), *row);
      ASSERT_EQ(Place(name.host, name.node), *expected) << number;
    }
  }
  // A code means one text for as long as the version is the same.
  void check_dictionaries(const Moment& moment) {
    const auto& view = *moment.view("compute");
    for (std::uint32_t at = 0; at < view.column_count; ++at) {
      const auto& column = view.columns[at];
      if (column.type != GANTRY_TYPE_STRING) continue;
      auto& known = meanings_[column.dictionary_version];
      const auto* strings = static_cast<const gantry_string*>(column.dictionary);
      for (std::uint64_t code = 0; code < column.dictionary_count; ++code) {
        const std::string text(strings[code].data, strings[code].size);
        ASSERT_EQ(known.emplace(code, text).first->second, text);
      }
    }
  }
  // A few moments stay pinned for a while and must not have changed when they are let go.
  // The rows that are not named as changed since an earlier moment hold what they held.
  void check_changes(const Moment& moment) {
    const auto& view = *moment.view("compute");
    std::vector<std::string> rows;
    for (std::uint32_t row = 0; row < view.rows; ++row) rows.push_back(json::write(row_to_json(moment, view, row)));
    if (!before_.empty()) {
      const auto& [since, had] = before_[checks_++ % before_.size()];
      std::vector<std::uint32_t> named(1000);
      if (const auto count = moment.rows_changed(view, since, true, named)) {
        ++told_changes_;
        ASSERT_LE(had.size(), rows.size());
        for (std::uint32_t row = 0; row < rows.size(); ++row) {
          if (std::find(named.begin(), named.begin() + static_cast<std::ptrdiff_t>(*count), row) !=
              named.begin() + static_cast<std::ptrdiff_t>(*count))
            continue;
          ASSERT_LT(row, had.size());
          ASSERT_EQ(rows[row], had[row]) << "row " << row << " since " << since;
        }
      }
    }
    before_.emplace_back(view.generation, std::move(rows));
    if (before_.size() > 5) before_.pop_front();
  }

  void keep(const Moment& moment, const std::map<Place, json::object>& shown) {
    if (below(3) == 0) pinned_.emplace_back(moment, shown);
    while (pinned_.size() > below(6)) {
      const auto& [old, as_it_was] = pinned_.front();
      ASSERT_EQ(snapshot(old), as_it_was);
      pinned_.pop_front();
    }
  }

  // All that a driver can see of a moment, but for the two times that a history is free to have older.
  static std::vector<std::string> content_of(const Moment& moment) {
    std::vector<std::string> content;
    const auto& view = *moment.view("compute");
    for (std::uint32_t row = 0; row < view.rows; ++row) {
      auto cells = row_to_json(moment, view, row);
      cells.erase("last_seen_up");
      cells.erase("updated_at");
      content.push_back(json::write_canonical(cells));
    }
    for (std::uint64_t number = 0; number < instance_count; ++number) {
      const auto row = moment.locate(*parse_uuid(text_of(number)));
      content.push_back(row ? "on row " + std::to_string(*row) : "nowhere");
    }
    for (std::uint32_t at = 0; at < view.aggregate_count; ++at) {
      const auto& aggregate = view.aggregates[at];
      content.push_back(std::to_string(aggregate.id) + std::string(view_of(aggregate.name)) +
                        std::to_string(aggregate.metadata.count));
    }
    return content;
  }

  void remember(const Moment& moment) {
    ASSERT_NE(moment.number(), 0U);
    if (below(4) == 0) moments_.insert_or_assign(moment.number(), content_of(moment));
    if (below(10) == 0) wholes_.emplace(moment.number(), whole_facts(moment));
    if (below(3) != 0) return;
    auto chunk = fleet_.take_history();
    if (below(20) == 0) return;  // lost
    if (chunk.begins_whole) wholes_.emplace(chunk.first_moment, chunk);
    chunks_.push_back(std::move(chunk));
  }

  std::mt19937_64 random_;
  std::map<std::uint64_t, std::vector<std::string>> moments_;  // by number, what each showed
  std::map<std::uint64_t, FactChunk> wholes_;                  // by number, chunks that begin whole
  std::vector<FactChunk> chunks_;
  std::deque<std::pair<std::uint64_t, std::vector<std::string>>> before_;  // by generation, rows as texts
  std::size_t checks_ = 0;
  std::size_t told_changes_ = 0;
  Fleet fleet_;
  FleetModel model_;
  Nanoseconds now_ = noon;
  int further_claims_ = 0;
  std::map<std::uint64_t, std::map<std::uint64_t, std::string>> meanings_;
  std::deque<std::pair<Moment, std::map<Place, json::object>>> pinned_;
};

class FleetProperty : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(FleetProperty, EveryHistoryShowsWhatTheModelSays) {
  History history(GetParam());
  for (int at = 0; at < 1200; ++at) {
    SCOPED_TRACE("step " + std::to_string(at));
    history.step();
    if (at % 3 == 0) history.check();
    if (at % 40 == 0) history.check_document();
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(history.told_changes(), 100U);
  history.check_recalled();
}

INSTANTIATE_TEST_SUITE_P(Seeds, FleetProperty, ::testing::Range<std::uint64_t>(1, 13));

}  // namespace
}  // namespace gantry::fleet::testing
