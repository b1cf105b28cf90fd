import { visit } from 'jsonc-parser';

/** A body that is no acceptable JSON; the message is for the caller and names no value. */
export class JsonError extends Error {
  override name = 'JsonError';
  readonly safeToLog = true;
}

const maxDepth = 64;

/**
 * Parses a request body and refuses what is valid JSON to some parser only, or would break further on: invalid
 * UTF-8, duplicate keys, `__proto__`, NUL and lone surrogates, nesting over 64, numbers that lose precision
 * (reliability point 6).
 * @throws JsonError
 */
export function parseStrictJson(body: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch {
    throw new JsonError('Malformed JSON: not valid UTF-8');
  }
  refuseHazards(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new JsonError('Malformed JSON');
  }
}

function refuseHazards(text: string): void {
  const openObjects: (Set<string> | undefined)[] = [];
  const open = (keys: Set<string> | undefined) => {
    openObjects.push(keys);
    if (openObjects.length > maxDepth)
      throw new JsonError(`Malformed JSON: nested deeper than ${maxDepth} levels`);
  };
  const close = () => void openObjects.pop();
  visit(
    text,
    {
      onObjectBegin: () => open(new Set()),
      onObjectEnd: close,
      onArrayBegin: () => open(undefined),
      onArrayEnd: close,
      onObjectProperty: (name) => {
        refuseText(name);
        if (name === '__proto__') throw new JsonError('Malformed JSON: key not allowed');
        const keys = openObjects.at(-1);
        if (keys?.has(name)) throw new JsonError('Malformed JSON: duplicate key');
        keys?.add(name);
      },
      onLiteralValue: (value: unknown) => {
        if (typeof value === 'string') refuseText(value);
        if (typeof value === 'number') refuseNumber(value);
      },
    },
    { disallowComments: true },
  );
}

function refuseText(text: string): void {
  if (text.includes('\0') || !text.isWellFormed())
    throw new JsonError('Malformed JSON: character not allowed');
}

function refuseNumber(value: number): void {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    throw new JsonError('Malformed JSON: number out of range');
}
