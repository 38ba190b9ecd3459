/* Prints a view as Markdown with GitHub's tables, for pull requests and notes. */
#include <string.h>

#include "output/view/view_page.h"

static const char *begin_tone(enum terminal_tone tone, FILE *out)
{
    return tone == TERMINAL_PLAIN || tone == TERMINAL_FAINT ? "" : "**";
}

/* Print TEXT, escaping the characters that Markdown interprets in a line, except "**" for bold. */
static void print_text(const char *text, FILE *out)
{
    for (; *text; text++) {
        if (strncmp(text, "**", 2) == 0) {
            fputs("**", out);
            text++;
            continue;
        }
        if (strchr("\\`*_<>#|~", *text) || (*text == ']' && strchr("([:", text[1]) && text[1]))
            fputc('\\', out);
        fputc(*text, out);
    }
}

static void print_line(const char *text, enum page_line kind, bool each, FILE *out)
{
    const size_t indent = strspn(text, " ");

    text += indent;
    if (!*text)
        return;
    fputs(each && indent >= 4 ? "  - " : kind == PAGE_NOTE || each ? "- " : "\n", out);
    print_text(text, out);
    fputc('\n', out);
}

static void print_headings(const struct page_table *table, FILE *out)
{
    fputs("\n|", out);
    for (size_t i = 0; i < table->column_count; i++)
        if (table->shown[i]) {
            fputc(' ', out);
            print_text(table->columns[i].heading, out);
            fputs(" |", out);
        }
    fputs(table->remarks ? " |\n|" : "\n|", out);
    for (size_t i = 0; i < table->column_count; i++)
        if (table->shown[i])
            fputs(table->left[i] ? "---|" : "---:|", out);
    fputs(table->remarks ? "---|\n" : "\n", out);
}

static void print_row(const struct page_table *table, const struct page_row *row, FILE *out)
{
    fputc('|', out);
    for (size_t i = 0; i < table->column_count; i++) {
        if (!table->shown[i])
            continue;
        fputc(' ', out);
        if (i < row->count)
            print_text(row->cells[i] + strspn(row->cells[i], " "), out);
        fputs(" |", out);
    }
    if (row->remark) {
        const char *tone = begin_tone(row->tone, out);

        fprintf(out, " %s", tone);
        print_text(row->remark, out);
        fprintf(out, "%s", tone);
    }
    fputs(table->remarks ? " |\n" : "\n", out);
}

static void print_table(struct page_table *table, FILE *out)
{
    if (table->title)
        print_line(table->title, PAGE_HEAD, false, out);
    print_headings(table, out);
    for (size_t i = 0; i < table->row_count; i++)
        print_row(table, &table->rows[i], out);
    fputc('\n', out);
}

int view_write_markdown(const struct view *view, const void *result, FILE *out)
{
    static const struct page_form markdown = {begin_tone, begin_tone, print_line, print_table};

    return page_print(&markdown, view, result, true, out);
}
