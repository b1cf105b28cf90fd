import { Ledger } from '../../ledger.js';
import type { Kind, Objects } from './objects.js';

/** An answer that its idempotency key brings back. */
export interface RememberedAnswer {
  key: string;
  /** What was asked; the same key may not ask anything else. */
  asked: unknown;
  status: number;
  body: unknown;
}

interface Line {
  put: Objects[Kind][];
  deleted: { kind: Kind; id: string }[];
  answer?: RememberedAnswer | undefined;
}

/** All objects. What one call changes and answers becomes one line, so that neither is ever kept without the other. */
export class StripeStore {
  private readonly objects = new Map<Kind, Map<string, Objects[Kind]>>();
  private readonly answers = new Map<string, RememberedAnswer>();
  private readonly rememberedAt = new Map<string, number>();
  /** Ids of what was answered with, by the key of the first call that did. */
  private readonly keys = new Map<string, string>();
  private readonly ledger: Ledger<Line>;
  private draft: Line = { put: [], deleted: [] };
  /** True when nothing was ever kept. */
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
  list<K extends Kind>(kind: K): Objects[K][] {
    return [...this.of(kind).values()].reverse() as Objects[K][];
  }

  put<T extends Objects[Kind]>(object: T): T {
    this.of(object.object).set(object.id, object);
    this.draft.put.push(object);
    return object;
  }

  delete(kind: Kind, id: string): void {
    this.of(kind).delete(id);
    this.draft.deleted.push({ kind, id });
  }

  answerTo(key: string): RememberedAnswer | undefined {
    return this.answers.get(key);
  }

  /** Keeps what was put and deleted since the last call, with the answer if its key may bring it back. */
  commit(answer?: RememberedAnswer): void {
    const { put, deleted } = this.draft;
    this.draft = { put: [], deleted: [] };
    if (put.length + deleted.length === 0 && !answer) return;
    this.ledger.append({ put, deleted, answer });
    if (answer) this.remember(answer);
  }

  /** As the real one does with all that are older than a day; a restart remembers them again. */
  forgetKeys(olderThanMs: number): void {
    const before = Date.now() - olderThanMs;
    for (const [key, at] of this.rememberedAt) if (at <= before) this.answers.delete(key);
  }

  /** The idempotency key of the call that made the object, if it had one. */
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
