import { join } from 'node:path';
import type { Logger } from 'pino';
import type { Attempts } from '../attempts/attempts.ts';
import type { Branding } from '../branding/branding.service.ts';
import type { Bus } from '../bus/bus.ts';
import { authorityOf, ownCertificate } from '../config/authority-file.ts';
import type { Config } from '../config/config.ts';
import type { Feature } from '../house/feature.ts';
import type { Jobs } from '../jobs/jobs.service.ts';
import type { Seal } from '../secrets/sealed.ts';
import { Mailer } from './mail.service.ts';

/** Sends mails, in the looks of the host that people know. */
export function openMail(of: {
  config: Config;
  dataDir: string;
  branding: Pick<Branding, 'ofHost'>;
  publicUrl: () => string;
  jobs: Jobs;
  attempts: Attempts;
  seal: Seal;
  bus: Bus;
  log: Logger;
}): Feature<Mailer> {
  const { config, dataDir, branding, publicUrl } = of;
  const host = () => new URL(publicUrl()).hostname;
  const mailer = new Mailer({
    ...of,
    smtpUrl: config.smtpUrl,
    requireTls: config.smtpNeedsTls,
    ca: authorityOf(config),
    own: ownCertificate(config),
    outboxDir: join(dataDir, 'outbox'),
    from: () => config.mailFrom ?? `no-reply@${host()}`,
    theme: () => branding.ofHost(host()).theme,
  });
  return { name: 'mail', service: mailer, jobs: (jobs) => jobs.add(mailer.job), stop: () => mailer.stop() };
}
