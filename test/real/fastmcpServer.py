"""An MCP server that is written with fastmcp."""

from fastmcp import FastMCP

server = FastMCP("notes")


@server.tool
def add_note(text: str) -> str:
    return text


@server.tool
def find_notes(words: str) -> str:
    return words


@server.tool
def delete_notes() -> str:
    return "Done."


server.run(show_banner=False)
