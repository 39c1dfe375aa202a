"""Forms by name: those of the package, those a program registers, and those of the entry points `plainwright.forms`."""

from __future__ import annotations

from plainwright.errors import DataError
from plainwright.rate.forms.base import Form
from plainwright.rate.forms.direct import Direct
from plainwright.rate.forms.gain import Gain
from plainwright.rate.forms.likert import Likert
from plainwright.rate.forms.pairwise import Pairwise
from plainwright.rate.forms.rank import Rank
from plainwright.rate.forms.sulem import Sulem
from plainwright.rate.forms.writing import Split, WriteSimpler
from plainwright.rate.settings import Settings
from plainwright.registry import Registry

__all__ = ["FORMS", "form_named", "form_of"]

_OURS = (Rank(), Likert(), Direct(), Sulem(), Gain(), Pairwise(), WriteSimpler(), Split())

FORMS: Registry[Form] = Registry("form", "plainwright.forms", {form.name: form for form in _OURS})


def form_named(name: str) -> Form:
    """Return the form of that name; `DataError` if a package offers something else, or half of one."""
    form = FORMS[name]
    if not isinstance(form, Form) or form.name != name:
        msg = f"form {name!r}: expected a plainwright.rate.forms.base.Form of that name, found {form!r:.60}"
        raise DataError(msg)
    needed = ("writing", "instructions") if form.writes else ("aspects", "instructions")
    if lacking := [part for part in needed if not getattr(form, part, None)]:
        msg = f"form {name!r}: expected its {lacking[0]}, found none; see `plainwright.rate.forms.base.Form`"
        raise DataError(msg)
    return form


def form_of(settings: Settings) -> Form:
    """Return the form of a study."""
    return form_named(settings.form)
