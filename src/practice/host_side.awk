# host_side.awk - prints the host side of an exercise's test as plain C++: leaves out the device's
# functions (the interpreter reads them), and turns NAME<<<GRID, BLOCK>>>( into a call. Needs -v name=...

BEGIN {
    print "#include \"practice/host_side.hpp\""
    print "#define test " name
}
# A declaration ends at its semicolon, a definition at its closing brace in the first column.
/^__(global|device)__/ { skips = 1; defines = 0 }
skips {
    defines = defines || /[{]/
    if (defines ? /^[}]/ : /;/)
        skips = 0
    next
}
{
    if (match($0, /[A-Za-z_0-9]+<<</)) {
        begin = RSTART
        name_length = RLENGTH - 3
        kernel = substr($0, begin, name_length)
        rest = substr($0, begin + name_length + 3)
        end = index(rest, ">>>(")
        $0 = substr($0, 1, begin - 1) "exercise::kernel(\"" kernel "\", " substr(rest, 1, end - 1) ")(" substr(rest, end + 4)
    }
    print
}
