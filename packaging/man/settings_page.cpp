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

*[driver.*_ID_*]* holds the settings of one driver. Beside the keys below it takes those that the driver's manifest
declares, its options; *gantry driver inspect* _ID_ lists them, and a reload applies them.

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
  std::cout << ending;
}
