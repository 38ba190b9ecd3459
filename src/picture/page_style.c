/* The style of a page: wide screen, phone, dark mode, paper. Pictures get the page's colours by
 * rules that select the colours that gnuplot wrote. */
#include "picture/html.h"

const char page_style[] = {
#include "page.css.h"
};
