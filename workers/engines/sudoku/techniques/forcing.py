"""Forcing chains and nets: whatever is assumed, the same follows, or the assumption refutes itself.

All conclusions are found at once. Placements come first, in the order of the cells, then
eliminations by cell and digit; one conclusion is one step.
"""

from workers.engines.machine.kernel import kernel
from workers.engines.sudoku.board import CELLS, DIGITS, PLACED, REMOVED, Board, Marks, clear, mark
from workers.engines.sudoku.techniques.arguments import (
    NO_ARGUMENT,
    measure_from,
    opposite,
    weigh_cases,
    weigh_contradiction,
)
from workers.engines.sudoku.techniques.closing import close
from workers.engines.sudoku.techniques.conclusions import conclude, conclusion
from workers.engines.sudoku.techniques.implications import (
    follows,
    link_candidates,
    link_groups,
    number,
)
from workers.engines.sudoku.techniques.technique import EXTREME, Form, Technique
from workers.engines.sudoku.techniques.trials import try_all
from workers.engines.sudoku.web import Web

FORCING_CHAIN, FORCING_NET = 400, 401

_SENTENCE = "{title} on {digits} in {cells}: {outcome}"

TECHNIQUES = (
    Technique(
        name="forcing_chain",
        title="Forcing Chain",
        code="1301",
        order=8500,
        level=EXTREME,
        score=500,
        finder=FORCING_CHAIN,
        forms=(
            Form("Forcing Chain Contradiction", "1301"),
            Form("Forcing Chain Verity", "1302"),
        ),
        sentence=_SENTENCE,
    ),
    Technique(
        name="forcing_net",
        title="Forcing Net",
        code="1303",
        order=8600,
        level=EXTREME,
        score=700,
        finder=FORCING_NET,
        forms=(
            Form("Forcing Net Contradiction", "1303"),
            Form("Forcing Net Verity", "1304"),
        ),
        sentence=_SENTENCE,
    ),
)

CONTRADICTION, VERITY = range(2)


@kernel
def find_forcing_chain(board: Board, marks: Marks, skip: int) -> bool:
    """Mark conclusion number `skip` of the chains over candidates and groups."""
    web = marks.web
    web.recording = 0
    number(board, web)
    link_candidates(board, web)
    link_groups(board, web)
    keep_links(web)
    close(web)
    conclude(web, True)
    node = conclusion(web, skip)
    if node < 0:
        return False
    mark_conclusion(marks, node, form_of(board, web, node))
    return True


@kernel
def find_forcing_net(board: Board, marks: Marks, skip: int) -> bool:
    """Mark conclusion number `skip` of those that need a net."""
    web = marks.web
    web.recording = 1
    number(board, web)
    try_all(board, web)
    link_groups(board, web)
    close(web)
    conclude(web, False)
    index = 0
    while True:
        node = conclusion(web, index)
        if node < 0:
            return False
        form = form_of(board, web, node)
        if form >= 0:
            if skip == 0:
                mark_conclusion(marks, node, form)
                return True
            skip -= 1
        index += 1


@kernel
def keep_links(web: Web) -> None:
    """Keep a copy of the direct links, before the rows are closed."""
    for k in range(web.nodes):
        start = web.node[k] * web.length
        for word in range(start, start + web.length):
            web.links[word] = web.rows[word]


@kernel
def form_of(board: Board, web: Web, node: int) -> int:
    """CONTRADICTION or VERITY, or -1 when only nets count and none proves `node`.

    Placements go by contradiction where they can. Of chains that eliminate the shorter ones are
    shown; of nets those by contradiction.
    """
    measure_from(web, opposite(web, node))
    refutation = weigh_contradiction(board, web, opposite(web, node))
    if web.recording:
        if refutation < 0:
            return CONTRADICTION
        return VERITY if weigh_cases(web, node) < 0 else -1
    if node < 64 * web.span and refutation < NO_ARGUMENT:
        return CONTRADICTION
    return CONTRADICTION if refutation <= weigh_cases(web, node) else VERITY


@kernel
def mark_conclusion(marks: Marks, node: int, form: int) -> None:
    """Mark what `node` says about its candidate, and what was assumed for it."""
    web = marks.web
    clear(marks)
    half = 64 * web.span
    candidate = web.candidate[node % half]
    mark(marks, PLACED if node < half else REMOVED, candidate)
    marks.form = form
    if form == CONTRADICTION:
        mark_premise(marks, candidate)
    elif not mark_either_way(marks, node):
        mark_every_case(marks, node)


@kernel
def mark_premise(marks: Marks, candidate: int) -> None:
    """Add a candidate to what was assumed; digits are named once."""
    mark(marks, CELLS, candidate // 9)
    for k in range(marks.counts[DIGITS]):
        if marks.lists[DIGITS, k] == candidate % 9:
            return
    mark(marks, DIGITS, candidate % 9)


@kernel
def mark_either_way(marks: Marks, node: int) -> bool:
    """Mark the first candidate that leads to `node` whether it is there or not."""
    web = marks.web
    half = 64 * web.span
    for k in range(web.candidates):
        elsewhere = web.candidate[k] // 9 != web.candidate[node % half] // 9
        if elsewhere and follows(web, k, node) and follows(web, half + k, node):
            mark_premise(marks, web.candidate[k])
            return True
    return False


@kernel
def mark_every_case(marks: Marks, node: int) -> None:
    """Mark the candidates of the first cell or unit all of which lead to `node`."""
    web = marks.web
    for k in range(web.sets):
        first, last = web.first_member[k], web.first_member[k + 1]
        always = True
        for m in range(first, last):
            always = always and follows(web, web.member[m], node)
        if always:
            for m in range(first, last):
                mark_premise(marks, web.candidate[web.member[m]])
            return
