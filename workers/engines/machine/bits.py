"""Population count, lowest bit and bit scans for unsigned words.

As Numba intrinsics these are one machine instruction each; with the JIT switched off the same
names are plain Python, so kernels run unchanged.
"""

from typing import Any

from workers.engines.machine.kernel import JIT_DISABLED

if JIT_DISABLED:

    def popcount(word: Any) -> int:
        """Number of set bits."""
        return int(word).bit_count()

    def lowest(word: Any) -> int:
        """Index of the lowest set bit; `word` is not 0."""
        value = int(word)
        return (value & -value).bit_length() - 1

else:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic

    @intrinsic
    def popcount(typing_context: Any, word: Any) -> Any:
        """Number of set bits."""
        if not isinstance(word, types.Integer):
            return None

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            count = builder.ctpop(args[0])
            return context.cast(builder, count, word, types.int64)

        return types.int64(word), generate

    @intrinsic
    def lowest(typing_context: Any, word: Any) -> Any:
        """Index of the lowest set bit; `word` is not 0."""
        if not isinstance(word, types.Integer):
            return None

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            index = builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))
            return context.cast(builder, index, word, types.int64)

        return types.int64(word), generate
