"""A model as a directory: `model.toml`, packed grammars, a packed language model, and a card for people.

`model.toml` says all that is needed to decode, and where the model came from:

    [model]        name, version, licence, description
    [files]        grammars = ["grammar.pack"], language_model = "lm.pack", tagger = "tagger.pack",
                   second_look = "second_look.npz", wordlist = "wordlist.pack"
    [settings]     pop_limit, span_limit, …, sentence_risk, and syntax = true for rules whose gaps have labels
    [weights]      "lm_0" = 1.0, …
    [pipeline]     proposers = ["scfg"], judges = [] (you can do without); options in [proposers.NAME], [judges.NAME]
    [provenance]   anything: sources, commands, dates

No file is opened before it is asked for, and none outside the directory is ever named.
"""

from __future__ import annotations

import math
import shutil
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from plainwright.arguments import check_choice
from plainwright.decode.decoder import DecoderSettings
from plainwright.errors import DataError
from plainwright.files import atomic_write, check_directory, is_there
from plainwright.tables import Setting, TableReader, write_tables

__all__ = ["RULES", "ModelBundle", "Setting", "passes_of"]

RULES = "scfg"  # the proposer that the model's own rules are
_SENTENCE_RISK = "sentence_risk"  # two settings are the simplifier's, not the decoder's
_SYNTAX = "syntax"
_NOT_OF_DECODER = (_SENTENCE_RISK, _SYNTAX)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelBundle:
    """Holds what `model.toml` says; the files are looked up beside it."""

    name: str
    version: str
    licence: str
    grammars: tuple[str, ...]
    language_model: str | None
    weights: Mapping[str, float]
    tagger: str | None = None
    second_look: str | None = None
    wordlist: str | None = None
    settings: Mapping[str, Setting] = field(default_factory=dict)
    proposers: tuple[tuple[str, ...], ...] = ((RULES,),)  # those of each pass
    judges: tuple[str, ...] = ()
    options: Mapping[str, Mapping[str, Mapping[str, Setting]]] = field(default_factory=dict)  # of both, by name
    description: str = ""
    provenance: Mapping[str, Setting] = field(default_factory=dict)
    directory: Path = Path()

    @classmethod
    def load(cls, directory: str | Path) -> ModelBundle:
        """Read and check `model.toml`; every file it names must be there."""
        directory = Path(directory)
        path = directory / "model.toml"
        check_directory(directory, of="a model")
        table = TableReader.read(path)
        model, files, parts = table.section("model"), table.section("files"), table.section("pipeline")
        bundle = cls(
            name=model.text("name"),
            version=model.text("version"),
            licence=model.text("licence"),
            description=model.text("description", ""),
            grammars=files.file_names("grammars"),
            language_model=files.file_name("language_model"),
            tagger=files.file_name("tagger"),
            second_look=files.file_name("second_look"),
            wordlist=files.file_name("wordlist"),
            weights=table.section("weights").numbers(),
            proposers=_passes(parts),
            judges=parts.texts("judges"),
            options={kind: _options(table.section(kind)) for kind in ("proposers", "judges")},
            settings=table.section("settings").settings(),
            provenance=table.section("provenance").settings(),
            directory=directory,
        )
        others = (bundle.language_model_path, bundle.tagger_path, bundle.second_look_path, bundle.wordlist_path)
        for file in (*bundle.grammar_paths, *others):
            if file is not None and not (is_there(file) and file.is_file()):
                msg = f"{path}: names {file.name!r}, which is not in {directory}"
                raise DataError(msg)
        return bundle

    def save(self, directory: str | Path) -> None:
        """Write `model.toml` into a directory that holds the files already."""
        tables: dict[str, Mapping[str, Any]] = {
            "model": {
                "name": self.name,
                "version": self.version,
                "licence": self.licence,
                "description": self.description,
            },
            "files": {
                "grammars": list(self.grammars),
                **({"language_model": self.language_model} if self.language_model else {}),
                **({"tagger": self.tagger} if self.tagger else {}),
                **({"second_look": self.second_look} if self.second_look else {}),
                **({"wordlist": self.wordlist} if self.wordlist else {}),
            },
            "settings": self.settings,
            "weights": self.weights,
            **self._pipeline_tables(),
            "provenance": self.provenance,
        }
        with atomic_write(Path(directory) / "model.toml") as stream:
            write_tables(stream, tables)

    def _pipeline_tables(self) -> dict[str, Mapping[str, Any]]:
        """What differs from the pipeline that a model has by default."""
        tables: dict[str, Mapping[str, Any]] = {}
        if self.proposers != ((RULES,),) or self.judges:
            tables["pipeline"] = {"proposers": self.proposers, "judges": self.judges}
        for kind, parts in self.options.items():
            tables |= {f"{kind}.{name}": options for name, options in parts.items()}
        return tables

    def create(
        self,
        directory: str | Path,
        *,
        grammars: Sequence[Path],
        language_model: Path | None = None,
        tagger: Path | None = None,
        second_look: Path | None = None,
        wordlist: Path | None = None,
        card: Path | None = None,
    ) -> None:
        """Write a directory with these files and `model.toml`; whole or not at all.

        If the files are in `directory` already, only `model.toml` is written. A card becomes `CARD.md`.
        """
        directory = Path(directory)
        files = [path for path in (*grammars, language_model, tagger, second_look, wordlist) if path is not None]
        names = [path.name for path in files]
        if len(set(names)) < len(names):
            msg = f"two files of a model are called the same: {', '.join(names)}; rename one of them"
            raise DataError(msg)
        described = replace(
            self,
            grammars=tuple(path.name for path in grammars),
            language_model=language_model.name if language_model else None,
            tagger=tagger.name if tagger else None,
            second_look=second_look.name if second_look else None,
            wordlist=wordlist.name if wordlist else None,
        )
        if directory.is_dir() and all(path.resolve().parent == directory.resolve() for path in files):
            described.save(directory)
            return
        temporary = Path(tempfile.mkdtemp(dir=directory.parent, prefix=".plainwright.", suffix=".part"))
        try:
            for path in files:
                shutil.copyfile(path, temporary / path.name)
            if card is not None:
                shutil.copyfile(card, temporary / "CARD.md")
            described.save(temporary)
            temporary.chmod(0o755)
            temporary.rename(directory)
        except OSError as error:
            msg = f"{directory}: cannot be written ({(error.strerror or str(error)).lower()})"
            raise DataError(msg) from None
        finally:
            shutil.rmtree(temporary, ignore_errors=True)

    def decoder_settings(self) -> DecoderSettings:
        """The settings as the decoder takes them; a name that it does not know is an error."""
        known = [*DecoderSettings.__dataclass_fields__, *_NOT_OF_DECODER]
        for name in self.settings:
            check_choice(name, known, f"setting in {self.directory / 'model.toml'}:", listing="choose among")
        try:
            return DecoderSettings(**{k: v for k, v in self.settings.items() if k not in _NOT_OF_DECODER})  # type: ignore[arg-type]
        except DataError as error:
            msg = f"{self.directory / 'model.toml'}: settings.{error}"
            raise DataError(msg) from None

    @property
    def sentence_risk(self) -> float | None:
        """What the rules in one sentence may risk together; None: there is no limit."""
        value = self.settings.get(_SENTENCE_RISK)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value < math.inf:
            msg = (
                f"{self.directory / 'model.toml'}: settings.{_SENTENCE_RISK}: expected a number from 0, found {value!r}"
            )
            raise DataError(msg)
        return float(value)

    @property
    def syntax(self) -> bool:
        """Whether the input is parsed, so that its words and phrases fill gaps with their labels."""
        value = self.settings.get(_SYNTAX, False)
        if not isinstance(value, bool):
            msg = f"{self.directory / 'model.toml'}: settings.{_SYNTAX}: expected true or false, found {value!r}"
            raise DataError(msg)
        return value

    @property
    def grammar_paths(self) -> tuple[Path, ...]:
        """The packed grammars, in order."""
        return tuple(self.directory / name for name in self.grammars)

    @property
    def language_model_path(self) -> Path | None:
        """The packed language model, if the model has one."""
        return None if self.language_model is None else self.directory / self.language_model

    @property
    def tagger_path(self) -> Path | None:
        """The tagger of the input, if the model has one."""
        return None if self.tagger is None else self.directory / self.tagger

    @property
    def second_look_path(self) -> Path | None:
        """What judges edits in their sentences, if the model has it."""
        return None if self.second_look is None else self.directory / self.second_look

    @property
    def wordlist_path(self) -> Path | None:
        """The packed list of hard and plain words, if the model has one."""
        return None if self.wordlist is None else self.directory / self.wordlist


def _options(parts: TableReader) -> dict[str, dict[str, Setting]]:
    """What each part is called with, by name."""
    return {name: parts.section(name).settings() for name in parts}


def passes_of(names: Iterable[str] | None) -> tuple[tuple[str, ...], ...]:
    """Return the proposers of each pass from what the command line takes: names with commas between them."""
    return tuple(tuple(name.strip() for name in own.split(",")) for own in names or ())


def _passes(table: TableReader) -> tuple[tuple[str, ...], ...]:
    """The proposers of each pass: a list of names is one pass, a list of such lists several."""
    value = table.value("proposers", [RULES])
    passes = value if isinstance(value, list) and value and all(isinstance(own, list) for own in value) else [value]
    for names in passes:
        if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
            expected = "names of proposers, or a list of such lists"
            raise table.wrong(key="proposers", expected=expected, found=value)
    return tuple(map(tuple, passes))
