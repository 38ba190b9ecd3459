#!/bin/sh
# Job files: several targets, ops and settings, a result each; and what is refused before any job begins.
. "$(dirname "$0")/lib.sh"
need jq
cd "$scratch"

# jobs STATUS: run jobs.ini
jobs() {
    status=0
    timeout -k 5 60 "$nfsbench" run jobs.ini >out 2>err </dev/null || status=$?
    [ $status -eq "$1" ] || {
        cat out err >&2
        fail "status $status instead of $1"
    }
}

# wrong PATTERN LINE...: refused, with one line of error, before any job has begun
wrong() {
    pattern=$1
    shift
    printf '%s\n' "$@" >jobs.ini
    jobs 2
    [ ! -s out ] || fail "a job began: $pattern"
    [ "$(wc -l <err)" -eq 1 ] && grep -Eq "^nfsbench: .*($pattern)" err || {
        cat err >&2
        fail "not one line that says '$pattern'"
    }
}

start "$nfsbench" serve
cat >jobs.ini <<END
; two servers, three settings
[global]
target = self:
count = 300
allow-suspect
no-ledger
launches = 1

[metadata]
op = getattr,lookup
[data]
op = read
size = 8k
json = big.json
[other]   
  target = nfs://127.0.0.1:$port/export
  # GETATTR, as no op is named
END
jobs 0
[ "$(ls ./*.json | tr '\n' ' ')" = './big.json ./metadata.json ./other.json ' ] || fail "other files: $(ls)"
grep -q "^data: nfsbench run --allow-suspect --no-ledger --launches=1 --size=8k --json=big.json self: read 300\$" out ||
    fail 'the command line of a job is not shown'
# ops_of FILE
ops_of() {
    jq -r '[.ops[] | select(.role == "op") | .op] | join(",")' "$1"
}
[ "$(ops_of metadata.json),$(ops_of big.json),$(ops_of other.json)" = getattr,lookup,read,getattr ] || fail 'other ops'
[ "$(jq .config.read_size big.json)" -eq 8192 ] || fail 'another size'
[ "$(jq -r .target.text other.json)" = "nfs://127.0.0.1:$port/export" ] || fail 'another target'
jq -e '.command == ["nfsbench", "run", "--allow-suspect", "--no-ledger", "--launches=1", "--json=metadata.json", "self:",
    "getattr,lookup", "300"]' metadata.json >/dev/null || fail 'the result has another command line'

# A job that fails does not keep the others from running; the status is the worst one's.
printf '[a]\ntarget = 127.0.0.1:/export\nport = %s\nmount-port = %s\nfile = none\nop = read\n
        [b]\ntarget = self:\ncount = 100\nallow-suspect\nno-ledger\nlaunches=1\n' "$port" "$port" >jobs.ini
jobs 1
grep -q NFS3ERR_NOENT err && [ -s b.json ] || fail 'the second job did not run'

wrong "line 1, job a: it has no .target" '[a]' 'op = read'
wrong "line 2, job b: unknown option '--sise'; did you mean '--size'" '[global]' '[b]' 'target = self:' 'sise = 4k' 'op = readlink'
wrong "line 1, job a: --size '4q'" '[a]' 'target = self:' 'size = 4q'
wrong "line 2: .*name.* is missing before 'target = self:'" '' 'target = self:' '[a]'
wrong "line 3: there is a second 'op'" '[a]' 'op = read' 'op = getattr' 'target = self:'
wrong "line 3: there is a second job 'a'" '[a]' 'target = self:' '[a]'
wrong "line 1: a job can't be called '\.\./x'" '[../x]' 'target = self:'
wrong "line 1: expected .NAME., not '.a'" '[a'
wrong 'has no jobs' '[global]' 'target = self:'
wrong "job b: job a writes to it already: json = x.json" '[global]' 'json = x.json' 'target = self:' '[a]' '[b]'
wrong 'job a: expected target, op' '[a]' 'target = self:' 'version'
jq '.host.name = "another"' big.json >far.json
wrong 'far.json: it holds a result of another machine .another.; give' '[a]' 'target = self:' 'json = far.json'
"$nfsbench" run -q jobs.ini 2>err && fail 'options beside a job file were taken'
grep -q 'settings in the file' err || fail 'options beside a job file: another message'
rm jobs.ini
jobs 2
grep -q 'No such file' err || fail 'a missing file: another message'
stop
finish
