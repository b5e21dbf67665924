/*
 * pages.h - the files of a student's page, made part of the program by the build.
 */
#ifndef SHFLVIZ_SERVE_PAGES_H
#define SHFLVIZ_SERVE_PAGES_H

extern const char page_door[];   /* door.html: asks for the room code */
extern const char page_room[];   /* room.html */
extern const char page_script[]; /* room.js */
extern const char page_style[];  /* room.css; frame_colours() follows it */

#endif
