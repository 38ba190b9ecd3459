#!/bin/sh
# Words that bash completion offers, from the table of options.
. "$(dirname "$0")/lib.sh"
need bash
cd "$scratch"
touch one.json

run 0 run --completion bash
cp out completion.bash
refused 2 'expected bash' --completion tcsh
# A hidden option prints the completion.
run 0 help all
! grep -q completion out || fail 'the hidden option is in the help'

# As in bash: a word ends at a colon or an equals sign, and an offered word replaces only the rest after it.
cat >complete.bash <<'END'
source ./completion.bash
COMP_LINE=$* COMP_POINT=${#COMP_LINE} COMP_WORDS=()
for word; do
    while [[ $word =~ ^([^:=]*)([:=]+)(.*)$ ]]; do
        [[ -z ${BASH_REMATCH[1]} ]] || COMP_WORDS+=("${BASH_REMATCH[1]}")
        COMP_WORDS+=("${BASH_REMATCH[2]}")
        word=${BASH_REMATCH[3]} within=1
    done
    [[ -z $word && ${within-} ]] || COMP_WORDS+=("$word")
    within=
done
[[ -z ${AS_GIVEN-} ]] || { COMP_WORDS=("$@"); unset COMP_LINE; }
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_nfsbench
printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' '
END

# offers EXPECTED WORD...: bash offers exactly EXPECTED for the last word
offers() {
    expected=$1
    shift
    found=$(bash ./complete.bash "$@" 2>&1)
    [ "$found" = "$expected " ] || fail "bash: '$*' offers '$found' instead of '$expected'"
}

# ops PREFIX [BEFORE]: ops that begin with PREFIX, each with BEFORE in front
ops() {
    "$nfsbench" help ops | sed -n '/^OP /,/(default/{s/^OP//; s/(default.*//; s/[ ,]\{1,\}/\n/g; p}' | grep "^$1" |
        sed "s/^/${2-}/" | sort | paste -s -d ' ' -
}

# options COMMAND PREFIX: options in COMMAND's help that begin with PREFIX
options() {
    "$nfsbench" "$1" --help | grep -oE '^  (-., |    )--[a-z-]+' | grep -oE -e "$2[a-z-]*" | sort | paste -s -d ' ' -
}
mkdir places
touch CAPTURE.pcap mine.mix

offers 'help' nfsbench he
offers '' nfsbench getat
offers "$(options run --d)" nfsbench self: getattr --d
offers "$(options serve --d)" nfsbench serve --d

# Words of each command
! has compare || offers 'one.json' nfsbench compare on
! has report || offers 'one.json' nfsbench report one.json on
offers './places' nfsbench ./pl
! has clean || offers './places' nfsbench clean ./p
offers 'self:' nfsbench run ''
offers "$(ops getat)" nfsbench self: getat
offers "$(ops getat)" nfsbench run self: getat
offers '' nfsbench self: getattr getat
offers '' nfsbench serve sel
offers 'all' nfsbench help al
offers 'faults' nfsbench help f
offers 'run' nfsbench help ru
offers '' nfsbench help all f
offers "$(ops getat)" nfsbench --depth 4 --spin self: getat
offers "$(ops getat)" nfsbench -d 4 --size=4k self: getat
offers '' nfsbench self: -- -

# Lists and words with colons are completed.
offers "$(ops fs getattr,)" nfsbench self: getattr,fs
offers 'getattr,read-only' nfsbench self: getattr,read-o
offers "$(ops wal getattr,null,)" nfsbench run self: getattr,null,wal
offers "$(ops getattr read,)" nfsbench self: read,getattr
offers '' nfsbench self: mount-umntall,mount-umntall
offers '' nfsbench self: getattr,mix
offers 'mix:sfs2008 mix:sfs3' nfsbench self: mix
offers 'sfs2008 sfs3' nfsbench self: mix:s
offers 'mine.mix' nfsbench self: mix:mi
offers 'sfs2008' nfsbench nfs://server:2049/export mix:sfs2
# The completion also works with COMP_WORDBREAKS without a colon, and with a wrapper that passes only the words.
AS_GIVEN=1 offers 'mix:sfs3' nfsbench self: mix:sfs3
AS_GIVEN=1 offers 'sfs2008 sfs3' nfsbench self: mix : s
AS_GIVEN=1 offers 'udp' nfsbench self: getattr --proto = u

# Values of options
offers 'tcp udp' nfsbench self: getattr --proto ''
offers 'tcp udp' nfsbench run self: getattr -p ''
offers 'udp' nfsbench self: getattr --proto=u
offers "$("$nfsbench" no:where: --engine none 2>&1 | sed 's/.*expected one of //; s/;.*//; s/, /\n/g' | sort | paste -s -d ' ')" \
    nfsbench --engine ''
offers 'constant poisson' nfsbench run --arrival ''
offers 'one.json' nfsbench self: getattr --json one
offers 'one.json' nfsbench self: getattr --json=one
! has clean || offers '--yes' nfsbench clean --y
! has report || offers 'cost' nfsbench report -k c
! has report || offers 'cost,stack cost,steps' nfsbench report -k cost,st
! has compare || offers 'read,null' nfsbench compare one.json --op read,nu
offers 'no-attributes no-cache no-tickets' nfsbench serve --habit no-
offers 'slow-large slow-mount slow-sync' nfsbench serve --habit=slow
offers 'sys,krb5 sys,krb5i sys,krb5p' nfsbench serve --sec sys,k
offers 'krb5 krb5i krb5p' nfsbench self: getattr --sec k
offers 'getattr=' nfsbench serve --cost geta
offers '' nfsbench serve --cost getattr=
offers 'getattr=' nfsbench serve --error geta
offers 'NFS3ERR_NODEV NFS3ERR_NOENT NFS3ERR_NOSPC NFS3ERR_NOTDIR NFS3ERR_NOTEMPTY NFS3ERR_NOTSUPP NFS3ERR_NOT_SYNC' \
    nfsbench serve --error getattr=NFS3ERR_NO
offers 'NFS3ERR_JUKEBOX' nfsbench serve --error=read=NFS3ERR_J
offers 'failed: shifted: torn:' nfsbench serve --fault read=
offers 'write=duplicated: write=failed: write=late: write=lost: write=shifted: write=torn:' nfsbench serve --fault wri
offers 'failed: lost:' nfsbench serve --fault=mkdir=
offers '' nfsbench serve --size on
offers '' nfsbench serve --echo on
offers 'one.json' nfsbench self: --tls-ca one
offers 'places' nfsbench self: --baseline-dir pl
offers 'bash' nfsbench --completion ''

# What the units in this build add
for completions in "$top"/src/*/tests/completions; do
    unit=${completions%/tests/completions}
    # shellcheck disable=SC1090
    ! "$nfsbench" help "${unit##*/}" >help.out 2>&1 || . "$completions"
done

# Every option of every command, as in its help
for command in $(commands); do
    run 0 $command --help
    offers "$(options $command --)" nfsbench $command --
done

# The file that the build made is installed where bash looks for it.
if [ -f "${NFSBENCH_BUILD-}/completion.bash" ] && command -v cmake >/dev/null; then
    cmake --install "$NFSBENCH_BUILD" --prefix "$scratch/prefix" --component completions >out ||
        fail 'cmake --install'
    rm -f "$NFSBENCH_BUILD/install_manifest_completions.txt"
    cmp completion.bash prefix/share/bash-completion/completions/nfsbench || fail 'for bash'
else
    left_out 'no build to install from'
fi
finish
