// SPDX-License-Identifier: Apache-2.0
#include "core/drivers/manifest/manifest.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "core/config/sources/toml.hpp"
#include "core/drivers/manifest/manifest_columns.hpp"
#include "core/drivers/manifest/manifest_offers.hpp"
#include "core/drivers/manifest/manifest_options.hpp"
#include "core/drivers/manifest/manifest_rules.hpp"
#include "core/drivers/manifest/manifest_toml.hpp"

namespace gantry::drivers {
namespace {

class ManifestReader {
 public:
  ManifestReader(const toml::table& table, std::uint32_t host_major, std::uint32_t host_minor)
      : top_(table, ""), host_major_(host_major), host_minor_(host_minor) {}

  Result<Manifest> read() {
    manifest_.is_library = top_.content().contains("offers");
    if (Result<void> read = read_abi(); !read) return std::move(read).error();
    Result<void> rest = read_rest();
    if (rest) return std::move(manifest_);
    // Another ABI may write a value in another way. That the versions do not fit is the reason then.
    if (Result<void> fits = check_abi(manifest_, host_major_, host_minor_); !fits) return std::move(fits).error();
    return std::move(rest).error();
  }

 private:
  Result<void> read_rest() {
    using Step = Result<void> (ManifestReader::*)();
    using This = ManifestReader;
    const std::vector<Step> of_library{&This::read_need, &This::check_keys, &This::read_names,
                                       &This::read_offer_tables};
    const std::vector<Step> of_driver{&This::read_need,         &This::check_keys,   &This::read_names,
                                      &This::read_topics,       &This::read_methods, &This::read_columns,
                                      &This::read_option_tables};
    for (const Step step : manifest_.is_library ? of_library : of_driver) {
      if (Result<void> done = (this->*step)(); !done) return done;
    }
    return {};
  }

  Result<void> read_abi() {
    std::int64_t format = 0;
    if (Result<void> read = top_.read("manifest", true, format); !read) return read;
    if (format != 1) {
      return top_.wrong("manifest", "format 1", std::to_string(format), "build the driver with this host's SDK");
    }
    std::string abi;
    if (Result<void> read = top_.read("abi", true, abi); !read) return read;
    const auto parsed = parse_abi(abi);
    if (!parsed) return top_.wrong("abi", "MAJOR.MINOR", "'" + abi + "'", "use the macro GANTRY_MANIFEST of driver.h");
    std::tie(manifest_.abi_major, manifest_.abi_minor) = *parsed;
    // A newer ABI may have keys that this host does not know; whether it loads at all is check_abi's to say.
    strict_ = *parsed <= std::pair(host_major_, host_minor_);
    // check_abi names the file by it. read_names judges it.
    std::string id;
    if (top_.read("id", false, id) && is_id(id)) manifest_.id = std::move(id);
    return {};
  }

  Result<void> read_need() {
    std::int64_t needs_minor = manifest_.abi_minor;
    if (Result<void> read = top_.read("needs_minor", false, needs_minor); !read) return read;
    if (needs_minor < 0 || needs_minor > std::int64_t{manifest_.abi_minor}) {
      return top_.wrong("needs_minor", "0 to " + std::to_string(manifest_.abi_minor) + ", the minor it was built with",
                        std::to_string(needs_minor));
    }
    manifest_.needs_minor = static_cast<std::uint32_t>(needs_minor);
    return {};
  }

  Result<void> check_keys() {
    if (!strict_) return {};
    std::vector<std::string> known{"manifest",    "abi",     "id",     "version",
                                   "description", "license", "vendor", "needs_minor"};
    const std::vector<std::string> of_library{"offers"};
    const std::vector<std::string> of_driver{"topics",  "threads", "decides_from", "isolation",
                                             "methods", "columns", "options"};
    const auto& more = manifest_.is_library ? of_library : of_driver;
    known.insert(known.end(), more.begin(), more.end());
    return top_.check_keys(known);
  }

  Result<void> read_names() {
    if (Result<void> read = top_.read("id", true, manifest_.id); !read) return read;
    if (!is_id(manifest_.id)) {
      return top_.wrong("id", "1 to 64 letters, digits, _ and -", "'" + manifest_.id + "'");
    }
    if (Result<void> read = read_line("version", true, manifest_.version); !read) return read;
    if (Result<void> read = read_line("description", true, manifest_.description); !read) return read;
    if (Result<void> read = read_line("license", false, manifest_.license); !read) return read;
    return read_line("vendor", false, manifest_.vendor);
  }

  // These texts are shown in tables, in the log and on terminals.
  Result<void> read_line(std::string_view key, bool required, std::string& out) {
    constexpr std::size_t longest = 500;
    if (Result<void> read = top_.read(key, required, out); !read) return read;
    if (out.size() > longest) {
      return top_.wrong(key, "at most " + std::to_string(longest) + " bytes", std::to_string(out.size()));
    }
    if (std::none_of(out.begin(), out.end(), is_control_character)) return {};
    return top_.wrong(key, "one line without control characters", "'" + out + "'");
  }

  Result<void> read_topics() {
    if (Result<void> read = read_threads(top_, manifest_.threads); !read) return read;
    if (Result<void> read = read_decides_from(top_, manifest_.decides_from); !read) return read;
    if (Result<void> read = read_isolation(); !read) return read;
    if (Result<void> read = top_.read("topics", true, manifest_.topics); !read) return read;
    for (const std::string& topic : manifest_.topics) {
      if (!is_topic(topic))
        return top_.wrong("topics", "1 to 64 letters, digits, _, - and . in a topic", "'" + topic + "'");
    }
    return check_unique(top_, "topics", manifest_.topics);
  }

  Result<void> read_isolation() {
    std::string isolation = "none";
    if (Result<void> read = top_.read("isolation", false, isolation); !read) return read;
    if (isolation != "none" && isolation != "process")
      return top_.wrong("isolation", "'none' or 'process'", "'" + isolation + "'");
    manifest_.isolation = isolation == "process" ? config::Isolation::process : config::Isolation::none;
    return {};
  }

  Result<void> read_methods() {
    const Result<const toml::table*> found = top_.table("methods");
    if (!found) return found.error();
    if (*found == nullptr) return {};
    const ManifestTable methods(**found, "methods.");
    for (const auto& [key, node] : methods.content()) {
      const std::string topic(key.str());
      if (std::find(manifest_.topics.begin(), manifest_.topics.end(), topic) == manifest_.topics.end()) {
        return methods.wrong(topic, "one of the driver's own topics", "'" + topic + "'", "add it to topics");
      }
      std::vector<std::string> names;
      if (Result<void> read = methods.read(topic, true, names); !read) return read;
      for (const std::string& name : names) {
        if (Result<void> checked = check_method(methods, topic, name); !checked) return checked;
      }
      if (Result<void> checked = check_unique(methods, topic, names); !checked) return checked;
      manifest_.methods.emplace(topic, std::move(names));
    }
    return {};
  }

  static Result<void> check_method(const ManifestTable& methods, const std::string& topic, const std::string& name) {
    if (!is_method(name)) return methods.wrong(topic, "1 to 64 letters, digits and _ in a method", "'" + name + "'");
    if (is_operation(name)) {
      return methods.wrong(topic, "names of its own", "'" + name + "', an operation of every driver",
                           "give the method another name");
    }
    if (!is_hosts_name(name)) return {};
    return methods.wrong(topic, "names that do not begin with gantry_, which are the host's", "'" + name + "'",
                         "give the method another name");
  }

  Result<void> read_columns() { return drivers::read_columns(top_, strict_, manifest_.needs, manifest_.uses); }

  Result<void> read_option_tables() {
    const Result<const toml::table*> found = top_.table("options");
    if (!found) return found.error();
    if (*found == nullptr) return {};
    Result<std::vector<OptionDeclaration>> options = read_options(ManifestTable(**found, "options."), strict_);
    if (!options) return std::move(options).error();
    manifest_.options = *std::move(options);
    return {};
  }

  Result<void> read_offer_tables() {
    const Result<const toml::table*> found = top_.table("offers");
    if (!found) return found.error();
    if ((*found)->empty()) {
      return top_.wrong("offers", "at least one table [offers.NAME]", "none", "say what the library offers");
    }
    Result<ReadOffers> offers = read_offers(ManifestTable(**found, "offers."), strict_);
    if (!offers) return std::move(offers).error();
    manifest_.offers = std::move(offers->kept);
    manifest_.left_out_offers = std::move(offers->left_out);
    return {};
  }

  static Result<void> check_unique(const ManifestTable& table, std::string_view key, std::vector<std::string> names) {
    std::sort(names.begin(), names.end());
    const auto twice = std::adjacent_find(names.begin(), names.end());
    if (twice == names.end()) return {};
    return table.wrong(key, "each name once", "'" + *twice + "' twice");
  }

  ManifestTable top_;
  const std::uint32_t host_major_;
  const std::uint32_t host_minor_;
  Manifest manifest_;
  bool strict_ = true;
};

// A manifest that has a key of the macro, too, has the key twice.
std::string advice_on(std::string_view fault) {
  for (const std::string key : {"manifest", "abi", "needs_minor"}) {
    if (fault.find("'" + key + "'") != std::string_view::npos)
      return "; leave " + key + " out, for the macro GANTRY_MANIFEST of driver.h writes it";
  }
  return {};
}

}  // namespace

Result<Manifest> parse_manifest(std::string_view text, std::uint32_t host_major, std::uint32_t host_minor) {
  constexpr std::size_t largest = std::size_t{1} << 20;
  if (text.size() > largest) {
    return Error{
        ErrorCode::invalid_configuration,
        "manifest: expected at most " + std::to_string(largest) + " bytes, found " + std::to_string(text.size()),
        {}};
  }
  if (auto checked = config::check_toml_depth(text, "manifest"); !checked) return std::move(checked).error();
  try {
    const toml::table table = toml::parse(text, std::string_view("manifest"));
    return ManifestReader(table, host_major, host_minor).read();
  } catch (const toml::parse_error& error) {
    return Error{ErrorCode::invalid_configuration,
                 "manifest line " + std::to_string(error.source().begin.line) + ", column " +
                     std::to_string(error.source().begin.column) +
                     ": expected TOML, found: " + std::string(error.description()) + advice_on(error.description()),
                 {}};
  }
}

}  // namespace gantry::drivers
