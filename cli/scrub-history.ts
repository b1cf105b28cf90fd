import { createHmac, randomBytes } from 'node:crypto';

/** A payload in protobuf JSON. */
export interface WirePayload {
  metadata?: Record<string, string> | undefined;
  data?: string | undefined;
}

/** Fields with personal data, whose texts are always replaced. */
const personal =
  /name|^given$|^family$|phone|mail|birth|^dob$|address|^line\d?$|street|city|^zip|postal|gender|^sex$/i;
const workflowIdKey = /workflowId$/i;
const runIdKey = /runId$/i;
/** The SDK's own details in markers of local activities and patches, unencrypted. */
const sdkNotes: ReadonlySet<string> = new Set(['data', 'patch-data']);
/** Free texts beside payloads; in some events they are enum names. */
const freeTexts: ReadonlySet<string> = new Set(['message', 'reason', 'cause']);
const inCapitals = /^[A-Z][A-Z0-9_]+$/;
const day = /^\d{4}-\d\d-\d\d$/;
const instant = /^\d{4}-\d\d-\d\dT[\d:.]+Z?$/;
const somebody = /^\d+@/;
const randomUuid = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/;

const text = (base64 = ''): string => Buffer.from(base64, 'base64').toString();
const base64 = (value: string): string => Buffer.from(value).toString('base64');
const isPayload = (value: object): value is WirePayload =>
  'metadata' in value && typeof (value.metadata as { encoding?: unknown } | null)?.encoding === 'string';
const isSealed = ({ metadata }: WirePayload): boolean => text(metadata?.['encoding']) === 'binary/encrypted';

/**
 * Removes patient data from a history, which still replays. Every text that the code does not contain becomes a text of
 * the same shape, equal for equal texts. Numbers, booleans and times stay, because code depends on them; dates become
 * the day of the run.
 * @param history protobuf JSON of Temporal's `History`
 * @param decode decrypts payloads, in their order
 * @param vocabulary texts in the code: states, statuses, types
 */
export async function scrubHistory(
  history: unknown,
  decode: (sealed: WirePayload[]) => Promise<WirePayload[]>,
  vocabulary: ReadonlySet<string>,
): Promise<unknown> {
  const sealed: WirePayload[] = [];
  /** Run ids, and random ids of child workflows, which a replay generates again. */
  const byChance = new Set<string>();
  let firstInstant = '';
  look(history, '', (value, key) => {
    if (typeof value === 'string' && runIdKey.test(key)) byChance.add(value);
    if (key === 'startChildWorkflowExecutionInitiatedEventAttributes')
      for (const part of (value as { workflowId: string }).workflowId.split(':'))
        if (randomUuid.test(part)) byChance.add(part);
    if (typeof value === 'string' && firstInstant === '' && key === 'eventTime') firstInstant = value;
    if (typeof value === 'object' && value !== null && isPayload(value) && isSealed(value))
      sealed.push(value);
  });
  const opened = await decode(sealed);
  const openedOf = new Map(sealed.map((payload, index) => [payload, opened[index]] as const));
  const runDay = firstInstant.slice(0, 10);
  // Forgotten with the process, so no replacement can be reversed.
  const secret = randomBytes(32);
  const lookalikes = new Map<string, string>();

  return scrub(history, '', false);

  function scrub(value: unknown, key: string, isInMarker: boolean): unknown {
    if (Array.isArray(value)) return value.map((one) => scrub(one, key, isInMarker));
    if (typeof value === 'string') return attribute(value, key);
    if (typeof value !== 'object' || value === null) return value;
    if (isPayload(value)) return payload(value);
    return Object.fromEntries(
      Object.entries(value)
        // Texts for operators, which no code reads.
        .filter(([name]) => name !== 'userMetadata')
        .map(([name, held]) => [
          name,
          isInMarker && sdkNotes.has(name)
            ? held
            : scrub(held, name, isInMarker || name === 'markerRecordedEventAttributes'),
        ]),
    );
  }

  function attribute(value: string, key: string): string {
    if (key === 'identity' || somebody.test(value)) return 'captured';
    if (workflowIdKey.test(key)) return id(value);
    if (key === 'stackTrace') return '';
    if (freeTexts.has(key))
      return value === 'Encoded failure' || inCapitals.test(value) ? value : replaced(value, key);
    return value;
  }

  /** The parts of an id are kinds of runs, small numbers, and texts of clients. */
  function id(value: string): string {
    const parts = value.split(':');
    return parts.map((part) => (/^\d{1,3}$/.test(part) ? part : replaced(part, ''))).join(':');
  }

  function payload(value: WirePayload): WirePayload {
    const plain = openedOf.get(value) ?? value;
    const { metadata, data } = plain;
    const encoding = text(metadata?.['encoding']);
    if (encoding === 'binary/null') return plain;
    const kept = {
      encoding: metadata?.['encoding'] ?? '',
      ...(metadata?.['type'] && { type: metadata['type'] }),
    };
    if (encoding !== 'json/plain') return { metadata: kept, data: '' };
    return { metadata: kept, data: base64(JSON.stringify(content(JSON.parse(text(data)), ''))) };
  }

  function content(value: unknown, key: string): unknown {
    if (typeof value === 'string') return key === 'stack_trace' ? '' : replaced(value, key);
    if (Array.isArray(value)) return value.map((one) => content(one, key));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, held]) => [
        // A key that is no field name may be personal.
        /^\w+$/.test(name) && !/^\d/.test(name) ? name : replaced(name, ''),
        content(held, name),
      ]),
    );
  }

  function replaced(value: string, key: string): string {
    if (!personal.test(key)) {
      if (vocabulary.has(value) || byChance.has(value) || instant.test(value)) return value;
      if (day.test(value)) return runDay;
      const [kind, ...rest] = value.split(':');
      if (rest.length > 0 && vocabulary.has(kind ?? '')) return id(value);
    }
    return value.replace(/[\p{L}\p{N}]+/gu, lookalike);
  }

  function lookalike(word: string): string {
    const known = lookalikes.get(word);
    if (known !== undefined) return known;
    const made = anotherWord(word);
    lookalikes.set(word, made);
    return made;
  }

  /** Letters for letters and digits for digits; hexadecimal words stay hexadecimal. */
  function anotherWord(word: string): string {
    const bytes = createHmac('sha512', secret).update(word).digest();
    const isHex = /^[\da-f]+$/.test(word);
    return Array.from(word)
      .map((character, index) => {
        const byte = bytes[index % bytes.length] ?? 0;
        if (/\d/.test(character)) return String(byte % 10);
        const letter = String.fromCharCode(97 + (byte % (isHex ? 6 : 26)));
        return character === character.toLowerCase() ? letter : letter.toUpperCase();
      })
      .join('');
  }
}

function look(value: unknown, key: string, see: (value: unknown, key: string) => void): void {
  if (value === null || value === undefined) return;
  see(value, key);
  if (typeof value === 'object')
    for (const [name, held] of Object.entries(value)) look(held, Array.isArray(value) ? key : name, see);
}
