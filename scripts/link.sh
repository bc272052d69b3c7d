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
        text+=$'\n'"Add its folder to your PATH, in ~/.profile say:"$'\n'"  export PATH=\"${at%/*}:\$PATH\""
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

# Sets $at to where the link is or shall be, for the command $1 with its words.
link_place() {
    local folder=${2-$HOME/.local/bin}
    [[ $# -le 2 && -n $folder && $folder != -* ]] || die 1 "\"tandem $1\" takes one folder at most. Usage: tandem $1 [FOLDER]"
    [[ $folder = /* ]] || folder=$PWD/$folder
    at=${folder%/}/tandem
}

is_ours() { [[ -h $1 && $(readlink "$1") = "$root"/* ]]; }
