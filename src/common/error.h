/* The error convention: functions return 0 or a negative errno, and describe what went wrong, in
 * one line for people, in an error object that the caller owns. Only cli/ prints it. */
#pragma once

/* What the failure means to the user. The values are the exit statuses. */
enum error_kind {
    ERROR_NONE = 0,
    ERROR_FAILED = 1, /* the measurement failed, or the server broke the protocol */
    ERROR_USAGE = 2,  /* the request makes no sense */
    ERROR_UNREACHABLE =
        3, /* the server could not be reached, refused access, or stopped answering */
};

struct error {
    enum error_kind kind;
    char text[512];
};

/* Record a failure: its kind, and a line that says what was tried, what came back and what to try
 * next (printf format, no newline). It replaces any earlier one in ERROR. CODE is a negative errno,
 * which is returned, so that callers can write "return error_set(...)". */
int error_set(struct error *error, enum error_kind kind, int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

/* What a message says of the negative errno CODE of a write: strerror()'s text, and what to do
 * about a limit. Returns a text that stays valid until the next call in the same thread. */
const char *error_of_write(int code);
