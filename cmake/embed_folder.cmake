# cmake -DFOLDER=folder -DFILES=a,b -DOUTPUT=file.c -DNAME=name -P embed_folder.cmake
# Writes a C file with the files of a folder as NAME, an array of struct exercise_file.
string(REPLACE "," ";" files "${FILES}")
set(text "#include \"exercise/exercise.h\"\n\n")
set(rows "")
set(number 0)
foreach(file IN LISTS files)
  file(READ "${FOLDER}/${file}" bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(REGEX REPLACE "((0x..,){16})" "\\1\n" bytes "${bytes}")
  string(APPEND text "static const char file_${number}[] = {\n${bytes}0};\n")
  string(APPEND rows "    {\"${file}\", file_${number}},\n")
  math(EXPR number "${number} + 1")
endforeach()
file(WRITE "${OUTPUT}" "${text}extern const struct exercise_file ${NAME}[];\n"
  "const struct exercise_file ${NAME}[] = {\n${rows}    {0, 0},\n};\n")
