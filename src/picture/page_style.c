/* The style of a page: on a wide screen, on a phone, in dark mode, on paper. Pictures get the
 * page's colours by selecting the colours that gnuplot wrote into them. */
#include "picture/html.h"

const char page_style[] = {
#include "page.css.h"
};
