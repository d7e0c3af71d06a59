import { checkFailure } from '@albedo/contract/upgrades/upgrades.schema';
import { AskError } from '../link/ask-error.ts';
import { readTrust, type TrustFiles } from '../trust/signer.ts';
import { upgradeChecks } from '../upgrade/checks.ts';
import type { Launch } from '../upgrade/guard.ts';
import { install } from '../upgrade/install.ts';
import { verifiedManifest } from '../upgrade/manifest.ts';
import { type Program, readEnd, readTrial } from '../upgrade/program.ts';
import { confirmTrial } from '../upgrade/trial.ts';
import type { AskHandlers } from './asks.ts';

export interface Upgradable {
  /** Null where this agent is not installed as a program of its own. */
  program: Program | null;
  version: string;
  launch: Launch;
  trust: () => TrustFiles;
  /** Ends this process and lets the version that the link names begin. */
  restart: () => void;
}

const OBSTACLE = 'This agent was not put there by its installer, so that it cannot be upgraded from here.';
/** The answer has to be on its way before the process ends, ms. */
const ANSWER_MS = 500;

/** Another version of the agent: asked whether it can be, installed, confirmed. */
export function upgradeAsks(
  of: Upgradable,
): Pick<AskHandlers, 'upgrade.check' | 'upgrade.install' | 'upgrade.confirm'> {
  const { program, version } = of;
  let isInstalling = false;
  return {
    'upgrade.check': async () => ({
      version,
      checks: upgradeChecks(),
      obstacle: program === null ? OBSTACLE : null,
      trial: program && (readTrial(program.trialFile)?.id ?? null),
      last: program && readEnd(program),
    }),
    'upgrade.install': async ({ input, signal, incoming, tell }) => {
      if (program === null) throw new AskError('unable', OBSTACLE);
      if (isInstalling || readTrial(program.trialFile)) {
        throw new AskError('busy', 'Another upgrade of this agent is under way.');
      }
      isInstalling = true;
      try {
        const failed = upgradeChecks().find(({ isMet }) => !isMet);
        if (failed) throw new AskError('unable', checkFailure(failed.check));
        const manifest = verifiedManifest(input, { ...readTrust(of.trust()), version });
        const onStep = (step: Parameters<Parameters<typeof install>[0]['onStep']>[0]) =>
          tell({ step }) as Promise<void>;
        await onStep('verified');
        const { trialMinutes } = input;
        const { launch } = of;
        await install({ program, manifest, version, incoming, trialMinutes, launch, signal, onStep });
        setTimeout(of.restart, ANSWER_MS);
        return { version: manifest.version };
      } finally {
        isInstalling = false;
      }
    },
    'upgrade.confirm': async ({ input: { id } }) => ({
      isConfirmed: program !== null && (await confirmTrial(program, id, version)),
    }),
  };
}
