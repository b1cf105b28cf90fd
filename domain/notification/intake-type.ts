import { textOf } from './template.js';
import type { Variables } from './notification-types.js';

/** `micro` and `microdose` mean the same (D97). Any other type appears as the sender wrote it. */
const plainWords: ReadonlyMap<string, string> = new Map([
  ['glp-1', 'GLP-1'],
  ['nad', 'NAD+'],
  ['micro', 'microdose'],
  ['microdose', 'microdose'],
]);

/**
 * Adds `intakeTypeSentence`, which a template appends to a sentence of its own (D97). It starts with a space. It is
 * empty without an `intakeType`, because templates have no conditions. It replaces a sender's value of that name.
 */
export function withIntakeTypeSentence(variables: Variables): Variables {
  const intakeType = textOf(variables['intakeType'])?.trim() ?? '';
  const words = plainWords.get(intakeType.toLowerCase()) ?? intakeType;
  return { ...variables, intakeTypeSentence: words === '' ? '' : ` This is about your ${words} intake.` };
}
