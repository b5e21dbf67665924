#!/usr/bin/env python3
"""check_worksheets.py SHFLVIZ ORDER - no worksheet gives away what it asks.

ORDER lists the lessons. Of each, both languages: no later question of the same sheet says in words
what a lane of an earlier one reads or gets, and no picture of it shows that lane's result.
"""
import re
import subprocess
import sys

# A lane's row of a picture: its number, its value, and the text to the right of that.
ROW = re.compile(r"[A-Z▸ ][A-Z]?▌ ?(\d+) +(\S+)(.*?)(?=\s{3,}[A-Z▸ ][A-Z]?▌|$)", re.M)


def questions(shflviz, lesson, language, *options):
    """The sheets of a lesson, each a list of its questions' texts."""
    command = [shflviz, "lesson", lesson, "--worksheet", "--lang", language, *options]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [re.split(r"(?m)^## \d+\. ", sheet)[1:] for sheet in re.split(r"(?m)^---$", text)]


def number_in(number, text):
    return re.search(rf"(?<![\d.^]){re.escape(number)}(?![\d.]*\d)", text)


def leaks(sheet, key):
    """What `sheet` gives away, `key` being the same questions with their answers."""
    asked = []  # (question, lane, answer, what the lanes hold)
    for index, (question, answered) in enumerate(zip(sheet, key)):
        picture = "".join(re.findall(r"(?s)```text\n(.*?)```", question))
        words = re.sub(r"(?s)```.*?```", "", question)
        rows = {m[1]: (m[2], m[3]) for m in ROW.finditer(picture)}
        holds = {lane: row[0] for lane, row in rows.items()}
        for earlier, lane, answer, held in asked:
            for sentence in re.split(r"(?<=[.?:。？：])\s*", words):
                about = re.search(rf"([Ll]anes? |通道 ){lane}(?!\d)", sentence)
                if about and number_in(answer, sentence.replace(about[0], "")):
                    yield f"question {index + 1} tells question {earlier + 1}: {sentence.strip()}"
            if held == holds and lane in rows and number_in(answer, rows[lane][1]):
                yield f"question {index + 1} shows question {earlier + 1}: lane {lane} {rows[lane][1]}"
        asks = [line for line in words.strip().split("\n") if re.search("[?？]", line)]
        lane = re.search(r"(?:lane|通道) (\d+)", asks[-1]) if asks else None
        answer = re.search(r"\*\*.*?\*\* ?(-?\d[\d.]*) ?[(（]", answered)
        if lane and answer:
            asked.append((index, lane[1], answer[1], holds))


def main():
    shflviz, order = sys.argv[1:]
    with open(order, encoding="utf-8") as file:
        lessons = [line.strip() for line in file if line.strip() and not line.startswith("#")]
    wrong = compared = 0
    for lesson in lessons:
        for language in "en", "zh":
            sheets = questions(shflviz, lesson, language)
            keys = questions(shflviz, lesson, language, "--answers")
            for number, (sheet, key) in enumerate(zip(sheets, keys), 1):
                compared += len(sheet)
                for leak in leaks(sheet, key):
                    print(f"{lesson} ({language}), sheet {number}: {leak}")
                    wrong += 1
    print(f"{compared} questions, {wrong} given away")
    return wrong > 0 or compared < 200


sys.exit(main())
