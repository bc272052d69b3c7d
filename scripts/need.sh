# shellcheck shell=bash
# Programs from the system's packages: installed where that is possible without a question.

# Makes sure that program $1 exists; $2 is its Debian package.
need() {
    command -v "$1" >/dev/null && return
    install_package "$2" && command -v "$1" >/dev/null && return
    die 2 "$1 is missing. Install it, for example: sudo apt-get install $2"
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

# Makes sure that there is one.
need_chromium() {
    have_chromium && return
    install_package chromium && command -v chromium >/dev/null && return
    die 2 "No Chromium was found. Install one (sudo apt-get install chromium), name one in TANDEM_CHROMIUM, or start without: tandem up --browser none"
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
