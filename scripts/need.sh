# shellcheck shell=bash
# Programs from the system's packages: installed where that is possible without a question.

# Makes sure that the programs of these Debian packages exist, and else names all that are missing.
need() {
    local package missing
    find_missing "$@" && return
    for package in "${missing[@]}"; do install_package "$package"; done
    find_missing "$@" && return
    [[ " ${missing[*]} " != *' chromium '* ]] ||
        die 2 "No Chromium was found. Install what is missing ($(advice "${missing[@]}")), name a Chromium in TANDEM_CHROMIUM, or start without: tandem up --browser none"
    die 2 "Install what is missing: $(advice "${missing[@]}")"
}

# Leaves in $missing those packages whose program is not there; true when there is none.
find_missing() {
    local package
    missing=()
    for package; do have "$package" || missing+=("$package"); done
    ((${#missing[@]} == 0))
}

# Whether the program of a Debian package is there.
have() {
    case $1 in
        chromium) have_chromium ;;
        maven) command -v mvn ;;
        nodejs) command -v node ;;
        xz-utils) command -v xz ;;
        *) command -v "$1" ;;
    esac >/dev/null
}

# What to type to get the programs of these Debian packages, by the package manager that is here.
advice() {
    local each names=" $* "
    for each in 'apt-get install' 'dnf install' 'pacman -S' 'zypper install' 'brew install'; do
        command -v "${each%% *}" >/dev/null || continue
        [[ $each = apt-get* ]] || names=${names/ xz-utils / xz }
        if [[ $each = brew* ]]; then
            names=${names/ nodejs / } names=${names/ npm / node } names=${names/ chromium / google-chrome }
        else
            each="sudo $each"
        fi
        printf '%s%s' "$each" "${names% }"
        return
    done
    printf '%s, by the packages of your system' "${*}"
}

# Whether the hub would find a Chromium.
have_chromium() {
    local name
    [[ -n ${TANDEM_CHROMIUM-} ]] && return
    # the hub's own list, in ChromiumPrograms; a test compares them
    for name in chromium chromium-browser google-chrome-stable google-chrome microsoft-edge-stable brave-browser; do
        command -v "$name" >/dev/null && return
    done
    [[ -d '/Applications/Google Chrome.app' || -d /Applications/Chromium.app ]]
}

# Installs a Debian package as root or by a sudo that does not ask; fails where that cannot be. The
# lists are fetched first: by old ones a machine gets a browser that lacks months of security fixes.
install_package() {
    local as_root=()
    [[ -z ${TANDEM_NO_INSTALL-} && -f /etc/debian_version ]] || return 1
    command -v apt-get >/dev/null || return 1
    if ((EUID != 0)); then
        sudo -n true 2>/dev/null || return 1
        as_root=(sudo -n)
    fi
    say "Installing $1 …"
    apt_get() { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -y -qq "$@" </dev/null >/dev/null; }
    (umask 022 && { apt_get update 2>/dev/null || :; } && apt_get install --no-install-recommends "$1")
}
