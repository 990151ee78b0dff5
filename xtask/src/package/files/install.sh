#!/bin/sh
# Installs Adjutant @VERSION@, or replaces an older version. Written by `cargo xtask package`.
set -eu

version=@VERSION@
releases=@REPOSITORY@/releases
# A checksum and a target per line.
archives='@ARCHIVES@'

usage() {
    cat <<END
Install Adjutant $version for this user.

usage: install.sh [--prefix DIR] [--archive FILE]

  --prefix DIR    install into DIR/bin and DIR/share (default: ~/.local)
  --archive FILE  install this archive instead of downloading it
  --help          show this text

The script needs tar with xz and sha256sum (or shasum), and curl or wget to download. It changes
nothing outside DIR and does not need root.
END
}

fail() {
    printf 'error: %s\n' "$1" >&2
    [ $# -lt 2 ] || printf '\nhint: %s\n' "$2" >&2
    exit 1
}

has() {
    command -v "$1" >/dev/null 2>&1
}

# Prints the Rust name of this machine.
this_target() {
    case $(uname -s) in
    Linux) system=unknown-linux-gnu ;;
    Darwin) system=apple-darwin ;;
    *) fail "there is no build for $(uname -s)" "the archives are listed at $releases/tag/v$version" ;;
    esac
    case $(uname -m) in
    x86_64 | amd64) cpu=x86_64 ;;
    aarch64 | arm64) cpu=aarch64 ;;
    *) fail "there is no build for the processor $(uname -m)" "the archives are listed at $releases/tag/v$version" ;;
    esac
    printf '%s-%s\n' "$cpu" "$system"
}

# Prints the checksum of a file.
checksum() {
    if has sha256sum; then
        sha256sum <"$1" | cut -d ' ' -f 1
    elif has shasum; then
        shasum -a 256 <"$1" | cut -d ' ' -f 1
    else
        fail 'neither sha256sum nor shasum is on PATH' 'install coreutils'
    fi
}

download() {
    printf 'downloading %s\n' "$1" >&2
    if has curl; then
        curl --proto '=https' --tlsv1.2 --fail --silent --show-error --location --output "$2" "$1"
    elif has wget; then
        wget --quiet --https-only --output-document="$2" "$1"
    else
        fail 'neither curl nor wget is on PATH' "download $1 and run this script with --archive FILE"
    fi || fail "cannot download $1" 'download it in another way and run this script with --archive FILE'
}

# Puts a file in its place with one rename, so that a running client finds the old or the new file.
place() {
    mkdir -p "${2%/*}"
    mv -f "$1" "$2"
}

# Makes a second name for a program. A hard link needs no space, and a client can copy it.
link() {
    ln -f "$1" "$work/link" 2>/dev/null || cp -p "$1" "$work/link"
    place "$work/link" "$2"
}

prefix=
archive=
while [ $# -gt 0 ]; do
    case $1 in
    --prefix | --archive)
        [ $# -ge 2 ] || fail "$1 needs a value" 'install.sh --help shows the arguments'
        [ "$1" = --prefix ] && prefix=$2 || archive=$2
        shift 2
        ;;
    --help | -h) usage && exit 0 ;;
    *) fail "unexpected argument \`$1\`" 'install.sh --help shows the arguments' ;;
    esac
done

[ -n "$prefix" ] || [ -n "${HOME:-}" ] || fail 'HOME is not set' 'name a folder: install.sh --prefix DIR'
prefix=${prefix:-$HOME/.local}
target=$(this_target)
expected=$(printf '%s\n' "$archives" | sed -n "s/^\([0-9a-f]*\) $target\$/\1/p")
[ -n "$expected" ] || fail "version $version has no build for $target" "the archives are listed at $releases/tag/v$version"
has tar || fail 'tar is not on PATH' 'install tar'
[ -z "$archive" ] || [ -r "$archive" ] || fail "cannot read \`$archive\`"

mkdir -p "$prefix/bin" "$prefix/share" || fail "cannot create \`$prefix\`" 'name another folder: install.sh --prefix DIR'
prefix=$(cd "$prefix" && pwd)
# In the prefix, so that a file is renamed and not copied to its place.
work=$(mktemp -d "$prefix/share/adjutant-install.XXXXXX") || fail "cannot write to \`$prefix\`" 'name another folder: install.sh --prefix DIR'
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

folder=adjutant-$version-$target
if [ -z "$archive" ]; then
    archive=$work/archive
    download "$releases/download/v$version/$folder.tar.xz" "$archive"
fi
found=$(checksum "$archive")
[ "$found" = "$expected" ] ||
    fail "the checksum of \`$archive\` is $found instead of $expected: nothing was installed" 'download the archive and this script again; both must have the same version'
tar -xJf "$archive" -C "$work" || fail "cannot unpack \`$archive\`" 'tar may need xz: install xz (or xz-utils)'
unpacked=$work/$folder

share=$prefix/share/adjutant
(cd "$unpacked/plugin" && find . -type f) | while IFS= read -r file; do
    place "$unpacked/plugin/$file" "$share/plugin/$file"
done
place "$unpacked/.claude-plugin/marketplace.json" "$share/.claude-plugin/marketplace.json"
for file in LICENSE-APACHE LICENSE-LGPL-2.1 LICENSE-MIT NOTICE README.md; do
    place "$unpacked/$file" "$share/$file"
done
for page in "$unpacked"/man/man1/*; do
    place "$page" "$prefix/share/man/man1/${page##*/}"
done
for program in @COMMANDS@; do
    place "$unpacked/completions/$program.bash" "$prefix/share/bash-completion/completions/$program"
    place "$unpacked/completions/$program.fish" "$prefix/share/fish/vendor_completions.d/$program.fish"
    place "$unpacked/completions/_$program" "$prefix/share/zsh/site-functions/_$program"
done
for program in @PROGRAMS@; do
    link "$share/plugin/bin/$program" "$prefix/bin/$program"
done

"$prefix/bin/adjutant" --version >/dev/null || fail "\`$prefix/bin/adjutant\` does not start" 'on Linux it needs glibc @GLIBC@ or newer'
printf 'installed adjutant %s into %s\n' "$version" "$prefix/bin"
case ":${PATH:-}:" in
*":$prefix/bin:"*) adjutant=adjutant ;;
*)
    adjutant=$prefix/bin/adjutant
    printf 'note: %s is not on PATH\n' "$prefix/bin"
    ;;
esac
printf 'next: %s install claude-code (or: codex), then %s doctor\n' "$adjutant" "$adjutant"
