import type {
  SecurityFinding,
  SecurityTask,
} from '@albedo/contract/security-services/security-services.schema';
import { topic } from '../bus/topic.ts';

/** A scan ended and found something new that nobody has accepted. */
export interface SecurityFound {
  workgroup: string;
  device: string;
  kind: SecurityTask;
  job: string;
  scan: string;
  /** Epoch ms. */
  at: number;
  /** Nothing was known before: all that there is counts as new. */
  isFirst: boolean;
  findings: Pick<SecurityFinding, 'key' | 'description' | 'addresses'>[];
}

export const securityFound = topic<SecurityFound>('security-services:found');
