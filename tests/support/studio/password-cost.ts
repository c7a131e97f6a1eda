// Importing this file makes the password hashes of this process cheap. A hash of the product takes a fifth of
// a second of processor time, and tests of the studio make hundreds.

const hash = Bun.password.hash.bind(Bun.password);
let isCheap = true;

Bun.password.hash = (password, algorithm) =>
  hash(password, isCheap && algorithm === 'argon2id' ? { algorithm, memoryCost: 8, timeCost: 1 } : algorithm);

/** Runs work whose password hashes have the cost of the product. */
export async function atFullCost<T>(work: () => Promise<T>): Promise<T> {
  isCheap = false;
  try {
    return await work();
  } finally {
    isCheap = true;
  }
}
