import { invalid, RawJson } from '../../../src/plugin.ts';
import type { MadePdf } from '../../files/contract.ts';
import type { OperationsResult, PdfToolsService } from '../contract.ts';
import type { Operation, OperationContext } from '../operation.ts';
import { inputOf } from './caller-input.ts';
import { checkOrder } from './order.ts';
import { readSteps } from './read-steps.ts';
import { startSteps } from './run-steps.ts';
import { stepKindsOf, type StepKind } from './step-kinds.ts';

/** The parts of a split PDF, which the last step would have delivered. */
class Parts {
  readonly made: readonly MadePdf[];

  constructor(made: readonly MadePdf[]) {
    this.made = made;
  }
}

/** Operations that store files other than PDFs are for the routes. */
async function notInMemory(): Promise<never> {
  throw new Error('the operation stores files, so it cannot run in memory');
}

/** Creates the function that runs operations for another plugin, without storing or delivering anything. */
export function createOperationsRunner({
  operations,
  ...context
}: OperationContext & { operations: readonly Operation[] }): PdfToolsService['run'] {
  const { files, prove, readClaims } = context;
  const kindsWith = (mayProtect: boolean): ReadonlyMap<string, StepKind> => {
    const kinds = stepKindsOf(operations, { ...context, mayProtect });
    return new Map(kinds.map((kind) => [kind.name, kind]));
  };
  const kinds = kindsWith(context.mayProtect);
  const withProtection = context.mayProtect ? kinds : kindsWith(true);
  const inMemory: OperationContext['files'] = {
    ...files,
    // The pipeline returns this as the answer of the last step.
    deliverParts: async (_, operation, parts) =>
      new Parts(parts.map((part) => ({ steps: [{ do: operation }], ...part }))) as never,
    deliverArchive: notInMemory,
    save: notInMemory,
  };

  return async (caller, { pdfs, steps, allowProtection = false }): Promise<OperationsResult> => {
    const [first] = pdfs;
    if (first === undefined) throw invalid('pdfs', 'must contain at least one PDF');
    const planned = readSteps(steps, allowProtection ? withProtection : kinds);
    checkOrder(planned, { pdfs: pdfs.length, generates: false, features: new Map() });
    const waiting = await startSteps(planned, {
      input: inputOf(caller),
      files: inMemory,
      prove,
      readClaims,
      outlivesCaller: false,
    });
    try {
      const result = await waiting.run(pdfs.map((raw) => ({ raw })));
      if ('made' in result) return { made: await files.markResult(result.made) };
      const { answer } = result;
      if (answer instanceof Parts) {
        const parts: MadePdf[] = [];
        for (const part of answer.made) parts.push(await files.markResult(part));
        return { parts };
      }
      if (answer instanceof RawJson) return { answer };
      throw new Error('the last step gave no PDF, no parts and no JSON');
    } finally {
      waiting.cancel();
    }
  };
}
