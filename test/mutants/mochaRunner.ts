/**
 * Runs the tests for Stryker, in a process of their own. Stryker's own runner
 * does not know the files of Mocha 12.
 */
import { chmod, glob } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import {
  INSTRUMENTER_CONSTANTS,
  type StrykerOptions,
} from '@stryker-mutator/api/core';
import {
  commonTokens,
  declareClassPlugin,
  PluginKind,
  tokens,
} from '@stryker-mutator/api/plugin';
import {
  determineHitLimitReached,
  type DryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import Mocha from 'mocha';
import { load } from '../host/mocha.ts';

/** The variable that the mutated code reads. */
interface Instrumentation {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: NonNullable<
    Extract<DryRunResult, { status: DryRunStatus.Complete }>['mutantCoverage']
  >;
  hitCount?: number | undefined;
  hitLimit?: number | undefined;
}

/** The name of this plugin, and of the option with its `ChosenTests`. */
export const mochaRunner = 'switchboard';

/**
 * Number behind the addresses of our files. A fault in a constant needs a new
 * copy of them, for which a process is slow.
 */
let copy = 0;

registerHooks({
  resolve(specifier, context, nextResolve) {
    const resolved = nextResolve(specifier, context);
    const isOurs =
      copy > 0 &&
      /\/(?:src|test)\//.test(resolved.url) &&
      !resolved.url.includes('/node_modules/');
    return isOurs
      ? { ...resolved, url: `${resolved.url.replace(/\?.*$/, '')}?${copy}` }
      : resolved;
  },
});

export interface ChosenTests {
  /** Patterns of test files, in the order in which they run. */
  readonly patterns: readonly string[];
  /** A pattern of the titles to leave out. */
  readonly without: string | undefined;
}

class MochaRunner implements TestRunner {
  static inject = tokens(commonTokens.options);
  readonly #tests: ChosenTests;
  readonly #code = ((globalThis as Record<string, unknown>)[
    INSTRUMENTER_CONSTANTS.NAMESPACE
  ] ??= {}) as Instrumentation;
  #loaded: Mocha | undefined;
  #hangs = false;

  constructor(options: StrykerOptions) {
    this.#tests = (
      options as unknown as Record<typeof mochaRunner, ChosenTests>
    )[mochaRunner];
  }

  capabilities() {
    return { reloadEnvironment: true };
  }

  async dryRun(): Promise<DryRunResult> {
    const result = await this.#run();
    return result.status === DryRunStatus.Complete && this.#code.mutantCoverage
      ? { ...result, mutantCoverage: this.#code.mutantCoverage }
      : result;
  }

  async mutantRun({
    activeMutant,
    testFilter,
    hitLimit,
    mutantActivation,
    reloadEnvironment,
  }: MutantRunOptions): Promise<MutantRunResult> {
    // A test that did not end may still be running. Stryker tries again in a
    // new process.
    if (this.#hangs)
      throw new Error('A test of the run before this one did not end.');
    if (reloadEnvironment) this.#unload();
    this.#code.hitLimit = hitLimit;
    this.#code.hitCount = hitLimit === undefined ? undefined : 0;
    const inStatic = mutantActivation === 'static';
    return toMutantRunResult(
      await this.#run(activeMutant.id, inStatic, testFilter),
    );
  }

  async #run(
    mutant?: string,
    whileLoading = false,
    only?: readonly string[],
  ): Promise<DryRunResult> {
    this.#code.activeMutant = whileLoading ? mutant : undefined;
    const mocha = (this.#loaded ??= await this.#load());
    this.#code.activeMutant = mutant;
    const { without } = this.#tests;
    const all =
      without === undefined ? /^/ : new RegExp(`^(?!.*(?:${without}))`);
    mocha.grep(only ? new RegExp(`^(?:${only.map(escaped).join('|')})$`) : all);
    const tests: TestResult[] = [];
    await new Promise<void>((ended) => {
      const runner = mocha.run(() => {
        ended();
      });
      const note = (test: Mocha.Runnable, failure?: Error) => {
        const name = test.fullTitle();
        this.#hangs ||= test.timedOut;
        const seen = { id: name, name, timeSpentMs: test.duration ?? 0 };
        tests.push(
          failure
            ? {
                ...seen,
                status: TestStatus.Failed,
                failureMessage: failure.message,
              }
            : { ...seen, status: TestStatus.Success },
        );
      };
      runner.on('pass', note);
      runner.on('fail', note);
    });
    return (
      determineHitLimitReached(this.#code.hitCount, this.#code.hitLimit) ?? {
        status: DryRunStatus.Complete,
        tests,
      }
    );
  }

  #unload(): void {
    this.#loaded?.dispose();
    this.#loaded = undefined;
    copy++;
  }

  async #load(): Promise<Mocha> {
    // Some tests run our code as another user, who must be able to read the
    // copy.
    await chmod('.', 0o755);
    const mocha = new Mocha({
      timeout: 10_000,
      bail: true,
      reporter: Mocha.reporters.Base,
    });
    mocha.cleanReferencesAfterRun(false);
    for (const pattern of this.#tests.patterns) {
      const files = await Array.fromAsync(glob(pattern));
      for (const file of files.sort()) await load(mocha, resolve(file));
    }
    const code = this.#code;
    mocha.suite.beforeEach(function () {
      code.currentTestId = this.currentTest?.fullTitle();
    });
    return mocha;
  }
}

function escaped(text: string): string {
  return text.replace(/[/\-\\^$*+?.()|[\]{}]/g, '\\$&');
}

export const strykerPlugins = [
  declareClassPlugin(PluginKind.TestRunner, mochaRunner, MochaRunner),
];
