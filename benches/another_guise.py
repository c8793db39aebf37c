#!/usr/bin/env python3
"""Writes SMT-LIB HORN files in another guise: the same clauses, said in another order and with other names.

usage: benches/another_guise.py [--seed N] [--records] [--check CLAUSAL] FILE FOLDER [FILE FOLDER ...]

Declarations, assertions, the arguments of predicates, bound variables and the parts of what commutes come in a random order, the
sides of comparisons are exchanged here and there, and predicates and variables have other names. What is decided should not hang on
any of that. FOLDER/NAME-gN.smt2 (NAME-rN.smt2 with records) is written of FILE, always the same for the same seed. Sorts, constructors and defined functions stay
as they are. `--records` makes one record of a predicate's arguments, of a datatype with one constructor. `--check` asks a Clausal for the verdicts of both and ends with 1 where they contradict each other.
"""
import argparse
import pathlib
import random
import re
import subprocess
import sys

TOKEN = re.compile(r';[^\n]*|"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s();"|]+')
SIMPLE = re.compile(r"[A-Za-z0-9~!@$%^&*_+=<>.?/:#-]+|\"(?:[^\"]|\"\")*\"")
COMMUTES = {"and", "or", "+", "=", "*", "distinct", "xor", "bvand", "bvor", "bvadd", "bvmul", "bvxor"}
MIRRORED = {"<=": ">=", ">=": "<=", "<": ">", ">": "<"}


def parse(text):
    """The expressions of a text: lists and words. What is written between bars is the same symbol as without."""
    stack = [[]]
    for token in TOKEN.findall(text):
        if token == "(":
            stack.append([])
        elif token == ")":
            inner = stack.pop()
            stack[-1].append(inner)
        elif token[0] != ";":
            stack[-1].append(token.strip("|") if token[0] == "|" else token)
    return stack[0]


def write(expression):
    if isinstance(expression, list):
        return "(" + " ".join(map(write, expression)) + ")"
    return expression if SIMPLE.fullmatch(expression) else f"|{expression}|"


class Guise:
    """What is called what, in which order the arguments of predicates come, and whether they are fields of a record."""

    def __init__(self, text, seed, has_records):
        self.random = random.Random(seed)
        self.has_records = has_records
        self.constructors = {}
        self.given = parse(text)
        self.taken = set(TOKEN.findall(text))
        self.count = 0
        predicates = [one for one in self.given if one[0] == "declare-fun" and one[3] == "Bool"]
        self.names = {one[1]: self.fresh("q") for one in self.shuffled(predicates)}
        self.orders = {one[1]: self.shuffled(range(len(one[2]))) for one in predicates}
        self.sorts = {one[1]: [one[2][at] for at in self.orders[one[1]]] for one in predicates}

    def shuffled(self, items):
        items = list(items)
        self.random.shuffle(items)
        return items

    def fresh(self, letter):
        self.count += 1
        name = f"{letter}{self.count}"
        return self.fresh(letter) if name in self.taken else name

    def made_record(self, sorts):
        """The name of the record of these sorts and that of its constructor; nothing if there is no need of one."""
        if not self.has_records or len(sorts) < 2:
            return None
        key = write(sorts)
        if key not in self.constructors:
            fields = [[self.fresh("f"), sort] for sort in sorts]
            self.constructors[key] = (self.fresh("R"), self.fresh("mk"), fields)
        return self.constructors[key][:2]

    def term(self, term, known):
        """The term in this guise; `known` are the new names of what is bound around it."""
        if isinstance(term, str):
            return known.get(term, self.names.get(term, term))
        if not term:
            return term
        head = term[0]
        if head in ("forall", "exists"):
            bound = self.shuffled(term[1])
            known = known | {name: self.fresh("v") for name, _ in bound}
            return [head, [[known[name], sort] for name, sort in bound], self.term(term[2], known)]
        if head == "let":
            values = [(name, self.term(value, known)) for name, value in term[1]]
            known = known | {name: self.fresh("l") for name, _ in values}
            return [head, [[known[name], value] for name, value in values], self.term(term[2], known)]
        if head == "match":
            return [head, self.term(term[1], known), [self.case(*case, known) for case in term[2]]]
        if head == "!":
            return [head, self.term(term[1], known), *term[2:]]
        if head in ("_", "as"):
            return term
        inner = [self.term(argument, known) for argument in term[1:]]
        if isinstance(head, list):
            return [self.term(head, known), *inner]
        if head in self.orders and head not in known:
            inner = [inner[position] for position in self.orders[head]]
            record = self.made_record(self.sorts[head])
            return [self.names[head], *([[record[1], *inner]] if record else inner)]
        if head in COMMUTES:
            inner = self.shuffled(inner)
        if head in MIRRORED and len(inner) == 2 and self.random.random() < 0.5:
            head, inner = MIRRORED[head], inner[::-1]
        return [head, *inner]

    def case(self, pattern, term, known):
        # A word alone may be a constructor, so only what stands behind one is bound for certain.
        bound = pattern[1:] if isinstance(pattern, list) else []
        known = known | {name: self.fresh("m") for name in bound}
        renamed = [pattern[0], *(known[name] for name in bound)] if bound else pattern
        return [renamed, self.term(term, known)]

    def commands(self):
        """All commands: what is neither a predicate nor an assertion first and last, as it was."""
        before, declared, asserted, after = [], [], [], []
        for command in self.given:
            if command[0] == "declare-fun" and command[1] in self.names:
                _, name, _, result = command
                sorts = self.sorts[name]
                record = self.made_record(sorts)
                declared.append([command[0], self.names[name], [record[0]] if record else sorts, result])
            elif command[0] == "assert":
                asserted.append(["assert", self.term(command[1], {})])
            elif asserted:
                after.append(command)
            else:
                before.append(command)
        for name, constructor, fields in self.constructors.values():
            before.append(["declare-datatypes", [[name, "0"]], [[[constructor, *fields]]]])
        return before + self.shuffled(declared) + self.shuffled(asserted) + after


def verdict(clausal, path):
    run = subprocess.run([clausal, "verify", "-q", "--timeout", "10", path], capture_output=True, text=True, check=False)
    return next((word for word in run.stdout.split() if word.strip(":") in ("SAFE", "UNSAFE")), "open")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--records", action="store_true")
    parser.add_argument("--check", metavar="CLAUSAL")
    parser.add_argument("paths", nargs="+", metavar="FILE FOLDER")
    options = parser.parse_args()
    if len(options.paths) % 2:
        parser.error("each file needs a folder")
    sys.setrecursionlimit(100_000)
    contradictions = 0
    for source, folder in zip(options.paths[::2], options.paths[1::2]):
        guise = Guise(pathlib.Path(source).read_text(), options.seed, options.records)
        target = pathlib.Path(folder, f"{pathlib.Path(source).stem}-{'r' if options.records else 'g'}{options.seed}.smt2")
        target.write_text("\n".join(map(write, guise.commands())) + "\n")
        if options.check:
            both = [verdict(options.check, path) for path in (source, str(target))]
            print(*both, target)
            contradictions += set(both) >= {"SAFE", "UNSAFE"}
    return 1 if contradictions else 0


if __name__ == "__main__":
    sys.exit(main())
