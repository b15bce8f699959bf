"""What the grader and the warm parent say to each other over the control socket."""

import struct

READY = b"R"
"""The parent's first word."""
FORK, KILL, HUNG_UP = b"F", b"K", b"H"
"""The grader's requests. FORK comes with an end of a socket and is answered with the number of the child that serves
it; KILL and HUNG_UP are followed by a child's number and answered with its wait status."""
NUMBER = struct.Struct(">i")
