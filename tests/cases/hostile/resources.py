"""Attempts to use up memory, processes, threads, files and output."""

from tests.cases import Case
from tests.cases.hostile.attacks import ENDED, FOUND_NOTHING, LOST, looks, well, wrong

RESOURCES = (
    Case(
        "a memory bomb",
        wrong("whole = []\nwhile True: whole.append(bytearray(1 << 24))"),
        ENDED,
        r"softmax never came back: The call asked for more than 256 MB of memory",
    ),
    Case(
        "a fork bomb",
        looks("for _ in range(1000):\n    found += [pid] if type(pid := tried(os.fork)) is int else []"),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "starts programs",
        looks(
            """
            import multiprocessing, subprocess
            found += [way for way in (
                lambda: subprocess.run([sys.executable, "-c", ""]), lambda: subprocess.run("true", shell=True),
                lambda: os.execv(sys.executable, ["python"]), lambda: os.posix_spawn(sys.executable, ["python"], {}),
                lambda: multiprocessing.get_context("fork").Process(target=print).start(),
            ) if not refused(way)]
            found += ["system"] if os.system("true") == 0 else []
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "a bomb of threads, beside right work",
        well(
            """
            import threading
            if threading.active_count() == 1:
                threading.stack_size(1 << 15)
                wait = threading.Event().wait
                tried(lambda: [threading.Thread(target=wait, daemon=True).start() for _ in range(1_000)])
            """
        ),
    ),
    Case(
        "a thread that outlives its call, beside right work",
        well(
            """
            import threading, time
            def later():
                while True:
                    time.sleep(0.001)
                    tried(lambda: open("@HERE@/canary", "w"))
            threading.Thread(target=later, daemon=True).start() if threading.active_count() == 1 else None
            """
        ),
    ),
    Case(
        "a child that outlives the call",
        looks(
            """
            def leave():
                if os.fork() == 0:
                    os.setsid()
                    while True: pass
                found.append("left")
            refused(leave, os.setsid, lambda: os.setpgid(0, 0)) or found.append("own group")
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "50 MB on standard output and error, beside right work",
        well(
            """
            if not done:
                done.append(1)
                for _ in range(25):
                    print("x" * (1 << 20)); print("x" * (1 << 20), file=sys.stderr)
                    os.write(1, bytes(1 << 20)); os.write(2, bytes(1 << 20))
            """,
            "done = []",
        ),
    ),
    Case(
        "thousands of files at home",
        wrong(
            """
            number = 0
            while True:
                os.mkdir(f"{os.environ['HOME']}/{number}")
                os.close(os.open(f"{os.environ['HOME']}/{number}/x", os.O_CREAT | os.O_WRONLY))
                number += 1
            """
        ),
        ENDED,
        r"softmax never came back: The call left more than 1000 files, or more than 16 MB in them",
    ),
    Case(
        "fills the disk",
        wrong(
            """
            number = 0
            while True:
                with open(f"{os.environ['HOME']}/{number}", "wb") as file: file.write(bytes(3 << 20))
                number += 1
            """
        ),
        {"softmax": "error"},
        r"softmax never came back: The call left more than 1000 files, or more than 16 MB in them",
    ),
    Case(
        "a file larger than the limit",
        wrong('with open(os.environ["HOME"] + "/x", "wb") as file: file.write(bytes(5 << 20))'),
        LOST,
        r"File too large: no file may have more than 4 MB\.",
    ),
    Case(
        "takes its own limits away, or to nothing, beside right work",
        well(
            """
            import resource
            assert refused(lambda: resource.setrlimit(resource.RLIMIT_AS, (-1, -1)))
            for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE, resource.RLIMIT_NPROC):
                resource.setrlimit(limit, (0, 0))
            """
        ),
    ),
    Case(
        "opens all files that it may, and closes all but those, beside right work",
        well('tried(lambda: handles.extend(open("/dev/null") for _ in range(10_000)))', "handles = []"),
    ),
)
