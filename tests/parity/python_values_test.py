#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares the filter driver's Python values with Python itself: python_values_test.py PROBE [--seed N] [--rounds N].

Thousands of random questions (str, repr, float, int, comparisons, blanks, JSON, requirements of extra specs, JsonFilter's
queries) go to the probe and to this Python; every answer must be the same, what Python raises included. What
distutils, packaging and netaddr decide is compared where this Python has them.
"""
import argparse
import json
import operator
import random
import re
import subprocess
import sys
import unicodedata
import warnings

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from distutils.versionpredicate import VersionPredicate
except ImportError:
    VersionPredicate = None
try:
    from packaging.version import Version
except ImportError:
    Version = None
try:
    import netaddr
except ImportError:
    netaddr = None

COMPARE = {"<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">=": operator.ge,
           ">": operator.gt}


# Those of the probe's Unicode, which is older than some Pythons'.
ZEROS = [code for code in range(sys.maxunicode) if unicodedata.decimal(chr(code), -1) == 0
         and code not in range(0x11f50, 0x11f5a) and code not in range(0x1e4f0, 0x1e4fa)]


def match(value, requirement, release):
    """What Nova's extra specs operators decide, from their description."""
    words = requirement.split()
    name, operands = (words[0], words[1:]) if words else (None, [])
    numbers = {"=": operator.ge, "==": operator.eq, "!=": operator.ne, ">=": operator.ge, "<=": operator.le}
    texts = {"s" + sign: compare for sign, compare in COMPARE.items()}
    known = {"<or>", "<in>", *numbers, *texts} | ({"<all-in>"} if release != "icehouse" else set())
    if name not in known:
        return value == requirement
    if value is None:
        return False
    if name == "<or>":
        if not operands:
            raise IndexError("pop from empty list")
        return value in operands[::2]
    if not operands:
        return False
    if name == "<all-in>":
        return all(operand in value for operand in operands)
    if name == "<in>":
        return operands[0] in value
    if name in numbers:
        return numbers[name](float(value), float(operands[0]))
    return texts[name](value, operands[0])


def evaluate(query, host):
    if not query:
        return True
    operations = {**COMPARE, "=": operator.eq, "in": None, "not": None, "or": any, "and": all}
    for name in ("==", "!="):
        del operations[name]
    operation = operations[query[0]]
    arguments = []
    for argument in query[1:]:
        if isinstance(argument, list):
            argument = evaluate(argument, host)
        elif argument == "":
            continue
        elif isinstance(argument, str) and argument.startswith("$"):
            first, *rest = argument[1:].split(".")
            argument = host.get(first)
            for name in rest:
                argument = argument.get(name) if argument is not None else None
        if argument is not None:
            arguments.append(argument)
    if query[0] == "not":
        return [not argument for argument in arguments]
    if query[0] in ("or", "and"):
        return operation(arguments)
    if len(arguments) < 2:
        return False
    if query[0] == "in":
        return arguments[0] in arguments[1:]
    return all([operation(arguments[0], other) for other in arguments[1:]])


def holds(host, hint, _release):
    if not hint:
        return True
    result = evaluate(json.loads(hint), host)
    return any(result) if isinstance(result, list) else bool(result)


def version(predicate, given):
    return VersionPredicate("package (%s)" % predicate).satisfied_by(given)


def pep440(predicate, given):
    """oslo.utils' VersionPredicate, by its description."""
    wanted = []
    for part in predicate.split(","):
        found = re.match(r"^\s*(<=|>=|<|>|!=|==)\s*([^\s]+)\s*$", part)
        if not found:
            raise ValueError("bad package restriction syntax: " + part)
        wanted.append((COMPARE[found.group(1)], Version(found.group(2))))
    return all(compare(Version(given), version) for compare, version in wanted)


def near(address, prefix, host):
    if not address:
        return True
    network = netaddr.IPNetwork(address + ("/24" if prefix is None else prefix))
    return netaddr.IPAddress(host) in network


def items(text):
    return [part.strip() for part in text.split(",")]


def least(values, kind, fallback, release):
    cast = {"int": int, "float": float}[kind]
    try:
        return cast(min(values)) if release == "icehouse" else min(cast(value) for value in values)
    except ValueError:
        return fallback


FUNCTIONS = {
    "str": str, "repr": repr, "bool": bool, "float": float, "int": int, "strip": str.strip, "words": str.split,
    "parts": str.split, "json": json.loads, "compare": lambda sign, left, right: COMPARE[sign](left, right),
    "match": match, "query": holds, "items": items, "least": least,
}
if VersionPredicate:
    FUNCTIONS["version"] = version
if Version:
    FUNCTIONS["pep440"] = pep440
if netaddr:
    FUNCTIONS["near"] = near


class Maker:
    """Random questions."""

    def __init__(self, chance):
        self.chance = chance

    def text(self):
        alphabet = ["a", "b", "Z", "0", "9", " ", "\t", "\n", "'", '"', "\\", "\x00", "\x1f", "\x7f", "\xa0", "\u00e9",
                    "\u2028", "\u3000", "\u200b", "\ud800", "\U0001f600", "\U000e0001", "\U0010ffff", "-", "_", "$", ":", ","]
        return "".join(self.chance.choices(alphabet, k=self.chance.randint(0, 8)))

    def integer(self):
        return self.chance.choice([0, 1, -1, 2, 7, 1024, 2**53, 2**53 + 1, -2**63, 2**63 - 1, 2**63, 2**64 - 1,
                                   self.chance.randint(-10**6, 10**6), self.chance.randint(-2**63, 2**64 - 1)])

    def real(self):
        return self.chance.choice([0.0, -0.0, 1.0, 2.5, 1e15, 1e16, 1e-4, 1e-5, 1e22, 1e23, 5e-324, 1.7976931348623157e308,
                                   float("inf"), float("-inf"), float("nan"), 2.0**53, 2.0**63, 2.0**64,
                                   self.chance.random(), self.chance.uniform(-1e6, 1e6),
                                   self.chance.uniform(-10, 10) * 10.0 ** self.chance.randint(-300, 300),
                                   float(self.chance.randint(-10**17, 10**17))])

    def value(self, depth=3):
        kind = self.chance.randrange(8 if depth else 5)
        if kind == 0:
            return self.chance.choice([None, True, False])
        if kind in (1, 2):
            return self.integer() if kind == 1 else self.real()
        if kind in (3, 4):
            return self.text()
        if kind in (5, 6):
            return [self.value(depth - 1) for _ in range(self.chance.randint(0, 3))]
        return {self.text(): self.value(depth - 1) for _ in range(self.chance.randint(0, 3))}

    def number_text(self):
        chance = self.chance
        if chance.random() < 0.3:
            return "".join(chance.choices("0123456789._eE+- nainf\t", k=chance.randint(0, 7)))
        blank = chance.choice(["", "", " ", "\u00a0", "\n"])
        sign = chance.choice(["", "", "-", "+"])
        body = chance.choice([
            str(self.integer()), repr(self.real()), "1_000", "1__0", "_1", "1_", "1_.5", "1._5", "1_0.2_5", "0x10", "1e400",
            "1e-400", "0e99999999999999999999", "0." + "0" * 400 + "1e400", "1" + "0" * 310, "nan", "NaN", "Infinity", "iNf",
            "infinit", "2.5", ".5", "5.", ".", "1e5", "1E+05", "1e", "1e_5", "007", "", "99999999999999999999", "4.35",
            "9007199254740993", "2.2250738585072011e-308", "1" * 30 + "." + "3" * 30])
        if chance.random() < 0.1:
            body = "".join(self.digit(character) if character.isdigit() else character for character in body)
        return blank + sign + body + chance.choice(["", "", " ", "\r"])

    def digit(self, ascii_digit):
        """The same digit of another script, or a character that only looks like one."""
        if self.chance.random() < 0.05:
            return self.chance.choice("\u00b2\u2463\u0bf0\u4e09\u065f\u06fa")
        return chr(self.chance.choice(ZEROS) + int(ascii_digit))

    def word(self):
        return self.chance.choice(["a", "b", "aes", "1", "2.5", "10", "nan", "x", "['aes', 'mmx']", "<or>", "1_0", "inf", ""])

    def requirement(self):
        name = self.chance.choice(["=", "==", "!=", ">=", "<=", "<", ">", "s==", "s!=", "s<", "s<=", "s>", "s>=", "s=", "<in>",
                                   "<all-in>", "<or>", "", "a", "=="])
        blank = self.chance.choice([" ", "  ", "\t"])
        return blank.join([name] + [self.word() for _ in range(self.chance.randint(0, 4))])

    def json_text(self):
        text = json.dumps(self.value(), ensure_ascii=self.chance.random() < 0.5)
        for _ in range(self.chance.choice([0, 0, 1, 2])):
            place = self.chance.randint(0, len(text))
            text = text[:place] + self.chance.choice(list("[]{},:\"\\0e.-1n ") + ["\\u00e9", "NaN", ""]) + text[place + 1:]
        return text

    def query(self, depth=2):
        def argument():
            if depth and self.chance.random() < 0.4:
                return self.query(depth - 1)
            return self.chance.choice([None, "", 0, 1, 512, 2.5, True, "host1", "$host", "$free_ram_mb", "$nosuch",
                                       "$stats.opt1", "$stats.opt2.a", "$host.x", "$service.disabled", "$none", "$empty", "$", {}, []])
        name = self.chance.choice(["=", "<", ">", "<=", ">=", "in", "not", "or", "and"] * 4 + ["bogus", 1, None])
        return [name] + [argument() for _ in range(self.chance.randint(0, 3))]

    def hint(self):
        if self.chance.random() < 0.05:
            return self.chance.choice(["", None, "null", '""', "{}", '"="', '"<ab"', '"s"', "[]", "[[]]", "7", '{"a": 1}', "["])
        return json.dumps(self.query())

    def version(self):
        numbers = [str(self.chance.choice([0, 1, 2, 7, 10, "07", 2**70])) for _ in range(self.chance.choice([1, 2, 2, 3, 3, 4]))]
        return ".".join(numbers) + self.chance.choice(["", "", "", "a1", "b2", "b10", "c1", "a", " "])

    def pep440_version(self):
        def pick(*choices):
            return self.chance.choice(choices)

        def some(probability, make):
            return make() if self.chance.random() < probability else ""

        def suffix(*words):
            return pick("", ".", "-", "_") + pick(*words) + some(0.8, lambda: pick("", "", ".", "-", "_") + pick("0", "1", "02", "10"))
        text = some(0.1, lambda: pick("v", "V")) + some(0.1, lambda: pick("0!", "1!"))
        text += ".".join(pick("0", "1", "2", "7", "10", "07") for _ in range(pick(1, 2, 2, 3, 4)))
        text += some(0.3, lambda: suffix("a", "b", "c", "rc", "alpha", "beta", "pre", "preview", "RC"))
        text += some(0.2, lambda: pick("-1", "-2", suffix("post", "rev", "r")))
        text += some(0.2, lambda: suffix("dev", "DEV"))
        text += some(0.15, lambda: "+" + pick("", ".", "-", "_").join(pick("1", "02", "a", "b1", "X") for _ in range(pick(1, 2))))
        return text + some(0.03, lambda: pick("x", ".", "-", "+", "!", "..1", ".*"))

    def predicate(self, version=None):
        make = version or self.version

        def one():
            sign = self.chance.choice(["<", "<=", ">", ">=", "==", "!="] * 3 + ["", "=", "=>", "><"])
            blank = self.chance.choice(["", "", " ", "\t", "\n"] if self.chance.random() < 0.3 else [""])
            return blank + sign + blank + self.chance.choice([make(), make(), "", "1.2 3"]) + blank
        return ",".join(one() for _ in range(self.chance.choice([1, 1, 2, 3])))

    def address(self):
        four = ".".join(str(self.chance.choice([0, 1, 9, 10, 127, 192, 255, 256, "010", "0x1", "", " 7", "1_0"] if
                        self.chance.random() < 0.2 else [0, 1, 10, 255])) for _ in range(self.chance.choice([1, 2, 3, 4, 4, 4, 4, 5])))
        return self.chance.choice([four, four, four, "::1", "fe80::%x" % self.chance.randrange(2**16), "::ffff:10.0.0.1", "::",
                                   "1:2:3:4:5:6:7:8", "1:::2", "12345::", "bogus", "fe80::1%eth0", "1::2::3", "", "10.0.0.1 x"])

    def prefix(self):
        return self.chance.choice([None, "/%d" % self.chance.randint(-1, 33), "/%d" % self.chance.randint(0, 129), "24", "/", "",
                                   "/255.255.255.0", "/0.0.255.255", "/255.0.255.0", "/ffff::", "/::ff", "/ 8", "/+8", "/1_6",
                                   "/8/8", "/0.0.0.0", "/255.255.255.255", "/8x", "/99999999999999999999"])

    def questions(self, rounds):
        host = {"host": "host1", "free_ram_mb": 512, "none": None, "empty": "", "stats": {"opt1": "1", "opt2": {"a": 2.5}},
                "service": {"disabled": False}}
        for _ in range(rounds):
            value = self.value()
            yield ["str", value]
            yield ["repr", value]
            yield ["bool", value]
            yield ["strip", self.text()]
            yield ["words", self.text()]
            yield ["parts", self.text(), ","]
            number = self.number_text()
            yield ["float", number]
            yield ["int", number]
            yield ["json", self.json_text()]
            small = [self.chance.choice([self.value(1), self.integer(), self.real(), self.word(), None, True]) for _ in "ab"]
            yield ["compare", self.chance.choice(list(COMPARE)), *small]
            release = self.chance.choice(["icehouse", "ocata", "zed"])
            yield ["match", self.chance.choice([None, self.word(), self.word(), self.word()]), self.requirement(), release]
            values = [self.chance.choice([str(self.integer()), self.number_text(), self.text(), "a, b,a", "", "1", "10", "9"])
                      for _ in range(self.chance.randint(1, 3))]
            yield ["items", values[0]]
            numbers = [str(self.chance.randint(-20, 20)) + self.chance.choice(["", "", " ", ".5", "x"]) for _ in values]
            yield ["least", numbers, self.chance.choice(["int", "float"]), 50, release]
            if VersionPredicate:
                yield ["version", self.predicate(), self.version().strip()]
            if Version:
                yield ["pep440", self.predicate(self.pep440_version), self.pep440_version()]
            if netaddr:
                yield ["near", self.address(), self.prefix(), self.address()]
            yield ["query", host, self.hint(), "zed"]


def expected(question):
    name, *arguments = question
    try:
        return "= " + repr(FUNCTIONS[name](*arguments))
    except RecursionError:
        return "! RecursionError"
    except Exception as error:  # pylint: disable=broad-except
        name = type(error).__name__
        kind = "ValueError" if isinstance(error, ValueError) and name != "InvalidVersion" else name
        return "! %s %r" % (kind, str(error))


def agrees(question, want, got):
    # The driver's repr() leaves characters that Unicode has not assigned as they are.
    got = "".join(repr(one)[1:-1] if unicodedata.category(one) == "Cn" else one for one in got)
    if want == got:
        return True
    # The sentences of JSON errors are our own; an int beyond 64 bits is the nearest double.
    if want.startswith("! ValueError") and question[0] in ("json", "query"):
        return got.startswith("! ValueError")
    if question[0] == "int" and want.startswith("! ValueError"):  # Python shortens what it quotes
        return want[:150] == got[:150]
    if question[0] in ("int", "json") and want.startswith("= "):
        return got == "= " + repr(narrowed(eval(want[2:], {"nan": float("nan"), "inf": float("inf")})))
    return False


def narrowed(value):
    if isinstance(value, list):
        return [narrowed(item) for item in value]
    if isinstance(value, dict):
        return {key: narrowed(item) for key, item in value.items()}
    if isinstance(value, int) and not -2**63 <= value < 2**64:
        try:
            return float(value)
        except OverflowError:
            return float("inf") if value > 0 else float("-inf")
    return value


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("probe")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    parser.add_argument("--rounds", type=int, default=4000)
    options = parser.parse_args()
    print("seed", options.seed)
    questions = list(Maker(random.Random(options.seed)).questions(options.rounds))
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    answer = subprocess.run([options.probe], input=lines.encode(), stdout=subprocess.PIPE, check=True)
    got = answer.stdout.decode("utf-8", "surrogatepass").split("\n")[:-1]
    if len(got) != len(questions):
        sys.exit("%d questions, %d answers" % (len(questions), len(got)))
    wrong = 0
    for question, line in zip(questions, got):
        want = expected(question)
        if not agrees(question, want, line):
            wrong += 1
            if wrong <= 20:
                print("%s\n  Python %s\n  ours   %s" % (ascii(question)[:400], ascii(want)[:400], ascii(line)[:400]))
    print("%d questions, %d answered differently" % (len(questions), wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
