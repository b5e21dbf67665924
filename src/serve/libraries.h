/*
 * libraries.h - the functions of libmicrohttpd and libqrencode that a class needs.
 *
 * The program does not link these libraries, because every start would load them, and GnuTLS with
 * them. A module beside the program (libraries_module.c) links them and exports this table; it is
 * loaded when the first class is served, and stays loaded.
 */
#ifndef SHFLVIZ_SERVE_LIBRARIES_H
#define SHFLVIZ_SERVE_LIBRARIES_H

#include "base/error.h"

#include <microhttpd.h>
#ifdef SHFLVIZ_QRENCODE
#include <qrencode.h>
#endif

struct libraries {
    __typeof__(MHD_add_response_header) *add_response_header;
    __typeof__(MHD_create_response_from_buffer) *create_response_from_buffer;
    __typeof__(MHD_create_response_from_callback) *create_response_from_callback;
    __typeof__(MHD_destroy_response) *destroy_response;
    __typeof__(MHD_get_connection_info) *get_connection_info;
    __typeof__(MHD_get_connection_values) *get_connection_values;
    __typeof__(MHD_get_daemon_info) *get_daemon_info;
    __typeof__(MHD_get_timeout) *get_timeout;
    __typeof__(MHD_is_feature_supported) *is_feature_supported;
    __typeof__(MHD_lookup_connection_value) *lookup_connection_value;
    __typeof__(MHD_queue_response) *queue_response;
    __typeof__(MHD_resume_connection) *resume_connection;
    __typeof__(MHD_run) *run;
    __typeof__(MHD_start_daemon) *start_daemon;
    __typeof__(MHD_stop_daemon) *stop_daemon;
    __typeof__(MHD_suspend_connection) *suspend_connection;
#ifdef SHFLVIZ_QRENCODE
    __typeof__(QRcode_encodeString) *qr_encode;
    __typeof__(QRcode_free) *qr_free;
#endif
};

extern const struct libraries shflviz_libraries; /* in the module, found by this name */

/* Loads the module unless it is already loaded. Returns NULL and fills err (ERROR_MISSING) if the
 * module or a library that it needs is missing. */
const struct libraries *libraries_load(struct error *err);

#endif
