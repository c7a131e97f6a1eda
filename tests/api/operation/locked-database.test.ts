import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { TestService } from '../../support/service/service.ts';
import { onMongoAndS3 } from '../../support/suite.ts';

/** Holds the write lock of a database until its standard input ends. */
const HOLD = `
  import { Database } from 'bun:sqlite';
  const database = new Database(process.argv[1]);
  // The service may be writing at this moment.
  database.run('PRAGMA busy_timeout = 10000');
  database.run('BEGIN IMMEDIATE');
  process.stdout.write('locked');
  await Bun.stdin.text();
  database.run('COMMIT');`;

test.skipIf(onMongoAndS3)(
  'a write waits for the lock of another process, and other requests do not',
  async () => {
    await using service = await TestService.start();
    const command = [process.execPath, '-e', HOLD, join(service.dataDir, 'platen.sqlite')];
    const holder = Bun.spawn(command, { stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' });
    await holder.stdout.getReader().read();
    let isWritten = false;
    const writing = service
      .post('/v1/templates', { name: 'waits', html_content: '<p>a</p>' })
      .finally(() => (isWritten = true));
    // The lock is held during 20 requests. If the write blocked the event loop, it would fail before they are
    // answered.
    for (let n = 0; n < 20; n += 1) {
      expect((await service.get('/healthz', null)).status).toBe(200);
      expect((await service.get('/v1/templates')).status).toBe(200);
    }
    expect(isWritten).toBe(false);
    await holder.stdin.end();
    expect((await writing).status).toBe(201);
    expect(await holder.exited).toBe(0);
  },
);
