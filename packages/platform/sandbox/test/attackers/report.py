"""Every attempt prints one JSON line: its name, whether it got out, and what it saw."""
import json


def attempt(name, action):
    """`action` returns what it got hold of (escaped), or None, or raises (held)."""
    try:
        got = action()
        held = got is None or got is False
        print(json.dumps({"name": name, "escaped": not held, "detail": repr(got)[:300]}), flush=True)
    except Exception as error:
        print(json.dumps({"name": name, "escaped": False, "detail": repr(error)[:300]}), flush=True)
