import { markup, script, type Vector } from './vector.ts';

const navigations: Vector[] = [
  markup('meta refresh', ({ url }) => `<meta http-equiv="refresh" content="0;url=${url}/">`),
  script('location', ({ url }) => `setTimeout(() => { location.href = '${url}/' }, 50)`),
  script('navigation API', ({ url }) => `setTimeout(() => navigation.navigate('${url}/'), 50)`),
  markup(
    'form GET',
    ({ url }) => `<form action="${url}/"><input name="a"></form><script>document.forms[0].submit()</script>`,
  ),
  markup(
    'form POST',
    ({ url }) =>
      `<form method="post" action="${url}/"><input name="a"></form><script>document.forms[0].submit()</script>`,
  ),
  markup(
    'form into a frame',
    ({ url }) =>
      `<iframe name="f"></iframe><form target="f" method="post" action="${url}/"></form><script>document.forms[0].submit()</script>`,
  ),
  markup('link click', ({ url }) => `<a href="${url}/">x</a><script>document.links[0].click()</script>`),
  markup(
    'link click with ping',
    ({ url }) => `<a href="#x" ping="${url}/">x</a><script>document.links[0].click()</script>`,
  ),
  markup(
    'link to a new page',
    ({ url }) => `<a target="_blank" href="${url}/">x</a><script>document.links[0].click()</script>`,
  ),
  markup(
    'link download',
    ({ url }) => `<a download href="${url}/">x</a><script>document.links[0].click()</script>`,
  ),
  script(
    'window.open',
    ({ url }) => `open('${url}/'); open('about:blank')?.document.write('<img src="${url}/">')`,
  ),
  markup(
    'MathML href',
    ({ url }) =>
      `<math href="${url}/"><mi xlink:href="${url}/">x</mi></math><script>document.querySelector('math').dispatchEvent(new MouseEvent('click', {bubbles: true}))</script>`,
  ),
  script(
    'javascript: navigation',
    ({ url }) => `location.href = "javascript:void(new Image().src='${url}/')"`,
  ),
  script('view-source: navigation', ({ url }) => `location.href = 'view-source:${url}/'`),
  script('external scheme', ({ at }) => `location.href = 'ssh://${at}/'`),
];

const headers: Vector[] = [
  {
    ...markup('CSP report-uri', () => `<img src="data:,x"><script>1</script>`),
    headers: ({ url }) => ({ 'content-security-policy': `default-src 'none'; report-uri ${url}/` }),
  },
  {
    ...markup(
      'CSP report-uri by meta',
      ({ url }) =>
        `<meta http-equiv="content-security-policy" content="default-src 'none'; report-uri ${url}/"><img src="data:,x">`,
    ),
  },
  {
    ...markup('Reporting API', () => `<script>1</script>`),
    headers: ({ url }) => ({
      'reporting-endpoints': `main="${url}/", default="${url}/"`,
      'report-to': `{"group":"main","max_age":99,"endpoints":[{"url":"${url}/"}]}`,
      'content-security-policy': `default-src 'none'; report-to main`,
    }),
  },
  {
    ...markup('network error logging', () => `<img src="gone">`),
    headers: ({ url }) => ({
      'report-to': `{"group":"nel","max_age":99,"endpoints":[{"url":"${url}/"}]}`,
      nel: `{"report_to":"nel","max_age":99,"success_fraction":1,"failure_fraction":1}`,
    }),
  },
  {
    ...markup('Link header', () => `<p>x</p>`),
    headers: ({ url }) => ({
      link: `<${url}/>; rel=preload; as=image, <${url}/p>; rel=preconnect, <${url}/s>; rel=stylesheet`,
    }),
  },
  { ...markup('Refresh header', () => `<p>x</p>`), headers: ({ url }) => ({ refresh: `0;url=${url}/` }) },
  {
    ...markup('Speculation-Rules header', () => `<p>x</p>`),
    headers: ({ url }) => ({ 'speculation-rules': `"${url}/"` }),
  },
  {
    ...markup('Alt-Svc header', () => `<img src="again">`),
    headers: ({ port }) => ({ 'alt-svc': `h3=":${port}", h2=":${port}"` }),
  },
  {
    ...markup(
      'redirect of an image',
      ({ base }) => `<img src="${base}/redirect"><iframe src="${base}/redirect"></iframe>`,
    ),
    files: ({ url }) => ({ redirect: { type: 'redirect', body: `${url}/` } }),
  },
];

const documents: Vector[] = [
  {
    ...markup(
      'xml-stylesheet',
      ({ url }) =>
        `<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="${url}/"?><?xml-stylesheet type="text/css" href="${url}/"?><a/>`,
    ),
    type: 'text/xml',
  },
  {
    ...markup(
      'external entity',
      ({ url }) =>
        `<?xml version="1.0"?><!DOCTYPE a SYSTEM "${url}/d" [<!ENTITY % p SYSTEM "${url}/p"> %p; <!ENTITY e SYSTEM "${url}/e">]><a>&amp;</a>`,
    ),
    type: 'text/xml',
  },
  {
    ...markup(
      'SVG document',
      ({ url }) =>
        `<?xml-stylesheet href="${url}/"?><svg xmlns="http://www.w3.org/2000/svg"><image href="${url}/"/><script href="${url}/"/></svg>`,
    ),
    type: 'image/svg+xml',
  },
  {
    ...markup('print header and footer', () => `<p>x</p>`),
    print: ({ url }) => ({
      displayHeaderFooter: true,
      headerTemplate: `<img src="${url}/"><link rel="stylesheet" href="${url}/"><iframe src="${url}/"></iframe><script>fetch('${url}/')</script>`,
      footerTemplate: `<p style="background:url(${url}/)">x</p><meta http-equiv="refresh" content="0;url=${url}/">`,
    }),
  },
];

/** Vectors that navigate, use a response header, or use a document that is not HTML. */
export const documentVectors: Vector[] = [...navigations, ...headers, ...documents];
