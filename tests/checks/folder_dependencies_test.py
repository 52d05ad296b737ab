#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The check of the arrows sees what it is meant to see, and nothing else."""

import tempfile
import unittest
from pathlib import Path

import folder_dependencies


class FolderDependencies(unittest.TestCase):
    def faults(self, **files: str) -> list[str]:
        with tempfile.TemporaryDirectory() as root:
            for name, text in files.items():
                path = Path(root, name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text, encoding="utf-8")
            return folder_dependencies.faults(Path(root))

    def refuses(self, file: str, include: str) -> None:
        self.assertEqual(len(self.faults(**{file: f"// first\n#include {include}\n"})), 1, f"{file} {include}")

    def allows(self, file: str, include: str) -> None:
        self.assertEqual(self.faults(**{file: f"#include {include}\n"}), [])

    def test_names_file_line_rule_and_what_it_found(self):
        self.assertEqual(
            self.faults(**{"core/store/a.cpp": '#include <vector>\n\n  #  include "core/fleet/fleet.hpp"\n'}),
            ["core/store/a.cpp:3: core/store may include encoding, files, telemetry and core/result.hpp; found core/fleet/fleet.hpp"],
        )

    def test_allows_the_arrows(self):
        self.allows("core/scheduling/a.cpp", '"core/fleet/fleet.hpp"')
        self.allows("core/transport/a.cpp", '"core/scheduling/manager.hpp"')
        self.allows("core/store/a.cpp", '"core/store/b.hpp"')
        self.allows("core/fleet/a.cpp", '"gantry/driver.h"')
        for folder in folder_dependencies.ARROWS:
            self.allows(f"core/{folder}/a.hpp", '"core/result.hpp"')

    def test_refuses_an_arrow_turned_round(self):
        self.refuses("core/fleet/a.cpp", '"core/scheduling/manager.hpp"')
        self.refuses("core/scheduling/a.cpp", '"core/transport/http_server.hpp"')
        self.refuses("core/scheduling/a.cpp", "<core/transport/http_server.hpp>")
        self.refuses("core/transport/a.cpp", '"core/store/store.hpp"')
        self.refuses("core/daemon/a.cpp", '"core/cli/command.hpp"')
        self.refuses("core/cli/agent/a.cpp", '"core/fleet/fleet.hpp"')
        self.refuses("core/new_folder/a.cpp", '"core/config/load.hpp"')

    def test_allows_the_arrows_between_rooms(self):
        self.allows("core/scheduling/methods/a.cpp", '"core/scheduling/state/state.hpp"')
        self.allows("core/scheduling/methods/a.cpp", '"core/scheduling/manager.hpp"')
        self.allows("core/drivers/driver.cpp", '"core/drivers/load/entry.hpp"')
        self.assertEqual(
            self.faults(**{"plugins/filter/rules/a.cpp": '#include "hosts/b.hpp"', "plugins/filter/hosts/b.hpp": ""}), []
        )

    def test_names_the_room_that_an_arrow_turned_round_starts_from(self):
        self.assertEqual(
            self.faults(**{"core/drivers/call/a.cpp": '#include "core/drivers/load/entry.hpp"\n'}),
            ["core/drivers/call/a.cpp:1: room call of core/drivers may include abi; found core/drivers/load/entry.hpp"],
        )
        self.refuses("core/scheduling/state/a.cpp", '"core/scheduling/methods/method_table.hpp"')
        self.refuses("core/fleet/topics/a.cpp", '"core/fleet/fleet.hpp"')
        self.refuses("core/cli/new_room/a.cpp", '"core/cli/terminal/output.hpp"')
        self.assertEqual(
            len(self.faults(**{"plugins/filter/hosts/a.cpp": '#include "rules/b.hpp"', "plugins/filter/rules/b.hpp": ""})), 1
        )

    def test_refuses_a_crowd_in_one_folder(self):
        crowd = {f"core/store/file_{number}.cpp": "" for number in range(46)}
        self.assertEqual(
            self.faults(**crowd),
            ["core/store: expected at most 45 files of code in one folder, found 46; give the folder rooms"],
        )
        crowd.popitem()
        self.assertEqual(self.faults(**crowd), [])

    def test_opens_single_files_only(self):
        self.allows("core/drivers/a.cpp", '"core/fleet/tables/moment.hpp"')
        self.refuses("core/drivers/a.cpp", '"core/fleet/fleet.hpp"')
        self.allows("core/cli/commands/driver_commands.cpp", '"core/drivers/driver_file.hpp"')
        self.refuses("core/cli/commands/host_commands.cpp", '"core/drivers/driver_file.hpp"')
        self.allows("core/cli/agent/reporter.cpp", '"core/telemetry/log.hpp"')
        self.refuses("core/cli/commands/host_commands.cpp", '"core/telemetry/log.hpp"')

    def test_keeps_plugins_to_the_sdk_and_their_own_folder(self):
        self.allows("plugins/ip/ip.cpp", '"gantry/driver.hpp"')
        self.allows("plugins/ip/ip.cpp", "<vector>")
        self.assertEqual(self.faults(**{"plugins/ip/ip.cpp": '#include "prefixes.hpp"', "plugins/ip/prefixes.hpp": ""}), [])
        self.refuses("plugins/ip/ip.cpp", '"core/result.hpp"')
        self.refuses("plugins/ip/ip.cpp", '"../chance/chance.hpp"')
        self.assertEqual(len(self.faults(**{"plugins/ip/ip.cpp": '#include "chance.hpp"', "plugins/chance/chance.hpp": ""})), 1)

    def test_keeps_the_sdk_to_itself(self):
        self.allows("sdk/include/gantry/a.hpp", '"gantry/driver.h"')
        self.refuses("sdk/include/gantry/a.hpp", '"core/result.hpp"')
        self.refuses("sdk/conformance/a.cpp", '"plugins/ip/ip.hpp"')

    def test_keeps_libraries_behind_their_doors(self):
        self.allows("core/store/a.cpp", "<sqlite3.h>")
        self.refuses("core/fleet/a.cpp", "<sqlite3.h>")
        self.refuses("core/scheduling/a.cpp", "<spdlog/spdlog.h>")

    def test_has_no_cycle_in_its_own_table(self):
        arrows = {folder: set(targets) for folder, targets in folder_dependencies.ARROWS.items()}
        while arrows:
            leaves = {folder for folder, targets in arrows.items() if not targets}
            self.assertTrue(leaves, f"a cycle among {sorted(arrows)}")
            arrows = {folder: targets - leaves for folder, targets in arrows.items() if folder not in leaves}


if __name__ == "__main__":
    unittest.main()
