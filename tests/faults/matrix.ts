/** `npm run faults` has every case; `npm test` has the first ones, since a kill costs a restart. */
const isFull = process.env['FAULTS'] === 'full';

export const matrix = <Case>(cases: readonly Case[], { short }: { short: number }): readonly Case[] =>
  isFull ? cases : cases.slice(0, short);
