# SPDX-License-Identifier: Apache-2.0
"""Lets Nova ask Gantry itself for hosts, past the broker.

Every Python process imports this at its start (gantry_nova_client.pth), so it imports nothing but sys by itself. A process
that comes to load nova.scheduler.client.query gets that module with the class of query.py in it.
"""

import sys

REPLACED = "nova.scheduler.client.query"


class _Finder:
    """Finds Nova's module where the other finders do, and has the class replaced once the module is loaded."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name != REPLACED:
            return None
        for finder in sys.meta_path:
            spec = None if finder is _Finder else finder.find_spec(name, path, target)
            if spec is not None:
                break
        else:
            return None
        execute = spec.loader.exec_module

        def execute_and_replace(module):
            execute(module)
            from . import query

            query.replace_in(module)

        spec.loader.exec_module = execute_and_replace
        return spec


def install():
    if _Finder not in sys.meta_path:
        sys.meta_path.insert(0, _Finder)
