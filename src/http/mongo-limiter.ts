import { RateLimiterMongo } from 'rate-limiter-flexible';
import { INDEX_LIMIT_MS, type MongoConnection } from '../store/mongo-connection.ts';
import type { Limiter, MakeLimiter } from './rate-limit.ts';

/**
 * Creates limiters that count in MongoDB for all replicas. Each request is one atomic write. After a key has
 * reached its limit, its requests are rejected from memory until the window ends. `consume` throws
 * `StoreUnavailableError` while the server is unavailable.
 */
export async function createMongoLimiters(connection: MongoConnection): Promise<MakeLimiter> {
  const make = (name: string, points: number) =>
    new RateLimiterMongo({
      storeClient: connection.volatile,
      tableName: 'rate_limits',
      keyPrefix: name,
      points,
      duration: 1,
      inMemoryBlockOnConsumed: points,
      disableIndexesCreation: true,
    });
  await connection.run(() => make('indexes', 1).createIndexes(), INDEX_LIMIT_MS);
  return (name, points): Limiter => {
    const limiter = make(name, points);
    return {
      points,
      duration: limiter.duration,
      consume: (key) => connection.run(() => limiter.consume(key)),
    };
  };
}
