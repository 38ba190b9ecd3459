#include "output/result/json.h"
#include "output/view/view.h"

int view_write_json(const struct view *view, const void *result, FILE *out)
{
    json_t *object = json_begin(view->kind);

    if (object)
        fields_add(object, view->fields, result, result);
    return json_write_object(object, out);
}
