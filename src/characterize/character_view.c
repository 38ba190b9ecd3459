/* Fields and view of a character, and reading its file. */
#include "characterize/character_compare.h"
#include "output/result/result_fields.h"
#include "output/result/result_file.h"
#include "version.h"

#define DETAIL(member)    FIELD_AT(struct character_detail, member)
#define ANSWER(member)    FIELD_AT(struct character_answer, member)
#define CHARACTER(member) FIELD_AT(struct character, member)

static const char *figure_text(const void *object, const void *root, char room[FIELD_ROOM])
{
    return character_figure(object, room);
}

static const struct field detail_fields[] = {
    {"name", FIELD_BUFFER, DETAIL(name), FIELD_KEY},
    {"text", FIELD_BUFFER, DETAIL(text)},
    {"figure", FIELD_INTERVAL, DETAIL(figure), FIELD_OR_NULL | FIELD_SETS_IF,
     FIELD_IF(struct character_detail, has_figure)},
    {"unit", FIELD_WORD, DETAIL(unit), FIELD_OR_NULL | FIELD_KEY},
    {"figure_text", FIELD_WORD, .flags = FIELD_SHOWN, .text = figure_text},
    FIELD_END,
};

static const struct field answer_fields[] = {
    {"name", FIELD_WORD, ANSWER(name), FIELD_NAME},
    {"question", FIELD_TEXT, ANSWER(question)},
    {"known", FIELD_FLAG, ANSWER(known)},
    {"answer", FIELD_BUFFER, ANSWER(text)},
    {"meaning", FIELD_BUFFER, ANSWER(meaning)},
    {"unknown", FIELD_TEXT, ANSWER(unknown)},
    {"duration_s", FIELD_QUANTITY, ANSWER(duration)},
    {"calls", FIELD_COUNT, ANSWER(calls)},
    {"details", FIELD_ARRAY,
     FIELD_ITEMS(struct character_answer, details, detail_count, detail_fields),
     .maximum = CHARACTER_DETAILS_MAXIMUM},
    FIELD_END,
};

static const char *quick_word(const void *object, const void *root, char room[FIELD_ROOM])
{
    return ((const struct character *)object)->quick ? "quick" : NULL;
}

static const struct field fields[] = {
    {NULL, FIELD_OBJECT, CHARACTER(origin), .fields = origin_members},
    {"validity", FIELD_OBJECT, CHARACTER(validity), .fields = verdict_fields},
    {"quick", FIELD_FLAG, CHARACTER(quick)},
    {"quick_word", FIELD_WORD, .flags = FIELD_SHOWN, .text = quick_word},
    {"interrupted", FIELD_FLAG, CHARACTER(interrupted)},
    {"duration_s", FIELD_QUANTITY, CHARACTER(duration)},
    {"no_scratch", FIELD_TEXT, CHARACTER(scratch), FIELD_OR_NULL},
    {"answers", FIELD_ARRAY, FIELD_ITEMS(struct character, answers, answer_count, answer_fields),
     .maximum = CHARACTER_ANSWERS_MAXIMUM},
    FIELD_END,
};

static const struct view_line head[] = {
    {"nfsbench " NFSBENCH_VERSION "  character of {target}  NFSv3 over {transport}  "
     "{answers#experiment}{?, {quick_word}}  {duration_s:1} s"},
    VIEW_VERDICT,
    {"without a scratch directory: {no_scratch}"},
    {"", "answers"},
    {"{name}: {question}", "answers"},
    {"    {answer}", "answers"},
    {"    {name:-28}{?  {figure_text}}{?  {text}}", "answers/details"},
    {"    For users: {meaning}", "answers"},
    {"    Still unknown: {unknown}", "answers"},
    {"", .when = "interrupted"},
    {"interrupted: the other experiments were not made", .when = "interrupted"},
    {NULL},
};

/* Reading a file */

static void check_answer(struct json_reader *reader, const struct character_answer *answer)
{
    if (!answer->question)
        json_refuse(reader, "an answer has no question");
    for (size_t i = 0; i < answer->detail_count; i++)
        if (answer->details[i].has_figure && !answer->details[i].unit)
            json_refuse(reader, "a figure has no unit");
}

static int read_character(struct result_file *file, const json_t *root, const char *path,
                          struct error *error)
{
    struct json_reader reader = {.arena = &file->result.arena, .path = path, .error = error};
    struct character *character = json_room(&reader, 1, sizeof *character);

    if (!character)
        return reader.code;
    fields_read(&reader, root, fields, character);
    for (size_t i = 0; i < character->answer_count && reader.code == 0; i++)
        check_answer(&reader, &character->answers[i]);
    file->own = character;
    return reader.code;
}

static const struct result_reading reading = {.plural = "characters",
                                              .read = read_character,
                                              .write_pair = character_pair_print,
                                              .write_pair_page = character_pair_write_page};

const struct view view_character = {RESULT_CHARACTER, fields, head, NULL, NULL, &reading};
