"""Benchmarks and tools are run by hand; what they import must still be there, and what they count is processor time."""

from __future__ import annotations

import runpy
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

# In one process, because most of them import the same; what one of them adds to the path, the others do not see.
IMPORT_EACH = """
import runpy, sys, traceback
failed = []
for script in sys.argv[2:]:
    path, sys.path = sys.path, [sys.argv[1], *sys.path]
    try:
        runpy.run_path(script, run_name="imported")
    except BaseException:
        traceback.print_exc()
        failed.append(script)
    sys.path = path
sys.exit(", ".join(failed) or None)
"""


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["benchmarks", "tools"])
def test_scripts_can_be_imported(folder: str) -> None:
    scripts = sorted(map(str, (ROOT / folder).glob("*.py")))
    assert scripts
    command = [sys.executable, "-c", IMPORT_EACH, str(ROOT), *scripts]
    done = subprocess.run(command, cwd=ROOT / folder, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr


def test_benchmarks_count_what_processors_do_and_not_how_long_it_takes() -> None:
    fastest = runpy.run_path(str(ROOT / "benchmarks" / "timing.py"))["fastest"]
    busy = "import time\nwhile time.process_time() < 0.3: pass"
    assert fastest(lambda: time.sleep(0.3), runs=1) < 0.1
    assert fastest(lambda: subprocess.run([sys.executable, "-c", busy], check=True), runs=1) >= 0.3


# What threads gain can only be seen on the wall; bench_pivot shows both.
BY_THE_WALL = {"bench_decoder.py", "bench_metrics.py", "bench_pivot.py"}


def test_no_other_clock_is_read() -> None:
    found = {
        path.name for path in (ROOT / "benchmarks").glob("bench_*.py") if "perf_counter" in path.read_text("utf-8")
    }
    assert found <= BY_THE_WALL


def test_peers_of_the_rewriter_are_given_its_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from tests.rewriter.tiny import write_tiny_rewriter

    directory = write_tiny_rewriter(tmp_path / "tiny")
    monkeypatch.syspath_prepend(str(ROOT / "benchmarks"))
    import llama_weights
    from plainwright.rewriter.decoding import Decoder, Prompt

    weights = llama_weights.read_weights(directory)
    folder = llama_weights.write_folder(weights, tmp_path / "llama")
    model = transformers.LlamaForCausalLM.from_pretrained(folder)
    read, written = (0, 2, 3, 4, 5, 6, 2, 3, 17), (4, 9, 12, 3, 6, 12)
    with torch.no_grad():
        logits = model(input_ids=torch.tensor([[*read, *written]])).logits[0, len(read) - 1 :]
    target = torch.tensor([*written, weights.tokens.end])
    expected = logits.log_softmax(-1)[torch.arange(len(target)), target].tolist()
    found = Decoder(directory / "rewriter.onnx", end=weights.tokens.end).judged(Prompt(read, 8), written)
    # onnxruntime rounds what it multiplies, too; logits of this model go up to 48, and 0.18 is the furthest here.
    assert found.log_probabilities == pytest.approx(expected, abs=0.5)
