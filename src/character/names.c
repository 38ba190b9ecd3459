/* Which names and how many links the server takes. The names begin so that they are recognised as
 * a run's when the directory is removed (nfs/scratch_name.h). */
#include <stdio.h>
#include <string.h>

#include "character/bisection.h"
#include "character/experiment.h"
#include "common/counted.h"
#include "nfs/scratch_name.h"
#include "nfs/status.h"

enum { LENGTH_FIRST = 16, LENGTH_MAXIMUM = NFS_NAME_SIZE - 1, LINKS_FULL = 1100, LINKS_QUICK = 70 };

#define PREFIX NFS_SCRATCH_ODD_PREFIX

/* Calls on names; the status, or a negative errno with ERROR set */

static int status_of(const char *op, int code, union nfs_result *result)
{
    int status = code;

    if (code == 0) {
        status = (int)result->status;
        nfs_free_result(op, result);
    }
    return status;
}

static int create(struct lab *lab, const char *name, struct error *error)
{
    union nfs_arguments arguments = {.create.where = lab_place(lab, name)};
    union nfs_result result;

    arguments.create.how.mode = GUARDED;
    arguments.create.how.createhow3_u.obj_attributes.mode =
        (set_mode3){.set_it = TRUE, .set_mode3_u.mode = 0600};
    return status_of("create", lab_call(lab, "create", &arguments, &result, error), &result);
}

static int look_up(struct lab *lab, const char *name, struct error *error)
{
    union nfs_arguments arguments = {.lookup.what = lab_place(lab, name)};
    union nfs_result result;

    return status_of("lookup", lab_call(lab, "lookup", &arguments, &result, error), &result);
}

static int take_away(struct lab *lab, const char *name, struct error *error)
{
    union nfs_arguments arguments = {.remove.object = lab_place(lab, name)};
    union nfs_result result;

    return status_of("remove", lab_call(lab, "remove", &arguments, &result, error), &result);
}

/* Make NAME, look it up, and remove it. The status of the first that failed, or a negative errno
 * with ERROR set. */
static int try_name(struct lab *lab, const char *name, struct error *error)
{
    int status = create(lab, name, error), removed;

    if (status)
        return status;
    status = look_up(lab, name, error);
    if (status < 0)
        return status;
    removed = take_away(lab, name, error);
    return status ? status : removed;
}

/* Length */

static int try_length(struct lab *lab, uint64_t length, struct error *error)
{
    char name[NFS_NAME_SIZE] = PREFIX;

    memset(name + strlen(PREFIX), 'n', length - strlen(PREFIX));
    name[length] = '\0';
    return try_name(lab, name, error);
}

static int find_length(struct lab *lab, struct character_answer *answer, struct error *error)
{
    struct bisection search;
    struct interval longest;
    char refusal[NFS_STATUS_NAME_SIZE];
    uint64_t length;
    int status = 0, failed = 0;

    bisection_begin(&search, LENGTH_FIRST, LENGTH_MAXIMUM, 0);
    while ((length = bisection_next(&search)) > strlen(PREFIX)) {
        status = try_length(lab, length, error);
        if (status < 0)
            return status;
        failed = status ? status : failed;
        bisection_note(&search, length, status == 0);
    }
    if (search.holds == 0)
        return lab_refuse("create", (nfsstat3)failed, error);
    longest = answer_exactly((double)search.holds);
    if (search.fails)
        answer_figure(answer, "longest name", &longest, "bytes", "one byte more is answered by %s",
                      nfs_status_name(failed, refusal));
    else
        answer_figure(answer, "longest name", &longest, "bytes", "longer ones were not tried");
    return 0;
}

/* Characters */

struct characters {
    unsigned taken, refused;
    unsigned refused_high; /* of bytes that are no ASCII, and alone no UTF-8 */
    char list[120];        /* the others, as people write them */
};

static void note_refused(struct characters *characters, unsigned byte)
{
    size_t used = strlen(characters->list);

    characters->refused++;
    if (byte >= 0x80)
        characters->refused_high++;
    else if (used + 8 < sizeof characters->list)
        snprintf(characters->list + used, sizeof characters->list - used,
                 byte > ' ' && byte < 0x7f ? " %c" : " \\%03o", byte);
}

static int try_characters(struct lab *lab, struct characters *characters, struct error *error)
{
    *characters = (struct characters){.taken = 0};
    for (unsigned byte = 1; byte < 256; byte++) {
        char name[] = PREFIX "x-y";
        int status;

        if (byte == '/')
            continue;
        name[strlen(PREFIX) + 1] = (char)byte;
        status = try_name(lab, name, error);
        if (status < 0)
            return status;
        if (status)
            note_refused(characters, byte);
        else
            characters->taken++;
    }
    return 0;
}

static int find_characters(struct lab *lab, struct character_answer *answer,
                           struct characters *characters, struct error *error)
{
    struct interval taken;
    int code = try_characters(lab, characters, error);

    if (code)
        return code;
    taken = answer_exactly(characters->taken);
    if (characters->refused == 0)
        answer_figure(answer, "bytes in names", &taken, "values", "all but / and NUL");
    else
        answer_figure(answer, "bytes in names", &taken, "values",
                      "refused are %u of 128 above ASCII%s%s", characters->refused_high,
                      characters->list[0] ? ", and" : "", characters->list);
    return 0;
}

/* Case */

static int find_case(struct lab *lab, struct character_answer *answer, bool *matters,
                     struct error *error)
{
    static const char lower[] = PREFIX "case", upper[] = PREFIX "CASE";
    int status = create(lab, lower, error), other;

    if (status > 0)
        return lab_refuse("create", (nfsstat3)status, error);
    if (status < 0)
        return status;
    other = look_up(lab, upper, error);
    status = take_away(lab, lower, error);
    if (other < 0 || status < 0)
        return other < 0 ? other : status;
    *matters = other != NFS3_OK;
    answer_detail(answer, "case",
                  *matters ? "matters: 'case' is not found as 'CASE'"
                           : "does not matter: 'case' is found as 'CASE'");
    return 0;
}

/* Links */

static int link_to(struct lab *lab, const struct nfs_handle *file, const char *name,
                   struct error *error)
{
    union nfs_arguments arguments = {
        .link = {.file = nfs_handle_argument(file), .link = lab_place(lab, name)}};
    union nfs_result result;

    return status_of("link", lab_call(lab, "link", &arguments, &result, error), &result);
}

/* Make links until one is refused, and remove them. *LINKS counts the first name, too. Returns the
 * last status, or a negative errno with ERROR set. */
static int make_links(struct lab *lab, const struct nfs_handle *file, unsigned limit,
                      unsigned *links, struct error *error)
{
    char name[NFS_VARIANT_NAME_SIZE];
    uint32_t first = lab->last_name + 1;
    int status = 0, removed = 0;

    for (*links = 1; *links < limit && status == 0; *links += status == 0) {
        lab_file_name(lab, name);
        status = link_to(lab, file, name, error);
    }
    for (uint32_t i = 0; i + 1 < *links && removed >= 0; i++) {
        nfs_scratch_filler_name(name, first + i);
        removed = take_away(lab, name, error);
    }
    return removed < 0 ? removed : status;
}

static int find_links(struct lab *lab, struct character_answer *answer, struct error *error)
{
    unsigned links = 1, limit = lab_scaled(lab, LINKS_FULL, LINKS_QUICK);
    char refusal[NFS_STATUS_NAME_SIZE];
    struct nfs_handle file;
    struct interval figure;
    int status = lab_make_file(lab, NULL, &file, error);

    if (status == 0)
        status = make_links(lab, &file, limit, &links, error);
    if (status < 0 && !lab_is_over(status, error))
        answer_detail(answer, "links to a file", "not known: %s", error->text);
    if (status < 0)
        return lab_is_over(status, error) ? status : 0;
    figure = answer_exactly(links);
    if (status)
        answer_figure(answer, "links to a file", &figure, "names", "one more is answered by %s",
                      nfs_status_name(status, refusal));
    else
        answer_figure(answer, "links to a file", &figure, "names", "more were not tried");
    return 0;
}

/* What PATHCONF says of all this; it need not be true. */
static int ask_pathconf(struct lab *lab, struct character_answer *answer, struct error *error)
{
    union nfs_arguments arguments = {.pathconf.object =
                                         nfs_handle_argument(&lab->setup.objects.scratch)};
    union nfs_result result;
    const PATHCONF3resok *said = &result.pathconf.PATHCONF3res_u.resok;
    int code = lab_call_well(lab, "pathconf", &arguments, &result, error);

    if (code) {
        answer_detail(answer, "PATHCONF", "not known: %s", error->text);
        return lab_is_over(code, error) ? code : 0;
    }
    answer_detail(answer, "PATHCONF", "says: names of %u bytes, %s, case %s", said->name_max,
                  counted(said->linkmax, "link").text,
                  said->case_insensitive ? "does not matter" : "matters");
    nfs_free_result("pathconf", &result);
    return 0;
}

static void conclude(struct character_answer *answer, const struct characters *characters,
                     bool case_matters)
{
    const double longest = answer->details[0].figure.estimate;

    answer_say(answer, "Names of %.0f bytes, with %s; case %s.", longest,
               characters->refused == 0 ? "all characters" : "some characters refused",
               case_matters ? "matters" : "does not matter");
    if (characters->refused == 0 && case_matters && longest >= LENGTH_MAXIMUM)
        answer_mean(answer, "Archives and source trees from Unix systems can be unpacked here as "
                            "they are.");
    if (characters->refused)
        answer_mean(answer,
                    "Files with other names can't be copied here; names in an old character "
                    "set must be converted to UTF-8 first if only bytes above ASCII are "
                    "refused.");
    if (!case_matters)
        answer_mean(answer, "Two files whose names differ in case only can't be in one directory, "
                            "which source trees for Unix may need.");
    if (longest < LENGTH_MAXIMUM)
        answer_mean(answer, "Programs that expect names of 255 bytes get ENAMETOOLONG.");
}

static int run(struct lab *lab, struct character_answer *answer, struct error *error)
{
    struct characters characters;
    bool case_matters = true;
    int code = find_length(lab, answer, error);

    if (code == 0)
        code = find_characters(lab, answer, &characters, error);
    if (code == 0)
        code = find_case(lab, answer, &case_matters, error);
    if (code == 0)
        conclude(answer, &characters, case_matters);
    if (code == 0)
        code = find_links(lab, answer, error);
    return code ? code : ask_pathconf(lab, answer, error);
}

const struct experiment experiment_names = {
    .name = "names",
    .question = "Which names and how many links does the server take?",
    .unknown = "Normalisation of Unicode, reserved names such as CON, and names of directories.",
    .works_in_directory = true,
    .run = run,
};
