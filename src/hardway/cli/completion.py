"""hardway completion: shell completion scripts."""

from __future__ import annotations

import click

BASH = r"""
_hardway_completion() {
    local IFS=$'\n' rest=$COMP_LINE blanks word type value i
    local -a words=()

    # readline ends a word at each ":" and "=", also inside of file/bootstrap:/etc/hostname and --rotate=cert/root-ca.
    for ((i = 0; i <= COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        blanks=${rest%%[![:space:]]*}
        rest=${rest#"$blanks"}
        rest=${rest#"$word"}
        if [[ $i -gt 0 && -z $blanks && -n $word ]]; then
            words[-1]+=$word
        else
            words+=("$word")
        fi
    done

    # readline replaces the part after the last ":" or "=" alone.
    word=${COMP_WORDS[COMP_CWORD]}
    if [[ $word == [:=] ]]; then word=""; fi
    local begun=${words[-1]%"$word"}

    while IFS=',' read -r type value; do
        case $type in
        dir) compopt -o dirnames ;;
        file) compopt -o default ;;
        plain)
            value=${value#"$begun"}
            if [[ $value == *[\"\'\ ]* ]]; then printf -v value %q "$value"; fi
            COMPREPLY+=("$value")
            ;;
        esac
    done < <(COMP_WORDS="${words[*]}" COMP_CWORD=$((${#words[@]} - 1)) _HARDWAY_COMPLETE=bash_complete "$1")
}

complete -o nosort -F _hardway_completion hardway
"""
ZSH = r"""
#compdef hardway

_hardway_completion() {
    local -a plain described response
    local type key descr begun
    (( ! $+commands[hardway] )) && return 1

    response=("${(@f)$(env COMP_WORDS="${words[*]}" COMP_CWORD=$((CURRENT-1)) _HARDWAY_COMPLETE=zsh_complete hardway)}")

    # What is offered replaces the whole word, also the name of an option before "=".
    if [[ ${words[CURRENT]} == -*=* ]]; then begun="${words[CURRENT]%%=*}="; compset -P '*='; fi

    for type key descr in ${response}; do
        case $type in
        dir) _path_files -/ ;;
        file) _path_files -f ;;
        plain)
            if [[ $descr == "_" ]]; then plain+=("$begun$key"); else described+=("$begun$key:$descr"); fi
            ;;
        esac
    done

    if [[ -n $described ]]; then _describe -V unsorted described -U; fi
    if [[ -n $plain ]]; then compadd -U -V unsorted -a plain; fi
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _hardway_completion "$@"
else
    compdef _hardway_completion hardway
fi
"""
FISH = r"""
function _hardway_completion
    set -l word (commandline -t)
    set -l begun (string match --regex -- '^-[^=]*=' "$word")
    set -l response (env _HARDWAY_COMPLETE=fish_complete COMP_WORDS=(commandline -cp) COMP_CWORD="$word" hardway)

    for completion in $response
        set -l found (string split --max 1 "," $completion)
        switch $found[1]
            case dir
                __fish_complete_directories $found[2]
            case file
                __fish_complete_path $found[2]
            case plain
                echo "$begun$found[2]"
        end
    end
end

complete --no-files --command hardway --arguments "(_hardway_completion)"
"""
SCRIPTS = {"bash": BASH, "zsh": ZSH, "fish": FISH}
"""click's own scripts lose what stands before a ":" or "=", and let bash expand what they offer."""


@click.command()
@click.argument("shell", type=click.Choice(list(SCRIPTS)))
def completion(shell: str) -> None:
    """Print the completion script for a shell.

    \b
    bash:  eval "$(hardway completion bash)"
    zsh:   eval "$(hardway completion zsh)"
    fish:  hardway completion fish | source
    """
    click.echo(SCRIPTS[shell].strip())
