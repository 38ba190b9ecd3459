#include "output/result/origin.h"

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
    {"command", FIELD_OWN, .write = write_command, .schema = ORIGIN_COMMAND_SCHEMA},
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
