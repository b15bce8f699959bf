"""Attempts on other processes, on files outside, and on the network."""

from tests.cases import PORT_OF_CANARY, Case
from tests.cases.hostile.attacks import FOUND_NOTHING, LOST, looks

REACHING = (
    Case(
        "signals to its parent, its group and all",
        looks(
            """
            import signal
            for number in (0, signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP):
                refused(lambda: os.kill(os.getppid(), number), lambda: os.kill(-1, number), lambda: os.kill(1, number),
                        lambda: os.killpg(0, number), lambda: os.kill(os.getpid(), number)) or found.append(number)
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "signals to its parent, sent by the system when something arrives",
        looks(
            """
            import fcntl
            end, start = os.pipe()
            fcntl.fcntl(end, fcntl.F_SETFL, fcntl.fcntl(end, fcntl.F_GETFL) | os.O_ASYNC)
            refused(lambda: fcntl.fcntl(end, fcntl.F_SETOWN, os.getppid()), lambda: fcntl.fcntl(end, 10, 9)) \\
                or found.append("owner")
            os.write(start, b"x")
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "writes its parent's memory",
        looks(
            """
            import ctypes
            libc, parent = ctypes.CDLL(None), os.getppid()
            refused(lambda: open(f"/proc/{parent}/mem", "r+b")) or found.append("mem")
            found += ["ptrace"] if libc.ptrace(16, parent, 0, 0) == 0 else []
            found += ["vm"] if libc.process_vm_writev(parent, 0, 0, 0, 0, 0) == 0 else []
            found += ["own vm"] if libc.process_vm_writev(os.getpid(), 0, 0, 0, 0, 0) == 0 else []
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "slows its parent down, and outlives it",
        looks(
            """
            import ctypes, resource
            parent = os.getppid()
            refused(
                lambda: os.sched_setaffinity(parent, {0}),
                lambda: os.setpriority(os.PRIO_PROCESS, parent, 19),
                lambda: resource.prlimit(parent, resource.RLIMIT_CPU, (1, 1)),
                lambda: os.sched_setscheduler(parent, os.SCHED_IDLE, os.sched_param(0)),
            ) or found.append("slowed")
            found += ["stays"] if ctypes.CDLL(None).prctl(1, 0, 0, 0, 0) == 0 else []
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "the network",
        looks(
            f"""
            import socket, urllib.request
            place = ("127.0.0.1", {PORT_OF_CANARY})
            refused(
                lambda: socket.create_connection(place, 1),
                lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b"x", place),
                lambda: socket.socket(socket.AF_UNIX), lambda: socket.socketpair(),
                lambda: urllib.request.urlopen("http://127.0.0.1:{PORT_OF_CANARY}/", timeout=1),
            ) or found.append("network")
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "forges result files, and writes wherever it can",
        looks(
            """
            def write(path, text='{"student": "me", "points": 100}'):
                with open(path, "w") as file: file.write(text)
            here = "@HERE@"
            for path in (here + "/canary", here + "/results/functions.csv", here + "/results/grades.csv",
                         here + "/results/honest.json", here + "/results/zz.json",
                         here + "/class/x", here + "/x", "functions.csv", "../x", "/tmp/x", __file__, "/dev/shm/x"):
                refused(lambda: write(path)) or found.append(path)
            canary, own = here + "/canary", os.environ["HOME"] + "/own"
            os.symlink(canary, own)
            refused(
                lambda: write(own), lambda: os.unlink(canary), lambda: os.truncate(canary, 0),
                lambda: os.chmod(canary, 0), lambda: os.utime(canary, (0, 0)), lambda: os.rename(canary, canary + "2"),
                lambda: os.link(canary, own + "2"), lambda: os.mkdir(canary + ".d"), lambda: os.chown(canary, 1, 1),
                lambda: os.setxattr(canary, "user.x", b"x"), lambda: os.mkfifo(here + "/pipe"),
            ) or found.append("canary")
            os.unlink(own)
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "memory and queues shared with others",
        looks(
            """
            import ctypes, multiprocessing.shared_memory as shared
            libc = ctypes.CDLL(None)
            found += ["shm"] if libc.shmget(4711, 4096, 0o1666) != -1 else []
            found += ["msg"] if libc.msgget(4711, 0o1666) != -1 else []
            refused(lambda: shared.SharedMemory("x", True, 9), lambda: os.memfd_create("x")) or found.append("shared")
            found += ["inotify"] if libc.inotify_init() != -1 else []
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
    Case(
        "another user, another namespace, another root",
        looks(
            """
            import ctypes
            libc = ctypes.CDLL(None)
            refused(lambda: os.setuid(0), lambda: os.setresuid(0, 0, 0), lambda: os.chroot("/")) or found.append("user")
            found += ["namespace"] if libc.unshare(0x10000000) == 0 else []
            found += ["mount"] if libc.mount(0, b"/", b"tmpfs", 0, 0) == 0 else []
            """
        ),
        LOST,
        FOUND_NOTHING,
    ),
)
