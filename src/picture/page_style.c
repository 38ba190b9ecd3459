/* The style of a page for wide screens, phones, dark mode and paper. Rules that match the colours
 * written by gnuplot replace them by the page's colours. */
#include "picture/html.h"

const char page_style[] = {
#include "page.css.h"
};
