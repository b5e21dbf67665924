#!/bin/sh
# check_messages.sh SOURCE - every text that is marked in src/ is there in each language of
# po/LINGUAS, and no translation is left over. What the C compiler cannot see of the texts, that they
# take the same arguments, is held by the test "message".
cd "$1" && exec po/update --check
