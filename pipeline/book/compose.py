"""All pages of a book, numbered, with contents and references; made anew until nothing moves.

The gutter depends on the number of pages, the number of pages on how texts break, and that on the
gutter: so a book is laid out until two rounds agree.
"""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple, TypeAlias

from pipeline.book import front, hints, leaves
from pipeline.book.entries import BookPuzzle, Hint
from pipeline.book.items import Item, Page
from pipeline.book.order import Order
from pipeline.book.profiles import Sheet, find_profile, page_faults, sheet_of
from pipeline.book.setting import Setting, setting_of
from pipeline.book.strings import Strings
from workers.errors import ConfigError

ROUNDS: Final = 8
Draw: TypeAlias = Callable[[int], list[Item]]


class Texts(NamedTuple):
    """What the pages say besides puzzles."""

    imprint: list[str]
    first_steps: list[Hint]
    walkthroughs: list[Hint]


class Leaf(NamedTuple):
    """A page before it is drawn; `puzzles` are those on it, by number."""

    sort: str
    draw: Draw
    puzzles: tuple[int, ...] = ()


class Composed(NamedTuple):
    """The pages of a book, the sheet they are on, and where every puzzle is."""

    pages: list[Page]
    sheet: Sheet
    puzzle_page: dict[int, int]
    references: leaves.References


def compose(
    order: Order, strings: Strings, puzzles: Sequence[BookPuzzle], texts: Texts, screen: bool
) -> Composed:
    """Lay the book out; for the screen both margins are the same.

    Raises ConfigError when the print service takes no book of so many pages, or the order's rules
    cannot be kept.
    """
    profile = find_profile(order.print.profile)
    count = 100
    for _ in range(ROUNDS):
        sheet = sheet_of(profile, order.print.trim, count)
        if screen:
            middle = (sheet.gutter + sheet.outside) / 2
            sheet = sheet._replace(gutter=middle, outside=middle)
        made = _Composer(setting_of(order, strings, sheet), puzzles, texts)
        if len(made.leaves) == count:
            faults = page_faults(profile, order.print.trim, count)
            if faults:
                raise ConfigError("print.profile", "; ".join(faults))
            return made.drawn()
        count = len(made.leaves)
    raise ConfigError("print", "the number of pages does not settle: change the size of the book")


class _Composer:
    """One round: the leaves in order, then their drawing when all numbers are known."""

    def __init__(self, made: Setting, puzzles: Sequence[BookPuzzle], texts: Texts) -> None:
        self.made, self.puzzles, self.texts = made, puzzles, texts
        self.order, self.strings = made.order, made.strings
        self.leaves: list[Leaf] = []
        self.contents: list[front.ContentsLine] = []
        self.solution: dict[int, int] = {}
        self.hint: dict[int, int] = {}
        self.walkthrough: dict[int, int] = {}
        self._front()
        self._sections()
        self._hints()
        for part in self.order.back.pages:
            self._back(part)
        self._end()

    def drawn(self) -> Composed:
        marked = {line.page for line in self.contents}
        pages = [
            Page(leaf.sort, number, _headed(leaf.draw(number), number in marked))
            for number, leaf in enumerate(self.leaves, start=1)
        ]
        places = {
            puzzle: number
            for number, leaf in enumerate(self.leaves, start=1)
            if leaf.sort == "puzzles"
            for puzzle in leaf.puzzles
        }
        return Composed(pages, self.made.sheet, places, self._references())

    def _references(self) -> leaves.References:
        return leaves.References(self.solution, self.hint, self.walkthrough)

    @property
    def _next(self) -> int:
        return len(self.leaves) + 1

    def _add(self, sort: str, draw: Draw, puzzles: Sequence[BookPuzzle] = ()) -> None:
        self.leaves.append(Leaf(sort, draw, tuple(one.number for one in puzzles)))

    def _list(self, title: str, detail: str = "") -> None:
        self.contents.append(front.ContentsLine(title, detail, self._next))

    def _front(self) -> None:
        made, strings = self.made, self.strings
        facts = front.level_facts(self.puzzles, made, strings)
        words = [strings.puzzles.format(n=len(self.puzzles)), " · ".join(one.word for one in facts)]
        for part in self.order.front.pages:
            if part == "title":
                self._add("title", lambda _: front.title_page(made, words))
            elif part == "copyright":
                self._add("imprint", lambda n: front.imprint_page(made, n, self.texts.imprint))
            elif part == "contents":
                for start in range(0, self._contents_lines(), front.contents_rows(made)):
                    self._add("contents", self._contents_draw(start))
            elif part == "how-to-play":
                self._list(strings.how_to_play)
                self._add("how-to-play", lambda n: front.how_to_play_page(made, n))
            else:
                self._list(strings.levels)
                for blocks in front.level_pages(made, facts):
                    self._add("levels", lambda n, b=blocks: front.level_page(made, n, b))  # type: ignore[misc]

    def _contents_lines(self) -> int:
        """How many lines the contents will have."""
        fixed = sum(part in ("how-to-play", "levels") for part in self.order.front.pages)
        texts = bool(self.texts.first_steps) + bool(self.texts.walkthroughs)
        return fixed + len(self.order.section) + texts + len(self.order.back.pages)

    def _contents_draw(self, start: int) -> Draw:
        rows = front.contents_rows(self.made)
        return lambda n: front.contents_page(self.made, n, self.contents[start : start + rows])

    def _sections(self) -> None:
        made, wanted = self.made, self.order.print
        for index, section in enumerate(self.order.section):
            own = [one for one in self.puzzles if one.section == index]
            if not own:
                continue
            title = section.title or own[0].word
            span = self.strings.puzzle_range.format(first=own[0].number, last=own[-1].number)
            if wanted.openers:
                if self._next % 2 == 0 and self.leaves:
                    self._blank()
                self._list(title, span)
                self._add("opener", lambda n, t=title, o=own[0], s=span:  # type: ignore[misc]
                          leaves.opener_page(made, n, t, o, s))  # fmt: skip
            else:
                self._list(title, span)
            for start in range(0, len(own), wanted.puzzles_per_page):
                if wanted.recto_only and self._next % 2 == 0:
                    self._blank()
                part = own[start : start + wanted.puzzles_per_page]
                self._add("puzzles", lambda n, p=part:  # type: ignore[misc]
                          leaves.puzzle_page(made, n, p, self._references()), part)  # fmt: skip

    def _hints(self) -> None:
        made, strings = self.made, self.strings
        for sort, title, told, found in (
            ("hints", strings.hints, self.texts.first_steps, self.hint),
            ("walkthrough", strings.walkthroughs, self.texts.walkthroughs, self.walkthrough),
        ):
            if not told:
                continue
            self._list(title)
            pages = hints.flowed(made, told, whole=sort == "hints")
            found |= hints.pages_of(pages, self._next)
            for blocks in pages:
                self._add(sort, lambda n, t=title, b=blocks: hints.hint_page(made, n, t, b))  # type: ignore[misc]

    def _back(self, part: str) -> None:
        made = self.made
        if part == "solutions":
            self._list(self.strings.solutions)
            step = self.order.print.solutions_per_page
            for start in range(0, len(self.puzzles), step):
                own = self.puzzles[start : start + step]
                self.solution |= dict.fromkeys((one.number for one in own), self._next)
                self._add("solutions", lambda n, p=own: leaves.solution_page(made, n, p), own)  # type: ignore[misc]
        elif part == "also-by":
            self._list(self.strings.also_by)
            self._add("also-by", lambda n: leaves.also_by_page(made, n))
        else:
            self._list(self.strings.blank_grids)
            for _ in range(int(part.partition(":")[2] or 1)):
                self._add("blank-grids", lambda n: leaves.blank_page(made, n))

    def _blank(self) -> None:
        self._add("blank", lambda _: [])

    def _end(self) -> None:
        """An even number of pages, the last one blank."""
        self._blank()
        if len(self.leaves) % 2:
            self.leaves.insert(-1, Leaf("blank-grids", lambda n: leaves.blank_page(self.made, n)))


def _headed(items: list[Item], marked: bool) -> list[Item]:
    """The items of a page; only where the contents lead do headings become bookmarks."""
    if marked:
        return items
    return [{key: item[key] for key in item if key != "heading"} for item in items]
