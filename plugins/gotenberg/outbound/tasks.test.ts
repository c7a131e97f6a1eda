import { expect, test } from 'bun:test';
import { judgeUrls } from './tasks.ts';

const judge = (url: string, { allow = [], deny = [] }: { allow?: string[]; deny?: string[] }) =>
  judgeUrls({ urls: [url], allow, deny })[0];

test('a user name or fragment does not pass for the host that a list means', () => {
  const allow = [String.raw`^http://files\.internal`];
  expect(judge('http://files.internal/a.pdf', { allow })).toBe('listed');
  expect(judge('http://ann:secret@files.internal/a.pdf', { allow })).toBe('listed');
  expect(judge('http://files.internal@169.254.169.254/', { allow })).toBe('unlisted');
  expect(judge('http://files.internal:80@169.254.169.254/', { allow })).toBe('unlisted');
  expect(judge('http://169.254.169.254/#files', { allow: ['files'] })).toBe('unlisted');
});

test('a user name does not hide a host that a list denies', () => {
  const deny = [String.raw`^https?://blocked\.example`, 'secret'];
  expect(judge('http://ann@blocked.example/', { deny })).toBe('denied');
  expect(judge('http://ann:secret@example.com/', { deny })).toBe('denied');
  expect(judge('http://ann@example.com/', { deny })).toBe('allowed');
});

test('patterns take linear time, and a URL is denied when one takes too long', () => {
  const url = `https://${'a'.repeat(40)}.example/`;
  expect(judge(url, { deny: [String.raw`^\w+://(a+)+$`] })).toBe('allowed');
  expect(judge(url, { deny: [String.raw`^\w+://(?=a)a+\.example`] })).toBe('denied');
  expect(judge(url, { allow: [String.raw`^https://(?!b)`] })).toBe('listed');
  const slow = String.raw`^https://(?=a)(a+)+$`;
  expect(judge(`https://${'a'.repeat(27)}.example/`, { deny: [slow] })).toBe('denied');
});
