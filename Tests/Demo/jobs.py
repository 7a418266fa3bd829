# SPDX-License-Identifier: MIT
"""A shell with job control, as far as a test needs one: `jobs.py COMMANDS REPORTS PROGRAM ARGUMENTS...`

It runs one program in a process group of its own. From the descriptor COMMANDS it reads single letters: `f` brings the job
to the foreground and continues it, `b` continues it in the background. To REPORTS it writes `s` when the job has stopped and
`e` when it has ended. The program starts in the background if COMMANDS begins with `b`, else `f` starts it.
"""

import os
import signal
import sys


def take_terminal_back():
    """Unless it was hung up: then the job may have ended before this process has its signal."""
    try:
        os.tcsetpgrp(0, os.getpgrp())
    except OSError:
        pass


def main():
    commands, reports, program = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    is_foreground = os.read(commands, 1) == b"f"
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        if is_foreground:
            os.tcsetpgrp(0, os.getpgrp())
        signal.signal(signal.SIGTTOU, signal.SIG_DFL)
        os.close(commands)
        os.close(reports)
        os.execv(program[0], program)
    while True:
        _, status = os.waitpid(child, os.WUNTRACED)
        if os.WIFSTOPPED(status):
            take_terminal_back()
            os.write(reports, b"s")
            command = os.read(commands, 1)
            if not command:
                os.kill(child, signal.SIGKILL)
            elif command == b"f":
                os.tcsetpgrp(0, child)
            os.killpg(child, signal.SIGCONT)
        else:
            take_terminal_back()
            os.write(reports, b"e")
            sys.exit(os.waitstatus_to_exitcode(status) % 256)


main()
