// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <string>

#include "core/config/keys.hpp"
#include "core/config/reloadable.hpp"

namespace {

namespace config = gantry::config;

constexpr std::string_view beginning = R"(gantry.toml(5)

# NAME

gantry.toml - settings of the Gantry scheduler service

# SYNOPSIS

_/etc/gantry/gantry.toml_, _/etc/gantry/conf.d/\*.toml_

# DESCRIPTION

Settings of *gantryd*(8) in TOML. None is needed: each key has a default. Later wins:

. the defaults
. the files of a Nova deployment, which *nova.config_files* names
. the file
. the _\*.toml_ files in _conf.d_ beside it, in the order of their names
. the environment: *GANTRY_SERVER\_\_SOCKET* for *server.socket*, *GANTRY_SCHEDULER_DRIVER* for *scheduler_driver*,
  *GANTRY_DRIVER\_\_IP\_\_DEFAULT_PREFIX* for *driver.ip.default_prefix*; lists with commas or as TOML
. *--set* _key_=_value_ on the command line

A later list or table takes the place of an earlier one as a whole. A key that is not known is an error. *gantry config check*
finds what would keep gantryd from starting; *gantry config show --origin* tells what holds and which source said it.

*gantry reload*, or SIGHUP, applies changes of the keys that say so below, and of the options of drivers and of their filters
and weighers: all of them or, if anything is wrong or another key has changed, none. Changes of the other keys take effect at
a restart.

)";

constexpr std::string_view driver_section = R"(# DRIVERS

*[driver.*_ID_*]* holds the settings of one driver. _ID_ is the id of the driver's file, or a name of the site's own with *file*
or *path* beside it: records, logs, metrics and messages have that name. Beside the keys below it takes those that the driver's
manifest declares, its options; *gantry driver inspect* _ID_ lists them, and a reload applies them.

)";

constexpr std::string_view profiles_section = R"(# PROFILES

Where *scheduler_driver* names several drivers of topic compute, the first is the default, and *[[profile]]* sections choose the
others. They are tried in their order: the first whose conditions all hold decides the request. *gantry reload* applies them, and
each record, log line and explanation of a decision names the profile. A list of profiles takes the place of one in an earlier
file as a whole.

A condition is a pattern, or a list of patterns of which one has to match. In a pattern \* stands for any text. A request without
the value does not match.

*name*
	The name of the rule in records: letters, digits, \_ and -.

*driver*
	The driver that decides, by its name in *scheduler_driver*.

*flavor*
	The name of the flavor.

*project*
	The id of the project: the request's, else the caller's.

*availability_zone*
	The zone that the request asks for.

*aggregate*
	The name or uuid of an aggregate that the request requires (_requested_destination.aggregates_, which Nova sets for tenants
	and zones). A host that the request forces does not count.

*group_policy*
	The policy of the request's server group: _affinity_, _anti-affinity_ and so on.

*hint*
	A table of scheduler hints and the values that they have to have: {rack = ["r1", "r2"]}.

A profile that no request reaches, for an earlier one takes all that it would take, is warned of by *gantry config check* and by
a reload.

)";

constexpr std::string_view ask_section = R"(# POLICY SERVICES

*[ask.*_NAME_*]* names a policy service that drivers ask while they decide (gantry.ask/1). *gantryd* sends the driver's question with
POST and gives it the answer, which is JSON and has a status from 200 to 299. The answer is kept with the record of the decision: *gantry why-not* needs
no policy service. A service that fails is told of in the log once a minute, and in the metrics *gantry_asks_total* and
*gantry_asks_failed_total*. These keys take effect at a restart.

*url*
	http://HOST[:PORT][/PATH], or https. Redirections are not followed.

*timeout*
	The longest time of an answer in seconds, 0.001 to 60, within the driver's deadline. Default: 1.

*token_file*
	A file with a token for the header Authorization: Bearer. Others may not read it. Default: none.

*ca_file*
	The authorities of the service's certificate, a PEM file. Default: the system's.

*drivers*
	The drivers that may ask. Default: all.

)";

constexpr std::string_view ending = R"(# EXAMPLE

```
scheduler_driver = ["ip", "volume"]

[driver.ip]
prefixes = { "10.1" = "web" }
networks = { "172.16.0.0/12" = "lab" }

[driver.volume]
required = false
```

Two policies of the filter driver, and simple where one of them fails:

```
scheduler_driver = ["filter", "packed"]

[driver.filter]
fallback = "simple"

[driver.packed]
file = "filter.so"
fallback = "simple"
ram_weight_multiplier = -1.0

[[profile]]
name = "batch"
driver = "packed"
flavor = ["batch.*"]
```

# SEE ALSO

*gantryd*(8), *gantry*(1)
)";

// scdoc reads these as markup.
std::string plain(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '_' || c == '*' || c == '\\' || c == '#' || c == '[' || c == '<') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

struct Shown {
  std::string_view name;
  std::string_view takes;
  std::string_view default_value;
  std::string_view help;
  bool is_reloadable = false;
};

void print_key(const Shown& key) {
  std::cout << "*" << plain(key.name) << "*\n\t" << plain(key.help) << "\n\n\tTakes " << plain(key.takes)
            << ". Default: " << plain(key.default_value) << (key.is_reloadable ? ". A reload applies it." : "")
            << "\n\n";
}

}  // namespace

int main() {
  std::cout << beginning;
  for (const auto section : config::sections()) {
    std::cout << "# " << (section.empty() ? "IN FRONT OF THE SECTIONS" : "[" + std::string(section) + "]") << "\n\n";
    for (const auto& key : config::keys())
      if (key.section == section)
        print_key({key.name, config::expectation(key), config::default_text(key), key.help,
                   config::is_reloadable(config::full_name(key))});
  }
  std::cout << driver_section;
  for (const auto& key : config::driver_keys()) print_key({key.name, key.expected, key.written_default, key.help});
  std::cout << profiles_section << ask_section << ending;
}
