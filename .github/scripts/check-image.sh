#!/usr/bin/env bash
# Starts an image with the settings of docs/deploy.md, generates a PDF and stops the container. Usage: check-image.sh IMAGE
set -euo pipefail
cd "$(dirname "$0")/../.."
image=$1
name=platen-check-$$
url=http://127.0.0.1:3917
pdf=$(mktemp)

finish() {
  local status=$?
  [ "$status" -eq 0 ] || docker logs "$name" || true
  docker rm --force --volumes "$name" >/dev/null || true
  rm -f "$pdf"
  exit "$status"
}
trap finish EXIT

docker run --detach --name "$name" --publish 127.0.0.1:3917:3000 --env PUBLIC_URL="$url" --cap-drop ALL \
  --security-opt no-new-privileges:true --security-opt seccomp=deploy/seccomp.json "$image" >/dev/null

# The service prints its first key as soon as it is ready.
key=
for _ in $(seq 60); do
  key=$(docker logs "$name" 2>&1 | grep -oE 'plt_live_[A-Za-z0-9_]+' | sort -u || true)
  [ -z "$key" ] || break
  sleep 1
done
[ -n "$key" ] || { echo 'the service printed no key within a minute' >&2 && exit 1; }

curl --silent --show-error --fail-with-body --output "$pdf" "$url/v1/generate" \
  --header "Authorization: Bearer $key" --header 'Content-Type: application/json' \
  --data '{"html": "<h1>Hello 世界</h1>", "output": "binary"}'
[ "$(head -c 5 "$pdf")" = '%PDF-' ] || { echo 'the response is not a PDF' >&2 && exit 1; }
curl --silent --show-error --fail-with-body --output /dev/null "$url/readyz"

docker stop --time 60 "$name" >/dev/null
code=$(docker inspect --format '{{.State.ExitCode}}' "$name")
[ "$code" = 0 ] || { echo "the service ended with exit code $code" >&2 && exit 1; }
echo "$image prints PDFs and stops."
