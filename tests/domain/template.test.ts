import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isWellFormed, oneLine, render, variablesIn } from '../../domain/template.js';

describe('rendering a template', () => {
  it('fills placeholders, with or without spaces inside the braces', () => {
    expect(render('Hello {{name}}, {{ name }}!', { name: 'Ada' }, 'raw')).toBe('Hello Ada, Ada!');
  });

  it('renders what is missing, undefined or null as nothing', () => {
    expect(render('[{{a}}{{b}}{{c}}]', { b: undefined, c: null }, 'html')).toBe('[]');
  });

  it('prints zero and false, and nothing for objects, lists and functions', () => {
    const variables = { zero: 0, no: false, object: {}, list: ['x'], fn: () => 'x' };
    expect(render('{{zero}} {{no}} [{{object}}{{list}}{{fn}}]', variables, 'raw')).toBe('0 false []');
  });

  it('looks at own fields only', () => {
    expect(render('[{{constructor}}{{constructor.name}}{{__proto__}}{{toString}}]', {}, 'raw')).toBe('[]');
  });

  it('follows a dotted path', () => {
    expect(render('{{order.number}}|{{order.missing.deeper}}', { order: { number: 7 } }, 'raw')).toBe('7|');
  });

  it('escapes values in HTML and leaves the template and raw texts alone', () => {
    const variables = { name: `<b>"O'Neil" & co</b>` };
    expect(render('<p>{{name}}</p>', variables, 'html')).toBe(
      '<p>&lt;b&gt;&quot;O&#39;Neil&quot; &amp; co&lt;/b&gt;</p>',
    );
    expect(render('{{name}}', variables, 'raw')).toBe(variables.name);
  });

  it('puts any text in as it is: never expanded again, never read as a replacement pattern', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.constantFrom('{{b}}', '$&', "$'", '$1', '{{a}}')), (text) => {
        expect(render('<{{a}}>', { a: text, b: 'expanded' }, 'raw')).toBe(`<${text}>`);
      }),
    );
  });

  it('leaves no character in HTML that could open a tag, an attribute or an entity', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const rendered = render('{{a}}', { a: text }, 'html');
        expect(rendered).not.toMatch(/[<>"']/);
        expect(rendered.replace(/&(amp|lt|gt|quot|#39);/g, '')).not.toContain('&');
      }),
    );
  });
});

describe('a template of any shape', () => {
  const value = fc.oneof(fc.string({ unit: 'binary' }), fc.integer(), fc.boolean(), fc.constant(null));
  const literal = fc.string().filter((text) => !text.includes('{'));
  const name = fc.constantFrom('a', 'patientName', '_x1', 'constructor');
  const space = fc.constantFrom('', ' ', '  ', '\n');

  it('is its literal text with the values in between', () => {
    const segments = fc.array(fc.tuple(literal, space, name, space));
    const values = fc.dictionary(name, value, { noNullPrototype: true });
    fc.assert(
      fc.property(segments, values, (parts, variables) => {
        const template = parts
          .map(([text, before, key, after]) => `${text}{{${before}${key}${after}}}`)
          .join('');
        const expected = parts
          .map(([text, , key]) => text + (Object.hasOwn(variables, key) ? String(variables[key] ?? '') : ''))
          .join('');
        expect(render(template, variables, 'raw')).toBe(expected);
        expect(isWellFormed(template)).toBe(true);
      }),
    );
  });

  it('shows no pair of opening braces to the reader once it is well-formed', () => {
    const piece = fc.oneof(
      fc.constantFrom('{{', '}}', '{', '}', '{{a}}', '{{ a.b }}', '{{#if}}', '{{{a}}}', ' '),
      fc.string(),
    );
    const template = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(template, (text) => {
        if (isWellFormed(text)) expect(render(text, {}, 'raw')).not.toContain('{{');
        else expect(text).toContain('{{');
      }),
    );
  });

  it('is filled in only so far that it stays in memory', () => {
    const filled = render('{{a}}'.repeat(10_000), { a: 'x'.repeat(300_000) }, 'raw');
    expect(filled.length).toBeLessThan(2_000_000);
    expect(filled.length).toBeGreaterThan(1_000_000);
  });
});

describe('a template', () => {
  it.each(['', 'Hello', '{{a}}', '{{ a.b_c }}', '{ "a": {{a}}}', '@media x{.a{color:red}}', '} }} {a}'])(
    'may be %j',
    (text) => expect(isWellFormed(text)).toBe(true),
  );

  it.each([
    '{{',
    '{{a',
    '{{a}',
    '{{{a}}}',
    '{{#if a}}',
    '{{/if}}',
    '{{}}',
    '{{a b}}',
    '{{a.}}',
    '{{1}}',
    '{{a-b}}',
  ])('may not be %j', (text) => expect(isWellFormed(text)).toBe(false));

  it('names each of its variables once', () => {
    expect(variablesIn('{{a}} {{ b.c }} {{a}} {{b}} {{c')).toEqual(['a', 'b']);
  });
});

describe('a text for a header', () => {
  it('has no line breaks or control characters left', () => {
    expect(oneLine('Hello\r\nBcc: evil@example.test\u0000\u2028 you')).toBe(
      'Hello Bcc: evil@example.test  you',
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => expect(oneLine(text)).not.toMatch(/[\r\n\0]/)),
    );
  });
});
