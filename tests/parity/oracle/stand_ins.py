# SPDX-License-Identifier: Apache-2.0
"""What a Nova after Zed takes from its libraries and Debian 12's libraries do not have yet.

Only for what a decision reads: traits by their names, versions as oslo.utils 7.4 compares them, options as oslo.config
takes them. import_before_nova() has to run before any module of Nova is imported.
"""

import re
import sys
import types

import os_traits
import oslo_service
from oslo_config import cfg
from oslo_utils import versionutils
from oslo_versionedobjects import fields
from packaging import version as packaging_version



class VersionPredicate:
    """oslo_utils.versionutils.VersionPredicate of oslo.utils 7.4."""

    _PREDICATE = re.compile(r"^\s*(<=|>=|<|>|!=|==)\s*([^\s]+)\s*$")
    _COMPARE = {"<": lambda a, b: a < b, "<=": lambda a, b: a <= b, "==": lambda a, b: a == b,
                ">": lambda a, b: a > b, ">=": lambda a, b: a >= b, "!=": lambda a, b: a != b}

    def __init__(self, predicate):
        self.pred = [self._parse(part) for part in predicate.split(",")]

    def _parse(self, part):
        found = self._PREDICATE.match(part)
        if not found:
            raise ValueError(f"bad package restriction syntax: {part}")
        return found.group(1), packaging_version.Version(found.group(2))

    def satisfied_by(self, version):
        given = packaging_version.Version(version)
        return all(self._COMPARE[sign](given, wanted) for sign, wanted in self.pred)


# Nova makes the rest of such a name from an image and asks whether there is the trait. os-traits of Debian 12 has all
# that there are but those named at import_before_nova().
_COMPUTED = ("COMPUTE_IMAGE_TYPE_", "COMPUTE_STORAGE_BUS_", "COMPUTE_GRAPHICS_MODEL_", "COMPUTE_NET_VIF_MODEL_",
             "COMPUTE_ARCH_", "COMPUTE_VIOMMU_", "HW_ARCH_")


def _trait(name):
    """Each trait is its own name."""
    if name.isupper() and not name.startswith(_COMPUTED):
        return name
    raise AttributeError(name)


class _IntOpt(cfg.Opt):
    """An option that takes choices, which are newer than Debian 12's."""

    def __init__(self, name, min=None, max=None, choices=None, **others):
        super().__init__(name, type=cfg.types.Integer(min, max), **others)


def _coerce_predicate(obj, attr, value):
    VersionPredicate(value)
    return value


def import_before_nova(with_pep440, traits):
    """`traits` are the computed names that os-traits of the release has beside those of Debian 12."""
    os_traits.__getattr__ = _trait
    for name in traits:
        setattr(os_traits, name, name)
    options = types.ModuleType("oslo_service.opts")
    options.__getattr__ = lambda name: []
    options.set_service_opts_defaults = lambda *given, **named: None
    sys.modules["oslo_service.opts"] = oslo_service.opts = options
    cfg.IntOpt = _IntOpt
    versionutils.VersionPredicate = VersionPredicate
    if with_pep440:
        # oslo.versionedobjects 3.6 checks img_hv_requested_version in the same way.
        fields.VersionPredicate.coerce = staticmethod(_coerce_predicate)
