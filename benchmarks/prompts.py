"""Prompts of the benchmarks, written for them: a chat question, a code edit and a summary."""

from __future__ import annotations

CHAT = "Explain how a bicycle works in a few sentences."
EDIT = '''Rename the variable `n` to `count` in this file and return the whole file:

```python
def tally(items):
    """Count the items of each kind, and how many there are in all."""
    n = 0
    kinds = {}
    for item in items:
        n += 1
        kinds[item.kind] = kinds.get(item.kind, 0) + 1
    for kind, size in sorted(kinds.items()):
        print(f"{kind}: {size} of {n}")
    if n == 0:
        print("nothing to tally")
    return n, kinds
```
'''
SUMMARY = """Summarize these minutes in three sentences, quoting the decisions word for word:

The allotment committee met on Tuesday with eleven members present. The treasurer reported that the water bill had
risen by a third since spring, mostly because the tap at the north gate drips. It was decided to replace the north gate
tap before the end of the month. Two members asked whether rainwater could be collected from the roof of the tool shed.
The chair said that a tank of one thousand litres would fit behind the shed. It was decided to buy one rainwater tank
and to connect it to the shed roof in March. A member complained about foxes digging up the seedbeds at night. Nobody
had a remedy that had worked for long. It was decided to try motion-activated sprinklers on two plots for four weeks.
The next meeting is on the first Tuesday of next month.
"""
PROMPTS = {"chat": CHAT, "edit": EDIT, "summary": SUMMARY}
