"""cells.py names FILE.las: the rivals' segments in a file, as superpoint compare's systems.
cells.py table FOLDER: cells of our default model against the best rival, those lost first."""
import csv
import glob
import os
import re
import sys

NAME = re.compile(r"^(cp|ez|sv)([123])_(\d+)$")


def names(path):
    import laspy
    with laspy.open(path) as f:
        print(",".join("id:" + d for d in f.header.point_format.extra_dimension_names if NAME.match(d)))


def scores(row):
    recall, precision = float(row["br_as_coded"] or 0), float(row["bp"] or 0)
    both = recall + precision
    return {"OOA": float(row["ooa"]), "F": 2 * recall * precision / both if both else 0}


def table(folder):
    ours, rivals = {}, {}
    for path in sorted(glob.glob(os.path.join(folder, "*", "results.csv"))):
        with open(path, newline="") as f:
            for row in csv.DictReader(f):
                if row["error"] or not row["ooa"]:
                    continue
                given = NAME.match(row["system"].removeprefix("id:"))
                if given:
                    size = int(given[3])
                    rivals.setdefault((row["set"], size), {})[f"{given[1]}{given[2]}"] = scores(row)
                elif row["option"] == "pieces":
                    ours[row["set"], int(float(row["value"]))] = scores(row)
    cells = []
    for key, mine in ours.items():
        for measure in ("OOA", "F"):
            others = {name: s[measure] for name, s in rivals.get(key, {}).items()}
            if others:
                best = max(others, key=others.get)
                cells.append((mine[measure] - others[best], *key, measure, mine[measure], others[best], best))
    cells.sort()
    won = {m: [c for c in cells if c[3] == m and c[0] >= 0] for m in ("OOA", "F")}
    all_of = {m: [c for c in cells if c[3] == m] for m in ("OOA", "F")}
    print(f"{len(won['OOA']) + len(won['F'])} of {len(cells)} cells won:", ", ".join(
        f"{m} {len(won[m])} of {len(all_of[m])}, mean lead {sum(c[0] for c in all_of[m]) / max(1, len(all_of[m])):+.3f}"
        for m in ("OOA", "F")) + "\n")
    print("| lead | cloud | N/ | measure | `any` | best rival |\n|---|---|---|---|---|---|")
    for lead, cloud, size, measure, mine, other, best in cells:
        print(f"| {lead:+.3f} | {cloud} | {size} | {measure} | {mine:.3f} | {other:.3f} {best} |")


if __name__ == "__main__":
    {"names": names, "table": table}[sys.argv[1]](sys.argv[2])
