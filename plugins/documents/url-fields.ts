import { fieldGroup, Type } from '../../src/plugin.ts';

/** The limits of {@link urlFields} that their schemas do not check completely. */
export const urlLimits = {
  /** Of the encoded URL. With the credentials it fits into the request head that the egress guard accepts. */
  urlCharacters: 4_096,
  /** Of all cookies and headers together. */
  credentialsCharacters: 8_000,
  headers: 50,
};

const MAX_COOKIES = 50;

const Text = (maxLength: number, description: string, minLength = 0) =>
  Type.String({ minLength, maxLength, description });

const Cookie = Type.Object(
  {
    name: Text(200, 'The name of the cookie.', 1),
    value: Text(4_000, 'ASCII without semicolons and control characters.'),
    domain: Type.Optional(
      Text(
        255,
        "The URL's host or a parent domain of it. The cookie is sent only to the URL's origin in either case.",
        1,
      ),
    ),
    path: Type.Optional(Text(1_000, 'The path below which the cookie is sent; `/` when absent.', 1)),
  },
  { additionalProperties: false, title: 'Cookie' },
);

/** The fields of a request whose source is a URL. */
export const urlFields = fieldGroup('UrlFields', {
  url: Type.Optional(
    Type.String({
      title: 'SourceUrl',
      minLength: 1,
      maxLength: urlLimits.urlCharacters,
      expected: `an http or https URL of at most ${urlLimits.urlCharacters} characters`,
      description: 'An http or https URL, whose page is loaded with its scripts and printed.',
    }),
  ),
  cookies: Type.Optional(
    Type.Array(Cookie, {
      title: 'Cookies',
      maxItems: MAX_COOKIES,
      description:
        'Only with `url`: cookies, sent only to its origin (scheme, host and port). Scripts cannot read them.',
    }),
  ),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      title: 'RequestHeaders',
      description: `Only with \`url\`: up to ${urlLimits.headers} request headers, sent only to its origin. Cookies and headers have at most ${urlLimits.credentialsCharacters} characters together.`,
    }),
  ),
  basic_auth: Type.Optional(
    Type.Object(
      { username: Text(500, 'Without colons.'), password: Text(1_000, 'The password.') },
      {
        additionalProperties: false,
        title: 'BasicAuth',
        description:
          'Only with `url`: the user name and password of HTTP Basic authentication, sent only to its origin.',
      },
    ),
  ),
  user_agent: Type.Optional(
    Type.String({
      title: 'UserAgent',
      minLength: 1,
      maxLength: 500,
      description: 'Only with `url`: the `User-Agent` of all requests, including those to other origins.',
    }),
  ),
});
