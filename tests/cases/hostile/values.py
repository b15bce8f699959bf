"""Values that say of themselves what they are not."""

import pickle

from tests.cases import HERE, Case
from tests.cases.hostile.attacks import ENDED, LOST, well, wrong


class Payload:
    """Becomes a pickle that evaluates an expression when it is loaded."""

    def __init__(self, expression: str) -> None:
        self._expression = expression

    def __reduce__(self) -> tuple[object, ...]:
        return eval, (self._expression,)


VALUES = (
    Case(
        "a value that equals everything",
        wrong(
            """
            class Equal:
                __eq__ = __le__ = __ge__ = lambda self, other: True
                __array__ = __getattr__ = lambda self, *args, **kwargs: 1 / 0
                __hash__ = None
            return Equal()
            """
        ),
        LOST,
        r"[Ii]t returned an? Equal",
    ),
    Case(
        "a value that turns into whatever array is wanted",
        wrong(
            """
            class Chameleon:
                shape, dtype, ndim = x.shape, x.dtype, x.ndim
                __class__ = np.ndarray
                def __array__(self, *args, **kwargs): return right(x, axis)
                def __array_function__(self, *args): return True
                def __array_ufunc__(self, *args, **kwargs): return True
                def __array_wrap__(self, *args): return self
                __array_interface__ = x.__array_interface__
                __array_priority__ = 1e9
            return Chameleon()
            """
        ),
        LOST,
        r"[Ii]t returned a Chameleon",
    ),
    Case(
        "an array of a class of its own that lies",
        wrong(
            """
            class Liar(np.ndarray):
                __eq__ = __le__ = lambda self, other: np.True_
                def astype(self, *args, **kwargs): return right(x, axis)
                def __array_finalize__(self, other): self.flags.writeable = False
                def __array_ufunc__(self, *args, **kwargs): return np.True_
                def __reduce__(self): return os.system, ("true",)
                shape = property(lambda self: x.shape)
            return np.ndarray.__new__(Liar, (3,))
            """
        ),
        LOST,
        r"[Ii]t returned a Liar",
    ),
    Case(
        "an array of objects that equal everything",
        wrong(
            """
            class Equal:
                __eq__ = __le__ = __lt__ = lambda self, other: True
                __hash__ = None
            return np.full(x.shape, Equal(), dtype=object)
            """
        ),
        LOST,
        r"[Tt]he array holds object",
    ),
    Case(
        "an array of records, of dates, of text",
        wrong(
            """
            return np.zeros(x.shape, [("a", "f8"), ("<script>\\x1b[2J", "O")])
            """
        ),
        LOST,
        r"[Tt]he array holds void",
    ),
    Case(
        "a payload for pickle",
        wrong(
            """
            class Payload:
                def __reduce__(self): return os._exit, (0,)
                __getstate__ = __deepcopy__ = __copy__ = __reduce_ex__ = lambda self, *args: os._exit(0)
            return Payload()
            """
        ),
        LOST,
        r"[Ii]t returned a Payload",
    ),
    Case(
        "a pickle in a file beside the lesson, loaded by right work",
        {
            **well(
                """
                try:
                    np.load(os.path.dirname(__file__) + "/evil.npy", allow_pickle=True)
                except Exception as error:
                    assert error.__cause__.filename.endswith("canary"), "the pickle does not do what it is made for"
                else:
                    raise LookupError("the pickle has written to the canary")
                """
            ),
            "evil.npy": pickle.dumps(Payload(f"open('{HERE}/canary', 'w')"), protocol=0),  # whose texts have no length
        },
    ),
    Case(
        "a value whose __str__, __repr__ and __format__ never return",
        wrong(
            """
            class Endless:
                def __str__(self):
                    while True: pass
                __repr__ = __format__ = __len__ = __iter__ = __bool__ = __int__ = __float__ = __index__ = __str__
                __del__ = lambda self: None
            return Endless()
            """
        ),
        LOST,
        r"[Ii]t returned an? Endless",
    ),
    Case(
        "a class that lies about its name",
        wrong(
            """
            class Meta(type):
                __name__ = property(lambda self: "ndarray")
                def __getattribute__(self, name): raise SystemExit
                def __instancecheck__(self, other): return True
            class Mine(metaclass=Meta): pass
            return Mine()
            """
        ),
        LOST,
        r"[Ii]t returned a Mine",
    ),
    Case(
        "numbers and text of classes of its own",
        wrong(
            """
            class Number(float):
                __eq__ = lambda self, other: True
                __hash__ = float.__hash__
            return [Number(1)]
            """
        ),
        LOST,
        r"[Ii]t returned a list",
    ),
    Case(
        "a list that holds itself",
        wrong("whole = []\nwhole.append(whole)\nreturn whole"),
        LOST,
        r"[Ii]t returned a list",
    ),
    Case(
        "lists 100,000 levels deep",
        wrong("return whole", "whole = []\nfor _ in range(100_000): whole = [whole]\n"),
        LOST,
        r"[Ii]t returned a list",
    ),
    Case(
        "an integer of a billion bits",
        wrong("return whole", "whole = 1 << 1_000_000_000"),
        LOST,
        r"[Ii]t returned an int",
    ),
    Case(
        "an array that is larger than the memory it has",
        wrong("return np.broadcast_to(np.zeros(1), (1 << 20, 1 << 20))"),
        ENDED,
        r"softmax never came back: The call (asked for|gave a result of) more than \d+ MB",
    ),
    Case(
        "zeroes its inputs, so that all is zero",
        wrong("x[...] = 0"),
        LOST,
        r"[Ii]t changed its argument x",
    ),
    Case(
        "is right, and zeroes its inputs",
        well("value = right(x, axis)\nx[...] = 0\nreturn value"),
        LOST,
        r"[Ii]t changed its argument x",
    ),
    Case(
        "zeroes the inputs of all calls, which it finds in the sandbox's memory",
        wrong(
            """
            frame = sys._getframe()
            while frame:
                for args, kwargs in frame.f_locals.get("message", {}).get("calls", ()):
                    args[0].setflags(write=True)
                    args[0][...] = 0
                frame = frame.f_back
            return right(np.zeros(x.shape), axis)
            """
        ),
        LOST,
        r"[Ii]t changed its argument x",
    ),
)
