#include "output/origin.h"

#include "common/printable.h"
#include "output/csv.h"
#include "output/json.h"

json_t *origin_command_json(const char *const *words, size_t count)
{
    json_t *array = json_array();

    for (size_t i = 0; i < count; i++)
        if (json_array_append_new(array, json_string(words[i])) != 0) {
            json_decref(array);
            return json_null();
        }
    return array;
}

#define AT(member) FIELD_AT(struct origin, member)

static json_t *write_command(const void *object, const void *root)
{
    const struct origin *origin = object;

    return origin_command_json(origin->command, origin->command_count);
}

static const char *proto_of(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct origin *origin = object;

    return origin->transport ? result_proto(origin->transport) : NULL;
}

static const struct field host_members[] = {
    {"name", FIELD_BUFFER, AT(name), FIELD_OR_NONE},
    {"kernel", FIELD_BUFFER, AT(kernel)},
    {"cpu", FIELD_BUFFER, AT(cpu)},
    FIELD_END,
};

const struct field origin_members[] = {
    {"start", FIELD_BUFFER, AT(start)},
    {"command", FIELD_OWN, .write = write_command,
     .schema = "{\"type\": [\"array\", \"null\"], \"items\": {\"type\": \"string\"}}"},
    {"seed", FIELD_SEED, AT(seed)},
    {"host", FIELD_OBJECT, .fields = host_members},
    {"target", FIELD_TEXT, AT(target)},
    {"proto", FIELD_WORD, .text = proto_of},
    {"transport", FIELD_WORD, AT(transport), FIELD_SHOWN},
    FIELD_END,
};

const struct field origin_security[] = {
    {"auth", FIELD_BUFFER, AT(auth)},
    {"xprtsec", FIELD_WORD, AT(xprtsec), FIELD_OR_NONE},
    FIELD_END,
};

void origin_add_json(json_t *object, const struct origin *origin)
{
    json_t *host = json_object();

    json_set_text(host, "name", origin->name[0] ? origin->name : NULL);
    json_object_set_new(host, "kernel", json_text(origin->kernel));
    json_object_set_new(host, "cpu", json_text(origin->cpu));
    json_object_set_new(object, "start", json_text(origin->start));
    json_object_set_new(object, "command",
                        origin_command_json(origin->command, origin->command_count));
    json_object_set_new(object, "seed", json_count(origin->seed));
    json_object_set_new(object, "host", host);
    json_object_set_new(object, "target", json_text(origin->target));
    json_object_set_new(object, "proto", json_text(result_proto(origin->transport)));
}

void origin_add_security(json_t *object, const struct origin *origin)
{
    json_object_set_new(object, "auth", json_text(origin->auth));
    if (origin->xprtsec)
        json_object_set_new(object, "xprtsec", json_text(origin->xprtsec));
}

void origin_print_security(const char *auth, const char *xprtsec, FILE *out)
{
    fputs(printable(auth).text, out);
    if (xprtsec)
        fprintf(out, "  xprtsec=%s", printable(xprtsec).text);
}

void origin_write_csv(const struct origin *origin, FILE *out)
{
    const char *const texts[] = {origin->start, origin->name, origin->target};

    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (texts[i] && *texts[i])
            csv_write_text(texts[i], out);
        fputc(',', out);
    }
    fprintf(out, "%s,", origin->transport ? result_proto(origin->transport) : "");
}
