"""A program in the place of Orca: it answers by a scenario, and keeps every word it was called with."""

import json
import os
import sys

PROGRAM = """#!{python}
import json, os, sys, time
folder = os.path.dirname(os.path.abspath(__file__))
words = sys.argv[1:]
with open(os.path.join(folder, "calls"), "a") as file:
    file.write(json.dumps(words) + "\\n")
scenario = json.load(open(os.path.join(folder, "scenario.json")))
name = " ".join(word for word in words[:2] if not word.startswith("-"))
answers = scenario.get(name)
if answers is None:
    error = {{"code": "invalid_argument", "message": name}}
    answers = [{{"say": {{"id": "local", "ok": False, "error": error}}, "exit": 1}}]
counter = os.path.join(folder, "count " + name)
at = int(open(counter).read()) if os.path.exists(counter) else 0
open(counter, "w").write(str(at + 1))
answer = answers[min(at, len(answers) - 1)]
time.sleep(answer.get("sleep", 0))
sys.stderr.write(answer.get("stderr", ""))
said = answer["say"]
sys.stdout.write(said if isinstance(said, str) else json.dumps(said, indent=2))
sys.exit(answer.get("exit", 0))
"""
CONTEXT = {"agent-context": [{"say": {"schemaVersion": 1, "commands": []}}]}


def result(**parts):
    """An answer that succeeds."""
    return {"say": {"id": "1", "ok": True, "result": parts, "_meta": {"runtimeId": "r"}}}


def refusal(code, message="no", steps=None, status=1):
    """An answer that fails, as Orca gives it: on standard output."""
    error = {"code": code, "message": message} | ({"data": {"nextSteps": steps}} if steps else {})
    return {"say": {"id": "1", "ok": False, "error": error, "_meta": {"runtimeId": None}}, "exit": status}


class StandIn:
    """The program in a folder of its own."""

    def __init__(self, folder, name="orca-ide"):
        self.folder = folder
        folder.mkdir(exist_ok=True)
        self.path = folder / name
        self.path.write_text(PROGRAM.format(python=sys.executable))
        os.chmod(self.path, 0o755)
        self.answers({})

    def answers(self, scenario):
        """What is said to each command, one call after another; the last answer is said again."""
        listed = {name: said if isinstance(said, list) else [said] for name, said in scenario.items()}
        (self.folder / "scenario.json").write_text(json.dumps(CONTEXT | listed))
        for counter in self.folder.glob("count *"):
            counter.unlink()

    @property
    def calls(self):
        """The words of every call but those that only look who it is."""
        file = self.folder / "calls"
        found = [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
        return [words for words in found if words[0] != "agent-context"]
