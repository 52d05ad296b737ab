# SPDX-License-Identifier: Apache-2.0
"""The part of JSON Schema that Gantry's OpenAPI document uses. A keyword that is not known here is an error, so that
nothing in a schema goes unchecked."""

import re

ANNOTATIONS = {"description", "default", "examples", "example"}
TYPES = {
    "object": dict,
    "array": list,
    "string": str,
    "boolean": bool,
    "null": type(None),
    "number": (int, float),
    "integer": int,
}
DATE_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")


class UnknownKeyword(Exception):
    pass


def is_of_type(value, name):
    if isinstance(value, bool) and name != "boolean":
        return False
    return isinstance(value, TYPES[name])


def resolve(document, reference):
    """What a reference within the document ("#/components/schemas/Instance") stands for."""
    found = document
    for part in reference.removeprefix("#/").split("/"):
        found = found[part]
    return found


class Validator:
    def __init__(self, document):
        self.document = document

    def faults(self, schema, value, where="body"):
        """A line for each thing in value that the schema does not allow; none: it is valid."""
        faults = []
        for keyword, expected in schema.items():
            if keyword in ANNOTATIONS:
                continue
            check = getattr(self, "_" + keyword.removeprefix("$"), None)
            if check is None:
                raise UnknownKeyword(keyword)
            faults += check(schema, expected, value, where)
        return faults

    def accepts(self, schema, value):
        return not self.faults(schema, value)

    def _ref(self, _, reference, value, where):
        return self.faults(resolve(self.document, reference), value, where)

    def _type(self, _, expected, value, where):
        names = expected if isinstance(expected, list) else [expected]
        if any(is_of_type(value, name) for name in names):
            return []
        return [f"{where}: expected {' or '.join(names)}, found {value!r}"]

    def _enum(self, _, expected, value, where):
        return [] if value in expected else [f"{where}: expected one of {expected}, found {value!r}"]

    def _anyOf(self, _, schemas, value, where):
        each = [self.faults(schema, value, where) for schema in schemas]
        return [] if not all(each) else [f"{where}: none of {len(each)} fits: {each}"]

    def _properties(self, _, properties, value, where):
        if not isinstance(value, dict):
            return []
        present = [name for name in properties if name in value]
        return [fault for name in present for fault in self.faults(properties[name], value[name], f"{where}.{name}")]

    def _required(self, _, names, value, where):
        if not isinstance(value, dict):
            return []
        return [f"{where}: has no {name}" for name in names if name not in value]

    def _additionalProperties(self, schema, allowed, value, where):
        if not isinstance(value, dict) or allowed is True:
            return []
        others = [name for name in value if name not in schema.get("properties", {})]
        if allowed is False:
            return [f"{where}: {name} is not documented" for name in others]
        return [fault for name in others for fault in self.faults(allowed, value[name], f"{where}.{name}")]

    def _items(self, _, schema, value, where):
        if not isinstance(value, list):
            return []
        return [fault for at, item in enumerate(value) for fault in self.faults(schema, item, f"{where}[{at}]")]

    def _minItems(self, _, least, value, where):
        return [f"{where}: too short"] if isinstance(value, list) and len(value) < least else []

    def _maxItems(self, _, most, value, where):
        return [f"{where}: too long"] if isinstance(value, list) and len(value) > most else []

    def _minimum(self, _, least, value, where):
        return [f"{where}: below {least}"] if is_of_type(value, "number") and value < least else []

    def _maximum(self, _, most, value, where):
        return [f"{where}: above {most}"] if is_of_type(value, "number") and value > most else []

    def _minLength(self, _, least, value, where):
        return [f"{where}: too short"] if isinstance(value, str) and len(value) < least else []

    def _maxLength(self, _, most, value, where):
        return [f"{where}: too long"] if isinstance(value, str) and len(value) > most else []

    def _format(self, _, name, value, where):
        if name != "date-time":
            raise UnknownKeyword(f"format {name}")
        return [] if not isinstance(value, str) or DATE_TIME.fullmatch(value) else [f"{where}: no time: {value}"]
