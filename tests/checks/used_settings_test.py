#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The check of settings finds members that nobody uses."""

import unittest

import used_settings

HEADER = """
struct Settings {
  std::string host;  // a name
  std::int64_t heartbeat_timeout_threshold = 60;
  bool is_configured() const { return !host.empty(); }
  std::string cafile, certfile;
  std::vector<std::string> valid_interfaces{"internal", "public"};
  std::optional<std::int64_t> most = 1000;
  bool ssl = false;
};
"""


def faults(text: str, path: str = "core/nova/rpc/x.cpp") -> list[str]:
    return used_settings.faults_of({used_settings.SETTINGS: HEADER, path: text})


class UsedSettings(unittest.TestCase):
    def test_knows_the_members(self):
        self.assertEqual(
            used_settings.members_in(HEADER),
            ["host", "heartbeat_timeout_threshold", "cafile", "certfile", "valid_interfaces", "most", "ssl"],
        )

    def test_accepts_members_that_are_used(self):
        self.assertEqual(faults("s.host + s.heartbeat_timeout_threshold; s.cafile, s.certfile, s.valid_interfaces, s.most, s.ssl"), [])

    def test_finds_a_member_that_nobody_uses(self):
        found = faults("s.host + s.cafile + s.certfile, s.valid_interfaces, s.most, s.ssl  // heartbeat_timeout_threshold")
        self.assertEqual(len(found), 1)
        self.assertIn("heartbeat_timeout_threshold", found[0])

    def test_counts_no_use_by_the_reader_itself(self):
        self.assertEqual(len(faults("host cafile certfile valid_interfaces most ssl", "core/config/nova/x.cpp")), 7)


if __name__ == "__main__":
    unittest.main()
