import fc from 'fast-check'

/** Texts as people write them: with accents, in several scripts, and from keyboards that make signs of their own. */
const usual = [
  ...[
    'Awa',
    'Fatoumata Coulibaly',
    "N'Diaye",
    'École de Ségou',
    'Thiès – Est',
    'Bourse d’octobre',
    'x',
    '7A',
  ],
  ...['2026-2027', 'KIT-1', 'approved', '42', '0', 'none', 'primary', 'account_unknown', 'account_blocked'],
]
/** Texts that are allowed and that few programs expect. */
const rare = [
  // Accents as signs of their own, many of them on one letter, and letters that change their number by their case.
  ...['E\u0301cole', `Z${'\u0301'.repeat(40)}algo`, 'İstanbul ı ß ŉ', 'ﬁn', 'Ｆｕｌｌ'],
  // Right to left, with its marks, joiners, an invisible blank, a line that is no end of a line.
  ...['عائشة', '\u202eexe.gnp', '\u200bAwa\u200b', 'a\u2028b', 'a\u0085b', '\ufeffAwa', '\u00a0', '\u00ad'],
  // Signs of other planes, and of several.
  ...['👩🏿‍🎓', '𞤀𞤁𞤂', '𝒜', '\u{10ffff}', '\uffff'],
  // What other programs read as theirs.
  ...[
    '=1+1',
    "'; --",
    '%',
    '_',
    '\\',
    '%_\\',
    '"',
    '<b>',
    '{0}',
    '{{x}}',
    '$1',
    '\\u0000',
    'null',
    'a\tb\nc\r\nd',
  ],
  ...['NaN', '-1', '1e9', '١٢٣', '0x1f', '../..', 'a'.repeat(400), 'toString', '__proto__', 'constructor'],
]
/** Texts that no field may store. */
const unstorable = ['a\u0000b', '\ud800', 'x\udc00y']

/** A word of so many letters, all of them of several bytes and none like the one before, as no dictionary has it. */
const longWord = (length: number, seed: number) =>
  Array.from({ length }, (_, n) =>
    String.fromCodePoint(0x4e00 + ((n * 7919 + seed * 104_729) % 20_900)),
  ).join('')

/** Any text, mostly one that fits between the two bounds. */
export const anyText = (max: number, min = 0): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...usual) },
    { weight: 7, arbitrary: fc.constantFrom(...rare) },
    { weight: 2, arbitrary: fc.string({ unit: 'grapheme', minLength: min, maxLength: Math.min(max, 60) }) },
    { weight: 2, arbitrary: fc.nat(50).map((seed) => longWord(Math.min(max, 5000), seed)) },
    { weight: 1, arbitrary: fc.nat(50).map((seed) => longWord(Math.min(max, 5000) + 1, seed)) },
    { weight: 1, arbitrary: fc.constantFrom('', ' ', '\n', 'x'.repeat(min)) },
    { weight: 1, arbitrary: fc.constantFrom(...unstorable) },
  )

const now = new Date()
const ahead = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)

/** Days: near today, and those at which calendars end or have a day more. */
export const anyDay: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -60, max: 60 }).map(ahead) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('2012-02-29', '2010-05-06', '2028-02-29', '2024-02-29', '1999-12-31'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('0000-01-01', '0001-01-01', '9999-12-31', '1582-10-10', '1900-03-01'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('2026-02-29', '2026-13-01', '2026-1-1', '26-01-01', '٢٠٢٦-٠١-٠١', ''),
  },
)

/** Texts of fields whose name says what they are of. The first that fits counts. */
export const namedTexts: [RegExp, fc.Arbitrary<string>][] = [
  [/^(from|to|since|ends_on|date|date_of_birth|start_date|partner_since)$/, anyDay],
  [
    /phone|contact_/,
    fc.constantFrom(
      '+22370123456',
      '70 12 34 56',
      '+221771234567',
      '00223 70.12.34.56',
      '+22370123456x',
      '+2237',
    ),
  ],
  [/account$/, fc.constantFrom('ML13ML0160120102600100066849', 'ML016 01201 026001000668 49', 'x', 'FR76')],
  [
    /email/,
    fc.constantFrom(
      'awa@example.org',
      'AWA@EXAMPLE.ORG',
      `${'a'.repeat(240)}@example.org`,
      'a@b',
      'é@é.ml',
      '',
    ),
  ],
  [/academic_year/, fc.constantFrom('2026-2027', '2027-2026', '0000-0001', '9998-9999', '2026-2028')],
  [/currency/, fc.constantFrom('XOF', 'xof', 'EUR')],
  [
    /endpoint/,
    fc.constantFrom(
      'https://agency.example',
      'http://127.0.0.1:9',
      'https://user:pass@x.example/a?b#c',
      'https://é.example',
    ),
  ],
  [
    /^details$/,
    fc.constantFrom(
      '{"protocol":"sandbox"}',
      '{"protocol":"sandbox","account":"A-1","progress_minutes":1}',
      '{"protocol":"sandbox","slots":0}',
      '{"protocol":"file","payer_name":"Bourses","payer_account":"x","payer_bank":"y"}',
      '{"protocol":"gsma"}',
      '{"protocol":"none"}',
      '{"protocol":"sandbox","number_prefixes":["70","7"],"account":"é👩🏿‍🎓"}',
      '[]',
      '"text"',
      '{',
    ),
  ],
  [
    /^headings$/,
    fc.constantFrom('{}', '{"a":"b"}', '{"receiver_first_name":"Receiver"}', '[]', '{"toString":"x"}'),
  ],
  [
    /password/,
    fc.constantFrom(
      'a long enough password',
      'a passphrase of the test',
      'short',
      'é'.repeat(200),
      'x'.repeat(201),
    ),
  ],
  [/admin_district_as_cap/, fc.constantFrom('CAP KITA', 'CAP MACINA', 'IEF VELINGARA', 'CAP NOWHERE')],
  [/education_authority_as_ae/, fc.constantFrom('AE KAYES', 'AE SEGOU', 'IA KOLDA', 'AE NOWHERE')],
  [
    /^(type_of_school|partner_type|employment_type)$/,
    fc.constantFrom('primary', 'public', 'ngo', 'contract', 'community'),
  ],
  [/^(current_class_level|class_level|levels)$/, fc.constantFrom('7', '8', '6E', 'CM2', '6e')],
  [/^form$/, fc.constantFrom('POST /admin/cases', 'a', 'PUT /locations/update/1')],
  [/^list$/, fc.constantFrom('/admin/schools', '/admin/cases', '/x', '/a:b_c')],
  [/^(query)$/, fc.constantFrom('', 'search=a', 'sort=-name&search=%C3%A9', 'page=2', 'search=%00', '%')],
  [/^start$/, fc.constantFrom('', '/home', '/admin/schools', 'view:1', '/nowhere')],
  [/^step$/, fc.constantFrom('mfe-health:visits', 'agency', 'x')],
]
