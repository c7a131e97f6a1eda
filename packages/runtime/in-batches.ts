interface Waiting<Input, Output> {
  input: Input;
  resolve: (output: Output) => void;
  reject: (reason: unknown) => void;
}

/**
 * Returns a function that does work on one input. Inputs that come while earlier ones are worked on wait, and
 * are then worked on together, at most `size` at once.
 * @param work returns an output for each input, in their order; its failure is that of all of them
 */
export function inBatches<Input, Output>(
  work: (inputs: readonly Input[]) => Promise<readonly Output[]>,
  { size }: { size: number },
): (input: Input) => Promise<Output> {
  const waiting: Waiting<Input, Output>[] = [];
  let isRunning = false;

  async function run(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) await runBatch(waiting.splice(0, size));
    isRunning = false;
  }

  async function runBatch(batch: readonly Waiting<Input, Output>[]): Promise<void> {
    try {
      const outputs = await work(batch.map(({ input }) => input));
      for (const [index, { resolve }] of batch.entries()) resolve(outputs[index] as Output);
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  }

  return (input) =>
    new Promise((resolve, reject) => {
      waiting.push({ input, resolve, reject });
      if (!isRunning) void run();
    });
}
