"""What runs inside the jail, beside the student's code.

Nothing here may be trusted by the grader: the code shares a process with the student's. It imports only the standard
library, NumPy and itself, by relative imports, so that it runs both as ``grader.sandbox.inside`` and as ``inside``.
"""
