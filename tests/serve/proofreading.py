"""LibreOffice's own LanguageTool client, asked about a text.

Run with the Python that has UNO, this file is a program: it takes the address of a server and a text as JSON on
standard input, starts an office without a window, and answers with what it would underline. The tests call `ask`.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PYTHON = "/usr/bin/python3"
_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema">
<item oor:path="/org.openoffice.Office.Linguistic/GrammarChecking/LanguageTool">
<prop oor:name="BaseURL" oor:op="fuse"><value>ADDRESS</value></prop></item>
<item oor:path="/org.openoffice.Office.Linguistic/GrammarChecking/LanguageTool">
<prop oor:name="IsEnabled" oor:op="fuse"><value>true</value></prop></item>
</oor:items>
"""


def ask(address: str, text: str) -> list[dict[str, object]]:
    """What LibreOffice underlines in a text: where it starts, its length, and what it suggests."""
    job = json.dumps({"address": address, "text": text})
    done = subprocess.run([PYTHON, __file__], input=job, capture_output=True, text=True, timeout=120, check=True)
    return json.loads(done.stdout)


def main() -> None:
    """Answer the job on standard input."""
    job = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as profile:
        settings = Path(profile) / "user" / "registrymodifications.xcu"
        settings.parent.mkdir()
        settings.write_text(_SETTINGS.replace("ADDRESS", job["address"]))
        pipe = f"plainwright{os.getpid()}"
        switches = ["--headless", "--norestore", f"-env:UserInstallation=file://{profile}"]
        office = subprocess.Popen(
            ["soffice", *switches, f"--accept=pipe,name={pipe};urp;"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            answers = _errors(_connected(pipe), job["text"])
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


def _errors(context: object, text: str) -> list[dict[str, object]]:
    import uno

    name = "org.openoffice.lingu.LanguageToolGrammarChecker"
    checker = context.ServiceManager.createInstanceWithContext(name, context)
    locale = uno.createUnoStruct("com.sun.star.lang.Locale")
    locale.Language, locale.Country = "en", "US"
    assert checker.hasLocale(locale)
    found = checker.doProofreading("1", text, locale, 0, len(text), ())
    return [
        {"start": own.nErrorStart, "length": own.nErrorLength, "suggestions": list(own.aSuggestions)}
        for own in found.aErrors
    ]


if __name__ == "__main__":
    main()
