// Starts a pool and one conversion with the isolation in the argument, for tests that kill this process.
import { findOffice, type Isolation } from '../../../plugins/office/engine/installation.ts';
import { OfficePool } from '../../../plugins/office/engine/pool.ts';

const installation = await findOffice(undefined);
if (!installation) throw new Error('LibreOffice is not installed');
const isolation = process.argv[2] as Isolation;
const limits = { timeoutMs: 60_000, memoryBytes: 1e9, maxResultBytes: 27e6 };
const pool = new OfficePool({ ...installation, isolation }, { size: 0, limits, log: console });
const file = new TextEncoder().encode('text\n'.repeat(200_000));
await pool.convert({
  file,
  extension: 'txt',
  filter: undefined,
  password: undefined,
  options: {},
  signal: undefined,
});
