"""Lexical substitution: which of several plainer words fit into a sentence, as a network reads it.

`model` runs the network, `pieces` lays out what it reads, `finding` says where it is. The proposer that asks it is
`plainwright.rewrite.propose.substitution`.
"""

from plainwright.substitution.finding import find_substitution
from plainwright.substitution.model import SubstitutionModel
from plainwright.substitution.pieces import Candidate

__all__ = ["Candidate", "SubstitutionModel", "find_substitution"]
