"""
The real program, loaded once and asked often, because loading it takes ten seconds. Prints "judge PORT", then answers
JSON over HTTP on loopback:

{"home": HOME}                  what its own reader makes of the mcp.json below this home folder
{"home": HOME, "texts": [...]}  the same of each of these texts, in base64, as that file
{"home": HOME, "run": [...]}    runs a command of the program as its own process would, by its own entry point
{"versions": true}              what is installed

Where only its reader is installed, it answers the first two, and reads as the program does.
"""

import base64
import contextlib
import io
import json
import os
import platform
import sys
import traceback
from http.server import BaseHTTPRequestHandler, HTTPServer
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from fastmcp.mcp_config import (
    MCPConfig,
    RemoteMCPServer,
    StdioMCPServer,
    TransformingMCPServerTypes,
    _coerce_tool_transform_configs,
)
from pydantic import ValidationError

try:
    from openhands_cli import entrypoint
    from openhands_cli.mcp.mcp_utils import MCPConfigurationError, list_enabled_servers, load_mcp_config
except ModuleNotFoundError:

    class MCPConfigurationError(Exception):
        pass

    def load_mcp_config():
        path = file()
        if not path.exists():
            return MCPConfig.from_dict({"mcpServers": {}})
        try:
            return MCPConfig.from_file(path)
        except Exception as error:
            raise MCPConfigurationError(str(error)) from error

    def list_enabled_servers():
        servers = load_mcp_config().mcpServers
        return {name: server for name, server in servers.items() if server.model_dump().get("enabled", True)}


def file():
    return Path(os.environ["HOME"]) / ".openhands" / "mcp.json"


def read():
    try:
        servers = load_mcp_config().mcpServers
    except MCPConfigurationError as error:
        return {"accepted": False, "reason": str(error), "faults": faults(error.__cause__)}
    enabled = list_enabled_servers()
    return {"accepted": True, "servers": {name: meaning(server, name in enabled) for name, server in servers.items()}}


def read_all(texts):
    file().parent.mkdir(parents=True, exist_ok=True)
    readings = []
    for text in texts:
        file().write_bytes(base64.b64decode(text))
        readings.append(read())
    return readings


def meaning(server, enabled):
    plain = StdioMCPServer if isinstance(server, StdioMCPServer) else RemoteMCPServer
    try:
        transport = type(plain.to_transport(server)).__name__
    except Exception as error:
        transport = str(error)
    # Through JSON, because a value may be no JSON: infinity, a duration.
    fields = json.loads(server.model_dump_json())
    return {
        "reads": type(server).__name__,
        "transport": transport,
        "enabled": enabled,
        "tools": tools(server),
        "fields": fields,
    }


def tools(server):
    """Which of the tools that the file names agents get; None where the server cannot be started because of one."""
    if not isinstance(server, TransformingMCPServerTypes):
        return {}
    try:
        return {name: config.enabled for name, config in _coerce_tool_transform_configs(server.tools).items()}
    except ValidationError:
        return None


def faults(cause):
    """What is wrong and where. The kinds of server that an entry might also be are left out, because all of them fail."""
    if not isinstance(cause, ValidationError):
        return [{"where": "", "what": f"{type(cause).__name__}: {cause}"}]
    found = [{"where": ".".join(map(str, each["loc"][2:])), "what": each["msg"]} for each in cause.errors()]
    return [each for each in found if not each["where"].startswith("Transforming")] or found


def run(args):
    output = io.StringIO()
    sys.argv = ["openhands", *args]
    code = 0
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        try:
            entrypoint.main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        except Exception:
            traceback.print_exc()
            code = 1
    return {"code": code, "output": output.getvalue()}


def versions():
    packages = {}
    for name in ("openhands", "openhands-sdk", "fastmcp", "pydantic"):
        with contextlib.suppress(PackageNotFoundError):
            packages[name] = version(name)
    return {**packages, "Python": platform.python_version()}


class Handler(BaseHTTPRequestHandler):
    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if "versions" in asked:
            answer = versions()
        else:
            os.environ["HOME"] = asked["home"]
            if "run" in asked:
                answer = run(asked["run"])
            else:
                answer = read_all(asked["texts"]) if "texts" in asked else read()
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


server = HTTPServer(("127.0.0.1", 0), Handler)
print(f"judge {server.server_port}", flush=True)
server.serve_forever()
