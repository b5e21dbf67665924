# awk -f extract.awk FILE.c... - prints the texts that are marked for translation, one per line:
#
#     FILE tab TEXT tab PLURAL
#
# The string literals in _("..."), N_("...") and message_plural("one", "many", n) are marked. They are
# printed as in C, with their pieces joined; PRIu64 between them becomes <PRIu64>, as in gettext. A
# text that contains anything else cannot be looked up: it is reported on standard error, and the
# status is 1.

function forget() { marker = ""; opened = 0 }

function literals_only(what) {
    printf "%s:%d: a text for translation may only be string literals, not: %s\n", FILENAME, FNR, what > "/dev/stderr"
    failed = 1
    forget()
}

function put() {
    if (pieces[1] && (marker != "message_plural" || pieces[2]))
        printf "%s\t%s\t%s\n", FILENAME, text[1], marker == "message_plural" ? text[2] : ""
    forget()
}

function open_marker() {
    opened = 1; argument = 1; depth = 0
    text[1] = text[2] = ""; pieces[1] = pieces[2] = 0
}

# One token inside a marker's parentheses.
function inside(token) {
    if (argument > (marker == "message_plural" ? 2 : 1)) { # the number
        if (token == "(") depth++
        else if (token == ")" && depth-- == 0) put()
    } else if (token ~ /^"/) {
        text[argument] = text[argument] substr(token, 2, length(token) - 2)
        pieces[argument]++
    } else if (!pieces[argument]) forget() # _(something->text): marked elsewhere
    else if (token ~ /^PRI[diouxX](8|16|32|64|MAX|PTR)$/) text[argument] = text[argument] "<" token ">"
    else if (token == ",") argument++
    else if (token == ")") put()
    else literals_only(token)
}

function take(token) {
    if (opened) inside(token)
    else if (marker != "") { if (token == "(") open_marker(); else forget() }
    if (marker == "" && (token == "_" || token == "N_" || token == "message_plural")) marker = token
}

FNR == 1 { forget(); comment = 0 }

/^[ \t]*#[ \t]*define[ \t]+N?_\(/ { next }

{
    rest = $0
    while (rest != "") {
        if (comment) {
            end = index(rest, "*/")
            if (!end) break
            rest = substr(rest, end + 2)
            comment = 0
        }
        else if (match(rest, /^[ \t\r]+/)) rest = substr(rest, RLENGTH + 1)
        else if (rest ~ /^\/\*/) { comment = 1; rest = substr(rest, 3) }
        else if (rest ~ /^\/\//) break
        else if (match(rest, /^"([^"\\]|\\.)*"/) || match(rest, /^'([^'\\]|\\.)*'/) ||
                 match(rest, /^[A-Za-z_][A-Za-z_0-9]*/) || match(rest, /^./)) {
            take(substr(rest, 1, RLENGTH))
            rest = substr(rest, RLENGTH + 1)
        }
    }
}

END { exit failed }
