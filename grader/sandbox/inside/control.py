"""What the grader and the warm parent say to each other over the control socket."""

import struct

READY = b"R"
"""The parent's first word."""
FORK, KILL, HUNG_UP, TIME = b"F", b"K", b"H", b"T"
"""The grader's requests. FORK comes with an end of a socket and is answered with the number of the child that serves
it; KILL and HUNG_UP are followed by a child's number and answered with its wait status; TIME is followed by a child's
number and answered with the milliseconds of processor time that it has used, or with UNKNOWN."""
UNKNOWN = -1
NUMBER = struct.Struct(">i")
