"""What every engine stands on: the kernel decorator and its cache, random state, bits.

kernel.py   how a function becomes machine code, and where that code is kept
random.py   an explicit random state for kernels
bits.py     population count, lowest bit, bit scans
meter.py    CPU seconds spent inside kernels
"""
