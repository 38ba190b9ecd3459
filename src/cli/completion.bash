# The fixed part of the script that 'nfsbench --completion bash' prints (completion.c); it follows the functions that
# are made from tables. Bash ends words at colons and equals signs, and expects only the text after the last one. So
# words are joined first, and at the end the text that bash has already is removed. KIND is the kind of completion of
# the word CURRENT, CHOICES are its words.
# shellcheck shell=bash disable=SC2034,SC2154 # variables of functions that call others
# begin
_nfsbench_none() { :; }
_nfsbench_words() {
    mapfile -t COMPREPLY < <(compgen -W "$choices" -- "$current")
}
# Words separated by commas, each of them once
_nfsbench_list() {
    local before= left= word
    [[ $current != *,* ]] || before=${current%,*},
    for word in $choices; do
        [[ ,$before == *,$word,* ]] || left+=" $word"
    done
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$left" -- "${current##*,}")
}
_nfsbench_files() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "$current")
}
_nfsbench_directories() {
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -d -- "$current")
}
# Words to be continued: no space is added
_nfsbench_parts() {
    compopt -o nospace 2>/dev/null
    _nfsbench_words
}
# NAME=VALUE, with the same values for each name
_nfsbench_assigned() {
    if [[ $current != *=* ]]; then
        _nfsbench_parts
    else
        current=${current#*=} choices=$values
        _nfsbench_words
    fi
}
# NAME=VALUE, with the values of the option NAME; with 'list' several of them
_nfsbench_names() {
    if [[ $current != *=* ]]; then
        _nfsbench_parts
    elif _nfsbench_value "run:--${current%%=*}"; then
        current=${current#*=}
        [[ $kind != words ]] || kind=${1-words}
        "_nfsbench_$kind"
    fi
}
_nfsbench_varied() { _nfsbench_names list; }
_nfsbench_target() {
    choices=self:
    if [[ $current == [./~]* ]]; then _nfsbench_directories; else _nfsbench_words; fi
}
_nfsbench_ops() {
    choices=$ops
    if [[ $current == mix:* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$mixes" -- "$current"
            compgen -P mix: -f -- "${current#mix:}")
    elif [[ $current == *,* ]]; then
        _nfsbench_list
    else
        choices+=" $mixes"
        _nfsbench_words
    fi
}
# The words up to the cursor, as the shell will see them
_nfsbench_join() {
    local i word rest=${COMP_LINE-} after
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        after=${rest#"${rest%%[![:space:]]*}"}
        if ((i > 0)) && { [[ ${COMP_LINE-} && $rest == "$after" ]] ||
            [[ ! ${COMP_LINE-} && ($word == [:=] || ${words[-1]} == *@(=|mix:)) ]]; }; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
        rest=${after#"$word"}
    done
}
_nfsbench_choose() {
    local i word last=$((${#words[@]} - 1)) command=run at=1 place=0 dashes= kind choices values
    if ((last > 1)) && [[ " $commands " == *" ${words[1]} "* ]]; then
        command=${words[1]} at=2
    fi
    for ((i = at; i < last; i++)); do
        word=${words[i]}
        if [[ $dashes || $word != -?* ]]; then
            ((++place))
        elif [[ $word == -- ]]; then
            dashes=1
        elif [[ $word != --*=* ]] && _nfsbench_value "$command:$word"; then
            ((++i < last)) || { "_nfsbench_$kind"; return; }
        fi
    done
    if [[ ! $dashes && $current == --*=* ]]; then
        ! _nfsbench_value "$command:${current%%=*}" ||
            { current=${current#*=}; "_nfsbench_$kind"; }
    elif [[ ! $dashes && $current == -* ]]; then
        choices=$(_nfsbench_options "$command")
        _nfsbench_words
    elif ((last == 1)) && [[ $current != [./~]* ]]; then
        choices="$commands self:"
        _nfsbench_words
    else
        _nfsbench_argument "$command:$place"
    fi
}
_nfsbench() {
    local words=() current part=${COMP_WORDS[COMP_CWORD]} i
    # lists
    COMPREPLY=()
    _nfsbench_join
    current=${words[-1]}
    [[ $part == *[!:=]* ]] || part=
    _nfsbench_choose
    for i in "${!COMPREPLY[@]}"; do
        if [[ $current == *"$part" ]]; then
            COMPREPLY[i]=${COMPREPLY[i]#"${current%"$part"}"}
        else
            COMPREPLY[i]=${part%"$current"}${COMPREPLY[i]}
        fi
    done
}
complete -F _nfsbench nfsbench
