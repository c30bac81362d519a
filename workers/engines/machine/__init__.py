"""What every engine stands on: the kernel decorator and its cache, random state, bits, lanes.

kernel.py   how a function becomes machine code, and where that code is kept
random.py   an explicit random state for kernels
bits.py     population count, lowest bit, bit scans
lanes.py    nine 32-bit words at once: vector code with a NumPy twin
packing.py  rows of 81 bytes to masks in lanes, and back
meter.py    CPU seconds spent inside kernels
"""
