/* Inside of what takes the measured data from a session. */
#pragma once

#include "run/outcome/filling.h"
#include "run/outcome/measured.h"
#include "run/session.h"

struct taking {
    struct measured *measured;
    const struct session *session;
    struct filling filling; /* of MEASURED's arena */
};

/* Host, target and configuration. */
void measured_take_settings(struct taking *taking);

/* Series with the lengths of their calls. */
void measured_take_series(struct taking *taking);
