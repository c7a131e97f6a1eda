#!/usr/bin/env bash
# Prints the starters with the Chromium of a published image and with Debian's newest. Usage: compare-browsers.sh IMAGE FOLDER
# The folder gets pictures of the pages that change. Ends with 1 if pages change.
set -euo pipefail
cd "$(dirname "$0")/../.."
published=$1
folder=$2

# Only the browser differs: both print with the fonts and libraries of one image.
docker build --tag platen-browsers - >&2 <<DOCKERFILE
FROM $published AS published
FROM $published
USER 0
RUN apt-get -qq update && apt-get -qqy install --only-upgrade chromium-headless-shell
COPY --from=published /usr/lib/chromium /opt/published-chromium
USER 1000
DOCKERFILE

mkdir -p "$folder"
# The user of the image is not that of the runner.
chmod 777 "$folder"
docker run --rm --cap-drop ALL --security-opt no-new-privileges:true \
  --security-opt seccomp=deploy/seccomp.json --volume "$(realpath "$folder"):/results" \
  --env CHROMIUM_PATH=/opt/published-chromium/chromium-headless-shell \
  platen-browsers templates check --starters --chromium /usr/bin/chromium-headless-shell --output /results
