/* A character as JSON (doc/FORMAT.md), written and read. */
#include "character/character_compare.h"
#include "output/fields.h"
#include "output/json.h"

#define DETAIL(member)    FIELD_AT(struct character_detail, member)
#define ANSWER(member)    FIELD_AT(struct character_answer, member)
#define CHARACTER(member) FIELD_AT(struct character, member)

static const struct field detail_fields[] = {
    {"name", FIELD_BUFFER, DETAIL(name)},
    {"text", FIELD_BUFFER, DETAIL(text)},
    {"figure", FIELD_INTERVAL, DETAIL(figure), FIELD_OR_NULL | FIELD_SETS_IF,
     FIELD_IF(struct character_detail, has_figure)},
    {"unit", FIELD_WORD, DETAIL(unit), FIELD_OR_NULL},
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

static json_t *write_proto(const void *object, const void *root)
{
    const struct character *character = object;

    return json_text(result_proto(character->transport));
}

static const struct field character_fields[] = {
    {"start", FIELD_BUFFER, CHARACTER(start)},
    {"target", FIELD_TEXT, CHARACTER(target)},
    {"proto", FIELD_OWN, .write = write_proto},
    {"quick", FIELD_FLAG, CHARACTER(quick)},
    {"interrupted", FIELD_FLAG, CHARACTER(interrupted)},
    {"duration_s", FIELD_QUANTITY, CHARACTER(duration)},
    {"no_scratch", FIELD_TEXT, CHARACTER(scratch), FIELD_OR_NULL},
    {"answers", FIELD_ARRAY, FIELD_ITEMS(struct character, answers, answer_count, answer_fields),
     .maximum = CHARACTER_ANSWERS_MAXIMUM},
    FIELD_END,
};

int character_write_json(const void *data, FILE *out)
{
    json_t *object = json_begin(RESULT_CHARACTER);

    origin_add_json(object, &((const struct character *)data)->origin);
    fields_add(object, character_fields, data, NULL);
    return json_write_object(object, out);
}

int character_read(struct character *character, const json_t *root, const char *path,
                   struct arena *arena, struct error *error)
{
    struct json_reader reader = {.arena = arena, .path = path, .error = error};

    *character = (struct character){.quick = false};
    fields_read(&reader, root, character_fields, character);
    for (size_t i = 0; i < character->answer_count && reader.code == 0; i++) {
        const struct character_answer *answer = &character->answers[i];

        if (!answer->name || !answer->question)
            json_refuse(&reader, "an answer has no name or no question");
        for (size_t j = 0; j < answer->detail_count; j++)
            if (answer->details[j].has_figure && !answer->details[j].unit)
                json_refuse(&reader, "a figure has no unit");
    }
    return reader.code;
}
