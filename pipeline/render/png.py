"""Pictures as PNG: Typst draws the SVG, in the fonts that ship with the program."""

from pipeline.render.extra import require
from pipeline.render.fonts import font_folder

POINTS_PER_INCH = 72
PICTURE = b"""#set page(width: auto, height: auto, margin: 0pt)
#image(bytes(sys.inputs.svg), format: "svg", width: 72pt)"""


def png(svg: str, pixels: int) -> bytes:
    """The picture, `pixels` wide; the same bytes for the same picture."""
    typst = require("typst")
    made: bytes = typst.compile(
        PICTURE,
        font_paths=[str(font_folder())],
        ignore_system_fonts=True,
        format="png",
        ppi=float(pixels),
        sys_inputs={"svg": svg},
    )
    return made
