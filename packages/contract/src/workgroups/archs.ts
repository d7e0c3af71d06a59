import { z } from 'zod';

/** Processor kinds an agent pack can be made for. */
export const ARCHS = ['amd64', 'arm64', 'armhf'] as const;
export const arch = z.enum(ARCHS);
export type Arch = z.infer<typeof arch>;
