import { textOf } from './template.js';
import type { Variables } from './notification-types.js';

/** `micro` and `microdose` are one word (D97); a type that is not here, as an organization's own, reads as it was sent. */
const plainWords: ReadonlyMap<string, string> = new Map([
  ['glp-1', 'GLP-1'],
  ['nad', 'NAD+'],
  ['micro', 'microdose'],
  ['microdose', 'microdose'],
]);

/**
 * Adds `intakeTypeSentence`, which names the intake type in plain words for a template to put behind a sentence of its
 * own (D97). It begins with the space between the two, and is empty where there is no `intakeType`, because templates
 * know placeholders but no conditions. A sender's own value of that name is replaced.
 */
export function withIntakeTypeSentence(variables: Variables): Variables {
  const intakeType = textOf(variables['intakeType'])?.trim() ?? '';
  const words = plainWords.get(intakeType.toLowerCase()) ?? intakeType;
  return { ...variables, intakeTypeSentence: words === '' ? '' : ` This is about your ${words} intake.` };
}
