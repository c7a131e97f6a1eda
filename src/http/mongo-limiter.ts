import { RateLimiterMongo } from 'rate-limiter-flexible';
import { INDEX_LIMIT_MS, type MongoConnection } from '../store/mongo-connection.ts';
import type { Limiter, MakeLimiter } from './rate-limit.ts';

/**
 * Makes limiters that count in MongoDB, for all replicas together. Takes what a key has left by one atomic write; what is over the
 * limit is refused from memory until the window ends. @throws {StoreUnavailableError} from each `consume` while the server is away.
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
