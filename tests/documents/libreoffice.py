"""LibreOffice as an independent reader: it opens documents, accepts or refuses changes, and says what it sees.

Run with the Python that has UNO, this file is a program: it takes jobs as JSON on standard input, starts an office
without a window, and answers with JSON. The tests call `ask`.
"""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PYTHON = "/usr/bin/python3"


def available() -> bool:
    """Whether there is an office and a Python that can talk to it."""
    if shutil.which("soffice") is None or not Path(PYTHON).exists():
        return False
    return subprocess.run([PYTHON, "-c", "import uno"], capture_output=True, check=False).returncode == 0


def ask(jobs: list[dict[str, str]]) -> list[dict[str, object]]:
    """Let LibreOffice do the jobs: `path`, `then` (accept, refuse or nothing), and `save` for a copy in a format."""
    program = subprocess.Popen(
        [PYTHON, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True
    )
    try:
        answers, _ = program.communicate(json.dumps(jobs), timeout=300)
    except subprocess.TimeoutExpired:
        os.killpg(program.pid, signal.SIGKILL)  # with the office that it started
        program.communicate()
        raise
    assert program.returncode == 0
    return json.loads(answers)


def main() -> None:
    """Answer the jobs on standard input."""
    with tempfile.TemporaryDirectory() as profile:
        pipe = f"plainwright{os.getpid()}"
        office = subprocess.Popen(
            [
                "soffice",
                "--headless",
                "--norestore",
                f"-env:UserInstallation=file://{profile}",
                f"--accept=pipe,name={pipe};urp;",
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            context = _connected(pipe)
            services = context.ServiceManager
            desktop = services.createInstanceWithContext("com.sun.star.frame.Desktop", context)
            answers = [_answer(job, desktop, services, context) for job in json.load(sys.stdin)]
        finally:
            office.terminate()  # asks it to end in order
            office.wait(60)
    json.dump(answers, sys.stdout)


def _connected(pipe: str) -> object:
    import uno

    local = uno.getComponentContext()
    resolver = local.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", local)
    for _ in range(600):
        try:
            return resolver.resolve(f"uno:pipe,name={pipe};urp;StarOffice.ComponentContext")
        except Exception:
            time.sleep(0.1)
    raise TimeoutError("soffice does not answer")


def _property(name: str, value: object) -> object:
    from com.sun.star.beans import PropertyValue

    found = PropertyValue()
    found.Name, found.Value = name, value
    return found


def _answer(job: dict[str, str], desktop: object, services: object, context: object) -> dict[str, object]:
    document = desktop.loadComponentFromURL(Path(job["path"]).as_uri(), "_blank", 0, (_property("Hidden", True),))
    changes = [
        (own.getPropertyValue("RedlineType"), own.getPropertyValue("RedlineAuthor"), _date(own))
        for own in _all(document.Redlines)
    ]
    command = {"accept": ".uno:AcceptAllTrackedChanges", "refuse": ".uno:RejectAllTrackedChanges"}.get(
        job.get("then", "")
    )
    if command:
        helper = services.createInstanceWithContext("com.sun.star.frame.DispatchHelper", context)
        helper.executeDispatch(document.CurrentController.Frame, command, "", 0, ())
    comments: list[tuple[str, str]] = []
    paragraphs = _paragraphs(document.Text, comments)
    for note in (*_indexed(document.Footnotes), *_indexed(document.Endnotes)):
        paragraphs += _paragraphs(note, comments)
    if "save" in job:
        document.storeToURL(Path(job["save"]).as_uri(), (_property("FilterName", job["filter"]),))
    document.close(True)
    return {"paragraphs": paragraphs, "changes": changes, "comments": comments}


def _date(redline: object) -> str:
    own = redline.getPropertyValue("RedlineDateTime")
    return f"{own.Year:04}-{own.Month:02}-{own.Day:02}T{own.Hours:02}:{own.Minutes:02}:{own.Seconds:02}"


def _all(collection: object) -> list[object]:
    found, walk = [], collection.createEnumeration()
    while walk.hasMoreElements():
        found.append(walk.nextElement())
    return found


def _indexed(collection: object) -> list[object]:
    return [collection.getByIndex(number) for number in range(collection.Count)]


def _paragraphs(text: object, comments: list[tuple[str, str]]) -> list[dict[str, object]]:
    found = []
    for element in _all(text):
        if element.supportsService("com.sun.star.text.TextTable"):
            for name in element.CellNames:
                found += _paragraphs(element.getCellByName(name), comments)
            continue
        portions: list[list[object]] = []
        for portion in _all(element):
            kind = portion.TextPortionType
            if kind == "Annotation":
                comments.append((portion.TextField.Author, portion.TextField.Content))
            if kind not in ("Text", "TextField") or not portion.String:
                continue
            look = [portion.CharWeight, portion.CharPosture.value, portion.HyperLinkURL, portion.CharStyleName]
            if portions and portions[-1][1:] == look:
                portions[-1][0] += portion.String
            else:
                portions.append([portion.String, *look])
        found.append({"style": element.ParaStyleName, "list": element.ListLabelString, "portions": portions})
    return found


if __name__ == "__main__":
    main()
