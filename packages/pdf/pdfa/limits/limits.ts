import { createHash } from 'node:crypto';

/** The implementation limits of PDF 1.4 (ISO 19005-1 6.1.12; PDF Reference 1.4, appendix C). */
export const LIMITS = {
  integer: 2_147_483_647,
  real: 32_767,
  stringBytes: 65_535,
  nameBytes: 127,
  arrayItems: 8_191,
  dictEntries: 4_095,
  stateDepth: 28,
  deviceNColorants: 8,
} as const;

/** Shortens a name that is too long. Equal names stay equal. */
export function fitName(value: string): string {
  if (value.length <= LIMITS.nameBytes) return value;
  const digest = createHash('sha256').update(value, 'latin1').digest('hex').slice(0, 16);
  return `${value.slice(0, LIMITS.nameBytes - 17)}_${digest}`;
}

/** Brings a number within the limits: large reals become integers, and numbers beyond the range of integers are clamped. */
export function fitNumber(value: number): number {
  if (!Number.isFinite(value)) return 0;
  if (Math.abs(value) <= LIMITS.real) return value;
  const whole = Math.round(value);
  return Math.abs(whole) > LIMITS.integer ? Math.sign(whole) * LIMITS.real : whole;
}
