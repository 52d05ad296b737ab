// SPDX-License-Identifier: Apache-2.0
//
// Checks the settings of a deployment that several sources have made together.
#include <algorithm>
#include <array>
#include <string_view>

#include "core/config/nova/deployment.hpp"
#include "core/config/nova/deployment_options.hpp"
#include "core/config/nova/option_value.hpp"
#include "core/config/nova/urls/database_url.hpp"
#include "core/config/nova/urls/transport_url.hpp"
#include "core/encoding/nearest.hpp"

namespace gantry::config::nova {

namespace {

// A setting by its name as an option and, if [nova] has a key for it, as a key.
struct Name {
  std::string_view option;
  std::string_view key{};
};

constexpr std::size_t longest_shown = 64;
constexpr std::string_view database_form = "mysql+pymysql://<user>:<password>@<host>/<database>";

// The part in front of "://", in lower case. The rest of a URL may be a secret. nullopt: the text is another thing than a URL.
std::optional<std::string> scheme_of(std::string_view url) {
  const std::size_t end = url.find("://");
  if (end == std::string_view::npos || end == 0) return std::nullopt;
  std::string scheme(url.substr(0, end));
  const auto may_stand = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '_' || c == '-' || c == '.';
  };
  for (char& c : scheme)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  if (!std::ranges::all_of(scheme, may_stand)) return std::nullopt;
  return scheme;
}

class Judgement {
 public:
  Judgement(NovaSettings& settings, const std::map<std::string, std::string>& origins)
      : settings_(settings), origins_(origins) {}

  Judged run() && {
    judge_transport();
    judge_database({"[api_database] connection", "nova.api_database_connection"}, settings_.api_database_connection);
    judge_database({"[database] connection", "nova.database_connection"}, settings_.database_connection);
    if (!settings_.placement_database_connection.empty() && settings_.mirror)
      judge_database({"[placement_database] connection", "nova.placement_database_connection"},
                     settings_.placement_database_connection);
    judge_queues();
    judge_placement();
    return std::move(judged_);
  }

 private:
  void fault(const Name& name, const std::string& text) { judged_.problems.push_back(at(name) + text); }

  // Where the setting stands, and its name.
  std::string at(const Name& name) const {
    std::string at;
    for (const std::string_view one : {name.key, name.option})
      if (const auto origin = origins_.find(std::string(one)); at.empty() && origin != origins_.end())
        at = origin->second;
    const bool is_of_a_file = !at.empty() && at != "default";
    return (is_of_a_file ? at : files()) + ": key '" + std::string(name.option) + "': ";
  }

  std::string files() const {
    std::string text;
    for (const std::string& file : settings_.config_files) text += (text.empty() ? "" : ", ") + file;
    return text;
  }

  static std::string or_key(const Name& name) {
    return name.key.empty() ? "" : "; " + std::string(name.key) + " of Gantry's configuration would hold as well";
  }

  void judge_transport() {
    const Name name{"[DEFAULT] transport_url", "nova.transport_url"};
    const std::string form = "expected rabbit://<user>:<password>@<host>:5672/, found ";
    if (settings_.transport_url.empty()) return fault(name, form + "nothing" + or_key(name));
    const auto scheme = scheme_of(settings_.transport_url);
    if (!scheme) return fault(name, form + "text that has no scheme");
    const auto url = parse_transport_url(settings_.transport_url);
    if (!url && *scheme != "rabbit")
      return fault(name, form + "the transport " + *scheme + ", which Gantry does not speak");
    if (!url) return fault(name, url.error().message);
    for (const auto& [key, value] : url->options) take_option(name, key, value);
  }

  // An option of the URL has the place of the option in [oslo_messaging_rabbit].
  void take_option(const Name& name, const std::string& key, const std::string& value) {
    const auto options = deployment_options();
    const auto option = std::ranges::find_if(options, [&key](const DeploymentOption& one) {
      return one.name.section == "oslo_messaging_rabbit" && one.name.key == key;
    });
    if (option == options.end()) {
      if (is_other_rabbit_option(key)) return;
      return fault(name, "parameter '" + key.substr(0, longest_shown) +
                             "': expected an option of [oslo_messaging_rabbit]" + advice_on(key, options));
    }
    if (const auto stored = store_option(*option, value, settings_); !stored)
      fault(name, "parameter '" + key + "': " + stored.error().message);
  }

  static std::string advice_on(const std::string& key, std::span<const DeploymentOption> options) {
    std::vector<std::string> known;
    for (const DeploymentOption& option : options)
      if (option.name.section == "oslo_messaging_rabbit") known.emplace_back(option.name.key);
    const std::string near = nearest(key, known);
    return near.empty() ? "" : "; did you mean " + near + "?";
  }

  void judge_database(const Name& name, const std::string& url) {
    const std::string form = "expected " + std::string(database_form) + ", found ";
    if (url.empty()) return fault(name, form + "nothing" + or_key(name));
    const auto scheme = scheme_of(url);
    if (!scheme) return fault(name, form + "text that has no scheme");
    const std::string dialect = scheme->substr(0, scheme->find('+'));
    if (dialect == "mysql" || dialect == "mariadb") {
      const auto read = parse_database_url(url);
      if (!read) return fault(name, read.error().message);
      for (const std::string& remark : read->remarks) judged_.warnings.push_back(at(name) + remark);
      return;
    }
    if (dialect.starts_with("postgres"))
      return fault(name, form + "a PostgreSQL database (" + *scheme +
                             "): Gantry reads MySQL and MariaDB alone, for it has "
                             "no libpq");
    fault(name, form + "the database " + *scheme + ": Gantry reads MySQL and MariaDB alone");
  }

  void judge_queues() {
    const auto& rabbit = settings_.rabbit;
    if (rabbit.rabbit_quorum_queue && rabbit.rabbit_ha_queues)
      fault({"[oslo_messaging_rabbit] rabbit_quorum_queue"},
            "expected one of rabbit_quorum_queue and rabbit_ha_queues, found both true");
    if (rabbit.rabbit_transient_quorum_queue && rabbit.rabbit_ha_queues)
      fault({"[oslo_messaging_rabbit] rabbit_transient_quorum_queue"},
            "expected one of rabbit_transient_quorum_queue and rabbit_ha_queues, found both true");
    if (rabbit.rabbit_stream_fanout && !rabbit.rabbit_transient_quorum_queue)
      fault({"[oslo_messaging_rabbit] rabbit_stream_fanout"},
            "expected rabbit_transient_quorum_queue beside it, found that one false");
  }

  void need(std::string_view option, const std::string& value, const std::string& auth_type) {
    if (value.empty()) fault({option}, "expected a value, for auth_type is " + auth_type + ", found nothing");
  }

  void judge_placement() {
    const NovaServiceSettings& placement = settings_.placement;
    const std::string& type = placement.auth_type;
    if (!is_login(type))
      return fault({"[placement] auth_type"}, "expected password, v3password, none or admin_token, found " +
                                                  (type.empty() ? "nothing" : to_toml(std::string_view(type))));
    if (type.ends_with("password")) {
      need("[placement] auth_url", placement.auth_url, type);
      need("[placement] username", placement.username, type);
      need("[placement] password", placement.password, type);
      return;
    }
    need("[placement] endpoint_override", placement.endpoint_override, type);
    if (type == "admin_token") need("[placement] token", placement.token, type);
  }

  NovaSettings& settings_;
  const std::map<std::string, std::string>& origins_;
  Judged judged_;
};

}  // namespace

bool is_login(std::string_view auth_type) {
  constexpr std::array<std::string_view, 5> known{"password", "v3password", "none", "noauth", "admin_token"};
  return std::ranges::find(known, auth_type) != known.end();
}

Judged settle(NovaSettings& settings, const std::map<std::string, std::string>& origins) {
  return Judgement(settings, origins).run();
}

}  // namespace gantry::config::nova
