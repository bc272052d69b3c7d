# shellcheck shell=bash
# Puts the command on the user's PATH, and takes it away. Sourced by local.sh, which has $root.

link() {
    local at first text
    link_place link "$@"
    ready_build
    # one that leads nowhere is mostly ours, from where Tandem was before
    [[ ! -e $at ]] || is_ours "$at" ||
        die 2 "$at is there already and leads elsewhere. Move it away, or name another folder: tandem link FOLDER"
    { mkdir -p "${at%/*}" && ln -sfn "$(command_file)" "$at"; } 2>/dev/null ||
        die 2 "$at could not be made. Name a folder of your own: tandem link FOLDER"
    text="$at leads to this Tandem now."
    first=$(command -v tandem) || first=
    if [[ :$PATH: != *:"${at%/*}":* ]]; then
        text+=$'\n'"Add its folder to your PATH, $(path_line "${at%/*}")"
    elif [[ -n $first && ! $first -ef $at ]]; then
        text+=$'\n'"Another one comes first on your PATH: $first"
    fi
    answer "$text" "{\"link\":\"$(in_json "$at")\"}"
}

unlink() {
    local at
    link_place unlink "$@"
    [[ -e $at || -h $at ]] || die 2 "There is no $at."
    is_ours "$at" || die 2 "$at does not lead to this Tandem, so it is left alone."
    rm "$at" || die 2 "$at could not be removed."
    answer "$at is gone." "{\"link\":\"$(in_json "$at")\"}"
}

# Where and how the user's shell gets folder $1 on its PATH.
path_line() {
    local file=profile
    case ${SHELL-} in
        */fish) printf 'say once:\n  fish_add_path "%s"' "$1" && return ;;
        */zsh) file=zprofile ;;
        # where that is, bash reads no other
        */bash) [[ ! -e $HOME/.bash_profile ]] || file=bash_profile ;;
    esac
    printf 'in ~/.%s say:\n  export PATH="%s:$PATH"' "$file" "$1"
}

# Sets $at to where the link is or shall be, for the command $1 with its words.
link_place() {
    local folder=${2-$HOME/.local/bin}
    [[ $# -le 2 && -n $folder && $folder != -* ]] || die 1 "\"tandem $1\" takes one folder at most. Usage: tandem $1 [FOLDER]"
    [[ $folder = /* ]] || folder=$PWD/$folder
    at=${folder%/}/tandem
}

is_ours() { [[ -h $1 && $(readlink "$1") = "$root"/* ]]; }
