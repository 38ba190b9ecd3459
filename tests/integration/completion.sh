#!/bin/sh
# Completion from the table of options: what bash offers.
. "$(dirname "$0")/lib.sh"
need bash
cd "$scratch"
touch one.json

run 0 run --completion bash
cp out completion.bash
refused 2 'expected bash' --completion tcsh
# A hidden option prints it.
run 0 help all
! grep -q completion out || fail 'the hidden option is in the help'

cat >complete.bash <<'END'
source ./completion.bash
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_nfsbench
printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' '
END

# offers EXPECTED WORD...: bash offers exactly that for the last word
offers() {
    expected=$1
    shift
    found=$(bash ./complete.bash "$@")
    [ "$found" = "$expected " ] || fail "bash: '$*' offers '$found' instead of '$expected'"
}

offers 'explain' nfsbench exp
offers '--depth --dir-size' nfsbench self: getattr --d
offers '--delay --dirs --drop --dup' nfsbench serve --d
offers 'tcp udp' nfsbench self: getattr --proto ''
offers 'tcp udp' nfsbench sweep self: getattr -p ''
offers 'udp' nfsbench self: getattr --proto = u
offers 'libnfs mounted tirpc wire' nfsbench --engine ''
offers 'constant poisson' nfsbench run --arrival ''
offers 'getattr' nfsbench self: getat
offers 'one.json' nfsbench compare on
offers 'one.json' nfsbench self: getattr --json one
offers '--yes' nfsbench clean --y
offers 'cost' nfsbench report -k c

# Every option of every command, as in its help.
for command in run sweep explain characterize outage profile compare report clean doctor serve; do
    run 0 $command --help
    options=$(grep -oE '^  (-., |    )--[a-z-]+' out | grep -oE -e '--[a-z-]+' | sort | tr '\n' ' ')
    offers "${options% }" nfsbench $command --
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
