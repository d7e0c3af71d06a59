import { codeOf, messageOf } from '../log.ts';

/** What the system says about a file or the machine, as a person would. `it` is the path, where there is one. */
const SENTENCES: Readonly<Record<string, (it: string) => string>> = {
  ENOENT: (it) => `${it} does not exist on the device.`,
  ENOTDIR: (it) => `${it} does not exist on the device: a part of the path is a file.`,
  EISDIR: (it) => `${it} is a folder.`,
  ENOTEMPTY: (it) => `${it} is not empty.`,
  EEXIST: (it) => `${it} is there already.`,
  EACCES: (it) => `The agent has no right to ${it}.`,
  EPERM: (it) => `The device does not allow that for ${it}.`,
  EROFS: (it) => `${it} is on a disk that cannot be written.`,
  ENOSPC: () => 'The disk of the device is full.',
  EDQUOT: () => 'The disk of the device has no room left for the agent.',
  EIO: (it) => `The disk of the device fails at ${it}.`,
  ELOOP: (it) => `${it} is a link that leads to itself.`,
  ENAMETOOLONG: (it) => `${it} is too long a path.`,
  ETXTBSY: (it) => `${it} runs just now.`,
  EBUSY: (it) => `${it} is in use on the device.`,
  EMFILE: () => 'The agent has too many files open. Try again in a moment.',
  ENFILE: () => 'The device has too many files open. Try again in a moment.',
  EAGAIN: () => 'The device can start no further program just now. Try again in a moment.',
  ENOMEM: () => 'The device has no memory left.',
};

/** Why something was not done, for the person who asked: a sentence instead of what the system calls it. */
export function plainFailure(error: unknown): string {
  const sentence = SENTENCES[codeOf(error)];
  if (!sentence) return messageOf(error);
  const { path, dest } = error as { path?: unknown; dest?: unknown };
  const it = [path, dest].find((one) => typeof one === 'string' && one !== '');
  return sentence(typeof it === 'string' ? it : 'what is needed for it');
}
