"""A filter on system calls (seccomp): what lessons have no use for is refused. Linux on x86-64 and ARM64 only."""

import ctypes
import errno
import os
import platform
import struct

_REFUSED: dict[str, tuple[int | None, int | None]] = {
    # number on x86-64, number on ARM64; None where there is no such call
    # sockets
    "socket": (41, 198),
    "socketpair": (53, 199),
    "connect": (42, 203),
    "bind": (49, 200),
    "listen": (50, 201),
    "accept": (43, 202),
    "accept4": (288, 242),
    "sendto": (44, 206),
    "recvfrom": (45, 207),
    "sendmsg": (46, 211),
    "recvmsg": (47, 212),
    "sendmmsg": (307, 269),
    "recvmmsg": (299, 243),
    "shutdown": (48, 210),
    "setsockopt": (54, 208),
    "getsockopt": (55, 209),
    # other processes
    "fork": (57, None),
    "vfork": (58, None),
    "execve": (59, 221),
    "execveat": (322, 281),
    "ptrace": (101, 117),
    "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271),
    "process_madvise": (440, 440),
    "kcmp": (312, 272),
    "kill": (62, 129),
    "tkill": (200, 130),
    "tgkill": (234, 131),
    "rt_sigqueueinfo": (129, 138),
    "rt_tgsigqueueinfo": (297, 240),
    "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424),
    "pidfd_getfd": (438, 438),
    "setpriority": (141, 140),
    "sched_setscheduler": (144, 119),
    "sched_setparam": (142, 118),
    "sched_setattr": (314, 274),
    "sched_setaffinity": (203, 122),
    "ioprio_set": (251, 30),
    "migrate_pages": (256, 238),
    "move_pages": (279, 239),
    "setsid": (112, 157),
    "setpgid": (109, 154),
    "inotify_init": (253, None),
    "inotify_init1": (294, 26),
    # what all processes share: work for the disk, and requests of the kernel's that are counted over all users
    "sync": (162, 81),
    "syncfs": (306, 267),
    "io_setup": (206, 0),
    # memory that no limit counts, and memory shared with others
    "memfd_create": (319, 279),
    "memfd_secret": (447, 447),
    "shmget": (29, 194),
    "shmat": (30, 196),
    "shmctl": (31, 195),
    "msgget": (68, 186),
    "msgsnd": (69, 189),
    "msgrcv": (70, 188),
    "msgctl": (71, 187),
    "semget": (64, 190),
    "semop": (65, 193),
    "semctl": (66, 191),
    "semtimedop": (220, 192),
    "mq_open": (240, 180),
    "mq_unlink": (241, 181),
    # what Landlock does not cover: owners, modes, times, names of other files
    "chmod": (90, None),
    "fchmod": (91, 52),
    "fchmodat": (268, 53),
    "fchmodat2": (452, 452),
    "chown": (92, None),
    "fchown": (93, 55),
    "lchown": (94, None),
    "fchownat": (260, 54),
    "setxattr": (188, 5),
    "lsetxattr": (189, 6),
    "fsetxattr": (190, 7),
    "removexattr": (197, 14),
    "lremovexattr": (198, 15),
    "fremovexattr": (199, 16),
    "utime": (132, None),
    "utimes": (235, None),
    "futimesat": (261, None),
    "utimensat": (280, 88),
    "truncate": (76, 45),
    "name_to_handle_at": (303, 264),
    "open_by_handle_at": (304, 265),
    "fanotify_init": (300, 262),
    "fanotify_mark": (301, 263),
    # identity and namespaces
    "setuid": (105, 146),
    "setgid": (106, 144),
    "setreuid": (113, 145),
    "setregid": (114, 143),
    "setresuid": (117, 147),
    "setresgid": (119, 149),
    "setgroups": (116, 159),
    "setfsuid": (122, 151),
    "setfsgid": (123, 152),
    "capset": (126, 91),
    "unshare": (272, 97),
    "setns": (308, 268),
    "personality": (135, 92),
    # the machine
    "mount": (165, 40),
    "umount2": (166, 39),
    "pivot_root": (155, 41),
    "chroot": (161, 51),
    "fsopen": (430, 430),
    "fsconfig": (431, 431),
    "fsmount": (432, 432),
    "fspick": (433, 433),
    "move_mount": (429, 429),
    "open_tree": (428, 428),
    "mount_setattr": (442, 442),
    "mknod": (133, None),
    "mknodat": (259, 33),
    "quotactl": (179, 60),
    "quotactl_fd": (443, 443),
    "swapon": (167, 224),
    "swapoff": (168, 225),
    "reboot": (169, 142),
    "kexec_load": (246, 104),
    "kexec_file_load": (320, 294),
    "init_module": (175, 105),
    "finit_module": (313, 273),
    "delete_module": (176, 106),
    "acct": (163, 89),
    "syslog": (103, 116),
    "sethostname": (170, 161),
    "setdomainname": (171, 162),
    "settimeofday": (164, 170),
    "clock_settime": (227, 112),
    "adjtimex": (159, 171),
    "clock_adjtime": (305, 266),
    "iopl": (172, None),
    "ioperm": (173, None),
    "modify_ldt": (154, None),
    "vhangup": (153, 58),
    "lookup_dcookie": (212, 18),
    # large parts of the kernel that nobody here needs
    "bpf": (321, 280),
    "perf_event_open": (298, 241),
    "add_key": (248, 217),
    "request_key": (249, 218),
    "keyctl": (250, 219),
    "io_uring_setup": (425, 425),
    "io_uring_enter": (426, 426),
    "io_uring_register": (427, 427),
    "userfaultfd": (323, 282),
}
_REFUSED_COMMANDS: dict[str, tuple[tuple[int, int], int, tuple[int, ...]]] = {
    # numbers of the call, which argument is the command, and the commands
    "fcntl: have a file's events signalled to another": ((72, 25), 1, (8, 10, 15)),  # F_SETOWN, F_SETSIG, F_SETOWN_EX
    "ioctl: the same": ((16, 29), 1, (0x8901, 0x8902)),  # FIOSETOWN, SIOCSPGRP
    "prctl: outlive the parent": ((157, 167), 0, (1,)),  # PR_SET_PDEATHSIG
}
_CLONE = (56, 220)
_CLONE3 = (435, 435)
_PRLIMIT = (302, 261)
_ARCHITECTURES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7)}

_CLONE_THREAD = 0x00010000
_X32_BIT = 0x40000000

_KILL, _ALLOW = 0x80000000, 0x7FFF0000
_EPERM, _ENOSYS = 0x00050000 | errno.EPERM, 0x00050000 | errno.ENOSYS

_LOAD, _RETURN = 0x20, 0x06
_IF_EQUAL, _IF_AT_LEAST, _IF_ANY_BIT = 0x15, 0x35, 0x45
_NUMBER, _ARCHITECTURE, _FIRST_ARGUMENT, _ARGUMENT_SIZE = 0, 4, 16, 8  # offsets in the kernel's struct seccomp_data

_PR_SET_SECCOMP, _MODE_FILTER = 22, 2

_libc = ctypes.CDLL(None, use_errno=True)


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def prepare() -> bytes:
    """The filter for this machine. Raises ``OSError`` on a processor that it does not know."""
    if platform.machine() not in _ARCHITECTURES:
        raise OSError(errno.ENOSYS, f"no filter of system calls for {platform.machine()}")
    column, architecture = _ARCHITECTURES[platform.machine()]
    program = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_IF_EQUAL, architecture, 1, 0),
        _step(_RETURN, _KILL),
        _step(_LOAD, _NUMBER),
        _step(_IF_AT_LEAST, _X32_BIT, 0, 1),
        _step(_RETURN, _EPERM),
    ]
    for numbers in _REFUSED.values():
        number = numbers[column]
        if number is not None:
            program += [_step(_IF_EQUAL, number, 0, 1), _step(_RETURN, _EPERM)]
    for numbers_of_call, argument, commands in _REFUSED_COMMANDS.values():
        program += [
            _step(_IF_EQUAL, numbers_of_call[column], 0, 2 * len(commands) + 2),
            _step(_LOAD, _FIRST_ARGUMENT + argument * _ARGUMENT_SIZE),  # the lower half: the kernel reads no more
        ]
        for command in commands:
            program += [_step(_IF_EQUAL, command, 0, 1), _step(_RETURN, _EPERM)]
        program.append(_step(_RETURN, _ALLOW))
    program += [
        # Threads are made by clone3 where it exists; its flags lie in memory, which a filter cannot read. The C
        # library takes ENOSYS as a sign to use clone, whose flags say whether a thread or a process is wanted.
        *(_step(_IF_EQUAL, _CLONE3[column], 0, 1), _step(_RETURN, _ENOSYS)),
        *(_step(_IF_EQUAL, _CLONE[column], 0, 4), _step(_LOAD, _FIRST_ARGUMENT)),
        *(_step(_IF_ANY_BIT, _CLONE_THREAD, 1, 0), _step(_RETURN, _EPERM), _step(_RETURN, _ALLOW)),
        # Limits of this process only, which it names 0.
        *(_step(_IF_EQUAL, _PRLIMIT[column], 0, 3), _step(_LOAD, _FIRST_ARGUMENT)),
        *(_step(_IF_EQUAL, 0, 1, 0), _step(_RETURN, _EPERM)),
        _step(_RETURN, _ALLOW),
    ]
    return b"".join(program)


def restrict(program: bytes) -> None:
    """Bind this thread, and all that come of it, to the filter for good. Raises ``OSError`` where the kernel will not.

    The process must have given up gaining privileges before.
    """
    buffer = ctypes.create_string_buffer(program, len(program))
    filter_ = _Program(len(program) // 8, ctypes.addressof(buffer))
    if _libc.prctl(_PR_SET_SECCOMP, _MODE_FILTER, ctypes.byref(filter_), 0, 0) != 0:
        raise OSError(ctypes.get_errno(), f"seccomp: {os.strerror(ctypes.get_errno())}")


def _step(code: int, operand: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, operand)
