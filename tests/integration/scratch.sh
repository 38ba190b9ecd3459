#!/bin/sh
# A run changes only what it made, whatever others do with the names around its scratch directory, whoever made the
# directories that clean finds, and whatever the server does while a directory is removed.
. "$(dirname "$0")/lib.sh"
need python3 unshare

serve() {
    start "$nfsbench" serve "$@"
    server_port=$port
    target=nfs://127.0.0.1:$port/export
}

# is DIRECTORY NAMES WHAT: check the names in a directory of the export
is() {
    names=$(peer ls "$1")
    [ "$names" = "$2" ] || fail "$3: $names"
}

# said PATTERN WHAT: the previous run's standard error must match PATTERN
said() {
    grep -Eq "$1" "$scratch/err" || fail_showing "$2: not reported: $1" "$scratch/err"
}

printed() {
    grep -Eq "$1" "$scratch/out" || fail_showing "$2: not reported: $1" "$scratch/out"
}

# begin_in DIRECTORY PATTERN ARGUMENT...: start a long run in DIRECTORY of the export, in the background, and wait until its
# scratch directory is filled. Sets $client to the run's process, and $name to the name of the scratch directory, which matches
# PATTERN, or is a name that runs choose.
begin_in() {
    in=$1 pattern=$2
    shift 2
    : >"$scratch/err" # an earlier run may still write to it, so both append
    env --default-signal=INT "$nfsbench" "$target/$in" "$@" 10M --no-ledger --no-warmup --no-model \
        --allow-suspect >"$scratch/run.out" 2>>"$scratch/err" &
    client=$!
    filled "$in" "^\.nfsbench-.*-$client-${pattern:+\|^$pattern\$}" || fail "the run does not begin: $*"
}

serve --delay create=2ms --delay getattr=2ms
peer mkdir open 777
peer mkdir sticky 1777
peer mkdir other 755

# The test checks below that this run renews its lease.
begin_in other renewed getattr,create --scratch renewed
renewed_pid=$client
peer age other/renewed/.nfsbench-lease 3600

# Another user gives the scratch directory's name to a directory of root's that has a run's names in it. Root's directory is
# kept, and so is the run's, because the run no longer knows where its directory is.
begin_in open '' create
said 'all users may rename the entries of 127.0.0.1:/export/open;.*chmod' 'an open base'
peer mkdir open/precious 700
peer put open/precious/data 'mine'
peer put open/precious/filler-3 'mine'
peer mkdir open/precious/mkdir-00000001 700
peer rename 1000 "open/$name" open/stolen
peer rename 1000 open/precious "open/$name"
kill -INT $client
ended_with 1 'a name that is another'
is "open/$name" 'data filler-3 mkdir-00000001' "another's directory was emptied"
[ "$(peer get "open/$name/data")" = mine ] || fail "another's file was changed"
said "$name stays: .*is not the directory that this run made .its fileid.*kept" 'a name that is another'
run 1 clean -y "$target/open"
is "open/$name" 'data filler-3 mkdir-00000001' "clean emptied another's directory"
peer rename 0 "open/$name" open/precious

# The directory is moved away, and nothing is put in its place. After it is moved back, clean recognises it.
begin_in open '' create
peer rename 1000 "open/$name" open/moved
kill -INT $client
ended_with 1 'a directory that was moved'
said "$name stays: .*was moved away" 'a directory that was moved'
case $(peer ls open/moved) in *.nfsbench-lease*) ;; *) fail 'what was moved was changed' ;; esac
peer rename 1000 open/moved "open/$name"
run 0 clean -y "$target/open"
is open 'precious stolen' 'after clean'

begin_in sticky '' create --dir-size 20
! grep -q 'all users may rename' "$scratch/err" || fail 'a warning about a sticky base directory'
peer put "sticky/$name/thesis" 'ten years'
kill -INT $client
ended_with 1 'a file of another'
said "$name stays: .*holds 'thesis'.*nfsbench clean" 'a file of another'
case $(peer ls "sticky/$name") in *data*filler-19*thesis*) ;; *) fail "another file was removed" ;; esac
run 1 clean -y "$target/sticky"
printed "$name stays: .*'thesis'" 'clean, a file of another'
case $(peer ls "sticky/$name") in *data*filler-19*thesis*) ;; *) fail "clean removed other files" ;; esac
peer rename 0 "sticky/$name/thesis" open/thesis
run 0 clean -y "$target/sticky"
is sticky '' 'after clean'
[ "$(peer get open/thesis)" = 'ten years' ] || fail 'the thesis was changed'

# clean keeps what nfsbench did not make, although it has a run's name: directories without a lease, with the mark of an older
# version, with another directory's lease, or empty; and a file.
peer mkdir other/a 755
for number in 1 2 3 4; do
    peer mkdir other/a/.nfsbench-HOST-99999$number-0000aaaa 755
done
peer put other/a/.nfsbench-HOST-999991-0000aaaa/thesis mine
peer put other/a/.nfsbench-HOST-999992-0000aaaa/.nfsbench-commit mine
peer leftovers open 1
peer copy open/.nfsbench-elsewhere-4000-00000000/.nfsbench-lease other/a/.nfsbench-HOST-999993-0000aaaa/.nfsbench-lease
peer age other/a/.nfsbench-HOST-999993-0000aaaa/.nfsbench-lease 3600
peer mkdir other/a/.nfsbench-elsewhere-4000-00000000 755
peer copy open/.nfsbench-elsewhere-4000-00000000/.nfsbench-lease \
    other/a/.nfsbench-elsewhere-4000-00000000/.nfsbench-lease
peer age other/a/.nfsbench-elsewhere-4000-00000000/.nfsbench-lease 3600
peer put other/a/.nfsbench-HOST-999995-0000aaaa mine
before=$(peer ls other/a)
run 1 clean -y "$target/other/a"
is other/a "$before" 'clean removed what nfsbench did not make'
printed '999991-0000aaaa stays: .*no valid .nfsbench-lease.*by hand' 'no lease'
printed '999992-0000aaaa stays: .*no valid .nfsbench-lease' "an older version's"
printed '999993-0000aaaa stays: .*was not written by nfsbench for this directory' "another's lease"
printed 'elsewhere-4000-00000000 stays: .*was not written by nfsbench' 'a copy of a directory'
printed '999994-0000aaaa stays: the directory is empty' 'an empty one'
printed '999995-0000aaaa stays: it is not a directory' 'a file'
said 'nfsbench: 6 directories stay' 'how many stay'
is other/a/.nfsbench-HOST-999991-0000aaaa thesis 'clean removed a thesis'

# Names on a server can't forge lines of output.
peer mkdir other/c 755
peer leftovers other/c 1
peer put "other/c/.nfsbench-elsewhere-4000-00000000/$(printf 'x\nexport removed\033[2K')" mine
run 1 clean -y "$target/other/c"
printed 'stays: .*x.x0aexport removed.x1b' 'a name with a line in it'
[ "$(wc -l <"$scratch/out")" -eq 1 ] || fail "a name forges a line: $(cat "$scratch/out")"

peer mkdir other/b 755
for other in .nfsbench-x .nfsbench-vm-12-0000AAAA .nfsbench-vm-012-0000aaaa .nfsbench-vm-12-0000aaaa0 \
    .nfsbench--12-0000aaaa .nfsbench-vm-12x-0000aaaa nfsbench-vm-12-0000aaaa; do
    peer mkdir "other/b/$other" 755
done
run 0 clean -y "$target/other/b"
printed 'nothing to remove' 'names of other forms'
refused 2 'without a slash' clean --scratch a/b "$target"

# clean keeps a directory whose name the user chose, unless --scratch names it.
run 0 "$target/other/b" create 20 --scratch mine --keep-scratch --no-ledger
run 0 clean -y "$target/other/b"
printed 'nothing to remove' 'a name of the user, not named'
run 0 clean -y --scratch mine "$target/other/b"
printed '/mine removed' 'a name of the user'
# The user's own directory, empty or not, is never mistaken for a run's.
peer mkdir other/b/mine 700
refused 1 'NFS3ERR_EXIST' "$target/other/b" create 20 --scratch mine -q
refused 1 '1 directory stays' clean -y --scratch mine "$target/other/b"
case " $(peer ls other/b) " in *' mine '*) ;; *) fail "the user's directory was removed" ;; esac

# A run in another namespace of processes of this host seems to be dead. Its lease keeps its directory.
if unshare -p -f true 2>/dev/null; then
    env --default-signal=INT unshare -p -f --kill-child "$nfsbench" "$target/sticky" create 10M --no-ledger \
        --no-warmup --allow-suspect -q >/dev/null 2>&1 &
    unseen=$!
    filled sticky || true
    refused 1 '1 directory stays' clean -y "$target/sticky"
    printed "$name stays: its run .process 1 of .* was alive" 'a run that is not seen'
    case " $(peer ls "sticky/$name") " in *' data link '*) ;; *) fail "a live run's directory was removed" ;; esac
    kill -9 $unseen
    wait $unseen 2>/dev/null || true
    peer age "sticky/$name/.nfsbench-lease" 100
    run 1 clean -y "$target/sticky"
    peer age "sticky/$name/.nfsbench-lease" 200
    run 0 clean -y "$target/sticky"
    is sticky '' 'after clean'
else
    left_out 'no namespace of processes may be made here'
fi

# Many directories: all are removed, or the output says what remains.
peer leftovers sticky 300 ended
peer age sticky/.nfsbench-elsewhere-4123-0000007b/.nfsbench-lease 10
refused 1 '1 directory stays' clean -y "$target/sticky"
is sticky .nfsbench-elsewhere-4123-0000007b 'of 300'
peer age sticky/.nfsbench-elsewhere-4123-0000007b/.nfsbench-lease ended
run 0 clean -y "$target/sticky"
is sticky '' 'the last of 300'

# The first run has renewed its lease, which was set back by an hour.
within 60 '[ "$(peer since other/renewed/.nfsbench-lease)" -le 100 ]' || fail 'the lease is not renewed'
kill -INT $renewed_pid
client=$renewed_pid
ended_with 0 'a run whose lease was renewed'
stop

# The end of a run takes a limited time.

# If a server always answers NFS3ERR_JUKEBOX, the run ends, and says what remains. Ctrl-C ends it sooner, a second Ctrl-C at
# once.
serve --error remove=NFS3ERR_JUKEBOX:100%
run 1 "$target" write 20 --dir-size 300 --no-ledger --no-warmup --cleanup-timeout 2s
said 'stays: .*nfsbench clean .* tries again' 'a server that asks for patience'
said 'removing .* has taken .* of 2 s .--cleanup-timeout' 'a server that asks for patience'
begin_in . '' write --cleanup-timeout 10min
kill -INT $client
within 10 grep -q 'has taken' "$scratch/err" || true
said 'has taken' 'removing that lasts'
kill -INT $client
ended_with 130 'a second Ctrl-C'
: >"$scratch/err" # without the earlier run's errors
env --default-signal=INT "$nfsbench" "$target" write 20 --no-ledger --no-warmup --allow-suspect --cleanup-timeout 10min \
    >/dev/null 2>"$scratch/err" &
client=$!
within 20 grep -q 'has taken' "$scratch/err" || true
kill -INT $client
ended_with 1 'Ctrl-C while the directory is removed'
said 'stays: ' 'Ctrl-C while the directory is removed'
stop

# If a server stops answering, the run ends, and the directory stays.
serve
begin_in . '' write --timeout 1min --cleanup-timeout 1s
freeze $server_pid
kill -INT $client
ended_with 1 'a server that is frozen'
kill -CONT $server_pid
said 'stays: ' 'a server that is frozen'

# The lease may have been removed late or not at all. Set it to ended, so that clean need not wait.
peer age "$name/.nfsbench-lease" ended
run 0 clean -y "$target"

# A call that was sent before an interrupt is executed after the directory was emptied. Its entry is removed, too.
stop
serve --delay remove=700ms
begin_in . '' write --cleanup-timeout 1min
kill -INT $client
peer put-late "$name/filler-7" .nfsbench-lease
ended_with 0 'an entry that appeared late'
! grep -q 'stays: ' "$scratch/err" || fail "an entry that appeared late: $(cat "$scratch/err")"
is . 'dir file file1 file2 file3 file4 file5 link' 'an entry that appeared late'
stop
serve

# Runs through a proxy that changes replies.
. "$here/proxy.sh"
peer mkdir proxied 755

# If the reply to MKDIR is lost and the second attempt gets EXIST, the directory is the run's own.
with lost-mkdir
run 0 "$target/proxied" create 20 --no-ledger --no-warmup
is proxied '' 'after a reply that was lost'
with no-mkdir-time
run 0 "$target/proxied" create,mkdir 20 --no-ledger --no-warmup
is proxied '' 'by a server that takes no time in MKDIR'
with no-mkdir-reply
run 3 "$target/proxied" create 20 --no-ledger --timeout 500ms
is proxied '' 'after a reply that never came'
# A directory that existed before is not used after a lost reply.
peer mkdir proxied/mine 700
with lost-mkdir
run 1 "$target/proxied" create 20 --no-ledger --timeout 500ms --scratch mine -q
is proxied mine "another's directory, after a reply that was lost"

# If a server's listing never ends, the run ends, and the directory stays.
with endless-listing
run 1 "$target/proxied" write 20 --no-ledger --no-warmup --cleanup-timeout 2s
said 'stays: ' 'a server that lists ever more'
finish
