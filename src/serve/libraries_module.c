/* The module that links libmicrohttpd and libqrencode: it is only a table of their functions. */
#include "serve/libraries.h"

const struct libraries shflviz_libraries = {
    .add_response_header = MHD_add_response_header,
    .create_response_from_buffer = MHD_create_response_from_buffer,
    .create_response_from_callback = MHD_create_response_from_callback,
    .destroy_response = MHD_destroy_response,
    .get_connection_info = MHD_get_connection_info,
    .get_connection_values = MHD_get_connection_values,
    .get_daemon_info = MHD_get_daemon_info,
    .get_timeout = MHD_get_timeout,
    .is_feature_supported = MHD_is_feature_supported,
    .lookup_connection_value = MHD_lookup_connection_value,
    .queue_response = MHD_queue_response,
    .resume_connection = MHD_resume_connection,
    .run = MHD_run,
    .start_daemon = MHD_start_daemon,
    .stop_daemon = MHD_stop_daemon,
    .suspend_connection = MHD_suspend_connection,
#ifdef SHFLVIZ_QRENCODE
    .qr_encode = QRcode_encodeString,
    .qr_free = QRcode_free,
#endif
};
