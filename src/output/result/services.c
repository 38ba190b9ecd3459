#include "output/result/services.h"

#include <string.h>

#include "output/view/view.h"

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

#define AT(member)      FIELD_AT(struct services, member)
#define SERVICE(member) FIELD_AT(struct service, member)
#define EXPORT(member)  FIELD_AT(struct services_export, member)

static const char *service_name(const void *object, const void *root, char room[FIELD_ROOM])
{
    return services_name(((const struct service *)object)->program);
}

/* Return the transports over which the host offers NFS; NULL if it offers none. */
static const char *nfs_over(const void *object, const void *root, char room[FIELD_ROOM])
{
    const struct services *services = object;

    for (size_t i = 0; i < services->count; i++) {
        const struct service *nfs = &services->services[i];

        if (nfs->program == SERVICES_NFS && nfs->tcp_port)
            return nfs->udp_port ? "TCP and UDP" : "TCP";
        if (nfs->program == SERVICES_NFS && nfs->udp_port)
            return "UDP";
    }
    return NULL;
}

static const struct field version_fields[] = {
    {NULL, FIELD_COUNT, .size = sizeof(uint32_t)},
    FIELD_END,
};

static const struct field service_fields[] = {
    {"name", FIELD_WORD, .flags = FIELD_KEY, .text = service_name},
    {"program", FIELD_COUNT, SERVICE(program)},
    {"versions", FIELD_ARRAY,
     FIELD_VALUES(struct service, versions, version_count, version_fields)},
    {"tcp_port", FIELD_COUNT, SERVICE(tcp_port), FIELD_OR_NULL},
    {"udp_port", FIELD_COUNT, SERVICE(udp_port), FIELD_OR_NULL},
    FIELD_END,
};

static const struct field client_fields[] = {
    {NULL, FIELD_TEXT, .size = sizeof(const char *)},
    FIELD_END,
};

static const struct field export_fields[] = {
    {"path", FIELD_TEXT, EXPORT(path), FIELD_KEY},
    {"clients", FIELD_LIST,
     FIELD_VALUES(struct services_export, clients, client_count, client_fields)},
    FIELD_END,
};

static const struct field fields[] = {
    {"target", FIELD_TEXT, AT(target)},
    {"address", FIELD_TEXT, AT(address)},
    {"services", FIELD_ARRAY, FIELD_ITEMS(struct services, services, count, service_fields)},
    {"services_missing", FIELD_TEXT, AT(portmap_missing)},
    {"nfs_over", FIELD_WORD, .text = nfs_over},
    {"exports", FIELD_LIST, FIELD_ITEMS(struct services, exports, export_count, export_fields)},
    {"exports_missing", FIELD_TEXT, AT(exports_missing)},
    FIELD_END,
};

static const struct view_line head[] = {{"{target} at {address}{?, NFS over {nfs_over}}"}, {NULL}};

static const struct view_column service_columns[] = {
    {"name", "service", .width = 12},
    {"versions", "versions", .width = 12},
    {"tcp_port", "TCP port"},
    {"udp_port", "UDP port"},
    {NULL},
};

static const struct view_column export_columns[] = {
    {"path", "export", .width = 30},
    {"{?{clients}|all}", "clients"},
    {NULL},
};

static const struct view_line services_notes[] = {{"  {services_missing}"}, {NULL}};

static const struct view_table tables[] = {
    {"services", NULL, service_columns, .notes = services_notes},
    {"exports", NULL, export_columns},
    {NULL},
};

static const struct view_line notes[] = {
    {"", .when = "exports_missing"},
    {"  the exports are not known: {exports_missing}"},
    {"", .when = "!exports !exports_missing"},
    {"  no exports", .when = "!exports !exports_missing"},
    {NULL},
};

const struct view view_services = {RESULT_SERVICES, fields, head, tables, notes};
