"""What people score: each reference of a set against all the others, as if a system had written it.

python benchmarks/human_references.py turkcorpus/test.detok asset/valid
"""

from __future__ import annotations

import argparse
from statistics import mean

from plainwright.evaluation import load_set
from plainwright.metrics import SARI


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", metavar="SET")
    for name in parser.parse_args().sets:
        given = load_set(name)
        writers = range(len(given.references[0]))
        for variant in ("easse", "xu2016"):
            metric = SARI(variant=variant, tokenizer="13a")
            scores = []
            for writer in writers:
                outputs = [references[writer] for references in given.references]
                others = [[*references[:writer], *references[writer + 1 :]] for references in given.references]
                scores.append(metric.corpus_score(given.sources, outputs, others).value)
            print(f"{name}\t{variant}\tmean {mean(scores):.2f}\tlowest {min(scores):.2f}\thighest {max(scores):.2f}")


if __name__ == "__main__":
    main()
