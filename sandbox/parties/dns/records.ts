import type { Answer } from 'dns-packet';
import { z } from 'zod';
import { Ledger } from '../../ledger.js';

const TTL_SECONDS = 1;
const LONGEST_ALIAS_CHAIN = 8;
/** Maximum length of one string in a TXT record; longer values take several. */
const TXT_STRING_BYTES = 255;
const OWN_ADDRESS = '127.0.0.1';

const hostname = z
  .string()
  .max(253)
  .regex(/^[\w-]{1,63}(\.[\w-]{1,63})*\.?$/, 'Not a domain name')
  .transform(plain);
const common = { name: hostname };

/** A record set of the control API; it replaces the one of the same name and type, and may be empty. */
export const recordSet = z.discriminatedUnion('type', [
  z.strictObject({ ...common, type: z.literal('A'), values: z.array(z.ipv4()).max(10) }),
  z.strictObject({ ...common, type: z.literal('AAAA'), values: z.array(z.ipv6()).max(10) }),
  z.strictObject({ ...common, type: z.literal('CNAME'), values: z.array(hostname).max(1) }),
  z.strictObject({ ...common, type: z.literal('TXT'), values: z.array(z.string().max(1000)).max(10) }),
]);
export type RecordSet = z.infer<typeof recordSet>;

/** The DNS records. A name under `.test` has this machine's address by default. */
export class DnsRecords {
  private readonly sets = new Map<string, RecordSet>();
  private readonly ledger: Ledger<RecordSet>;

  constructor(file: string) {
    this.ledger = new Ledger<RecordSet>(file, (set) => this.sets.set(keyOf(set), set));
  }

  set(set: RecordSet): void {
    this.ledger.append(set);
    this.sets.set(keyOf(set), set);
  }

  list(): RecordSet[] {
    return [...this.sets.values()];
  }

  clear(): void {
    this.ledger.rewrite([]);
    this.sets.clear();
  }

  /** The answer to a query, aliases followed; undefined for an unknown name. */
  answer(question: { name: string; type: string }): Answer[] | undefined {
    const answers: Answer[] = [];
    let name = question.name;
    for (let step = 0; step < LONGEST_ALIAS_CHAIN; step++) {
      if (!this.knows(name)) return step === 0 ? undefined : answers;
      const [alias] = question.type === 'CNAME' ? [] : this.valuesOf(name, 'CNAME');
      if (alias === undefined) {
        return [
          ...answers,
          ...this.valuesOf(name, question.type).map((value) => record(name, question.type, value)),
        ];
      }
      answers.push(record(name, 'CNAME', alias));
      name = alias;
    }
    return answers;
  }

  close(): void {
    this.ledger.close();
  }

  private knows(name: string): boolean {
    return isTestName(name) || this.list().some((set) => set.name === plain(name) && set.values.length > 0);
  }

  private valuesOf(name: string, type: string): string[] {
    const set = this.sets.get(keyOf({ name: plain(name), type }));
    return set?.values ?? (type === 'A' && isTestName(name) ? [OWN_ADDRESS] : []);
  }
}

const keyOf = ({ name, type }: { name: string; type: string }): string => `${type} ${name}`;
const isTestName = (name: string): boolean => plain(name).endsWith('.test');

/** Compares names without case and trailing dot. */
function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, '');
}

function record(name: string, type: string, value: string): Answer {
  const data = type === 'TXT' ? txtStrings(value) : value;
  return { name, type, ttl: TTL_SECONDS, class: 'IN', data } as Answer;
}

function txtStrings(value: string): Buffer[] {
  const bytes = Buffer.from(value);
  const count = Math.max(1, Math.ceil(bytes.length / TXT_STRING_BYTES));
  return Array.from({ length: count }, (_, n) =>
    bytes.subarray(n * TXT_STRING_BYTES, (n + 1) * TXT_STRING_BYTES),
  );
}
