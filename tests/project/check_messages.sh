#!/bin/sh
# check_messages.sh SOURCE - every text that is marked in src/ is translated in each language of
# po/LINGUAS, and no translation is unused. The test "message" checks what the C compiler cannot:
# that translations take the same arguments.
cd "$1" && exec po/update --check
