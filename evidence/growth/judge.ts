import type { Plan, Reading } from '../../tests/faults/long/plans.js';
import { grownTables } from '../../tests/faults/long/tables.js';
import { hasPartsOf, isMadeBy, lengthOf, packed, type Template, templatesOf } from './statements.js';

/** More rows than any statement needs for open work, one patient, or a page. */
const enough = { rows: 2_000, pages: 5_000 };

interface Seen {
  times: number;
  cancelled: number;
  /** The worst excessive read by table and kind of scan. */
  worst: Map<string, Reading>;
}

export interface Verdict {
  /** Statements of the sources, with fragments. */
  statements: number;
  plans: number;
  /** Functions with a statement that never ran. */
  unseen: string[];
  tooMuch: string[];
  givenUp: string[];
}

/** Maps the database's log to statements of the sources and judges each plan. */
export class Judge {
  private readonly templates = templatesOf('db');
  /** Keyed by text without spaces. */
  private readonly seen = new Map<string, Seen>();
  private plans = 0;

  see({ statement, readings, isCancelled }: Plan): void {
    this.plans += 1;
    const text = packed(statement);
    const seen = this.seen.get(text) ?? {
      times: 0,
      cancelled: 0,
      worst: new Map<string, Reading>(),
    };
    this.seen.set(text, seen);
    seen.times += 1;
    seen.cancelled += isCancelled ? 1 : 0;
    for (const reading of readings) {
      if (!isTooMuch(reading)) continue;
      const key = `${reading.how} of ${reading.table}`;
      const before = seen.worst.get(key);
      if (!before || before.rows + before.pages < reading.rows + reading.pages) seen.worst.set(key, reading);
    }
  }

  verdict(): Verdict {
    const made = new Map<string, Template[]>();
    const reached = new Set<Template>();
    for (const text of this.seen.keys()) {
      const by = this.templates.filter((template) => isMadeBy(template, text));
      // Another template's longer text may fit too, if this one is mostly values.
      for (const template of by) if (template.isWhole) reached.add(template);
      const longest = Math.max(...by.map(lengthOf));
      if (by.length > 0)
        made.set(
          text,
          by.filter((template) => lengthOf(template) === longest),
        );
    }
    for (const template of [...made.values()].flat()) reached.add(template);
    const unseen = this.templates.filter(
      (template) =>
        !reached.has(template) &&
        (template.isWhole || ![...made.keys()].some((text) => hasPartsOf(template, text))),
    );
    const judged = [...this.seen].flatMap(([text, seen]) => {
      const [by] = made.get(text) ?? [];
      return by ? [{ where: by.where, ...seen }] : [];
    });
    return {
      statements: this.templates.length,
      plans: this.plans,
      unseen: [...new Set(unseen.map(({ where }) => where))].sort(),
      tooMuch: judged.flatMap(({ where, worst }) =>
        [...worst.values()].map(
          ({ how, table, rows, pages }) => `${where}: ${how} of ${table}, ${rows} rows, ${pages} pages`,
        ),
      ),
      // Every execution failed, so its reads are unknown.
      givenUp: judged.flatMap(({ where, times, cancelled }) => (times === cancelled ? [where] : [])),
    };
  }
}

const isTooMuch = ({ table, how, rows, pages }: Reading): boolean =>
  table in grownTables &&
  (how.endsWith('Seq Scan') || (how.endsWith('Scan') && (rows > enough.rows || pages > enough.pages)));
