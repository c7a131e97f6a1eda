// Prints the section of CHANGELOG.md for a tag such as v0.1.0. Fails if the section is missing or empty, or
// if the tag differs from the version in package.json or package-lock.json.
import { readFileSync } from 'node:fs';

const [tag = ''] = process.argv.slice(2);
const read = (/** @type {string} */ path) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

if (!/^v\d+\.\d+\.\d+(?:-[0-9A-Za-z.]+)?$/.test(tag))
  fail(`the tag "${tag}" is not a version such as v0.1.0`);
const version = tag.slice(1);
for (const path of ['package.json', 'package-lock.json']) {
  const found = JSON.parse(read(path)).version;
  if (found !== version) fail(`the tag is ${tag}, but ${path} has the version ${found}`);
}

const [, ...sections] = read('CHANGELOG.md').split(/^## /m);
// The title is `[0.1.0] - 2026-11-23`. A later line `[0.1.0]: https://…` is the target of a link.
const section = sections.find((text) => /^\[?([^\]\s]+)/.exec(text)?.[1] === version);
if (section === undefined) fail(`CHANGELOG.md has no section "## [${version}]"`);
const [, ...lines] = section.split('\n');
const notes = lines
  .filter((line) => !/^\[[^\]]+\]: /.test(line))
  .join('\n')
  .trim();
if (notes === '') fail(`the section "## [${version}]" of CHANGELOG.md is empty`);
console.log(notes);

/** @returns {never} */
function fail(/** @type {string} */ reason) {
  console.error(`release: ${reason}`);
  process.exit(1);
}
