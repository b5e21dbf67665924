#!/bin/sh
# check_messages.sh SOURCE - checks that every text marked in src/ is translated in each language of
# po/LINGUAS, and that no translation is unused. The test "message" checks what the C compiler
# cannot: that translations take the same arguments.
cd "$1" && exec po/update --check
