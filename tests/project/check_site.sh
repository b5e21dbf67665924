#!/bin/sh
# check_site.sh SOURCE - checks that the documents become pages, in both languages, without broken links.
set -u
command -v pandoc >/dev/null || {
    echo 'SKIPPED: no pandoc on this machine'
    exit 77
}
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
"$1/docs/site/documents" "$work" || exit 1
status=0
expect() { # PAGE TEXT
    grep -qF -- "$2" "$work/$1" || {
        echo "$1 has no $2"
        status=1
    }
}
expect index.html '<a href="docs/RECIPES.html">'
expect index.html '<a href="index.zh.html">中文</a>'
expect index.zh.html '<a href="docs/RECIPES.zh.html">'
expect docs/RECIPES.zh.html '<a href="../docs/RECIPES.html">English</a>'
expect documents.html '<a href="docs/TESTING.html">Testing</a>'
# A link to a file that is not on the site leads to the repository, if the repository's address is given.
SITE_SOURCE=https://example.org/files "$1/docs/site/documents" "$work" || exit 1
grep -rqF 'href="https://example.org/files/' "$work" || {
    echo 'no page links into the repository'
    status=1
}
exit $status
