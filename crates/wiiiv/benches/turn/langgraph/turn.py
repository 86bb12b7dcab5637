"""W-turn by LangGraph: two model calls, one tool, an interrupt that is answered with yes, and its
SQLite checkpointer. `turn.py UPSTREAM FOLDER` reads a number of turns a line from standard input, does
them one after the other, and answers each line with `{"seconds": S}`.

It does less than the governed turn: no policy, no review, no budget, no signed record.
"""

import json
import sqlite3
import sys
import time
from pathlib import Path
from typing import TypedDict

import httpx
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Command, interrupt

# Turns go round these, so that none grows long.
THREADS = 32
FACT_MARK = " FACTS\n"

upstream, folder = sys.argv[1], Path(sys.argv[2])
(folder / "fact.txt").write_text("a fact")
client = httpx.Client(base_url=upstream)


class State(TypedDict):
    message: str
    facts: str
    answer: str


def ask(content: str) -> dict:
    body = {"model": "m", "messages": [{"role": "user", "content": content}]}
    response = client.post("/v1/chat/completions", json=body)
    response.raise_for_status()
    return json.loads(response.json()["choices"][0]["message"]["content"])


def propose(state: State) -> dict:
    proposal = ask(state["message"])
    return {"facts": proposal["slots"]["targetPath"], "answer": ""}


def approve(state: State) -> dict:
    if interrupt({"read": state["facts"]}) != "yes":
        raise ValueError("not approved")
    return {}


def act(state: State) -> dict:
    return {"facts": (folder / state["facts"]).read_text()}


def report(state: State) -> dict:
    answer = ask(f"{state['message']}{FACT_MARK}{state['facts']}")
    return {"answer": answer["message"]}


def compiled():
    graph = StateGraph(State)
    for node in (propose, approve, act, report):
        graph.add_node(node.__name__, node)
    order = (START, "propose", "approve", "act", "report", END)
    for before, after in zip(order, order[1:]):
        graph.add_edge(before, after)
    connection = sqlite3.connect(folder / "checkpoints.db", check_same_thread=False)
    return graph.compile(checkpointer=SqliteSaver(connection))


def main() -> None:
    app = compiled()
    done = 0
    print(json.dumps({"url": upstream}), flush=True)
    for line in sys.stdin:
        begun = time.monotonic()
        for _ in range(int(line)):
            config = {"configurable": {"thread_id": str(done % THREADS)}}
            app.invoke({"message": "read fact.txt"}, config)
            state = app.invoke(Command(resume="yes"), config)
            assert state["answer"] == "done", state
            done += 1
        print(json.dumps({"seconds": time.monotonic() - begun}), flush=True)


main()
