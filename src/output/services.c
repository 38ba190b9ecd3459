#include "output/services.h"

#include <string.h>

#include "common/printable.h"
#include "output/json.h"
#include "output/table.h"
#include "output/terminal.h"

/* The services */

static const struct {
    uint32_t program;
    const char *name;
} programs[] = {
    {100000, "portmapper"}, {SERVICES_NFS, "nfs"}, {SERVICES_MOUNT, "mountd"}, {100227, "nfs_acl"},
    {100021, "nlockmgr"},   {100024, "status"},    {100011, "rquotad"},
};

const char *services_name(uint32_t program)
{
    for (size_t i = 0; i < sizeof programs / sizeof programs[0]; i++)
        if (programs[i].program == program)
            return programs[i].name;
    return NULL;
}

struct service *services_service(struct services *services, uint32_t program)
{
    for (size_t i = 0; i < services->count; i++)
        if (services->services[i].program == program)
            return &services->services[i];
    return NULL;
}

static struct service *find_or_make(struct services *services, uint32_t program)
{
    struct service *service = services_service(services, program);

    if (service || !services_name(program) || services->count == SERVICES_MAXIMUM)
        return service;
    service = &services->services[services->count++];
    *service = (struct service){.program = program};
    return service;
}

struct service *services_add(struct services *services, uint32_t program, uint32_t version)
{
    struct service *service = find_or_make(services, program);
    size_t at = 0;

    while (service && at < service->version_count && service->versions[at] < version)
        at++;
    if (!service || (at < service->version_count && service->versions[at] == version) ||
        service->version_count == SERVICE_VERSIONS_MAXIMUM)
        return service;
    memmove(&service->versions[at + 1], &service->versions[at],
            (service->version_count - at) * sizeof service->versions[0]);
    service->versions[at] = version;
    service->version_count++;
    return service;
}

bool services_offer(const struct services *services, uint32_t program, uint32_t version)
{
    for (size_t i = 0; i < services->count; i++)
        for (size_t j = 0; j < services->services[i].version_count; j++)
            if (services->services[i].program == program &&
                services->services[i].versions[j] == version)
                return true;
    return false;
}

void services_free(struct services *services)
{
    arena_free(&services->arena);
    *services = (struct services){.count = 0};
}

/* Text */

static const struct table_column columns[] = {
    {"service", 12, true, 0},
    {"versions", 12, true, 0},
    {"TCP port", 8, false, 0},
    {"UDP port", 8, false, 0},
};

static void print_port(uint16_t port, struct table *table)
{
    if (port)
        table_cell(table, "%u", port);
    else
        table_cell(table, "-");
}

static void print_service(const struct service *service, struct table *table)
{
    char versions[12 * SERVICE_VERSIONS_MAXIMUM] = "";

    for (size_t i = 0; i < service->version_count; i++) {
        size_t used = strlen(versions);

        snprintf(versions + used, sizeof versions - used, "%s%u", i ? ", " : "",
                 service->versions[i]);
    }
    table_cell(table, "%s", services_name(service->program));
    table_cell(table, "%s", versions);
    print_port(service->tcp_port, table);
    print_port(service->udp_port, table);
    table_end_row(table, "");
}

static void print_services(const struct services *services, FILE *out)
{
    struct table table;

    table_begin(&table, columns, sizeof columns / sizeof columns[0], terminal_width(out), out);
    table_headings(&table);
    for (size_t i = 0; i < services->count; i++)
        print_service(&services->services[i], &table);
}

static void print_exports(const struct services *services, FILE *out)
{
    if (services->export_count)
        fprintf(out, "\n  %-30s  clients\n", "export");
    for (size_t i = 0; i < services->export_count; i++) {
        const struct services_export *export = &services->exports[i];

        fprintf(out, "  %-30s ", printable(export->path).text);
        for (size_t j = 0; j < export->client_count; j++)
            fprintf(out, " %s", printable(export->clients[j]).text);
        fputs(export->client_count ? "\n" : " all\n", out);
    }
}

void services_print(const struct services *services, FILE *out)
{
    fprintf(out, "%s at %s\n\n", printable(services->target).text, services->address);
    print_services(services, out);
    if (services->portmap_missing)
        fprintf(out, "  %s\n", printable(services->portmap_missing).text);
    print_exports(services, out);
    if (services->exports_missing)
        fprintf(out, "\n  exports not known: %s\n", printable(services->exports_missing).text);
    else if (services->export_count == 0)
        fputs("\n  no exports\n", out);
}

/* JSON */

static json_t *port_value(uint16_t port)
{
    return port ? json_integer(port) : json_null();
}

static json_t *service_object(const struct service *service)
{
    json_t *versions = json_array();

    for (size_t i = 0; i < service->version_count; i++)
        json_array_append_new(versions, json_count(service->versions[i]));
    return json_pack("{s:s, s:o, s:o, s:o, s:o}", "name", services_name(service->program),
                     "program", json_count(service->program), "versions", versions, "tcp_port",
                     port_value(service->tcp_port), "udp_port", port_value(service->udp_port));
}

static json_t *export_object(const struct services_export *export)
{
    json_t *clients = json_array();

    for (size_t i = 0; i < export->client_count; i++)
        json_array_append_new(clients, json_text(export->clients[i]));
    return json_pack("{s:o, s:o}", "path", json_text(export->path), "clients", clients);
}

static json_t *exports_array(const struct services *services)
{
    json_t *exports = json_array();

    for (size_t i = 0; i < services->export_count; i++)
        json_array_append_new(exports, export_object(&services->exports[i]));
    return exports;
}

int services_write_json(const void *data, FILE *out)
{
    const struct services *services = data;
    json_t *object = json_begin(RESULT_SERVICES), *list = json_array();

    for (size_t i = 0; i < services->count; i++)
        json_array_append_new(list, service_object(&services->services[i]));
    json_object_set_new(object, "target", json_text(services->target));
    json_object_set_new(object, "address", json_text(services->address));
    json_object_set_new(object, "services", list);
    json_object_set_new(object, "services_missing", json_text(services->portmap_missing));
    json_object_set_new(object, "exports", exports_array(services));
    json_object_set_new(object, "exports_missing", json_text(services->exports_missing));
    return json_write_object(object, out);
}
