/* Error convention: functions return 0 or a negative errno, and describe the failure in one line
 * for people, in an error object that the caller owns. Only commands, and not the functions that
 * fail, print the text. */
#pragma once

/* What a failure means for the user. The values are exit statuses. */
enum error_kind {
    ERROR_NONE = 0,
    ERROR_FAILED = 1,      /* the measurement failed, or the server violated the protocol */
    ERROR_USAGE = 2,       /* the request is invalid */
    ERROR_UNREACHABLE = 3, /* the server is unreachable, refused access, or stopped answering */
};

struct error {
    enum error_kind kind;
    char text[512];
};

/* Record a failure in ERROR, replacing any earlier one. FORMAT (as for printf, no newline) says
 * what was tried, what happened, and what to do. Returns CODE, a negative errno, so that callers
 * can write "return error_set(...)". */
int error_set(struct error *error, enum error_kind kind, int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* Return the message of CODE, a negative errno of a failed write, with advice if it is -EFBIG. The
 * text stays valid until the next call in this thread. */
const char *error_of_write(int code);
