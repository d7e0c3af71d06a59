import snmp from 'net-snmp';

/** Opaque values that hold a float: the tags of type, and of its length. Source: draft-perkins-float-00. */
const OPAQUE_FLOAT = Buffer.from([0x9f, 0x78, 4]);

/** A value as text, number or bigint; null for one that the agent does not have. */
export function snmpValue(varbind: snmp.Varbind): unknown {
  const { type, value } = varbind;
  if (snmp.isVarbindError(varbind) || value === undefined) return null;
  if (!Buffer.isBuffer(value)) return value;
  if (type === snmp.ObjectType.Counter64) return counter64(value);
  if (type === snmp.ObjectType.Opaque) return opaque(value);
  return octets(value);
}

/** As many bytes as the number needs; the agent's length is not trusted. */
function counter64(bytes: Buffer): bigint | null {
  const significant = bytes[0] === 0 ? bytes.subarray(1) : bytes;
  return significant.length > 8 ? null : BigInt(`0x0${significant.toString('hex')}`);
}

function opaque(bytes: Buffer): unknown {
  const isFloat = bytes.length === 7 && bytes.subarray(0, 3).equals(OPAQUE_FLOAT);
  return isFloat ? Number(bytes.readFloatBE(3).toPrecision(7)) : bytes.toString('hex');
}

/** Text where the bytes are text, else their digits as addresses of network cards are written. */
function octets(bytes: Buffer): string {
  const cut = bytes.at(-1) === 0 ? bytes.subarray(0, -1) : bytes;
  const text = cut.toString('utf8');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: bytes of an address look like these
  if (!/[\u0000-\u0008\u000e-\u001f\u007f\ufffd]/.test(text)) return text;
  return (bytes.toString('hex').match(/../g) ?? []).slice(0, 64).join(':');
}
