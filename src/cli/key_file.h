/*
 * key_file.h - the user's own keys, from $XDG_CONFIG_HOME/shflviz/keys or ~/.config/shflviz/keys.
 */
#ifndef SHFLVIZ_CLI_KEY_FILE_H
#define SHFLVIZ_CLI_KEY_FILE_H

/*
 * Binds the keys of the file, if there is one (replay/keys/bind.h). Call it once, before a screen
 * opens. Errors in the file are reported on standard error; the file's other keys still apply.
 */
void key_file_read(void);

#endif
