import { expect, test } from 'bun:test';
import { addStyles } from './extra-styles.ts';

const STYLE = '<style>p{}</style>';

/** Documents with a bar at the place of the added styles. */
const documents = [
  '|',
  '|<p>text',
  '|text',
  '<!doctype html>|<p>text',
  '<!doctype html>|text',
  '<!DOCTYPE html>\n<html lang="en">\n<head>\n<title>a > b</title>\n|</head>\n<body>text</body></html>',
  '<head><style>p { content: "</p>" }</style>|</head>',
  '<!-- a <p> --><meta charset=utf-8><style>a{}</style>|<h1>text</h1><style>later{}</style>',
  '<html data-a="x>y" data-b=\'"\'><link rel=icon href="data:,">|<body>',
  '<script>document.write("<p>")</script>|<p>',
  '|<title>never closed',
  '<STYLE>a{}</STYLE >|<header>not a head</header>',
  '<!-- <!doctype html><head> -->|<p>text',
  '<!--<head>--><!DOCTYPE HTML><HTML><HEAD><TITLE>x</TITLE>|</HEAD><BODY>text',
  '<!--><!doctype html><html><head><title>a</title>|</head><p>',
  '<!---><!-- a --!><!doctype html>|<p>',
  '|<!-- never closed <head>',
  '<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "a"><html><head>|</head>',
  '<head><title></title lang=en><link></link><meta>|</head>',
  "<html title=it's lang = 'a>b'><head>|</head><p>it's > text",
  '<head><title>a</title>|<script><!-- <script></script> --></script></head>',
  '<head><title>a</title>|<template><template></template><p></template></head>',
  '<html lang=en>|<BODY>text',
];

test.each(documents)('styles are added at the bar in %s', async (marked) => {
  expect(await addStyles(marked.replace('|', ''), 'p{}')).toBe(marked.replace('|', STYLE));
});

test('a document without added styles stays unchanged', async () => {
  expect(await addStyles('<p>text', undefined)).toBe('<p>text');
  expect(await addStyles('<p>text', '')).toBe('<p>text');
});

test('an end tag in the styles does not end the style element', async () => {
  expect(await addStyles('', 'p::after{content:"</style><script></STYLE >"}')).toBe(
    '<style>p::after{content:"<\\/style><script><\\/STYLE >"}</style>',
  );
});

test('an end tag in long styles is escaped wherever it begins', async () => {
  for (let before = 99_990; before <= 100_002; before += 1) {
    const start = 'a'.repeat(before);
    expect(await addStyles('', `${start}</style><</STYLE>`)).toBe(
      `<style>${start}<\\/style><<\\/STYLE></style>`,
    );
  }
});

test('other work proceeds while long styles are added', async () => {
  let turns = 0;
  let isAdded = false;
  const count = () => {
    turns += 1;
    if (!isAdded) setImmediate(count);
  };
  count();
  const added = await addStyles('', '</style'.repeat(1_000_000));
  isAdded = true;
  expect(added).toHaveLength('<style></style>'.length + '<\\/style'.length * 1_000_000);
  expect(turns).toBeGreaterThan(5);
});

test('styles are added to a document with a long, unterminated head', async () => {
  const html = `<head>${'<meta name=a content="'.repeat(100_000)}`;
  expect(await addStyles(html, 'p{}')).toHaveLength(html.length + STYLE.length);
});
