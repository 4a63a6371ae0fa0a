"""The same check as a script that reads its YAML on every call: what the hook is compared with."""

import json
import os
import re
import sys

import yaml

FIELDS = {"WebFetch": "url", "Bash": "command"}


def load_routes():
    routes = {}
    for path in os.environ["TOOLGATE_ROUTES"].split(":"):
        with open(path, encoding="utf-8") as file:
            for name, route in yaml.safe_load(file)["routes"].items():
                if name in routes:
                    sys.exit(f"{path}: the name {name} is used twice")
                routes[name] = route
    return routes


def main():
    routes = load_routes()
    call = json.load(sys.stdin)
    text = call["tool_input"].get(FIELDS.get(call["tool_name"], ""), "")
    for route in routes.values():
        if route["tool"] == call["tool_name"] and re.search(route["pattern"], text):
            print(route["message"], file=sys.stderr)
            return 2
    return 0


sys.exit(main())
