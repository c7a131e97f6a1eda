import { expect, test } from 'bun:test';
import { isDeadOwner, nameLeaseOwner } from './lease-owner.ts';

async function nameOfAnother(): Promise<string> {
  const script = `import { nameLeaseOwner } from '${import.meta.dir}/lease-owner.ts'; console.log(nameLeaseOwner());`;
  const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe' });
  const name = (await new Response(child.stdout).text()).trim();
  await child.exited;
  return name;
}

test('this process lives, under each of its names', () => {
  const [one, other] = [nameLeaseOwner(), nameLeaseOwner()];
  expect(one).not.toBe(other);
  expect([isDeadOwner(one), isDeadOwner(other)]).toEqual([false, false]);
});

test.if(process.platform === 'linux')(
  'a process that has ended is dead, also when its id is used again',
  async () => {
    const dead = await nameOfAnother();
    expect(isDeadOwner(dead)).toBe(true);
    const [place, , startedAt, unique] = dead.split('/');
    expect(isDeadOwner([place, process.pid, startedAt, unique].join('/'))).toBe(true);
  },
);

test.if(process.platform === 'linux')(
  'one that exists and of which nothing can be read is not called dead',
  () => {
    const [place, , startedAt, unique] = nameLeaseOwner().split('/');
    // Zero exists for kill(2), as the caller's process group, and has no entry in `/proc`.
    expect(isDeadOwner([place, 0, startedAt, unique].join('/'))).toBe(false);
  },
);

test('nobody of another machine, and nobody whose name says nothing, is called dead', async () => {
  const [, pid, startedAt, unique] = (await nameOfAnother()).split('/');
  expect(isDeadOwner(['elsewhere', pid, startedAt, unique].join('/'))).toBe(false);
  expect(isDeadOwner(crypto.randomUUID())).toBe(false);
  expect(isDeadOwner('')).toBe(false);
});
