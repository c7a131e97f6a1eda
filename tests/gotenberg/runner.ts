import type { NamedScenario, SourceFolder } from './source-folder.ts';
import { environmentOf } from './source-folder.ts';
import { runStep } from './steps.ts';
import type { StartTarget, Target } from './target.ts';
import { World, type WorldOptions } from './world.ts';

/** The outcome of a scenario. */
export interface Outcome {
  scenario: NamedScenario;
  /** `undefined` if it passed. */
  failure?: { step: string; line: number; reason: string };
}

export type RunOptions = Pick<WorldOptions, 'hostName' | 'version'> & {
  source: Pick<SourceFolder, 'scenarios' | 'folder'>;
  start: StartTarget;
  onOutcome?: (outcome: Outcome) => void;
};

/** Runs scenarios one after another; those with the same environment share a service. */
export async function runScenarios({ source, start, onOutcome, ...options }: RunOptions): Promise<Outcome[]> {
  await using services = new OneService(start);
  const outcomes: Outcome[] = [];
  const ordered = source.scenarios.toSorted((a, b) => keyOf(a).localeCompare(keyOf(b)));
  for (const scenario of ordered) {
    const outcome = await runScenario(scenario, {
      ...options,
      folder: source.folder,
      use: (environment) => services.use(environment),
    });
    onOutcome?.(outcome);
    outcomes.push(outcome);
  }
  return outcomes;
}

async function runScenario(scenario: NamedScenario, options: WorldOptions): Promise<Outcome> {
  await using world = new World(options);
  for (const step of scenario.steps) {
    try {
      await runStep(world, step);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { scenario, failure: { step: step.text, line: step.line, reason } };
    }
  }
  return { scenario };
}

/** The service that runs now. Another environment starts another one. */
class OneService implements AsyncDisposable {
  readonly #start: StartTarget;
  #running: { key: string; target: Target } | undefined;

  constructor(start: StartTarget) {
    this.#start = start;
  }

  async use(environment: Readonly<Record<string, string>>): Promise<Target> {
    const key = JSON.stringify(environment);
    if (this.#running?.key === key) return this.#running.target;
    await this[Symbol.asyncDispose]();
    const target = await this.#start(environment);
    this.#running = { key, target };
    return target;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.target[Symbol.asyncDispose]();
  }
}

function keyOf({ steps }: NamedScenario): string {
  return JSON.stringify(steps.map(environmentOf).findLast((environment) => environment !== undefined) ?? {});
}
