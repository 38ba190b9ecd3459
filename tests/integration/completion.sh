#!/bin/sh
# Shell completion from the table of options: what bash, zsh and fish offer.
. "$(dirname "$0")/lib.sh"
need bash
cd "$scratch"
touch one.json

for shell in bash zsh fish; do
    run 0 run --completion $shell
    cp out "completion.$shell"
done
refused 2 'expected bash, zsh or fish' --completion tcsh
# A hidden option prints it.
run 0 --help
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
offers '--delay --depth --dir-size --drop --dup' nfsbench self: getattr --d
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
offers 'cost cumulative' nfsbench plot -k c

# Every option of every command, as in its help.
for command in run sweep sec-ladder explain characterize outage profile replay compare plot report clean doctor serve; do
    run 0 $command --help
    options=$(grep -oE '^  (-., |    )--[a-z-]+' out | grep -oE -e '--[a-z-]+' | sort | tr '\n' ' ')
    offers "${options% }" nfsbench $command --
done

if command -v zsh >/dev/null; then
    cat >complete.zsh <<'END'
compdef() { }
_arguments() { print -rl -- "$@"; }
source ./completion.zsh
words=("$@")
CURRENT=$#
_nfsbench
END
    # specification PATTERN WORD...: zsh completes the last word by that specification
    specification() {
        pattern=$1
        shift
        zsh -f ./complete.zsh "$@" >out || fail "zsh: $*"
        grep -Fqe "$pattern" out || fail "zsh: '$*' has no $pattern"
    }
    specification '--proto[tcp]:value:(tcp udp)' nfsbench self: getattr --p
    specification '(-d --depth)-d[calls in flight on each connection' nfsbench sweep --d
    specification '--bind[listen there' nfsbench serve ''
    specification '*:result:_files' nfsbench compare ''
    specification '2:op:(null getattr' nfsbench explain self: ''
    specification 'mix\:sfs3' nfsbench explain self: ''

    # From $fpath the file is loaded as a function by the first completion, which it must complete.
    mkdir functions
    cp completion.zsh functions/_nfsbench
    cat >autoload.zsh <<'END'
_arguments() { print -rl -- "$@"; }
fpath=($PWD/functions $fpath)
autoload -U _nfsbench
words=("$@")
CURRENT=$#
_nfsbench
END
    zsh -f ./autoload.zsh nfsbench serve '' >out || fail 'zsh: autoload'
    grep -Fqe '--bind[listen there' out || fail 'zsh: the first completion offers nothing'
else
    echo 'zsh is not installed: not tested'
fi

if command -v fish >/dev/null; then
    # suggests EXPECTED LINE: fish offers that for the end of the line
    suggests() {
        found=$(HOME=$scratch fish --no-config -c 'source completion.fish; complete -C $argv[1]' "$2" |
            cut -f 1 | sort | tr '\n' ' ')
        [ "$found" = "$1 " ] || fail "fish: '$2' offers '$found' instead of '$1'"
    }
    suggests '--delay --depth --dir-size --drop --dup' 'nfsbench self: getattr --d'
    suggests '--delay --dirs --drop --dup' 'nfsbench serve --d'
    suggests 'tcp udp' 'nfsbench sweep self: getattr --proto '
    suggests 'explain' 'nfsbench expl'
    suggests 'one.json' 'nfsbench compare on'
else
    echo 'fish is not installed: not tested'
fi

# The files that the build made are installed where the shells look for them.
if [ -f "${NFSBENCH_BUILD-}/completion.bash" ] && command -v cmake >/dev/null; then
    cmake --install "$NFSBENCH_BUILD" --prefix "$scratch/prefix" --component completions >out ||
        fail 'cmake --install'
    rm -f "$NFSBENCH_BUILD/install_manifest_completions.txt"
    cmp completion.bash prefix/share/bash-completion/completions/nfsbench || fail 'for bash'
    cmp completion.zsh prefix/share/zsh/site-functions/_nfsbench || fail 'for zsh'
    cmp completion.fish prefix/share/fish/vendor_completions.d/nfsbench.fish || fail 'for fish'
else
    echo 'no build to install from: not tested'
fi
finish
