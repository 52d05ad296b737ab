// SPDX-License-Identifier: Apache-2.0
#include "core/nova/check/found_level.hpp"

#include <algorithm>

#include "core/nova/check/finding.hpp"

namespace gantry::nova {

namespace {

using Releases = std::vector<const NovaRelease*>;

constexpr std::size_t most_hosts_named = 3;
constexpr const NovaRelease& oldest_release = nova_releases.front();
constexpr const NovaRelease& newest_release = nova_releases.back();

// "c1, c2, c3 and 4 others"
std::string names_of(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most_hosts_named); ++i) text += (i == 0 ? "" : ", ") + names[i];
  return names.size() > most_hosts_named ? text + " and " + count_of(names.size() - most_hosts_named, "other") : text;
}

// "Nova 29 (Caracal) and Nova 30 (Dalmatian)"
std::string titles_of(const Releases& releases, std::string_view between) {
  std::string text;
  for (const auto* release : releases) text += (text.empty() ? "" : std::string(between)) + std::string(release->title);
  return text;
}

// The places in the table of the last release without the column instances.compute_id, and of the first with it.
constexpr std::size_t antelope = 1;
constexpr std::size_t bobcat = 2;
static_assert(nova_releases[antelope].level == "antelope" && nova_releases[bobcat].level == "bobcat");

// The place in the table of the first release that has this schema. A schema that the table lacks is later than all if it
// has the column of Bobcat, else older than all.
std::size_t rank_of(const CellSchema& schema) {
  for (std::size_t i = 0; i < nova_releases.size(); ++i)
    if (nova_releases[i].cell_schema == schema.revision) return i;
  if (schema.revision.empty()) return schema.has_compute_id ? bobcat : antelope;
  return schema.has_compute_id ? nova_releases.size() : 0;
}

class Deduction {
 public:
  explicit Deduction(const LevelSigns& given) : given_(given) {}

  FoundLevel run() && {
    if (given_.services.empty()) {
      say("no service has a row in the table services that says its version");
      return std::move(found_);
    }
    say_services();
    take_versions();
    if (candidates_.size() > 1) take_schema();
    if (candidates_.size() > 1) take_stored_images();
    if (candidates_.size() > 1)
      say("the databases do not tell " + titles_of(candidates_, " from ") + ": the older one is chosen");
    found_.could_be = candidates_;
    if (!candidates_.empty()) found_.level = candidates_.front();
    return std::move(found_);
  }

 private:
  void say(std::string sentence) { found_.signs.push_back(std::move(sentence)); }

  void say_services() {
    std::string text;
    for (const auto& one : given_.services)
      text += (text.empty() ? "" : ", ") + one.binary + " " + std::to_string(one.version) + " (" +
              count_of(one.hosts.size(), "service") + ")";
    say("service versions: " + text);
  }

  // The oldest services decide: until the last of them is upgraded, the deployment is in the middle.
  void take_versions() {
    const auto by_version = [](const auto& a, const auto& b) { return a.version < b.version; };
    const auto oldest = std::ranges::min_element(given_.services, by_version);
    const auto newest = std::ranges::max_element(given_.services, by_version);
    if (oldest->version != newest->version)
      say("the deployment is mixed, as during an upgrade: its oldest services decide, which are those of version " +
          std::to_string(oldest->version) + " on " + names_of(hosts_of(oldest->version)));
    take_candidates(oldest->version);
  }

  std::vector<std::string> hosts_of(std::int64_t version) const {
    std::set<std::string> names;
    for (const auto& one : given_.services)
      if (one.version == version) names.insert(one.hosts.begin(), one.hosts.end());
    return {names.begin(), names.end()};
  }

  void take_candidates(std::int64_t version) {
    const std::string text = "service version " + std::to_string(version);
    if (version < oldest_release.service_version)
      return say(text + " is older than that of " + std::string(oldest_release.title) + ", which is " +
                 std::to_string(oldest_release.service_version));
    std::int64_t known = 0;
    for (const auto& release : nova_releases)
      if (release.service_version <= version) known = release.service_version;
    for (const auto& release : nova_releases)
      if (release.service_version == known) candidates_.push_back(&release);
    if (known == version) return say(text + " is that of " + titles_of(candidates_, " and of "));
    if (known == newest_release.service_version)
      return say(text + " is newer than that of " + std::string(newest_release.title) +
                 ", the newest release that Gantry knows");
    say(text + " is of no release: the one before is " + titles_of(candidates_, " or "));
  }

  // A service does not start on a schema that is older than its own. A schema may be newer: an upgrade begins with it.
  void take_schema() {
    if (given_.schemas.empty()) return;
    const auto& schema = *std::ranges::min_element(given_.schemas, {}, rank_of);
    const std::size_t rank = rank_of(schema);
    const auto first_with = [](const NovaRelease* release) { return rank_of({"", std::string(release->cell_schema)}); };
    Releases possible;
    for (const auto* release : candidates_)
      if (first_with(release) <= rank) possible.push_back(release);
    if (possible.empty()) return;
    // All that is left share the schema, or it is newer than that of the newest of them.
    const bool is_its_own = first_with(possible.back()) == rank;
    if (is_its_own) std::erase_if(possible, [&](const auto* release) { return first_with(release) < rank; });
    if (possible.size() < candidates_.size())
      say(text_of(schema) + (rank == bobcat ? ", as from Nova 28 (Bobcat) on" : ", as before Nova 28 (Bobcat)"));
    candidates_ = possible;
  }

  static std::string text_of(const CellSchema& schema) {
    const std::string column = schema.has_compute_id ? "has" : "lacks";
    const std::string revision = schema.revision.empty() ? "" : " of revision " + schema.revision;
    return "the schema" + revision + " in " + schema.place + " " + column + " the column instances.compute_id";
  }

  // A newer release stores requests in its own form. After an upgrade the stored ones are older until a server is made.
  void take_stored_images() {
    const auto& stored = given_.stored_images;
    const auto has = [&](const NovaRelease* release) { return stored.contains(release->stored_image); };
    if (stored.empty() || candidates_.front()->stored_image == candidates_.back()->stored_image) return;
    const auto* newer = candidates_.back();
    if (has(newer)) return take_stored(newer);
    if (has(candidates_.front()) && *stored.rbegin() == candidates_.front()->stored_image)
      take_stored(candidates_.front());
  }

  void take_stored(const NovaRelease* release) {
    const bool is_older = release == candidates_.front();
    say("the requests that were stored last hold ImageMetaProps 1." + std::to_string(release->stored_image) + ", as " +
        std::string(release->title) + " stores them" +
        (is_older ? "; name the release if it was upgraded and no server was made since" : ""));
    candidates_ = {release};
  }

  const LevelSigns& given_;
  Releases candidates_;
  FoundLevel found_;
};

}  // namespace

FoundLevel found_level(const LevelSigns& signs) {
  return Deduction(signs).run();
}

}  // namespace gantry::nova
