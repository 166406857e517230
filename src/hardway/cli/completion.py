"""hardway completion: shell completion scripts."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

from hardway.cli.main import cli

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
"""click's own script takes readline's words as they are, and lets the shell expand what it offers."""


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the completion script for a shell.

    \b
    bash:  eval "$(hardway completion bash)"
    zsh:   eval "$(hardway completion zsh)"
    fish:  hardway completion fish | source
    """
    if shell == "bash":
        click.echo(BASH.strip())
        return
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(cli, {}, "hardway", "_HARDWAY_COMPLETE").source())
