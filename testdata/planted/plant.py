# SPDX-License-Identifier: BSD-3-Clause
"""Plants a fault of a list in the checkout: plant.py LIST NUMBER. Prints the file; `git checkout FILE` removes it."""
import re
import sys

END = " ⏎ "  # an end of line and the indentation behind it


def fault(text, number):
    """The file, and the code before and after."""
    found = re.search(rf"^{number} (\S+):\d+ .*\n- (.*)\n\+ (.*)$", text, re.MULTILINE)
    if not found:
        raise SystemExit(f"the list has no fault {number}")
    return found.groups()


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        path, before, after = fault(file.read(), sys.argv[2])
    with open(path, encoding="utf-8") as file:
        code = file.read()
    pattern = r"\n\s*".join(re.escape(line) for line in before.split(END))
    code, count = re.subn(pattern, lambda _: after.replace(END, "\n"), code)
    if count != 1:
        raise SystemExit(f"{path}: the code before stands there {count} times")
    with open(path, "w", encoding="utf-8") as file:
        file.write(code)
    print(path)


if __name__ == "__main__":
    main()
