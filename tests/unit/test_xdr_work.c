/* The XDR work of a call encodes the same bytes as the call's message, leaks no memory, and refuses
 * replies that are truncated or have an error status. */
#include "test.h"

#include "nfs/procedures/xdr_work.h"

enum { HEADER_SIZE = 24, REPLY_SIZE = HEADER_SIZE + 4 + 8 };

static const struct identity identity = {.flavor = RPC_FLAVOR_SYS, .machine = "host", .uid = 7};

static struct xdr_work work;
static struct nfs_call call;
static struct nfs_objects objects; /* objects that CALL points to */

/* Set CALL's reply to the first LENGTH bytes of a successful RPC reply with a REMOVE3res, which
 * consists of STATUS and two flags for missing attributes. */
static void give_reply(uint32_t status, size_t length)
{
    struct wire_writer writer;

    call.reply = calloc(1, REPLY_SIZE + 4);
    assert_non_null(call.reply);
    writer = wire_writer(call.reply, REPLY_SIZE);
    rpc_reply_encode(&writer, &(struct rpc_reply_header){.xid = 5});
    wire_put_u32(&writer, status);
    wire_put_u32(&writer, 0);
    wire_put_u32(&writer, 0);
    assert_all((!writer.failed), (writer.at == writer.end));
    call.reply_length = length;
}

/* Prepare the XDR work of a call of OP, whose reply has STATUS and is LENGTH bytes long. A test
 * uses MKDIR, because it has the most varied arguments of the ops that can be made without a
 * server. */
static int begin(const char *op, uint32_t status, size_t length)
{
    struct error error;

    objects = (struct nfs_objects){.scratch.length = 16};
    memset(objects.scratch.bytes, 'h', 16);
    assert_int_equal(nfs_call_make(&call, nfs_procedure_find(op), &objects, &identity, 3, &error),
                     0);
    give_reply(status, length);
    return xdr_work_open(&work, &call, NULL, &error);
}

static void end(void)
{
    xdr_work_close(&work);
    nfs_call_free(&call);
}

TEST_CASE(encodes_what_is_sent)
{
    static const char *const ops[] = {"null", "mkdir", "remove"};

    for (size_t i = 0; i < COUNT_OF(ops); i++) {
        size_t length;

        begin(ops[i], NFS3_OK, REPLY_SIZE); /* the reply need not be a valid result of this op */
        length = call.engine.messages[0].length;
        memset(work.message.bytes, 0xee, RPC_RECORD_MARK_SIZE + length);
        xdr_work_repeat(&work, XDR_WORK_ENCODE, 3);
        assert_int_equal(work.message.length, length);
        assert_memory_equal(work.message.bytes + RPC_RECORD_MARK_SIZE,
                            call.engine.messages[0].bytes + RPC_RECORD_MARK_SIZE, length);
        end();
    }
}

TEST_CASE(stamps_mark_and_xid)
{
    struct wire_reader reader;

    assert_int_equal(begin("remove", NFS3_OK, REPLY_SIZE), 0);
    xdr_work_repeat(&work, XDR_WORK_STAMP, 10);
    reader = wire_reader(work.message.bytes, 8);
    assert_int_equal(wire_get_u32(&reader), RPC_LAST_FRAGMENT | call.engine.messages[0].length);
    assert_int_equal(wire_get_u32(&reader), 9);
    for (unsigned kind = 0; kind < XDR_WORKS; kind++)
        xdr_work_repeat(&work, kind, 100);
    end();
}

TEST_CASE(replies)
{
    static const struct {
        uint32_t status;
        size_t length;
        int code;
    } cases[] = {{NFS3ERR_STALE, REPLY_SIZE, -EBADMSG},
                 {NFS3_OK, REPLY_SIZE - 4, -EBADMSG}, /* a truncated reply */
                 {NFS3_OK, 8, -EBADMSG},
                 {NFS3_OK, REPLY_SIZE + 4, 0}};

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (begin("remove", cases[i].status, cases[i].length) != cases[i].code)
            fail_msg("case %zu did not give %d", i, cases[i].code);
        end();
    }
}
