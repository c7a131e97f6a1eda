import { AppError } from '../errors.ts';

/** A route as the router knows it: `/v1/templates/:id`. */
interface KnownRoute {
  method: string;
  path: string;
}

const MAX_SHOWN_CHARACTERS = 200;

/**
 * Explains requests that no route takes, from the routes that there are: a known path with another method is 405 with the methods that
 * it has, any other path is 404.
 */
export function explainUnrouted(routes: readonly KnownRoute[]): (method: string, path: string) => AppError {
  const byPath = Map.groupBy(routes, ({ path }) => path);
  const known = [...byPath].map(([path, sharing]) => ({
    segments: toSegments(path),
    methods: sharing.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : method)),
  }));
  return (method, path) => {
    const asked = toSegments(path);
    const allowed = known.flatMap(({ segments, methods }) => (isOf(segments, asked) ? methods : []));
    const shown = path.slice(0, MAX_SHOWN_CHARACTERS);
    if (allowed.length === 0)
      return new AppError('NOT_FOUND', `there is no route ${method} ${shown}; /docs lists all`);
    const allow = [...new Set(allowed)].toSorted();
    return new AppError('METHOD_NOT_ALLOWED', `${shown} does not take ${method}, only ${allow.join(', ')}`, {
      allow,
    });
  };
}

/** Splits a path. A slash at the end makes no difference, as in the router. */
function toSegments(path: string): string[] {
  return (path.endsWith('/') ? path.slice(0, -1) : path).split('/');
}

/** Tells whether a path is one of a route. A parameter stands for one segment. */
function isOf(route: readonly string[], path: readonly string[]): boolean {
  const fits = (segment: string, index: number) =>
    segment.startsWith(':') ? path[index] !== '' : segment === path[index];
  return route.length === path.length && route.every(fits);
}
