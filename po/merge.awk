# awk -v check=yes|'' -v po=FILE -f merge.awk TEXTS FILE.po - does the work of po/update for one language.

function unquote(line) {
    sub(/^[^"]*"/, "", line)
    sub(/"[ \t\r]*$/, "", line)
    return line
}

# Stores the entry that was read, even if its text is no longer used.
function keep() {
    if (!begun) return
    if (!(id in known)) { known[id] = 1; order[++count] = id }
    notes[id] = note; fuzzy[id] = is_fuzzy; plurals[id] = plural; forms[id] = form + 1
    for (i = 0; i <= form; i++) translation[id, i] = string[i]
    begun = 0; note = ""; is_fuzzy = 0
}

function complain(text) {
    printf "%s: %s\n", po, text
    failed = 1
}

# Prints a keyword and its string; a string with several lines begins on the next line.
function show(keyword, text,    end, head) {
    if (text !~ /\\n./) { printf "%s \"%s\"\n", keyword, text; return }
    printf "%s \"\"\n", keyword
    while ((end = match(text, /\\n./))) {
        # "\\n" in C is a backslash and an n
        head = substr(text, 1, end + 1)
        printf "\"%s\"\n", head
        text = substr(text, end + 2)
    }
    printf "\"%s\"\n", text
}

function show_entry(id, plural, place,    i) {
    printf "\n%s", notes[id]
    if (place != "") printf "#: %s\n", place
    if (id ~ /%/ || plural ~ /%/) print "#, " (fuzzy[id] ? "fuzzy, " : "") "c-format"
    else if (fuzzy[id]) print "#, fuzzy"
    show("msgid", id)
    if (plural != "") {
        show("msgid_plural", plural)
        for (i = 0; i < (forms[id] ? forms[id] : 1); i++) show("msgstr[" i "]", translation[id, i])
    } else show("msgstr", translation[id, 0])
}

NR == FNR {
    split($0, field, "\t")
    id = field[2]
    if (!(id in used)) { used[id] = 1; wanted[++texts] = id; places[id] = field[1]; wanted_plural[id] = field[3] }
    else {
        if (index(" " places[id] " ", " " field[1] " ") == 0) places[id] = places[id] " " field[1]
        if (wanted_plural[id] == "") wanted_plural[id] = field[3]
    }
    next
}

/^#[~]/ { next }
/^#, / { if (begun) keep(); if (/fuzzy/) is_fuzzy = 1; next }
/^#:/ { if (begun) keep(); next }
/^#/ { if (begun) keep(); note = note $0 "\n"; next }
/^msgid / { if (begun) keep(); begun = 1; id = unquote($0); plural = ""; form = 0; string[0] = ""; part = "id"; next }
/^msgid_plural / { plural = unquote($0); part = "plural"; next }
/^msgstr/ { form = match($0, /^msgstr\[[0-9]/) ? substr($0, RSTART + 7, 1) + 0 : 0; string[form] = unquote($0); part = "string"; next }
/^"/ {
    if (part == "id") id = id unquote($0)
    else if (part == "plural") plural = plural unquote($0)
    else string[form] = string[form] unquote($0)
}

END {
    keep()
    if (check) {
        for (i = 1; i <= texts; i++) {
            id = wanted[i]
            if (!(id in known)) complain("no entry for \"" id "\" (" places[id] "); po/update makes one")
            else if (translation[id, 0] == "") complain("no translation of \"" id "\" (" places[id] ")")
            else if (fuzzy[id]) complain("the translation of \"" id "\" is marked fuzzy")
            else if (wanted_plural[id] != plurals[id]) complain("plural forms differ from the source: \"" id "\"")
        }
        for (i = 1; i <= count; i++)
            if (order[i] != "" && !(order[i] in used)) complain("unused: \"" order[i] "\"; po/update removes it")
        exit failed
    }
    printf "%s", notes[""]
    if (fuzzy[""]) print "#, fuzzy"
    show("msgid", "")
    show("msgstr", translation["", 0])
    for (i = 1; i <= texts; i++) show_entry(wanted[i], wanted_plural[wanted[i]], places[wanted[i]])
}
