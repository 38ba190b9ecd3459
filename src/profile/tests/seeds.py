"""Make the corpora of this unit's fuzz targets, for tests/fuzz/seeds.py."""

import os
import re

OPTIONS = []


def traffic(write):
    """Make inputs of fuzz_traffic: lines of tshark with the columns of dissection.c."""
    with open(os.path.join(os.path.dirname(__file__), "..", "dissection.c"), encoding="utf-8") as file:
        source = file.read()
    fields = re.findall(r'"((?:frame|ip|ipv6|tcp|udp|rpc|nfs|_ws)\.[\w.]+)"', source)

    def line(time, from_client, **values):
        ends = ["10.0.0.1", "10.0.0.2", "900", "2049"]
        if not from_client:
            ends = [ends[1], ends[0], ends[3], ends[2]]
        values.update(frame_time_epoch=f"1700000000.{time:09}", frame_len="200", frame_cap_len="200", ip_src=ends[0],
                      ip_dst=ends[1], tcp_srcport=ends[2], tcp_dstport=ends[3], tcp_seq_raw=str(time))
        return "\t".join("\f".join(values.get(field.replace(".", "_"), "").split()) for field in fields) + "\n"

    def pair(procedure, arguments, results):
        return (line(1, True, rpc_xid="0x1", rpc_msgtyp="0", rpc_program="100003", rpc_programversion="3 3",
                     rpc_procedure=procedure, nfs_procedure_v3=procedure, rpc_fraglen="80", rpc_lastfrag="1", **arguments) +
                line(2, False, rpc_xid="0x1", rpc_msgtyp="1", rpc_program="100003", nfs_procedure_v3=procedure,
                     rpc_replystat="0", rpc_state_accept="0", **results)).encode()

    write("read", pair("6", {"nfs_fh_hash": "0x7", "nfs_offset3": "4096", "nfs_count3": "512"}, {"nfs_status": "0"}))
    write("write", pair("7", {"nfs_fh_hash": "0x7", "nfs_offset3": "0", "nfs_count3": "9", "nfs_write_stable": "2"},
                        {"nfs_status": "70"}))
    write("lookup", pair("3", {"nfs_fh_hash": "0x7", "nfs_name": "name"}, {"nfs_status": "0", "nfs_fh_hash": "0x8"}))
    write("list", pair("17", {"nfs_fh_hash": "0x7", "nfs_cookie3": "0"},
                       {"nfs_status": "0", "rpc_value_follows": "1 1 0", "nfs_handle_follow": "1 0",
                        "nfs_fh_hash": "0x8", "nfs_readdir_eof": "1"}))


TARGETS = [traffic]
