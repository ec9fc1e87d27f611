import { expect, test } from 'vitest'
import { attribute, plainText, XmlReader } from './xml.ts'

const events = (...chunks: Uint8Array[]) => {
  const seen: string[] = []
  let text = ''
  const flush = () => {
    if (text !== '') seen.push(`"${text}"`)
    text = ''
  }
  const reader = new XmlReader({
    open: (name, attributes) => {
      flush()
      seen.push(`<${name}${attributes}>`)
    },
    close: (name) => {
      flush()
      seen.push(`</${name}>`)
    },
    text: (more) => {
      text += plainText(more)
    },
  })
  for (const chunk of chunks) reader.write(chunk)
  reader.end()
  return seen
}

const document = Buffer.from(
  '\ufeff<?xml version="1.0"?><!-- a > b --><x:a b=\'1>2\' c="\'"><b/>Prénom &amp; 𝒩om<![CDATA[<&>]]><!----> é\n<d\n e = "f" /></x:a>\n',
)

test('the same is read wherever the bytes are cut', () => {
  const whole = events(document)
  expect(whole).toEqual([
    "<a b='1>2' c=\"'\">",
    '<b>',
    '</b>',
    '"Prénom & 𝒩om<&> é\n"',
    '<d\n e = "f" >',
    '</d>',
    '</a>',
  ])
  for (let one = 1; one < document.length; one++) {
    expect(events(document.subarray(0, one), document.subarray(one))).toEqual(whole)
  }
  expect(events(...Array.from(document, (byte) => Uint8Array.of(byte)))).toEqual(whole)
})

test.each(['<a>', '<a></a></b>', '', 'text', '<a', '<a/><', '< />', '<a>&#x110000</a'])(
  '%j is cut off or no XML',
  (text) => {
    expect(() => events(Buffer.from(text))).toThrow('workbook_damaged')
  },
)

test.each([
  '<!DOCTYPE a><a/>',
  '<!doctype a><a/>',
  '<a><!ENTITY x "y"></a>',
  '<a>&lol;</a>',
  '<![if gte mso 9]><a/>',
])('%j is refused: a workbook has no declarations', (text) => {
  expect(() => events(Buffer.from(text))).toThrow('workbook_entities')
})

test('one piece of more than a million signs is refused before it fills the memory', () => {
  expect(() => events(...Array.from({ length: 20 }, () => Buffer.from(`<a ${'b'.repeat(100_000)}`)))).toThrow(
    'workbook_damaged',
  )
})

test('attributes are found with any quotes, blanks and prefix, and not inside others', () => {
  const text = ' r:id="rId1" sheetId=\'2\' name = "A &amp; &quot;B&quot;"\n t="s"'
  expect(['id', 'sheetId', 'name', 't', 'Id', 'r'].map((name) => attribute(text, name))).toEqual([
    'rId1',
    '2',
    'A & "B"',
    's',
    null,
    null,
  ])
})

test('numbered signs are resolved, impossible ones replaced', () => {
  expect(plainText('&#233;&#xE9;&#x1F600;&#9999999;&lt;')).toBe('éé😀\ufffd<')
})
