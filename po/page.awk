# awk -v output=FILE -f page.awk CODE.po - writes the texts that a page for browsers needs: leaves out comments, and
# entries that are only used by code that is not in a page (web/CMakeLists.txt).
BEGIN {
    RS = ""; FS = "\n"; ORS = "\n\n"
    folders = "^(src/(cli|export|measure|serve|term|device/gpu)|lib/(recorder|cudacpu/(compile|crash|frontend|guest|instrument|observe|process|ptx)))/"
    files = "^src/(exercise/(judge|exercise)[.]c|launch/(kernel_details|one_run|orders|post|program_file|shell_commands|user_)|session/(classroom|follow|journey|legend|lesson_check|lesson_text|notes|plan|results_file|worksheet|screens/(comparison|exercise|fragment|run|start|watch)))"
}
{
    needed = NR == 1
    text = ""
    for (i = 1; i <= NF; i++) {
        if ($i ~ /^#:/) {
            count = split($i, places, " ")
            for (j = 2; j <= count; j++)
                if (places[j] !~ folders && places[j] !~ files)
                    needed = 1
        } else if ($i ~ /^#, fuzzy/) {
            needed = 0
            break
        } else if ($i !~ /^#/)
            text = text (text == "" ? "" : "\n") $i
    }
    if (needed)
        print text >output
}
