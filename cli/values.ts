import { InvalidArgumentError } from 'commander';
import { isCalendarDay } from '../domain/calendar.js';

export function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new InvalidArgumentError('Give JSON.');
  }
}

export function readInteger(text: string): number {
  if (!/^-?\d{1,9}$/.test(text)) throw new InvalidArgumentError('Give a whole number.');
  return Number(text);
}

const secondsPer: Record<string, number> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `2h` in seconds. */
export function readSeconds(text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('Give a number and s, m, h or d, such as 2h.');
  return Number(count) * (secondsPer[unit] ?? 0);
}

/** A moment as milliseconds. */
export function readTime(text: string): number {
  const ms = /^\d{4}-\d\d-\d\dT/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(ms)) throw new InvalidArgumentError('Give a time such as 2026-01-31T12:00:00Z.');
  return ms;
}

export function readDay(text: string): string {
  if (!isCalendarDay(text)) throw new InvalidArgumentError('Give a day as YYYY-MM-DD.');
  return text;
}

export const dollars = (cents: unknown): string => `$${(Number(cents) / 100).toFixed(2)}`;
