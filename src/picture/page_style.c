/* The style of a page for wide screens, phones, dark mode and paper. Some rules replace the colours
 * that gnuplot writes by the page's colours. */
#include "picture/html.h"

const char page_style[] = {
#include "page.css.h"
};
