#!/usr/bin/env bash
# Runs `platen test` in the image of Platen, on the checked-out repository. The inputs are in PLATEN_ variables,
# so that no text of a workflow becomes a part of this script.
set -euo pipefail

here="$(cd "$(dirname "$0")" && pwd)"
report="$PLATEN_OUTPUT/junit.xml"
lines="$(mktemp)"
trap 'rm -f "$lines"' EXIT

# The files of the container belong to the user of the runner. The key is not an argument, which other processes
# could read.
status=0
docker run --rm --init --network host \
  --user "$(id -u):$(id -g)" --env HOME=/tmp \
  --security-opt "seccomp=$here/../../deploy/seccomp.json" \
  --volume "$GITHUB_WORKSPACE:/work" --workdir /work \
  --env PLATEN_URL --env PLATEN_API_KEY \
  "$PLATEN_IMAGE" test "$PLATEN_FOLDER" --output "$PLATEN_OUTPUT" --junit "$report" >"$lines" || status=$?
cat "$lines"

title='passed'
if [[ $status -eq 1 ]]; then title='differences'; elif [[ $status -ne 0 ]]; then title='failed'; fi
{
  echo "### Templates: $title"
  echo
  # Indented lines are code, in which nothing is Markdown or HTML.
  sed 's/^/    /' "$lines"
  echo
  if [[ $status -eq 1 ]]; then
    echo 'The artifact of this run has the pages, the accepted pages and the differences.'
    echo 'To accept the pages, run `platen test --update` with the same image, and commit the folder.'
  fi
} >>"$GITHUB_STEP_SUMMARY"

pictures=false
found="$(find "$GITHUB_WORKSPACE/$PLATEN_OUTPUT" -name '*.png' -print -quit 2>/dev/null || true)"
if [[ -n "$found" ]]; then pictures=true; fi
{
  echo "report=$report"
  echo "pictures=$pictures"
} >>"$GITHUB_OUTPUT"
exit "$status"
