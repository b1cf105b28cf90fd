/** What may be approved, whoever asks (D6, D32): the contract of the API and the reading of the EMR's events keep to it. */
export const maxTaskIdLength = 200;
export const printable = /^[^\p{C}\p{Zl}\p{Zp}]*$/u;
/** Our own refill tasks begin so. */
export const refillPrefix = 'refill-';
export const maxDosageLength = 2000;

export const isTaskId = (text: string): boolean =>
  text.length <= maxTaskIdLength && /\S/.test(text) && printable.test(text) && !text.startsWith(refillPrefix);
