#include "json_mutator.h"

#include <jansson.h>
#include <string.h>

enum { PLACES = 4096 };

/* The position of a value: in an object under KEY, or in an array at INDEX. */
struct place {
    json_t *parent, *value;
    const char *key;
    size_t index;
};

struct places {
    size_t count;
    struct place list[PLACES];
};

static unsigned draw(unsigned *seed, size_t below)
{
    *seed = *seed * 1664525u + 1013904223u;
    return below ? (*seed >> 8) % (unsigned)below : 0;
}

static void add(struct places *places, const struct place *place);

static void add_all(struct places *places, json_t *parent)
{
    const char *key;
    size_t index;
    json_t *value;

    json_object_foreach(parent, key, value) add(places, &(struct place){parent, value, key, 0});
    json_array_foreach(parent, index, value)
        add(places, &(struct place){parent, value, NULL, index});
}

static void add(struct places *places, const struct place *place)
{
    if (places->count == PLACES)
        return;
    places->list[places->count++] = *place;
    add_all(places, place->value);
}

/* An unusual value, or a copy of another one. */
static json_t *make_value(const struct places *places, unsigned *seed)
{
    static const char *const texts[] = {
        "",        "\033[31m",     "\xe2\x80\xae", "=1+1",    "`a|b`",   "a\nb",     "<b>",
        "poisson", "null_control", "null",         "getattr", "suspect", "\xc2\x9b", "x'; !y"};
    static const double reals[] = {-1, 0.5, 1e17, 1e18, 2e18, 1e300, -1e300, 5e-324};
    static const json_int_t integers[] = {0,  1,         -1,        2,
                                          64, INT64_MAX, INT64_MIN, (json_int_t)1 << 42};

    switch (draw(seed, 8)) {
    case 0:
        return json_null();
    case 1:
        return json_boolean(draw(seed, 2));
    case 2:
        return json_string(texts[draw(seed, sizeof texts / sizeof texts[0])]);
    case 3:
        return json_real(reals[draw(seed, sizeof reals / sizeof reals[0])]);
    case 4:
        return json_integer(integers[draw(seed, sizeof integers / sizeof integers[0])]);
    case 5:
        return draw(seed, 2) ? json_array() : json_object();
    default:
        return json_deep_copy(places->list[draw(seed, places->count)].value);
    }
}

static void put(const struct place *place, json_t *value)
{
    if (place->key)
        json_object_set_new(place->parent, place->key, value);
    else
        json_array_set_new(place->parent, place->index, value);
}

static void change(const struct places *places, unsigned *seed)
{
    const struct place *place = &places->list[draw(seed, places->count)];
    double number = json_number_value(place->value);

    switch (draw(seed, 6)) {
    case 0:
        if (place->key)
            json_object_del(place->parent, place->key);
        else
            json_array_remove(place->parent, place->index);
        break;
    case 1: /* again: into an array that exists, or under a key from elsewhere */
        if (place->key)
            put(&places->list[draw(seed, places->count)], json_deep_copy(place->value));
        else
            json_array_append_new(place->parent, json_deep_copy(place->value));
        break;
    case 2: /* of similar size */
        if (json_is_number(place->value))
            put(place, json_real(number * (0.5 + draw(seed, 100) / 50.0)));
        break;
    default:
        put(place, make_value(places, seed));
    }
}

size_t json_mutate(uint8_t *data, size_t size, size_t maximum, unsigned seed)
{
    static struct places places;
    json_t *root = json_loadb((const char *)data, size, JSON_DECODE_ANY, NULL);
    size_t length = 0;

    for (unsigned rounds = 1 + draw(&seed, 3); root && rounds > 0; rounds--) {
        places.count = 0;
        add_all(&places, root);
        if (places.count > 0)
            change(&places, &seed);
    }
    if (root)
        length = json_dumpb(root, (char *)data, maximum, JSON_COMPACT);
    json_decref(root);
    return length <= maximum ? length : 0;
}
