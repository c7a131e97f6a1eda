import { Type } from '@sinclair/typebox';

/** The maximum length of a URL. With {@link MAX_CREDENTIALS_CHARACTERS} it fits into the request head that the egress guard accepts. */
export const MAX_URL_CHARACTERS = 4_096;

/** The maximum length of all cookies and headers together. */
export const MAX_CREDENTIALS_CHARACTERS = 8_000;

const MAX_COOKIES = 50;

/** The maximum number of headers. */
export const MAX_HEADERS = 50;

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
export const urlFields = {
  url: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_URL_CHARACTERS,
      expected: `an http or https URL of at most ${MAX_URL_CHARACTERS} characters`,
      description: 'An http or https URL, whose page is loaded with its scripts and printed.',
    }),
  ),
  cookies: Type.Optional(
    Type.Array(Cookie, {
      maxItems: MAX_COOKIES,
      description:
        'Only with `url`: cookies, sent only to its origin (scheme, host and port). Scripts cannot read them.',
    }),
  ),
  headers: Type.Optional(
    Type.Record(Type.String(), Type.String(), {
      description: `Only with \`url\`: up to ${MAX_HEADERS} request headers, sent only to its origin. Cookies and headers have at most ${MAX_CREDENTIALS_CHARACTERS} characters together.`,
    }),
  ),
  basic_auth: Type.Optional(
    Type.Object(
      { username: Text(500, 'Without colons.'), password: Text(1_000, 'The password.') },
      {
        additionalProperties: false,
        description:
          'Only with `url`: the user name and password of HTTP Basic authentication, sent only to its origin.',
      },
    ),
  ),
  user_agent: Type.Optional(
    Text(500, 'Only with `url`: the `User-Agent` of all requests, including those to other origins.', 1),
  ),
};
