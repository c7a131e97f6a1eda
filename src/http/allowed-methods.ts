import { AppError } from '../errors.ts';

/** A route of the router, such as `/v1/templates/:id`. */
interface KnownRoute {
  method: string;
  path: string;
}

const MAX_SHOWN_CHARACTERS = 200;

/**
 * Creates the function that returns the error for a request that matches no route: 405 with the allowed
 * methods for a known path, 404 for any other path.
 */
export function explainUnrouted(routes: readonly KnownRoute[]): (method: string, path: string) => AppError {
  const byPath = Map.groupBy(routes, ({ path }) => path);
  const known = [...byPath].map(([path, sharing]) => ({
    segments: toSegments(path),
    methods: sharing.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method)),
  }));
  return (method, path) => {
    const given = toSegments(path);
    const matching = known.filter(({ segments }) => matches(segments, given));
    // `/v1/templates/preview` is a route of its own, not an id of `/v1/templates/:id`.
    const fixed = matching.filter(({ segments }) => segments.every((segment) => !segment.startsWith(':')));
    const allowed = (fixed.length > 0 ? fixed : matching).flatMap(({ methods }) => methods);
    const shown = path.slice(0, MAX_SHOWN_CHARACTERS);
    if (allowed.length === 0)
      return new AppError('NOT_FOUND', `there is no route ${method} ${shown}; /docs lists all routes`);
    const allow = [...new Set(allowed)].toSorted();
    return new AppError('METHOD_NOT_ALLOWED', `${shown} does not allow ${method}, only ${allow.join(', ')}`, {
      allow,
    });
  };
}

/** Splits a path. Like the router, ignores a trailing slash. */
function toSegments(path: string): string[] {
  return (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
}

/** Tells whether a path matches a route. A parameter matches one segment. */
function matches(route: readonly string[], path: readonly string[]): boolean {
  const fits = (segment: string, index: number) =>
    segment.startsWith(':') ? path[index] !== '' : segment === path[index];
  return route.length === path.length && route.every(fits);
}
