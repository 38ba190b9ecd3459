/* Text made safe for a terminal. */
#include "common/printable.h"
#include "test.h"

static const struct {
    const char *text, *shown;
} table[] = {
    {"", ""},
    {"server:/export/a file", "server:/export/a file"},
    {"100% \\ of it", "100% \\ of it"},
    {NULL, "?"},

    /* Control characters: C0, DEL, and C1 encoded in UTF-8. */
    {"\033[31mred\033]0;title\a", "\\x1b[31mred\\x1b]0;title\\x07"},
    {"one\nnfsbench: another", "one\\x0anfsbench: another"},
    {"\r\t\b\001\037\177", "\\x0d\\x09\\x08\\x01\\x1f\\x7f"},
    {"\xc2\x9b[31m", "\\u009b[31m"},
    {"\xc2\x80\xc2\x9f\xc2\xa0", "\\u0080\\u009f\xc2\xa0"},

    /* Characters that reverse other text, or are invisible. */
    {"a\u202eb\u202cc", "a\\u202eb\\u202cc"},
    {"\u202a\u202b\u202d", "\\u202a\\u202b\\u202d"},
    {"\u2066\u2067\u2068\u2069", "\\u2066\\u2067\\u2068\\u2069"},
    {"\u200e\u200f\u061c", "\\u200e\\u200f\\u061c"},
    {"\u2028\u2029\u200b\ufeff", "\\u2028\\u2029\\u200b\\ufeff"},
    {"\U000e0041", "\\U000e0041"},

    /* Characters of all lengths, and the neighbours of harmful ones. */
    {"µs – 東京 𝄞", "µs – 東京 𝄞"},
    {"שלום عربي", "שלום عربي"},
    {"\u061b\u061d\u200a\u200d\u2010\u2027\u202f\u205f\u2070",
     "\u061b\u061d\u200a\u200d\u2010\u2027"
     "\u202f\u205f\u2070"},
    {"\U0010ffff\ue000\ud7ff", "\U0010ffff\ue000\ud7ff"},

    /* Not UTF-8: bytes of Latin-1, truncated characters, characters in more bytes than needed, a
     * surrogate, characters beyond Unicode. */
    {"caf\xe9", "caf\\xe9"},
    {"\x9b[31m\x80\xff\xfe", "\\x9b[31m\\x80\\xff\\xfe"},
    {"\xe6\x9d", "\\xe6\\x9d"},
    {"\xf0\x9d\x84x", "\\xf0\\x9d\\x84x"},
    {"\xc0\xaf\xc1\xbf", "\\xc0\\xaf\\xc1\\xbf"},
    {"\xe0\x9f\xbf", "\\xe0\\x9f\\xbf"},
    {"\xf0\x8f\xbf\xbf", "\\xf0\\x8f\\xbf\\xbf"},
    {"\xed\xa0\x80", "\\xed\\xa0\\x80"},
    {"\xf4\x90\x80\x80\xf5", "\\xf4\\x90\\x80\\x80\\xf5"},
    {"\xc2\x1b[m", "\\xc2\\x1b[m"},
};

TEST_CASE(table)
{
    for (size_t i = 0; i < COUNT_OF(table); i++)
        assert_string_equal(printable(table[i].text).text, table[i].shown);
}

/* A second pass changes nothing, because escapes are harmless text. */
TEST_CASE(again)
{
    for (size_t i = 0; i < COUNT_OF(table); i++)
        assert_string_equal(printable(table[i].shown).text, table[i].shown);
}

TEST_CASE(long_text_is_cut)
{
    static char text[3 * PRINTABLE_SIZE];
    struct printable shown;

    memset(text, 'x', sizeof text - 1);
    shown = printable(text);
    assert_all((strlen(shown.text), PRINTABLE_SIZE - 1), (shown.text + PRINTABLE_SIZE - 5, "x..."));
    memset(text, '\033', sizeof text - 1);
    shown = printable(text);
    assert_all((strlen(shown.text) > PRINTABLE_SIZE - 8), (strrchr(shown.text, '\\'), "\\x1b..."));
}

TEST_CASE(small_rooms)
{
    static const struct {
        size_t size;
        const char *text, *shown;
    } rooms[] = {
        {8, "1234567", "1234567"},
        {8, "12345678", "1234..."},
        {8, "123\033", "123\\x1b"},
        {8, "1234\033", "1234..."},
        {9, "1234\033", "1234\\x1b"},
        {8, "12\u6771\u4eac", "12..."},
        {9, "12\u6771\u4eac", "12\u6771\u4eac"},
        {8, "\033\033", "\\x1b..."},
    };
    char out[16];

    for (size_t i = 0; i < COUNT_OF(rooms); i++) {
        memset(out, 'o', sizeof out);
        assert_string_equal(printable_copy(out, rooms[i].size, rooms[i].text), rooms[i].shown);
        assert_int_equal(out[rooms[i].size], 'o');
    }
}
