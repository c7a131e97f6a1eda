// Is checked with the code of the service, which does not know the names of pages. If `tsconfig.service.json`
// allowed one of them, `tsc` would report its line as an unused directive.

// @ts-expect-error -- a service has no pages, so tsc must reject this name
export const page = document;
// @ts-expect-error -- a service has no pages, so tsc must reject this name
export const frame = window;
// @ts-expect-error -- a service has no pages, so tsc must reject this name
export const style = getComputedStyle;
// @ts-expect-error -- a service has no pages, so tsc must reject this name
export const isElement = (value: unknown) => value instanceof HTMLElement;
