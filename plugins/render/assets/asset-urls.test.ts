import { describe, expect, test } from 'bun:test';
import { activeBase, assetBase, mentionsAssets, presentAssetUrl, readAssetUrl } from './asset-urls.ts';

describe('a text may refer to an asset only if a name follows the scheme', () => {
  test.each([
    ['<img src="asset:logo.png">', true],
    ['url(ASSET:logo.png)', true],
    ['asset: 500 EUR, asset:logo', true],
    ['fixed asset: 500 EUR', false],
    ['<td>asset:</td>', false],
    ['asset:', false],
    ['', false],
  ])('%s: %p', (text, expected) => {
    expect(mentionsAssets(text)).toBe(expected);
  });
});

describe('the URL of an asset', () => {
  test('has a base and a name, and is presented as documents write it', () => {
    const url = `${assetBase('revision')}b%20l%26ack.png?x#y`;
    expect(readAssetUrl(url)).toEqual({ base: assetBase('revision'), name: 'b l&ack.png' });
    expect(presentAssetUrl(url)).toBe('asset:b l&ack.png');
    expect(presentAssetUrl('https://assets.platen.invalid.example.com/a/b.png')).toBeUndefined();
    expect(presentAssetUrl('https://assets.platen.invalid/')).toBe('asset:');
  });

  test('has another base on active pages', () => {
    expect(activeBase('a')).not.toBe(assetBase('a'));
    expect(activeBase('a')).not.toBe(activeBase('b'));
  });
});
