import { Ledger } from '../../ledger.js';
import type { Kind, Objects } from './objects.js';

/** The recorded answer of an idempotency key. */
export interface RememberedAnswer {
  key: string;
  /** The request; the key rejects any other. */
  asked: unknown;
  status: number;
  body: unknown;
}

interface Line {
  put: Objects[Kind][];
  deleted: { kind: Kind; id: string }[];
  answer?: RememberedAnswer | undefined;
}

/** All objects. The changes and the answer of one call form one line, so they are stored together. */
export class StripeStore {
  private readonly objects = new Map<Kind, Map<string, Objects[Kind]>>();
  /** What `list` answered, until something changes. */
  private readonly listed = new Map<Kind, readonly Objects[Kind][]>();
  private readonly answers = new Map<string, RememberedAnswer>();
  private readonly rememberedAt = new Map<string, number>();
  /** Ids of answered objects by the key of the first call. */
  private readonly keys = new Map<string, string>();
  private readonly ledger: Ledger<Line>;
  private draft: Line = { put: [], deleted: [] };
  /** True if the store is empty. */
  isNew = true;

  constructor(file: string) {
    this.ledger = new Ledger<Line>(file, ({ put, deleted, answer }) => {
      this.isNew = false;
      for (const object of put) this.of(object.object).set(object.id, object);
      for (const { kind, id } of deleted) this.of(kind).delete(id);
      if (answer) this.remember(answer);
    });
  }

  find<K extends Kind>(kind: K, id: string): Objects[K] | undefined {
    return this.of(kind).get(id) as Objects[K] | undefined;
  }

  /** Newest first. */
  list<K extends Kind>(kind: K): readonly Objects[K][] {
    const all = this.listed.get(kind) ?? [...this.of(kind).values()].reverse();
    this.listed.set(kind, all);
    return all as readonly Objects[K][];
  }

  put<T extends Objects[Kind]>(object: T): T {
    this.of(object.object).set(object.id, object);
    this.listed.delete(object.object);
    this.draft.put.push(object);
    return object;
  }

  delete(kind: Kind, id: string): void {
    this.of(kind).delete(id);
    this.listed.delete(kind);
    this.draft.deleted.push({ kind, id });
  }

  answerTo(key: string): RememberedAnswer | undefined {
    return this.answers.get(key);
  }

  /** Stores all changes since the last call, with the answer if a key may repeat it. */
  commit(answer?: RememberedAnswer): void {
    const { put, deleted } = this.draft;
    this.draft = { put: [], deleted: [] };
    if (put.length + deleted.length === 0 && !answer) return;
    this.ledger.append({ put, deleted, answer });
    if (answer) this.remember(answer);
  }

  /** Stripe forgets keys older than a day; a restart remembers them again. */
  forgetKeys(olderThanMs: number): void {
    const before = Date.now() - olderThanMs;
    for (const [key, at] of this.rememberedAt) if (at <= before) this.answers.delete(key);
  }

  /** The idempotency key of the call that created the object, if any. */
  keyThatMade(id: string): string | null {
    return this.keys.get(id) ?? null;
  }

  private remember(answer: RememberedAnswer): void {
    this.answers.set(answer.key, answer);
    this.rememberedAt.set(answer.key, Date.now());
    const { id } = answer.body as { id?: string };
    if (id !== undefined && !this.keys.has(id)) this.keys.set(id, answer.key);
  }

  close(): void {
    this.ledger.close();
  }

  private of(kind: Kind): Map<string, Objects[Kind]> {
    const known = this.objects.get(kind) ?? new Map<string, Objects[Kind]>();
    this.objects.set(kind, known);
    return known;
  }
}
