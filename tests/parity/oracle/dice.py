# SPDX-License-Identifier: Apache-2.0
"""Random choices that a seed repeats, and words that need escaping, splitting or counting in more than one way."""

import random


class Dice(random.Random):
    """The choices of one block of cases; equal seed and block, equal choices, whatever else ran before."""

    def __init__(self, seed, block):
        super().__init__(f"{seed}:{block}")

    def chance(self, probability):
        return self.random() < probability

    def one(self, of):
        return of[int(self.random() * len(of))]

    def some(self, of, at_most, at_least=0):
        return self.sample(of, min(len(of), self.randint(at_least, at_most)))

    def uuid(self):
        text = f"{self.getrandbits(128):032x}"
        return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}"


# What a number may look like in a flavor's extra specs or an aggregate's metadata.
NUMBERS = ["0", "1", "2", "3", "4", "8", "10", "9", "16", "100", "-1", "-3.5", "2.0", "2.5", "0.5", "1e1", "1e3",
           "1E-2",
           ".5", "5.", "+4", " 4 ", "007", "1_000", "1000000", "12345678901234567890", "0.1", "0.30000000000000004"]
ODD_NUMBERS = ["nan", "inf", "-inf", "NaN", "Infinity", "1__0", "_1", "1_", "0x10", "1e", "", " ", "4 2", "1,5", "true",
               "None", "--1", "1e400", "-0.0", "1e-400", "٣"]
WORDS = ["ssd", "hdd", "SSD", "gold", "x86_64", "kvm", "true", "True", "False", "a b", "ünï", "it's", 'say "so"', "1",
         "10"]
EXTRA_SPEC_OPERATORS = ["=", "==", "!=", ">=", "<=", "s==", "s!=", "s<", "s<=", "s>", "s>=", "<in>", "<all-in>", "<or>"]


def number(dice, odd=0.1):
    """A number as text; with probability `odd` one that not everybody reads."""
    if dice.chance(odd):
        return dice.one(ODD_NUMBERS)
    return dice.one(NUMBERS) if dice.chance(0.7) else str(dice.randint(-2, 20))


def word(dice):
    return dice.one(WORDS)


def requirement(dice, values, odd=0.04):
    """What a flavor asks of a value: an operator with operands or a plain value, mostly near what hosts have."""
    def operand():
        return dice.one(values) if dice.chance(0.7) else (number(dice, odd) if dice.chance(0.6) else word(dice))

    if dice.chance(0.25):
        return operand()
    operator = dice.one(EXTRA_SPEC_OPERATORS)
    if dice.chance(0.04):
        return dice.one([operator, operator + " ", " " + operator, operator + operand(), "> 3", "< 3", "=> 3", "<or>",
                         "<or> a <or>", "<in>", "<all-in>", "s==", "", " ", "=  ", "<OR> 1 <or> 2"])
    blank = dice.one([" ", " ", " ", "  ", "\t"])
    if operator == "<or>":
        return blank.join(f"<or>{blank}{operand()}" for _ in range(dice.randint(1, 4)))
    if operator == "<all-in>":
        return blank.join([operator] + [operand() for _ in range(dice.randint(1, 3))])
    if operator in ("=", "==", "!=", ">=", "<="):
        numeric = number(dice, odd) if dice.chance(0.5) else operand()
        return f"{operator}{blank}{numeric}"
    trailing = blank + operand() if dice.chance(0.1) else ""
    return f"{operator}{blank}{operand()}{trailing}"


def plain_words(text):
    """The parts of a value that an operand can name."""
    return [part for part in text.replace(",", " ").split() if part] or ["x"]
