/** Names of exception codes. Source: Modbus Application Protocol 1.1b3, section 7. */
const EXCEPTIONS: Record<number, string> = {
  1: 'illegal function',
  2: 'illegal data address',
  3: 'illegal data value',
  4: 'device failure',
  5: 'acknowledge',
  6: 'device busy',
  8: 'memory parity error',
  10: 'gateway path unavailable',
  11: 'gateway target failed to respond',
};

export type ModbusFault = 'unreachable' | 'timeout' | 'exception' | 'aborted';

/** A request that got no data. The message names the device, the request and the reason. */
export class ModbusError extends Error {
  override name = 'ModbusError';
  readonly fault: ModbusFault;
  /** The code of an exception reply; null otherwise. */
  readonly exceptionCode: number | null;

  constructor(fault: ModbusFault, text: string, exceptionCode: number | null = null) {
    super(text);
    this.fault = fault;
    this.exceptionCode = exceptionCode;
  }
}

interface LibraryError {
  message?: string;
  errno?: string;
  code?: string;
  modbusCode?: number;
}

/** An answer came, but with the transaction id of no request that waits. */
export class StrangeIdError extends Error {
  constructor(id: number, sent: number) {
    super(`answered with transaction id ${id} in place of ${sent}; any_transaction_id takes such answers`);
  }
}

/** No answer within the time for it. */
export const isSilence = (error: unknown): boolean => {
  const { errno, code } = (error ?? {}) as LibraryError;
  return errno === 'ETIMEDOUT' && code !== 'ETIMEDOUT';
};

/** Translates what modbus-serial or the socket threw. */
export function modbusError(error: unknown, where: string): ModbusError {
  if (error instanceof ModbusError) return error;
  const { message = String(error), modbusCode } = (error ?? {}) as LibraryError;
  if (modbusCode !== undefined) {
    const name = EXCEPTIONS[modbusCode] ?? 'unknown';
    return new ModbusError('exception', `${where}: exception ${modbusCode} (${name})`, modbusCode);
  }
  if (error instanceof StrangeIdError) return new ModbusError('timeout', `${where}: ${message}`);
  if (isSilence(error)) return new ModbusError('timeout', `${where}: no answer`);
  return new ModbusError('unreachable', `${where}: ${message}`);
}
