import { z } from 'zod';

/** What has to be there before an agent is upgraded. Source: specification 2, section 5. */
export const UPGRADE_CHECKS = ['bash', 'unzip', 'curl', 'root', 'atd'] as const;
export const upgradeCheck = z.enum(UPGRADE_CHECKS);
export type UpgradeCheck = z.infer<typeof upgradeCheck>;

/** What the person reads whom a check stops. Source: specification 2, section 5. */
export const checkFailure = (check: string): string => `Pre-upgrade check failed: ${check}`;

/** How an upgrade that was tried ended; `returned`: the version before came back by itself. */
export const upgradeEnd = z.object({
  id: z.string().max(80),
  from: z.string().max(60),
  to: z.string().max(60),
  outcome: z.enum(['done', 'returned']),
  /** Epoch ms of the device's clock. */
  at: z.number(),
});
export type UpgradeEnd = z.infer<typeof upgradeEnd>;

/** What a device says before it is upgraded. */
export const upgradeReadiness = z.object({
  version: z.string().max(60),
  checks: z.array(z.object({ check: upgradeCheck, isMet: z.boolean() })).max(20),
  /** Why this agent cannot be upgraded at all, such as one that runs from its source. */
  obstacle: z.string().max(1000).nullable(),
  /** The upgrade whose new version runs now and has not been confirmed. */
  trial: z.string().max(80).nullable(),
  last: upgradeEnd.nullable(),
});
export type UpgradeReadiness = z.infer<typeof upgradeReadiness>;

/** Bytes of one program at most. */
const PROGRAM_BYTES = 512 * 1024 * 1024;

/**
 * What one device is to run, as the cloud signs it: the text is what the signature is of, so it travels as text. The
 * bytes of the files follow one after the other.
 */
export const upgradeManifest = z.object({
  for: z.literal('albedo-agent-upgrade/1'),
  id: z.uuid(),
  device: z.uuid(),
  version: z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}$/),
  /** Epoch ms; nothing is installed after it. */
  expiresAt: z.number(),
  /** The oldest Node that it runs on. */
  node: z.number().int(),
  files: z
    .array(
      z.object({
        path: z.string().regex(/^(?:[a-z0-9][a-z0-9._-]{0,60}\/){0,3}[a-z0-9][a-z0-9._-]{0,60}$/i),
        size: z.number().int().min(0).max(PROGRAM_BYTES),
        /** Hexadecimal. */
        sha256: z.string().regex(/^[0-9a-f]{64}$/),
        mode: z.union([z.literal(0o644), z.literal(0o755)]),
      }),
    )
    .min(1)
    .max(200),
});
export type UpgradeManifest = z.infer<typeof upgradeManifest>;

/** A manifest with the signature of it (base64, ECDSA and SHA-256) and the certificate of its key (PEM). */
export const signedManifest = z.object({
  manifest: z.string().max(100_000),
  signature: z.string().max(500),
  certificate: z.string().max(10_000),
});
export type SignedManifest = z.infer<typeof signedManifest>;

/**
 * Minutes that a new version has to report in before the one before comes back. `at` counts from the full minute, so that it has
 * between two and three.
 */
export const TRIAL_MINUTES = 3;

/** Steps of an upgrade on the device, in their order; a device that is cut off in any of them runs the old version or the new one. */
export const UPGRADE_STEPS = [
  'verified',
  'received',
  'tried',
  'placed',
  'kept',
  'marked',
  'guarded',
  'switched',
] as const;
export type UpgradeStep = (typeof UPGRADE_STEPS)[number];

/** The agent that new packs hold and devices are upgraded to. */
export const agentBuild = z.object({
  version: z.string(),
  /** First twelve digits of the hash: what tells two builds of one version apart. */
  build: z.string(),
  /** Hexadecimal, of the program. */
  sha256: z.string(),
  sizeBytes: z.number().int(),
  /** Epoch ms. */
  builtAt: z.number(),
});
export type AgentBuild = z.infer<typeof agentBuild>;
