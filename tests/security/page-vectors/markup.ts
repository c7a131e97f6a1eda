import { markup, script, type Vector } from './vector.ts';

const addresses: Vector[] = [
  markup('decimal address', ({ port }) => `<img src="http://2130706433:${port}/">`),
  markup('octal address', ({ port }) => `<img src="http://0177.0.0.1:${port}/">`),
  markup('short hexadecimal address', ({ port }) => `<img src="http://0x7f.1:${port}/">`),
  markup('0.0.0.0', ({ port }) => `<img src="http://0.0.0.0:${port}/">`),
  markup('another loopback address', ({ port }) => `<img src="http://127.0.0.2:${port}/">`),
  markup('localhost', ({ port }) => `<img src="http://localhost:${port}/">`),
  markup('name under localhost', ({ port }) => `<img src="http://a.localhost:${port}/">`),
  markup('IPv6 loopback', ({ port }) => `<img src="http://[::1]:${port}/">`),
  markup('IPv4-mapped IPv6', ({ port }) => `<img src="http://[::ffff:127.0.0.1]:${port}/">`),
  markup('credentials in the URL', ({ at }) => `<img src="http://user:pass@${at}/">`),
  markup('https', ({ at }) => `<img src="https://${at}/">`),
];

const images: Vector[] = [
  markup('img', ({ url }) => `<img src="${url}/">`),
  markup('lazy img', ({ url }) => `<img loading="lazy" src="${url}/">`),
  markup('img srcset', ({ url }) => `<img srcset="${url}/ 1x, ${url}/2 2x">`),
  markup('picture source', ({ url }) => `<picture><source srcset="${url}/"><img></picture>`),
  markup('input image', ({ url }) => `<input type="image" src="${url}/">`),
  markup('body background', ({ url }) => `<body background="${url}/">x`),
  markup('table background', ({ url }) => `<table background="${url}/"><tr><td>x</table>`),
  markup('attributionsrc', ({ url }) => `<img attributionsrc="${url}/" src="data:,">`),
  markup('SVG image', ({ url }) => `<svg><image href="${url}/" width="9" height="9"/></svg>`),
  markup('SVG image by xlink', ({ url }) => `<svg><image xlink:href="${url}/" width="9" height="9"/></svg>`),
  markup('SVG use', ({ url }) => `<svg><use href="${url}/a.svg#x"/></svg>`),
  markup(
    'SVG feImage',
    ({ url }) =>
      `<svg><filter id="f"><feImage href="${url}/"/></filter><rect filter="url(#f)" width="9" height="9"/></svg>`,
  ),
  markup(
    'SVG external filter',
    ({ url }) => `<svg><rect filter="url(${url}/a.svg#f)" width="9" height="9"/></svg>`,
  ),
  markup('SVG script', ({ url }) => `<svg><script href="${url}/"></script></svg>`),
  markup(
    'SVG animated href',
    ({ url }) =>
      `<svg><image width="9" height="9"><set attributeName="href" to="${url}/" begin="0s"/></image></svg>`,
  ),
  markup(
    'image inside an SVG image',
    ({ url }) =>
      `<img src="data:image/svg+xml,${encodeURIComponent(
        `<svg xmlns="http://www.w3.org/2000/svg"><image href="${url}/"/><style>@import "${url}/c";</style></svg>`,
      )}">`,
  ),
  markup(
    'SVG foreignObject iframe',
    ({ url }) =>
      `<svg><foreignObject width="9" height="9"><iframe src="${url}/"></iframe></foreignObject></svg>`,
  ),
];

const styles: Vector[] = [
  markup('stylesheet', ({ url }) => `<link rel="stylesheet" href="${url}/">`),
  markup('@import', ({ url }) => `<style>@import "${url}/";</style>`),
  markup('background image', ({ url }) => `<p style="background:url(${url}/)">x</p>`),
  markup('image-set', ({ url }) => `<p style="background:image-set(url(${url}/) 1x)">x</p>`),
  markup(
    'cross-fade',
    ({ url }) => `<p style="background:-webkit-cross-fade(url(${url}/),url(${url}/2),50%)">x</p>`,
  ),
  markup(
    'print-only background',
    ({ url }) => `<style>@media print{p{background:url(${url}/)}}</style><p>x</p>`,
  ),
  markup(
    'page margin box',
    ({ url }) =>
      `<style>@page{margin:2cm;@top-left{content:url(${url}/)}background:url(${url}/b)}</style><p>x</p>`,
  ),
  markup(
    'font',
    ({ url }) => `<style>@font-face{font-family:f;src:url(${url}/)}p{font-family:f}</style><p>x</p>`,
  ),
  script('FontFace', ({ url }) => `new FontFace('f', 'url(${url}/)').load().catch(() => 0)`),
  markup('list-style-image', ({ url }) => `<li style="list-style-image:url(${url}/)">x</li>`),
  markup('generated content', ({ url }) => `<style>p::before{content:url(${url}/)}</style><p>x</p>`),
  markup('border-image', ({ url }) => `<p style="border:9px solid;border-image:url(${url}/) 9">x</p>`),
  markup(
    'mask and clip-path',
    ({ url }) => `<p style="mask:url(${url}/a.svg#m);clip-path:url(${url}/a.svg#c)">x</p>`,
  ),
  markup('filter', ({ url }) => `<p style="filter:url(${url}/a.svg#f)">x</p>`),
  markup('cursor', ({ url }) => `<p style="cursor:url(${url}/),auto">x</p>`),
  markup('shape-outside', ({ url }) => `<p style="float:left;shape-outside:url(${url}/)">x</p>`),
];

const frames: Vector[] = [
  markup('iframe', ({ url }) => `<iframe src="${url}/"></iframe>`),
  markup('iframe srcdoc', ({ url }) => `<iframe srcdoc="<img src='${url}/'>"></iframe>`),
  markup('frameset', ({ url }) => `<frameset cols="*"><frame src="${url}/"></frameset>`),
  markup('object', ({ url }) => `<object data="${url}/"></object>`),
  markup('embed', ({ url }) => `<embed src="${url}/" type="text/html">`),
  markup('embed PDF', ({ url }) => `<embed src="${url}/a.pdf" type="application/pdf">`),
  markup('portal', ({ url }) => `<portal src="${url}/"></portal>`),
  markup('fencedframe', ({ url }) => `<fencedframe src="${url}/"></fencedframe>`),
  markup('data: frame', ({ url }) => `<iframe src="data:text/html,<img src='${url}/'>"></iframe>`),
  script(
    'blob: frame',
    ({ url }) => `const f = document.createElement('iframe');
      f.src = URL.createObjectURL(new Blob(['<img src="${url}/">'], {type: 'text/html'})); document.body.append(f)`,
  ),
  markup('javascript: frame', ({ url }) => `<iframe src="javascript:'<img src=${url}/>'"></iframe>`),
  markup('filesystem: frame', ({ url }) => `<iframe src="filesystem:${url}/temporary/x"></iframe>`),
  markup('ftp: frame and image', ({ at }) => `<iframe src="ftp://${at}/"></iframe><img src="ftp://${at}/">`),
  markup('view-source: frame', ({ url }) => `<iframe src="view-source:${url}/"></iframe>`),
  markup(
    'chrome: frame',
    ({ url }) =>
      `<iframe src="chrome://net-export/"></iframe><iframe src="chrome-untrusted://print/${url}"></iframe>`,
  ),
];

const media: Vector[] = [
  markup('video', ({ url }) => `<video src="${url}/" preload="auto" autoplay muted></video>`),
  markup('video poster', ({ url }) => `<video poster="${url}/"></video>`),
  markup('audio source', ({ url }) => `<audio preload="auto"><source src="${url}/"></audio>`),
  markup(
    'track',
    ({ url }) =>
      `<video src="data:video/mp4,x" crossorigin><track default kind="captions" src="${url}/"></video>`,
  ),
  markup('bgsound and dynsrc', ({ url }) => `<bgsound src="${url}/"><img dynsrc="${url}/" lowsrc="${url}/">`),
];

const links: Vector[] = [
  ...[
    'preconnect',
    'dns-prefetch',
    'prefetch',
    'prerender',
    'next',
    'modulepreload',
    'icon',
    'apple-touch-icon',
  ].map((rel) => markup(`link ${rel}`, ({ url }) => `<link rel="${rel}" href="${url}/">`)),
  ...['image', 'style', 'script', 'font', 'fetch', 'video', 'track'].map((as) =>
    markup(`link preload ${as}`, ({ url }) => `<link rel="preload" as="${as}" href="${url}/" crossorigin>`),
  ),
  markup('link manifest', ({ url }) => `<link rel="manifest" href="${url}/">`),
  markup('link compression-dictionary', ({ url }) => `<link rel="compression-dictionary" href="${url}/">`),
  markup('other link relations', ({ url }) =>
    [
      'alternate',
      'author',
      'canonical',
      'import',
      'pingback',
      'search',
      'serviceworker',
      'dictionary',
      'monetization',
      'amphtml',
    ]
      .map((rel) => `<link rel="${rel}" href="${url}/">`)
      .join(''),
  ),
  markup(
    'speculation rules prefetch',
    ({ url }) =>
      `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${url}/"],"eagerness":"immediate"}]}</script>`,
  ),
  markup(
    'speculation rules prerender',
    ({ url }) =>
      `<script type="speculationrules">{"prerender":[{"source":"list","urls":["${url}/"],"eagerness":"immediate"}]}</script>`,
  ),
  markup('appcache manifest', ({ url }) => `<html manifest="${url}/"><p>x</p></html>`),
  markup('base', ({ url }) => `<base href="${url}/"><img src="a"><script src="b"></script>`),
];

/** Vectors that load something with an element, attribute or style. */
export const markupVectors: Vector[] = [...addresses, ...images, ...styles, ...frames, ...media, ...links];
