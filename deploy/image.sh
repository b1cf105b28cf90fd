#!/bin/sh
# `npm run image`: builds the image of the Dockerfile without a container engine and runs it. It needs root on Debian, and
# `apt-get install buildah debootstrap`. With an engine at hand `docker build .` does the same.
# It shares the network and enforces no limits: it proves the build, the files, the user, and that every command starts.
set -eu
cd "$(dirname "$0")/.."
export STORAGE_DRIVER=vfs BUILDAH_ISOLATION=chroot
version=$(node -p "require('./package.json').version")
base=$(sed -n 's/^ARG NODE_IMAGE=\([^@]*\).*/\1/p' Dockerfile)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The base as its publisher makes it: Debian, the binary of Node, npm, and a user `node` of id 1000.
if ! buildah inspect --type image "$base" >/dev/null 2>&1; then
  echo "Making $base"
  debootstrap --variant=minbase --include=ca-certificates bookworm "$work/root" >/dev/null
  node_version=${base##*:}
  npm install --silent --no-audit --no-fund --prefix "$work/npm" "node@${node_version%%-*}" npm@11
  mkdir -p "$work/root/usr/local/bin" "$work/root/usr/local/lib/node_modules"
  cp "$work/npm/node_modules/node/bin/node" "$work/root/usr/local/bin/node"
  cp -r "$work/npm/node_modules/npm" "$work/root/usr/local/lib/node_modules/npm"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/root/usr/local/bin/npm"
  chroot "$work/root" useradd --uid 1000 --create-home node
  container=$(buildah from scratch)
  buildah copy --quiet "$container" "$work/root" / >/dev/null
  buildah config --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$container"
  buildah commit --quiet "$container" "$base" >/dev/null
  buildah rm "$container" >/dev/null
  rm -rf "$work/root"
fi

# The authorities that this machine trusts, for the package registry.
echo 'cafile=/etc/ssl/certs/ca-certificates.crt' >"$work/npmrc"
build() {
  buildah bud --quiet --pull-never --format docker --volume /etc/ssl/certs:/etc/ssl/certs:ro \
    --volume "$work/npmrc:/root/.npmrc:ro" --build-arg NODE_IMAGE="$base" --label org.opencontainers.image.version="$version" --target "$1" --tag "$2:$version" . >/dev/null
  echo "Built $2:$version, $(buildah images --format '{{.Size}}' "$2:$version")"
}
build product scriptrail
build development scriptrail-development

node --import tsx dev/image.ts "scriptrail:$version"
