# cmake -DINPUT=file -DOUTPUT=file.c -DNAME=name -P embed.cmake
# Writes a C file with the bytes of INPUT as a string called NAME.
file(READ "${INPUT}" bytes HEX)
string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x..,){16})" "\\1\n" bytes "${bytes}")
file(WRITE "${OUTPUT}" "extern const char ${NAME}[];\nconst char ${NAME}[] = {\n${bytes}0};\n")
