"""The real app server, so that it starts sandboxes as processes on any machine."""

import pathlib
import socket

import psutil
from openhands.app_server.sandbox.process_sandbox_service import ProcessSandboxService

# It takes only a process that computes at this moment for a running one.
status = psutil.Process.status
waiting = {psutil.STATUS_SLEEPING, psutil.STATUS_DISK_SLEEP, psutil.STATUS_IDLE}
psutil.Process.status = lambda self: psutil.STATUS_RUNNING if status(self) in waiting else status(self)

# In a container it would look for its sandboxes on another host.
exists = pathlib.Path.exists
containers = ("/.dockerenv", "/run/.containerenv")
pathlib.Path.exists = lambda self, *args, **named: str(self) not in containers and exists(self, *args, **named)

def unused_port(_self):
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


# Two app servers on one machine would take the same ports.
ProcessSandboxService._find_unused_port = unused_port

# A busy machine needs longer than 30 seconds to start a sandbox.
ready = ProcessSandboxService._wait_for_server_ready
ProcessSandboxService._wait_for_server_ready = lambda self, port, timeout=150: ready(self, port, timeout)

from openhands.app_server.app import app  # noqa: E402, F401
