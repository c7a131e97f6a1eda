/** The part of a document that has operations. */
interface WithOperations {
  tags: readonly { name: string }[];
  paths: Readonly<Record<string, Readonly<Record<string, object>>>>;
  webhooks: Readonly<Record<string, Readonly<Record<string, object>>>>;
  components: { securitySchemes: unknown };
}

/**
 * Leaves out the operations of other APIs, which have clients of their own, with their tags and security
 * schemes.
 */
export function withoutProtocols<T extends WithOperations>(document: T): T {
  const paths = Object.entries(document.paths).flatMap(([path, methods]) => {
    const own = Object.entries(methods).filter(([, operation]) => !('x-platen-protocol' in operation));
    return own.length > 0 ? [[path, Object.fromEntries(own)] as const] : [];
  });
  const operations = [...paths, ...Object.entries(document.webhooks)].flatMap(([, methods]) =>
    Object.values(methods),
  );
  const used = new Set(operations.flatMap((operation) => (operation as { tags?: string[] }).tags ?? []));
  const { apiKey } = document.components.securitySchemes as { apiKey: unknown };
  return {
    ...document,
    tags: document.tags.filter(({ name }) => used.has(name)),
    paths: Object.fromEntries(paths),
    components: { ...document.components, securitySchemes: { apiKey } },
  };
}
