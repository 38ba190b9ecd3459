/* The style of a report: on a wide screen, on a phone, in dark mode, on paper. Pictures get the
 * page's colours by selecting the colours that gnuplot wrote into them. */
#include "report/report_parts.h"

const char report_style[] = {
#include "page.css.h"
};
