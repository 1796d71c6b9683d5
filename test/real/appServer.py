"""The real app server, so that it starts sandboxes as processes on any machine."""

import asyncio
import os
import pathlib
import secrets
import socket

import psutil
from openhands.app_server.sandbox import process_sandbox_service
from openhands.app_server.sandbox.process_sandbox_service import ProcessSandboxService
from openhands.app_server.sandbox.sandbox_spec_service import resolve_sandbox_spec

# It takes only a process that computes at this moment for a running one.
status = psutil.Process.status
waiting = {psutil.STATUS_SLEEPING, psutil.STATUS_DISK_SLEEP, psutil.STATUS_IDLE}


def status_once(self):
    # Asked twice, a process may compute at first and sleep then.
    now = status(self)
    return psutil.STATUS_RUNNING if now in waiting else now


psutil.Process.status = status_once

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


async def resume_in_new_process(self, sandbox_id):
    sandboxes = process_sandbox_service._processes
    old = sandboxes[sandbox_id]
    paused = psutil.Process(old.pid)
    paused.terminate()
    paused.resume()
    # It tells this server of its end.
    await asyncio.to_thread(paused.wait, 60)
    spec = await resolve_sandbox_spec(
        old.sandbox_spec_id, None, self.sandbox_spec_service, process_sandbox_service._logger
    )
    port, key = unused_port(self), secrets.token_urlsafe(32)
    process = await self._start_agent_process(sandbox_id, port, old.working_dir, key, spec)
    sandboxes[sandbox_id] = old.model_copy(update={"pid": process.pid, "port": port, "session_api_key": key})
    return await self._wait_for_server_ready(port)


# Sandboxes on other machines are resumed as new processes with new keys.
if os.environ.get("RESUME_IN_NEW_PROCESS"):
    ProcessSandboxService.resume_sandbox = resume_in_new_process

from openhands.app_server.app import app  # noqa: E402, F401
