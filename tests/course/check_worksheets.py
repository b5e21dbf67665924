#!/usr/bin/env python3
"""check_worksheets.py SHFLVIZ ORDER - checks that no worksheet gives away what it asks.

ORDER lists the lessons; each is checked in both languages. After a question about a lane, no later
question of the same sheet may say what that lane reads or gets, and no later picture may show its
result.
"""
import re
import subprocess
import sys

# A lane's row in a picture: its number, its value, and the text to the right of the value.
ROW = re.compile(r"[A-Z▸ ][A-Z]?▌ ?(\d+) +(\S+)(.*?)(?=\s{3,}[A-Z▸ ][A-Z]?▌|$)", re.M)


def questions(shflviz, lesson, language, *options):
    """The sheets of a lesson, each as the list of its questions."""
    command = [shflviz, "lesson", lesson, "--worksheet", "--lang", language, *options]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    return [re.split(r"(?m)^## \d+\. ", sheet)[1:] for sheet in re.split(r"(?m)^---$", text)]


def number_in(number, text):
    return re.search(rf"(?<![\d.^]){re.escape(number)}(?![\d.]*\d)", text)


def leaks(sheet, key):
    """The answers that `sheet` gives away. `key` has the same questions with their answers."""
    asked = []  # (question, lane, answer, the lanes' values)
    for index, (question, answered) in enumerate(zip(sheet, key)):
        picture = "".join(re.findall(r"(?s)```text\n(.*?)```", question))
        words = re.sub(r"(?s)```.*?```", "", question)
        rows = {m[1]: (m[2], m[3]) for m in ROW.finditer(picture)}
        holds = {lane: row[0] for lane, row in rows.items()}
        for earlier, lane, answer, held in asked:
            for sentence in re.split(r"(?<=[.?:。？：])\s*", words):
                about = re.search(rf"([Ll]anes? |通道 ){lane}(?!\d)", sentence)
                if about and number_in(answer, sentence.replace(about[0], "")):
                    yield f"question {index + 1} answers question {earlier + 1}: {sentence.strip()}"
            if held == holds and lane in rows and number_in(answer, rows[lane][1]):
                yield f"question {index + 1} shows the answer to question {earlier + 1}: lane {lane} {rows[lane][1]}"
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
