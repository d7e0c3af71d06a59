import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Branding } from '../branding/branding.service.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import { Mailer } from './mail.service.ts';

/** Sends mails, in the looks of the host that people know. */
export function openMail(of: {
  config: Config;
  dataDir: string;
  branding: Pick<Branding, 'ofHost'>;
  publicUrl: () => string;
  log: Logger;
}): Feature<Mailer> {
  const { config, dataDir, branding, publicUrl, log } = of;
  const host = () => new URL(publicUrl()).hostname;
  const mailer = new Mailer({
    smtpUrl: config.smtpUrl,
    outboxDir: join(dataDir, 'outbox'),
    from: () => config.mailFrom ?? `no-reply@${host()}`,
    theme: () => branding.ofHost(host()).theme,
    log,
  });
  return { name: 'mail', service: mailer, stop: () => mailer.stop() };
}
