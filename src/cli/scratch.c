#include "cli/scratch.h"

#include <stdio.h>
#include <string.h>

#include "cli/session.h"
#include "nfs/scratch.h"

/* Nothing on an export is changed unannounced. */
static void announce(const struct session *session, const char *name)
{
    const struct nfs_subject *subject = &session->subject;

    if (session->settings->quiet)
        return;
    fprintf(stderr, "nfsbench: the ops that change something work in %s:%s/%s, %s%s\n",
            session->target.host, strcmp(subject->base_path, "/") == 0 ? "" : subject->base_path,
            name, session->settings->keep_scratch ? "which stays" : "which is removed at the end",
            session->settings->load.ranks > 1 ? "; each other rank does so in one of its own" : "");
}

struct left {
    unsigned count;
    char own[NFS_NAME_SIZE]; /* a name such as this process chooses */
};

/* This process may have made one for another session: only the end of its name is another. */
static bool is_own(const struct left *left, const char *name)
{
    return strncmp(name, left->own, (size_t)(strrchr(left->own, '-') - left->own) + 1) == 0;
}

static int count_left(void *context, const char *name)
{
    struct left *left = context;

    if (!is_own(left, name) && ++left->count == 1)
        fprintf(stderr, "nfsbench: %s is there, of another run", name);
    return 0;
}

/* Those of runs that were killed; others may be in use. */
static void tell_what_is_left(const struct session *session)
{
    const struct nfs_subject *subject = &session->subject;
    struct left left = {.count = 0};
    struct error ignored;

    if (session->settings->quiet || session->settings->load.ranks > 1) /* others may be a rank's */
        return;
    nfs_scratch_choose_name(left.own);
    nfs_scratch_list(session->clients[SERVICE_NFS], &subject->base, subject->base_path, count_left,
                     &left, &ignored);
    if (left.count > 1)
        fprintf(stderr, ", and %u more like it", left.count - 1);
    if (left.count > 0)
        fprintf(stderr, "; 'nfsbench clean %s' removes what killed runs left\n",
                session->settings->target_text);
}

int scratch_begin(struct session *session, struct error *error)
{
    const struct settings *settings = session->settings;
    char name[NFS_NAME_SIZE];
    struct nfs_scratch_request request = {.name = name,
                                          .entries = settings->directory_size,
                                          .write_size = settings->read_size,
                                          .writes = settings_call(settings, NFSPROC3_WRITE),
                                          .verify = settings->verify,
                                          .files = settings->files,
                                          .file_size = settings->file_size};

    if (!settings_need_scratch(settings))
        return 0;
    if (settings->scratch)
        snprintf(name, sizeof name, "%s", settings->scratch);
    else
        nfs_scratch_choose_name(name);
    tell_what_is_left(session);
    announce(session, name);
    return nfs_scratch_make(&session->subject, session->clients[SERVICE_NFS], &request, error);
}

void scratch_end(struct session *session)
{
    struct nfs_subject *subject = &session->subject;
    struct channel_options patience = session->mount.options.channel;
    struct rpc_client *client;
    struct error error;
    int code;

    if (!subject->scratch_name[0] || session->settings->keep_scratch)
        return;
    patience.stop = NULL; /* after Ctrl-C there is still this to do */
    code = rpc_client_open(&client, &session->mount.nfs, &session->mount.options.identity,
                           &patience, &error);
    if (code == 0) {
        code = nfs_scratch_remove(client, &subject->base, subject->base_path, subject->scratch_name,
                                  &error);
        rpc_client_close(client);
    }
    if (code)
        fprintf(stderr, "nfsbench: %s could not be removed: %s; 'nfsbench clean %s' tries again\n",
                subject->scratch_path, error.text, session->settings->target_text);
    subject->scratch_name[0] = '\0';
}
