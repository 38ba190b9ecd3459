/* An op's latencies over time as JSON. */
#include "output/result/json.h"
#include "output/result/result_fields.h"

static json_t *column_object(double began_s, const uint64_t counts[HEAT_ROWS])
{
    json_t *rows = json_array(), *numbers = json_array();

    for (size_t row = 0; row < HEAT_ROWS; row++) {
        if (counts[row] == 0)
            continue;
        json_array_append_new(rows, json_count(row));
        json_array_append_new(numbers, json_count(counts[row]));
    }
    return json_pack("{s:f, s:o, s:o}", "began_s", began_s, "row", rows, "count", numbers);
}

json_t *map_write(const void *op, const void *root)
{
    const struct heat_map *map = ((const struct result_op *)op)->map;
    json_t *columns = json_array();

    for (size_t i = 0; i < map->columns; i++)
        json_array_append_new(columns, column_object(map->began_s[i], map->counts[i]));
    return json_pack("{s:f, s:o}", "ended_s", map->ended_s, "columns", columns);
}

static void read_column(struct json_reader *reader, const json_t *from, uint64_t counts[HEAT_ROWS])
{
    size_t rows, numbers;
    const json_t *row = json_take_array(reader, from, "row", HEAT_ROWS, &rows);
    const json_t *number = json_take_array(reader, from, "count", HEAT_ROWS, &numbers);

    if (rows != numbers)
        json_refuse(reader, ": a map of latencies is broken");
    for (size_t i = 0; i < rows && reader->code == 0; i++) {
        json_int_t place = json_integer_value(json_array_get(row, i));
        json_int_t count = json_integer_value(json_array_get(number, i));

        if (place < 0 || place >= HEAT_ROWS || count < 0 || count > (json_int_t)1 << 50)
            json_refuse(reader, ": a map of latencies is broken");
        else
            counts[place] = (uint64_t)count;
    }
}

void map_read(struct json_reader *reader, const json_t *from, void *object)
{
    const json_t *root = json_take_object(reader, from, "latency_map");
    size_t count;
    const json_t *columns = json_take_array(reader, root, "columns", HEAT_COLUMNS, &count);
    struct heat_map *map = count ? json_room(reader, 1, sizeof *map) : NULL;
    double before = 0;

    if (!map)
        return;
    map->columns = count;
    for (size_t i = 0; i < count && reader->code == 0; i++) {
        const json_t *column = json_array_get(columns, i);

        map->began_s[i] = json_take_quantity(reader, column, "began_s");
        if (!(map->began_s[i] >= before))
            json_refuse(reader, ": a map of latencies is not in the order of time");
        before = map->began_s[i];
        read_column(reader, column, map->counts[i]);
    }
    map->ended_s = json_take_quantity(reader, root, "ended_s");
    if (!(map->ended_s > before))
        json_refuse(reader, ": a map of latencies has no end");
    ((struct result_op *)object)->map = map;
}
