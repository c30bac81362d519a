"""Everything that can be wrong with a task, or that is worth a remark, in words.

A fault that the text shows is found when the text is read; the others when it is solved. A remark
does not stop the search. `says` fills the sentence of a fault.
"""

from enum import Enum


class Fault(Enum):
    """Name -> (what the sentence is, and its blanks in braces)."""

    USED_NOT_GIVEN = "{name} is used but not given, and no formula gives it"
    SOUGHT_IN_RULE = "{name} is sought and used in a rule (possible recursion)"
    BAD_DATA = "bad initial data: {what}"
    SET_BY_RULE = "{name} is directly computed by a rule"
    NOT_SET = "{what} is not set"
    RIGHT_NOT_FOUND = "the right-hand name {name} of the rule for {target} cannot be found"
    RIGHT_IS_LEFT = "the right-hand name {name} is found on the left of the rule"
    GIVEN_AND_SOUGHT = "{name} is given and sought (redundant)"
    UNDEFINED_IN_RULES = "undefined name in rules: {name} (variables: {known})"
    BAD_RULES = "bad rules: {what}"
    EVALUATION = "direct evaluation error in {name}: {what}"
    UNKNOWN_NAME = "{name} is not among the variables of the domain ({known})"
    RULE_FORM = "the rule {what} is not of the form A=B"
    LINE = "the line {what} cannot be processed"
    CYCLE = "cycle: {chain}"
    LIMIT = "recursion limit: {name} is not found within it"
    NO_VALUE = "constraint leaves no value for {name} ({constraint})"
    SEVERAL_VALUES = "several values for {name}"
    NOT_FOUND = "{name} cannot be found"
    CONTRADICTION = "{name} contradicts the formula {formula}"

    def says(self, **blanks: object) -> str:
        """The sentence with its blanks filled."""
        return self.value.format(**blanks)

    @property
    def code(self) -> str:
        """A name for programs: `used-not-given`."""
        return self.name.lower().replace("_", "-")
